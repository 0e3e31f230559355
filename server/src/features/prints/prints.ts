import { neededDays } from '@waystation/contract/base/bounded-lists.ts';
import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import {
  boundedPrints,
  mostPrinterPrints,
  unreportedMinutes,
} from '@waystation/contract/parcels/print.ts';
import type { PrintRecord, PrintResult } from '@waystation/contract/parcels/print.ts';
import type * as calls from '@waystation/contract/parcels/print.ts';
import { searchLimit, searchNumbers } from '@waystation/contract/shell/search.ts';
import type { App } from '#app.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { businessDay, dayStart } from '#platform/clock.ts';
import {
  all,
  atLeast,
  equal,
  filterConditions,
  fromDay,
  untilDay,
} from '#platform/db/conditions.ts';
import type { Condition } from '#platform/db/conditions.ts';
import { callerOf, oneRow, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { amongFirst, stationSplit } from '#platform/db/newest.ts';
import type { Split } from '#platform/db/newest.ts';
import { countedOf, limitOfCount, orderOf, pageOfRows, pageWindow } from '#platform/db/paging.ts';
import type { Counting, Listed } from '#platform/db/paging.ts';
import { inOrder } from '#platform/db/rows.ts';
import { inOrderOfPerson, scopeCondition } from '#platform/db/scope.ts';
import type { Scoped } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';
import { assertDays } from '#platform/http/bounded-days.ts';
import type { ListWalk } from '#platform/http/list-walk.ts';

type Filters = ParsedOf<typeof calls.listPrints>;
type CountFilters = ParsedOf<typeof calls.countPrints>;
type Counts = OutputOf<typeof calls.countPrints>;
type Notices = Pick<Counts, 'unreported' | 'failing'>;
type Row = Omit<PrintRecord, 'created_at' | 'finished_at' | 'verified_at'> & {
  created_at: Date;
  finished_at: Date | null;
  verified_at: Date | null;
};

const sortable = ['-created_at'] as const;
const source = {
  table: 'prints',
  alias: 'r',
  by: { column: 'created_at', type: 'timestamptz' },
} as const;
/**
 * The milliseconds in which a print result is accepted. The workstation that sent the label to a
 * printer reports it; a later report would be a guess.
 */
const reportWithin = 3_600_000;

const waybills = (q: string): Condition | null => {
  const numbers = searchNumbers(q);
  if (numbers.length > searchLimit.numbers)
    fail('too_many_numbers', { limit: searchLimit.numbers, count: numbers.length });
  if (numbers.length === 0) return q.trim() === '' ? null : sql<boolean>`false`;
  return sql<boolean>`r.delivery_id = any(${numbers}::text[])`;
};

/** A queued label that was created before this time counts as not reported. */
const unreportedBefore = (now: Date): Date => new Date(now.getTime() - unreportedMinutes * 60_000);

/** The result of a print as it is shown: `unreported` instead of `queued` after some time. */
const resultAt = (now: Date) => sql<PrintResult>`case when r.result = 'queued'
  and r.created_at < ${unreportedBefore(now)} then 'unreported' else r.result end`;

const resultIs =
  (now: Date) =>
  (result: PrintResult): Condition => {
    if (result === 'unreported')
      return sql<boolean>`(r.result = 'queued'
      and r.created_at < ${unreportedBefore(now)})`;
    if (result === 'queued')
      return sql<boolean>`(r.result = 'queued'
      and r.created_at >= ${unreportedBefore(now)})`;
    // The condition must equal the condition of the index of failed prints.
    return result === 'failed' ? sql<boolean>`r.failed` : sql<boolean>`r.result = ${result}`;
  };

const conditionsOf = (work: Scoped, filters: Filters, now: Date): Condition[] => {
  assertDays(boundedPrints, filters, now);
  return [
    filters.user_id === undefined
      ? scopeCondition(work, 'r.station_id')
      : inOrderOfPerson(work, 'r.station_id'),
    ...filterConditions(filters, {
      q: waybills,
      station_id: equal,
      user_id: equal,
      created_from: fromDay(sql.ref('r.created_at')),
      created_to: untilDay(sql.ref('r.created_at')),
      result: resultIs(now),
      driver: equal,
      reprint: (is) =>
        is === 1 ? sql<boolean>`r.print_count > 1` : sql<boolean>`r.print_count = 1`,
      // The second condition must be the same as in the index of reprints.
      count_from: (count) =>
        count > 1
          ? all([sql<boolean>`r.print_count > 1`, atLeast('r.print_count')(count)])
          : atLeast('r.print_count')(count),
      batch_id: equal,
    }),
  ];
};

/** The records as in the contract, without the names that are outside the reader's scope. */
const recordsOf = async (work: Work, picked: Condition, now: Date): Promise<PrintRecord[]> => {
  const { rows } = await sql<Row>`
    select r.id, r.created_at, r.express_id, r.delivery_id, e.state_code,
      concat_ws(' ', nullif(e.receive_name, '[erased]'), nullif(concat(e.receive_city, e.receive_county),
      '')) as recipient,
      r.station_id, s.name as station_name, r.user_id,
        coalesce(nullif(a.nickname, ''), a.username) as user_nickname,
        r.key_id, case when a.id is not null then k.name end as key_name, r.print_count,
        (r.print_count >= e.print_count)::int as latest, r.reason, r.format, r.driver,
      r.printer, ${resultAt(now)} as result, r.note, r.batch_id, r.finished_at,
        r.to_verify::int as to_verify, r.verified_at,
        (extract(epoch from r.finished_at - r.created_at) * 1000)::int as duration_ms
    from prints r join expresses e on e.id = r.express_id
      and ${scopeCondition(work, 'e.station_id')} join stations s on s.id = r.station_id
    left join accounts a on a.id = r.user_id and ${scopeCondition(work, 'a.station_id')}
    left join api_keys k on k.id = r.key_id
    where ${picked} and ${scopeCondition(work, 'r.station_id')}`.execute(work.tx);
  return rows.map((row) => ({
    ...row,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    verified_at: row.verified_at?.toISOString() ?? null,
  }));
};

const afterCursor = (cursor: string | undefined, descending: boolean): Condition[] => {
  if (cursor === undefined) return [];
  if (!/^[1-9]\d{0,15}$/.test(cursor)) fail('bad_request');
  const beyond = sql.raw(descending ? '<' : '>');
  return [
    sql<boolean>`(r.created_at, r.id) ${beyond} (select p.created_at, p.id from prints p
    where p.id = ${Number(cursor)})`,
  ];
};

/** The first index column for a page: the filtered account, else the stations of the scope. */
const splitOf = (work: Scoped, { user_id, station_id }: Filters): Split | null =>
  user_id === undefined
    ? stationSplit(work, station_id)
    : { column: 'user_id', type: 'bigint', values: [user_id] };

/**
 * Returns a page of print records in scope. Only the rows of each station that the page may contain
 * are read.
 */
export const list = (app: App, actor: Actor, filters: Filters): Promise<Listed<PrintRecord>> => {
  const caller = callerOf(actor);
  const conditions = conditionsOf(caller, filters, app.clock.now());
  const order = orderOf(filters.sort, sortable);
  const { size, offset } = pageWindow(filters);
  const split = splitOf(caller, filters);
  return app.db.tx(caller, async (work) => {
    const first = amongFirst(
      source,
      {
        splits: split ? [split] : [],
        conditions: [...conditions, ...afterCursor(filters.cursor, order.descending)],
      },
      order,
      offset + size + 1,
    );
    const { ids } = await oneRow(
      work,
      sql<{
        ids: number[];
      }>`select array(select r.id from prints r where ${first}
        order by r.created_at ${order.direction},
        r.id ${order.direction} offset ${offset}) as ids`,
    );
    const rows = inOrder(
      ids,
      await recordsOf(work, sql<boolean>`r.id = any(${ids}::bigint[])`, app.clock.now()),
    );
    const { items, last } = pageOfRows(rows, size);
    return { items, total: null, total_is_capped: 0, next_cursor: last && String(last.id) };
  });
};

/**
 * The notices about unreported labels and failing printers. They cover the days that the filter by
 * result finds, so that the list can show the counted rows. On a busy network only the newest of
 * these prints are read, unless exact counts are requested. `n` is the number of prints that were
 * read.
 */
const noticesOf = async (
  work: Work,
  filters: CountFilters,
  now: Date,
): Promise<Notices & { n: number; from: Date | null }> => {
  const today = businessDay(now);
  // Future days have no prints. If they were included, the last 31 days would begin after today.
  const until =
    filters.created_to !== undefined && filters.created_to < today
      ? { created_to: filters.created_to }
      : { created_to: undefined };
  const days = neededDays(boundedPrints, { ...filters, ...until, result: 'unreported' }, today);
  const conditions = conditionsOf(
    work,
    days ? { ...filters, created_from: days.from } : filters,
    now,
  );
  const newest =
    filters.exact === 1
      ? sql``
      : sql`order by r.created_at desc
    limit ${sql.lit(mostPrinterPrints)}`;
  const { oldest, ...notices } = await oneRow(
    work,
    sql<Notices & { n: number; oldest: Date | null }>`
      with read as materialized (select r.created_at, r.delivery_id, r.print_count,
        ${resultAt(now)} as result, r.driver, r.printer from prints r
        where ${all(conditions)} ${newest}),
      failing as (
        select driver, printer, count(*)::int as total,
          (count(*) filter (where result = 'failed'))::int as failed from read
        group by driver, printer having count(*) filter (where result = 'failed') > 0
          order by failed desc, driver, printer limit 5)
      select (select count(*)::int from read) as n,
        (select min(created_at) from read) as oldest,
        (select count(*)::int from read c where result = 'unreported'
          and not exists (select from prints l where l.delivery_id = c.delivery_id
            and l.print_count > c.print_count)) as unreported,
        coalesce((select json_agg(failing) from failing), '[]') as failing`,
  );
  const isCut = filters.exact !== 1 && notices.n === mostPrinterPrints;
  return { ...notices, from: isCut ? oldest : days && dayStart(days.from) };
};

export const counts = (app: App, actor: Actor, filters: CountFilters): Promise<Counts> => {
  const caller = callerOf(actor);
  const now = app.clock.now();
  const conditions = conditionsOf(caller, filters, now);
  return app.db.tx(caller, async (work) => {
    const { n, ...sums } = await oneRow(
      work,
      sql<{ n: number; reprints: number; failed: number }>`
        select count(*)::int as n,
          (count(*) filter (where c.print_count > 1))::int as reprints,
          (count(*) filter (where c.result = 'failed'))::int as failed
        from (select r.print_count, r.result from prints r
          where ${all(conditions)} ${limitOfCount(filters)}) c`,
    );
    const counted = countedOf(n, filters);
    const { n: noticed, from, ...notices } = await noticesOf(work, filters, now);
    const isEvery = from === null || (counted.total_is_capped === 0 && noticed === n);
    // A partial sum is useless, because the rows within the limit are arbitrary.
    const shown = counted.total_is_capped === 1 ? { reprints: null, failed: null } : sums;
    return { ...counted, ...shown, ...notices, counted_from: isEvery ? null : from.toISOString() };
  });
};

/** The functions with which an export reads the print records. */
export const walk: ListWalk<App, Filters & Counting> = {
  ids: (app, actor, filters) => {
    const caller = callerOf(actor);
    const conditions = conditionsOf(caller, filters, app.clock.now());
    const { direction } = orderOf(filters.sort, sortable);
    return app.db.tx(caller, async (work) => {
      const { ids } = await oneRow(
        work,
        sql<{ ids: number[] }>`select array(select x.id
          from (select r.id, r.created_at from prints r
          where ${all(conditions)} ${limitOfCount(filters)}) x
          order by x.created_at ${direction}, x.id ${direction}) as ids`,
      );
      return ids;
    });
  },
  rows: (app, actor, { ids }) =>
    app.db.tx(callerOf(actor), async (work) =>
      inOrder(
        ids,
        await recordsOf(work, sql<boolean>`r.id = any(${ids}::bigint[])`, app.clock.now()),
      ),
    ),
};

/** Stores the result of a print. Only the user who printed the label can report it. */
export const report = (
  app: App,
  actor: Actor,
  { id, result, printer, note }: ParsedOf<typeof calls.reportPrint>,
): Promise<OutputOf<typeof calls.reportPrint>> => {
  const caller = callerOf(actor);
  const now = app.clock.now();
  return app.db.tx(caller, async (work) => {
    const { rows } = await sql<Pick<PrintRecord, 'id' | 'result'>>`
      update prints r set result = case when r.result in ('queued', 'sent') then ${result}
        else r.result end,
        finished_at = coalesce(r.finished_at, ${now}),
          printer = coalesce(nullif(r.printer, ''), ${printer ?? ''}), note = case
          when r.note = '' then ${note ?? ''} else r.note end
      where r.id = ${id} and r.user_id = ${actor.account_id}
        and r.created_at > ${new Date(now.getTime() - reportWithin)}
        and ${scopeCondition(work, 'r.station_id')}
      returning r.id, r.result`.execute(work.tx);
    return rows[0] ?? fail('not_found');
  });
};
