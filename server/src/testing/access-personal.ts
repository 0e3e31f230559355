import { addressHash, codeHash, sealAddress } from '#domain/notices/notices.ts';
import { sql } from '#platform/db/db.ts';
import type { Row } from './access-row.ts';
import { rowsOf } from './test-system.ts';
import type { TestSystem } from './test-system.ts';

// Describes the routes of the access table for a user's own records: views, exports, jobs, notices,
// labels and label prints.

let titles = 0;
const anotherView = (): string => `视图 ${++titles}`;
const inserted = async (
  system: TestSystem,
  query: ReturnType<typeof sql<{ id: number }>>,
): Promise<number> => (await rowsOf(system, query))[0]!.id;

const job = (system: TestSystem) =>
  inserted(
    system,
    sql`with made as (
        insert into user_jobs (account_id, station_id, kind, list, action, params, status,
          total, done, failed, file_name, file_type, file_bytes, finished_at)
        select id, station_id, 'expresses.retry', 'expresses', 'retry',
          jsonb_build_object('role', role), 'done', 1, 1, 1, 'x.csv', 'text/csv', 1, now()
          from accounts where username = 'clerk' returning id),
      item as (insert into user_job_items (job_id, subject_id, name, result, reason)
        select id, 1, 'x', 'fail', '{"code": "not_found"}' from made),
      file as (insert into user_job_files (job_id, no, content) select id, 0, 'x' from made)
      select id from made`,
  );

const view = (system: TestSystem) =>
  inserted(
    system,
    sql`insert into saved_views (account_id, list, title, search)
      select id, 'expresses', ${anotherView()}, '{}' from accounts where username = 'clerk'
      returning id`,
  );

/** Stores the record of a label that the clerk printed. */
const printed = (system: TestSystem) =>
  inserted(
    system,
    sql`insert into prints (express_id, station_id, delivery_id, user_id, print_count, format,
      created_at, to_verify)
      select e.id, e.station_id, coalesce(e.delivery_id, e.order_id), a.id, 1, '76x130',
        ${system.app.clock.now()}, true from accounts a join expresses e on e.user_id = a.id
      where a.username = 'clerk' order by e.id limit 1 returning id`,
  );

/**
 * The targets whose personal rows each role may use. Only the demo clerk may use them, because they
 * are the clerk's own rows.
 */
const clerksOwn: NonNullable<Row['mine']> = {
  super: [],
  admin: [],
  partner: [],
  station: [],
  user: ['own'],
};
const own = (make: NonNullable<Row['make']>, base: string, tail: string, body?: object): Row => ({
  about: 'row',
  make,
  mine: clerksOwn,
  path: (id) => `/api/arco/${base}/${id}${tail}`,
  ...(body && { body: () => body }),
});

const label: Row = {
  about: 'parcel',
  kind: 'ordered',
  // All roles print the same parcel, one role after another, so the limit for reprints is raised.
  prepare: async (system) =>
    void (await rowsOf(
      system,
      sql`insert into settings (name, value)
    values ('reprint_limit', '1000') on conflict do nothing`,
    )),
  body: (id) => ({ ids: [id], format: '76x130', reason: 'test' }),
};

const channelSettings = {
  name: '值班群',
  language: 'zh',
  kinds: ['import'],
  pace: 'now',
  daily_hour: 9,
  quiet_from: null,
  quiet_to: null,
};
const channelCode = '123456';
/**
 * Creates a channel of the demo clerk with a confirmation code. Resets the daily limit for codes
 * and test messages.
 */
const channel =
  (status: 'unconfirmed' | 'live') =>
  async (system: TestSystem): Promise<number> => {
    const { secrets, clock } = system.app;
    const [now, to] = [clock.now(), 'https://hooks.example.com/'];
    await rowsOf(system, sql`update notice_channels set asked = 0`);
    const id = await inserted(
      system,
      sql`insert into notice_channels (account_id, kind, name, address, address_hash, hint,
          language, kinds, status, asked_from, resume_at, code_until)
        select id, 'webhook', '值班群', ${sealAddress(secrets, { to, secret: 'whsec_AA==' })},
          ${addressHash(secrets, to)}, 'hooks.example.com', 'zh', '{import}', ${status}, ${now},
          ${now}, ${new Date(now.getTime() + 60_000)}
        from accounts where username = 'clerk' returning id`,
    );
    await rowsOf(
      system,
      sql`update notice_channels set code_hash = ${codeHash(secrets, id, channelCode)}
        where id = ${id}`,
    );
    return id;
  };
const channels = 'notices/channels';

export const personal: Readonly<Record<string, Row>> = {
  'GET /api/arco/views': { about: 'nothing', path: () => '/api/arco/views?list=expresses' },
  'POST /api/arco/views': {
    about: 'nothing',
    body: () => ({ list: 'expresses', title: anotherView(), search: { tab: 'failed' } }),
  },
  'GET /api/arco/notices/channels': { about: 'nothing' },
  'POST /api/arco/notices/channels': {
    about: 'nothing',
    prepare: async (system) => void (await rowsOf(system, sql`delete from notice_channels`)),
    body: () => ({ kind: 'webhook', address: 'https://hooks.example.com/', ...channelSettings }),
  },
  'PATCH /api/arco/notices/channels/{id}': own(channel('live'), channels, '', {
    version: 1,
    ...channelSettings,
    name: '另一个群',
  }),
  'POST /api/arco/notices/channels/{id}/code': own(channel('unconfirmed'), channels, '/code', {}),
  'POST /api/arco/notices/channels/{id}/confirm': own(
    channel('unconfirmed'),
    channels,
    '/confirm',
    { code: channelCode },
  ),
  'POST /api/arco/notices/channels/{id}/test': own(channel('live'), channels, '/test', {}),
  'GET /api/arco/notices/channels/{id}/preview': own(channel('live'), channels, '/preview'),
  'POST /api/arco/notices/channels/{id}/remove': own(channel('live'), channels, '/remove', {}),
  'PATCH /api/arco/views/{id}': own(view, 'views', '', { version: 1, title: '改名的视图' }),
  'POST /api/arco/views/{id}/remove': own(view, 'views', '/remove', {}),
  'POST /api/arco/bulk/preview': {
    about: 'nothing',
    body: () => ({ list: 'contacts', action: 'disable', ids: [1] }),
  },
  'POST /api/arco/exports': {
    about: 'nothing',
    body: () => ({
      list: 'expresses',
      filters: {},
      columns: [{ key: 'order_id', title: '订单号' }],
      format: 'csv',
      language: 'zh',
    }),
  },
  'POST /api/arco/counts': { about: 'nothing', body: () => ({ list: 'expresses', filters: {} }) },
  'GET /api/arco/events': { about: 'nothing' },
  'GET /api/arco/inbox': { about: 'nothing' },
  'POST /api/arco/inbox/read': { about: 'nothing', body: () => ({ ids: [1] }) },
  'GET /api/arco/jobs': { about: 'nothing' },
  'GET /api/arco/jobs/{id}': own(job, 'jobs', ''),
  'GET /api/arco/jobs/{id}/file': own(job, 'jobs', '/file'),
  'POST /api/arco/jobs/{id}/retry': own(job, 'jobs', '/retry', {}),
  'POST /api/arco/labels': label,
  'POST /api/arco/labels/component': label,
  'GET /api/arco/labels/test': {
    about: 'nothing',
    path: () => '/api/arco/labels/test?format=76x130',
  },
  'GET /api/arco/prints': { about: 'nothing' },
  'GET /api/arco/prints/counts': { about: 'nothing' },
  'GET /api/arco/prints/printers': { about: 'nothing' },
  'GET /api/arco/prints/scans': {
    about: 'nothing',
    path: () => '/api/arco/prints/scans?number=X1',
  },
  'GET /api/arco/prints/unverified': { about: 'nothing' },
  'POST /api/arco/prints/{id}/verify': own(printed, 'prints', '/verify', { number: 'X1' }),
  'POST /api/arco/prints/{id}/result': own(printed, 'prints', '/result', { result: 'ok' }),
};
