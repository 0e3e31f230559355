import { sql } from '#platform/db/db.ts';
import type { Row } from './access-row.ts';
import { rowsOf } from './test-system.ts';
import type { TestSystem } from './test-system.ts';

/** A waiting raise, requested by the clerk; the previous one is over. */
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

/** The routes of the network's settings. */
export const networkSettings: Record<string, Row> = {
  'GET /api/arco/settings': { about: 'nothing' },
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
