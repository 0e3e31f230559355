import pg from 'pg';
import type { Role } from '@waystation/contract/base/roles.ts';
import { createApi } from '#api.ts';
import type { App } from '#app.ts';
import { routes } from '#routes.ts';
import { openSession } from '#platform/auth/sessions.ts';
import { lacksSecondFactor } from '#platform/auth/two-factor-duty.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';

const scope = systemScope('rehearsal');

/** The result of reading one list as one role. */
export interface ListRead {
  path: string;
  role: Role;
  /** The HTTP status. 422 is no failure: the request needs more input, for example a station. */
  status: number;
  ms: number;
  /**
   * The slowest statement: its text without values, its time, and the number of 8 kB pages that it
   * read.
   */
  worst: { text: string; ms: number; pages: number } | null;
}

/**
 * GET endpoints that need neither an id in the path nor an input. These are the requests that
 * screens send first.
 */
export const dayReads = routes
  .map(({ endpoint }) => endpoint)
  .filter(
    ({ method, path, roles, answers, streams, input }) =>
      method === 'GET' &&
      roles !== 'public' &&
      !path.includes('{') &&
      answers !== 'file' &&
      !streams &&
      input.safeParse({}).success,
  );

interface Reader {
  role: Role;
  account_id: number;
}

/** For each role, the account that can read the most parcels. */
const readers = (app: App): Promise<Reader[]> =>
  app.db.tx(scope, async (work) => {
    await sql`set local statement_timeout = 0`.execute(work.tx);
    return (
      await sql<Reader>`with recursive below (root, id) as (
          select id, id from stations union all
          select b.root, c.id from stations c join below b on c.parent_id = b.id),
        of_station as (select station_id, count(*) as n from expresses group by 1),
        of_user as (select user_id, count(*) as n from expresses group by 1)
        select distinct on (a.role) a.role, a.id as account_id
        from accounts a left join stations s on s.id = a.station_id
        where a.status = 1 and coalesce(s.status, 1) = 1 and a.must_change = 0
          and not ${lacksSecondFactor}
        order by a.role, case a.role
          when 'user' then (select n from of_user where user_id = a.id)
          when 'station' then (select n from of_station where station_id = a.station_id)
          else (select sum(n) from below b join of_station o on o.station_id = b.id
            where b.root = a.station_id) end desc nulls last, a.id`.execute(work.tx)
    ).rows;
  });

/** The slowest statement since the last reset, without the statements that every request sends. */
const worstSince = async (owner: pg.Client): Promise<ListRead['worst']> => {
  const { rows } = await owner.query<NonNullable<ListRead['worst']>>(
    `select query as text, total_exec_time as ms, (shared_blks_hit + shared_blks_read)::int as pages
     from pg_stat_statements where query ~* '^\\s*(select|with)' 
       and query !~ 'pg_stat_statements|from sessions s join|raise_generation'
     order by total_exec_time desc limit 1`,
  );
  return rows[0] ?? null;
};

/**
 * Reads the first page of each list, as each role that may read it. The pages are read through the
 * API, and every answer is checked. Only the second read is timed. No carrier is called.
 */
export const readDay = async (app: App, owner: pg.Client): Promise<ListRead[]> => {
  await owner.query('create extension if not exists pg_stat_statements');
  const unreachable = (): never => {
    throw new Error('a rehearsal reaches no carrier');
  };
  const http = await createApi({ ...app, carrierOf: unreachable }, { checkOutput: true });
  const reads: ListRead[] = [];
  try {
    for (const { role, account_id } of await readers(app)) {
      const token = await app.db.tx(scope, (work) =>
        openSession(work, {
          account_id,
          address: '127.0.0.1',
          user_agent: 'rehearsal',
          now: app.clock.now(),
          limits: app.config.session,
        }),
      );
      const headers = { authorization: `Bearer ${token}`, 'x-background': '1' };
      for (const { path, roles } of dayReads) {
        if (!roles.includes(role)) continue;
        const first = await http.inject({ method: 'GET', url: path, headers });
        await owner.query('select pg_stat_statements_reset()');
        const since = performance.now();
        const second = await http.inject({ method: 'GET', url: path, headers });
        reads.push({
          path,
          role,
          status: first.statusCode === 200 ? second.statusCode : first.statusCode,
          ms: performance.now() - since,
          worst: await worstSince(owner),
        });
      }
    }
  } finally {
    await http.close();
  }
  return reads;
};
