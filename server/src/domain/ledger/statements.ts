import type { Statement, StatementStatus, StatementType } from '@waystation/contract/statement.ts';
import { sql } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';
import { within } from '#platform/db/scope.ts';
import type { Scope } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';

export interface StatementFilters {
  page?: number | undefined;
  page_size?: number | undefined;
  cursor?: string | undefined;
  sort?: 'posted_at' | '-posted_at' | undefined;
  q?: string | undefined;
  station_id?: number | undefined;
  type?: StatementType | undefined;
  status?: StatementStatus | undefined;
  express_id?: number | undefined;
  delivery_id?: string | undefined;
  period?: string | undefined;
  posted_from?: string | undefined;
  posted_to?: string | undefined;
}

export interface Strip {
  opening: number;
  in: number;
  out: number;
  closing: number;
  frozen: number;
}

interface StatementPage {
  strip: Strip | null;
  items: Statement[];
  total: number;
  total_is_capped: 0 | 1;
  next_cursor: string | null;
}

type Condition = ReturnType<typeof within>;
type Row = Omit<Statement, 'created_at' | 'updated_at' | 'posted_at'> & {
  transfer_id: number | null;
  created_at: Date;
  updated_at: Date;
  posted_at: Date | null;
};

/** Counting stops here: beyond, the list says "at least". */
const countCap = 10_000;

/** A business day's first moment; `posted_at` of a request is when it was asked. */
const dayStart = (day: string, later = 0) => sql`(${day}::date + ${later}::int)::timestamp at time zone 'Asia/Shanghai'`;
const moment = sql.raw('coalesce(s.posted_at, s.created_at)');

const mostNumbers = 2_000;

/** Lines about any of several waybills; a hold is older than its waybill, so parcels are asked too. */
const numbersCondition = (scope: Scope, q: string | undefined): Condition[] => {
  const numbers = [...new Set((q ?? '').toUpperCase().match(/[A-Z0-9-]+/g) ?? [])];
  if (numbers.length > mostNumbers) fail('too_many_numbers', { limit: mostNumbers, count: numbers.length });
  if (numbers.length === 0) return (q ?? '').trim() === '' ? [] : [sql<boolean>`false`];
  return [
    sql<boolean>`(s.delivery_id = any(${numbers}::text[]) or s.express_id in (select e.id from expresses e
      where (e.delivery_id = any(${numbers}::text[]) or e.order_id = any(${numbers}::text[])) and ${within(scope, 'e.station_id')}))`,
  ];
};

const conditionsOf = (scope: Scope, filters: StatementFilters): Condition[] => [
  within(scope, 's.station_id'),
  ...numbersCondition(scope, filters.q),
  ...(filters.station_id !== undefined ? [sql<boolean>`s.station_id = ${filters.station_id}`] : []),
  ...(filters.type !== undefined ? [sql<boolean>`s.type = ${filters.type}`] : []),
  ...(filters.status !== undefined ? [sql<boolean>`s.status = ${filters.status}`] : []),
  ...(filters.express_id !== undefined ? [sql<boolean>`s.express_id = ${filters.express_id}`] : []),
  // A hold is older than its waybill: the line itself may not know the number yet.
  ...(filters.delivery_id !== undefined
    ? [
        sql<boolean>`(s.delivery_id = ${filters.delivery_id} or s.express_id in (select e.id from expresses e where e.delivery_id = ${filters.delivery_id} and ${within(scope, 'e.station_id')}))`,
      ]
    : []),
  ...(filters.period !== undefined ? [sql<boolean>`s.period = ${filters.period}`] : []),
  ...(filters.posted_from !== undefined ? [sql<boolean>`${moment} >= ${dayStart(filters.posted_from)}`] : []),
  ...(filters.posted_to !== undefined ? [sql<boolean>`${moment} < ${dayStart(filters.posted_to, 1)}`] : []),
];

const all = (conditions: Condition[]): Condition => sql<boolean>`${sql.join(conditions, sql` and `)}`;

/** The last line's place, so that the next page begins right after it whatever was posted meanwhile. */
const cursorOf = ({ transfer_id, id }: Row): string => Buffer.from(JSON.stringify([transfer_id, id])).toString('base64url');

const placeOf = (cursor: string): { transfer_id: number | null; id: number } => {
  try {
    const [transfer_id, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [unknown, unknown];
    if ((transfer_id === null || Number.isSafeInteger(transfer_id)) && Number.isSafeInteger(id))
      return { transfer_id: transfer_id as number | null, id: id as number };
  } catch {
    // Not one of ours.
  }
  return fail('bad_request');
};

/** Newest first: requests (which have no transfer yet), then by transfer; the other way round when ascending. */
const afterCursor = (cursor: string | undefined, descending: boolean): Condition[] => {
  if (cursor === undefined) return [];
  const { transfer_id, id } = placeOf(cursor);
  if (transfer_id === null)
    return [descending ? sql<boolean>`(s.transfer_id is not null or s.id < ${id})` : sql<boolean>`(s.transfer_id is null and s.id > ${id})`];
  return [
    descending
      ? sql<boolean>`(s.transfer_id, s.id) < (${transfer_id}, ${id})`
      : sql<boolean>`((s.transfer_id, s.id) > (${transfer_id}, ${id}) or s.transfer_id is null)`,
  ];
};

/** Lines as answered, from `picked`; a parcel outside the reader's scope is not named. */
const answered = async (tx: Tx, scope: Scope, picked: ReturnType<typeof sql>, direction: 'asc' | 'desc'): Promise<Row[]> => {
  const order = sql.raw(direction === 'desc' ? 's.transfer_id desc nulls first, s.id desc' : 's.transfer_id, s.id');
  const { rows } = await sql<Row>`
    with s as (${picked})
    select s.id, s.transfer_id, s.station_id, n.name as station_name, s.seq, s.type, s.status, e.id as express_id, coalesce(s.delivery_id, e.delivery_id) as delivery_id, s.amount,
      s.freeze_amount, s.pre_amount, s.discount, s.discount_amount, s.guarantee_amount, s.post_amount, s.available, s.balance, s.profit, s.description, s.period,
      s.created_at, s.updated_at, s.posted_at
    from s join stations n on n.id = s.station_id left join expresses e on e.id = s.express_id and ${within(scope, 'e.station_id')}
    order by ${order}`.execute(tx);
  return rows;
};

const statementOf = ({ transfer_id: _transfer, ...row }: Row): Statement => ({
  ...row,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  posted_at: row.posted_at?.toISOString() ?? null,
});

/** The first moment after the days asked for, and the first of them; a period is its month. Null: without a bound. */
const boundsOf = ({ period, posted_from, posted_to }: StatementFilters) => {
  const month = period === undefined ? null : `${period}-01`;
  const from = month ? dayStart(month) : posted_from ? dayStart(posted_from) : null;
  const to = month ? sql`(${month}::date + interval '1 month')::timestamp at time zone 'Asia/Shanghai'` : posted_to ? dayStart(posted_to, 1) : null;
  return { from, to };
};

/** How long a line may have waited for its station after its time was taken: it then stands behind lines of a later time. */
const longestWait = sql.raw("interval '10 minutes'");

/** What stands on a station's last line. */
const last = sql`select s.balance, s.balance - s.available - s.fixed_freeze as frozen from statements s
  where s.station_id = n.id and s.seq is not null order by s.seq desc limit 1`;

/**
 * A station's money before a moment, and what of it was frozen; nothing before its first line. Read from the last line of an earlier time: less lines
 * of a later time that were posted before it, and with those of an earlier time that were posted behind it.
 */
const before = (moment: ReturnType<typeof sql>) => sql`
  select l.balance + coalesce(w.amount, 0) as balance, l.balance - l.available - l.fixed_freeze + coalesce(w.freeze_amount, 0) as frozen
  from (select s.seq, s.posted_at, s.balance, s.available, s.fixed_freeze from statements s
      where s.station_id = n.id and s.posted_at < ${moment} order by s.posted_at desc, s.seq desc limit 1) l
    left join lateral (select sum(case when s.posted_at < ${moment} then s.amount else -s.amount end) as amount,
        sum(case when s.posted_at < ${moment} then s.freeze_amount else -s.freeze_amount end) as freeze_amount
      from statements s where s.station_id = n.id and s.posted_at > l.posted_at - ${longestWait} and s.posted_at < l.posted_at + ${longestWait}
        and (s.posted_at < ${moment}) = (s.seq > l.seq)) w on true`;

/** Opening, in, out and closing of the stations and days asked for. */
const stripOf = async (tx: Tx, scope: Scope, filters: StatementFilters): Promise<Strip | null> => {
  const { q, type, status, express_id, delivery_id, period, posted_from, posted_to } = filters;
  const narrowed = [q || undefined, type, status, express_id, delivery_id].some((filter) => filter !== undefined);
  if (narrowed || (period !== undefined && (posted_from !== undefined || posted_to !== undefined))) return null;
  const { from, to } = boundsOf(filters);
  const { rows } = await sql<Strip>`
    select coalesce(sum(o.balance), 0)::bigint as opening, coalesce(sum(m."in"), 0)::bigint as "in", coalesce(sum(m."out"), 0)::bigint as "out",
      coalesce(sum(c.balance), 0)::bigint as closing, coalesce(sum(c.frozen), 0)::bigint as frozen
    from stations n
      left join lateral (${from === null ? sql`select 0 as balance` : before(from)}) o on true
      left join lateral (select sum(s.amount) filter (where s.amount > 0) as "in", -sum(s.amount) filter (where s.amount < 0) as "out" from statements s
        where s.station_id = n.id and s.posted_at is not null and ${from === null ? sql`true` : sql`s.posted_at >= ${from}`}
          and ${to === null ? sql`true` : sql`s.posted_at < ${to}`}) m on true
      left join lateral (${to === null ? last : before(to)}) c on true
    where ${within(scope, 'n.id')} and ${filters.station_id === undefined ? sql`true` : sql`n.id = ${filters.station_id}`}`.execute(tx);
  return rows[0]!;
};

/** Billing lines in scope, a page of them, in the order of posting. */
export const listStatements = async (tx: Tx, scope: Scope, filters: StatementFilters): Promise<StatementPage> => {
  const descending = filters.sort !== 'posted_at';
  const direction = descending ? 'desc' : 'asc';
  const conditions = conditionsOf(scope, filters);
  const size = filters.page_size ?? 20;
  const offset = filters.cursor === undefined ? ((filters.page ?? 1) - 1) * size : 0;
  const order = sql.raw(descending ? 's.transfer_id desc nulls first, s.id desc' : 's.transfer_id, s.id');
  const picked = sql`select * from statements s where ${all([...conditions, ...afterCursor(filters.cursor, descending)])} order by ${order} limit ${size + 1} offset ${offset}`;
  const rows = await answered(tx, scope, picked, direction);
  const shown = rows.slice(0, size);
  const { rows: counted } = await sql<{
    n: number;
  }>`select count(*) as n from (select 1 from statements s where ${all(conditions)} limit ${countCap + 1}) t`.execute(tx);
  const n = counted[0]!.n;
  return {
    strip: await stripOf(tx, scope, filters),
    items: shown.map(statementOf),
    total: Math.min(n, countCap),
    total_is_capped: n > countCap ? 1 : 0,
    next_cursor: rows.length > size ? cursorOf(shown.at(-1)!) : null,
  };
};

/** One line; not found outside the scope. */
export const statementIn = async (tx: Tx, scope: Scope, id: number): Promise<Statement> => {
  const rows = await answered(tx, scope, sql`select * from statements s where s.id = ${id} and ${within(scope, 's.station_id')}`, 'desc');
  return rows[0] ? statementOf(rows[0]) : fail('not_found');
};
