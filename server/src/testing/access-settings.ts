import { sql } from '#platform/db/db.ts';
import type { Row } from './access-row.ts';
import { ownerRows } from './owner-rows.ts';
import { rowsOf } from './test-system.ts';
import type { TestSystem } from './test-system.ts';

/**
 * Stores a pending raise of a setting that the clerk has requested. Cancels any earlier pending
 * raise.
 */
const raise = async (system: TestSystem): Promise<number> => {
  await rowsOf(
    system,
    sql`update setting_raises set status = 'cancelled'
    where status = 'waiting'`,
  );
  const made = await rowsOf(
    system,
    sql<{ id: number }>`insert into setting_raises (name, amount_before, amount_after,
      account_id, at, effective_at)
      select 'top_up_limit', 5000000, 5000001, id, now(), now() + interval '1 day'
        from accounts where username = 'clerk' returning id`,
  );
  return made[0]!.id;
};

const failedAt = '2026-03-02T01:02:03.004Z';

/**
 * Creates a failed background job. Its task has no schedule, because each success of a scheduled
 * task would remove the failed jobs of that task.
 */
const failedJob = async (system: TestSystem): Promise<number> => {
  const made = await rowsOf(
    system,
    sql<{
      id: number;
    }>`select id from graphile_worker.add_job('read_pushes', '{"push_ids":[]}'::json,
      run_at => now() + interval '1 year', max_attempts => 1)`,
  );
  const { id } = made[0]!;
  await rowsOf(
    system,
    sql`update graphile_worker._private_jobs set attempts = 1, last_error = 'planted',
      updated_at = ${failedAt} where id = ${id}`,
  );
  return id;
};

/** Creates a pending erasure of an invented person's data. The clerk has requested it. */
const erasure = async (system: TestSystem): Promise<number> => {
  const [made] = await ownerRows(
    system,
    sql<{ id: number }>`insert into erasures (account_id, at, reason, phone, names, salt,
      fingerprints) select id, now(), '工单 1', '13900000099', '{李四}', 'x', '{}'
        from accounts where username = 'clerk' returning id`,
  );
  return made!.id;
};

/** Adds a contact. No earlier erasure of personal data may apply to this contact. */
const personToErase = async (system: TestSystem): Promise<void> => {
  await ownerRows(system, sql`update erasures set fingerprints = '{}'`);
  await rowsOf(
    system,
    sql`insert into contacts (station_id, kind, name, phone, province, city, county, address)
      select id, 'receive', '王五', '13900000088', '', '', '', '' from stations limit 1`,
  );
};

/** The routes of the page Personal data. */
export const personalData: Record<string, Row> = {
  'POST /api/arco/personal-data/search': {
    about: 'nothing',
    body: () => ({ phone: '13900000001', reason: '本人申请查阅' }),
  },
  'POST /api/arco/personal-data/export': {
    about: 'nothing',
    body: () => ({ phone: '13900000001', names: ['张三'], reason: '本人申请查阅' }),
  },
  'POST /api/arco/personal-data/erasures/preview': {
    about: 'nothing',
    body: () => ({ phone: '13900000001', names: ['张三'], reason: '工单 1' }),
  },
  'POST /api/arco/personal-data/erasures': {
    about: 'nothing',
    prepare: personToErase,
    body: () => ({
      phone: '13900000088',
      names: ['王五'],
      reason: '工单 1',
      password: 'waystation-demo',
    }),
  },
  'GET /api/arco/personal-data/erasures': { about: 'nothing' },
  'POST /api/arco/personal-data/erasures/{id}/approve': {
    about: 'row',
    make: erasure,
    path: (id) => `/api/arco/personal-data/erasures/${id}/approve`,
    body: () => ({ password: 'waystation-demo' }),
  },
  'POST /api/arco/personal-data/erasures/{id}/cancel': {
    about: 'row',
    make: erasure,
    path: (id) => `/api/arco/personal-data/erasures/${id}/cancel`,
    body: () => ({}),
  },
};

/** The routes of the page System health. */
export const systemHealth: Record<string, Row> = {
  'GET /api/arco/health': { about: 'nothing' },
  'POST /api/arco/health/jobs/{id}/retry': {
    about: 'row',
    make: failedJob,
    path: (id) => `/api/arco/health/jobs/${id}/retry`,
    body: () => ({ failed_at: failedAt }),
  },
  'POST /api/arco/health/jobs/{id}/abandon': {
    about: 'row',
    make: failedJob,
    path: (id) => `/api/arco/health/jobs/${id}/abandon`,
    body: () => ({ failed_at: failedAt, reason: '不再需要' }),
  },
};

/** The routes of the network's settings. */
export const networkSettings: Record<string, Row> = {
  'GET /api/arco/settings': { about: 'nothing' },
  'GET /api/arco/search': {
    about: 'nothing',
    path: () => `/api/arco/search?q=${encodeURIComponent('张三')}`,
  },
  'GET /api/arco/settings/limits': { about: 'nothing' },
  'GET /api/arco/settings/payment-account': { about: 'nothing' },
  'PATCH /api/arco/settings/{name}': {
    about: 'nothing',
    prepare: async (system) => {
      await rowsOf(
        system,
        sql`insert into settings (name, value) values ('estimate_after_hours', '72')
          on conflict (name) do update set value = excluded.value, version = 1`,
      );
    },
    path: () => '/api/arco/settings/estimate_after_hours',
    body: () => ({ version: 1, value: 71 }),
  },
  'POST /api/arco/settings/raises/{id}/confirm': {
    about: 'row',
    make: raise,
    path: (id) => `/api/arco/settings/raises/${id}/confirm`,
    body: () => ({}),
  },
  'POST /api/arco/settings/raises/{id}/cancel': {
    about: 'row',
    make: raise,
    path: (id) => `/api/arco/settings/raises/${id}/cancel`,
    body: () => ({}),
  },
};
