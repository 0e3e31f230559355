import { liveStates } from '@waystation/contract/express-states.ts';
import type { ParsedOf } from '@waystation/contract/endpoint.ts';
import type { listExpresses } from '@waystation/contract/express-calls.ts';
import { expressArrivals, expressStates, expressTabs, stateCodes } from '@waystation/contract/express.ts';
import type { ExpressGroup, ExpressTab } from '@waystation/contract/express.ts';
import type { App } from '#app.ts';
import { stateList } from '#domain/express/express-reads.ts';
import { scopeOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { all, equalIn, filterConditions, fromDay, untilDay } from '#platform/db/conditions.ts';
import type { Condition } from '#platform/db/conditions.ts';
import { oneRow, sql } from '#platform/db/db.ts';
import type { RowOf, Tx } from '#platform/db/db.ts';
import { cappedTotal, countCap, cursorOf, orderOf, pageWindow, readCursor } from '#platform/db/paging.ts';
import type { Order } from '#platform/db/paging.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import type { Scope } from '#platform/db/scope.ts';
import type { Origin } from '#platform/http/context.ts';
import { fieldConditions } from './filters.ts';
import { listColumns } from './list-columns.ts';
import { searchCondition } from './search.ts';
import { nameColumns, nameJoins, viewOf } from './view.ts';
import { countPhoneSearch } from '#domain/phone-search/phone-search.ts';
import type { ListedExpress } from './view.ts';

type Filters = ParsedOf<typeof listExpresses>;
const equal = equalIn('e');

const statesOfTab = (tab: ExpressTab): number[] => stateCodes.filter((code) => expressStates[code].tab === tab);

/** A group of requirements §1 as a condition; `total` is every parcel that ever got a waybill. */
const groupCondition = (group: ExpressGroup): Condition =>
  group === 'total' ? sql<boolean>`e.delivery_id is not null` : inStates(stateCodes.filter((code) => expressStates[code].group === group));

const inStates = (codes: number[]): Condition => sql<boolean>`e.state_code = any(${codes}::smallint[])`;

/** Came into a state from another, on some days or ever (express_arrivals in migration 0014). */
const arrivedCondition = (scope: Scope, arrived: NonNullable<Filters['arrived']>, filters: Filters): Condition => {
  const codes: readonly number[] = expressArrivals[arrived];
  const days = filterConditions(filters, { arrived_from: fromDay(sql.ref('m.at')), arrived_to: untilDay(sql.ref('m.at')) });
  return sql<boolean>`e.id in (select m.express_id from express_moves m where ${scopeCondition(scope, 'm.station_id')} and m.to_code = any(${codes}::smallint[])
      and coalesce(m.from_code, -1) <> all(${codes}::smallint[]) and ${all(days)})`;
};

/** On its way, and not moved for so many hours. */
const unmovedCondition = (hours: number, now: Date): Condition =>
  sql<boolean>`(e.state_code in (${stateList(liveStates)}) and coalesce(e.last_event_at, e.ordered_at, e.created_at) < ${new Date(now.getTime() - hours * 3_600_000)})`;

/** Every filter but the tab, scope first. */
const conditionsOf = (actor: Actor, scope: Scope, filters: Filters, now: Date): Condition[] => [
  scopeCondition(scope, 'e.station_id', 'e.user_id'),
  ...filterConditions(filters, {
    group: groupCondition,
    state_code: equal,
    station_id: equal,
    created_from: fromDay(sql.ref('e.created_at')),
    created_to: untilDay(sql.ref('e.created_at')),
    promise_id: equal,
    receive_province: equal,
    printed: (is) => (is === 1 ? sql<boolean>`e.print_count > 0` : sql<boolean>`e.print_count = 0`),
    need_retry: equal,
    arrived: (arrived) => arrivedCondition(scope, arrived, filters),
    unmoved_hours: (hours) => unmovedCondition(hours, now),
  }),
  ...fieldConditions(actor, filters),
];

/** The columns a list may be sorted by; ties by id, so that the order is stable. */
const sortable = ['-created_at', 'post_amount', 'weight', 'cal_weight', 'state_code'] as const;

/** What a column is sorted by: a parcel not yet billed by its declared weight. */
const sortedBy = (column: string) => (column === 'cal_weight' ? sql`coalesce(e.cal_weight, e.weight)` : sql.ref(`e.${column}`));

const sortValue = ({ column }: Order, row: ListedExpress): Date | number | null =>
  column === 'cal_weight' ? (row.cal_weight ?? row.weight) : row[column as 'created_at' | 'post_amount'];

const isoTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

const afterCursor = (order: Order, cursor: string | undefined): Condition[] => {
  if (!cursor) return [];
  const ofTime = order.column.endsWith('_at');
  const isTime = (value: unknown): boolean => typeof value === 'string' && isoTime.test(value) && !Number.isNaN(Date.parse(value));
  const { value, id } = readCursor(cursor, ofTime ? isTime : Number.isSafeInteger);
  const cast = sql.raw(ofTime ? 'timestamptz' : 'bigint');
  const column = sortedBy(order.column);
  return [
    order.descending
      ? sql<boolean>`(${column}, e.id) < (${value}::${cast}, ${id}::bigint)`
      : sql<boolean>`(${column}, e.id) > (${value}::${cast}, ${id}::bigint)`,
  ];
};

const columns = sql.join(listColumns.map((column) => sql.ref(`e.${column}`)));

/** Parcels of a page, newest first by default. `nameJoins` joins by `merchant_id`. */
const pageOf = async (tx: Tx, conditions: Condition[], order: Order, filters: Filters): Promise<ListedExpress[]> => {
  const { size, offset } = pageWindow(filters);
  const { direction } = order;
  const { rows } = await sql<ListedExpress>`
    with picked as (
      select ${columns}, e.merchant_id from expresses e where ${all([...conditions, ...afterCursor(order, filters.cursor)])}
      order by ${sortedBy(order.column)} ${direction}, e.id ${direction} limit ${size} offset ${offset})
    select ${columns}, ${nameColumns}
    from picked e ${nameJoins}
    order by ${sortedBy(order.column)} ${direction}, e.id ${direction}`.execute(tx);
  return rows;
};

interface Sums {
  total: number;
  post_amount: number;
  weight: number;
  package_count: number;
}

const sumsOf = async (tx: Tx, conditions: Condition[]): Promise<Sums> => {
  const row = await oneRow(
    tx,
    sql<Sums>`select count(*) as total, coalesce(sum(post_amount), 0)::bigint as post_amount, coalesce(sum(coalesce(cal_weight, weight)), 0)::bigint as weight,
    coalesce(sum(package_count), 0)::bigint as package_count
    from (select post_amount, cal_weight, weight, package_count from expresses e where ${all(conditions)} limit ${countCap + 1}) t`,
  );
  return row;
};

/** Parcels per tab. Without other filters the exact sums of the counting steps; with some, counted up to the cap. */
const tabsOf = async (tx: Tx, scope: Scope, conditions: Condition[], filtered: boolean): Promise<Record<string, number>> => {
  const { rows } = filtered
    ? await sql<
        RowOf<'expresses', 'state_code'> & { n: number }
      >`select state_code, count(*) as n from (select e.state_code from expresses e where ${all(conditions)} limit ${countCap}) t group by 1`.execute(tx)
    : await sql<
        RowOf<'express_counts', 'state_code'> & { n: number }
      >`select state_code, sum(n)::bigint as n from express_counts where ${scopeCondition(scope, 'station_id', 'user_id')} group by 1`.execute(tx);
  const counts = Object.fromEntries(expressTabs.map((tab) => [tab, 0])) as Record<ExpressTab | 'all', number>;
  counts.all = 0;
  for (const { state_code, n } of rows) {
    counts[expressStates[state_code as keyof typeof expressStates].tab] += n;
    counts.all += n;
  }
  return counts;
};

/** The list of requirements §2's ExpressTable, with the sums of the whole filtered set and the counts of every tab. */
export const list = async (app: App, actor: Actor, filters: Filters, origin: Origin | null = null) => {
  const scope = scopeOf(actor);
  const order = orderOf(filters.sort, sortable);
  return app.db.tx(scope, async (tx) => {
    const everywhere = await countPhoneSearch(app, tx, actor, origin, { subject: 'expresses', q: filters.q });
    const search = await searchCondition(tx, scope, { station_id: actor.station_id, everywhere }, filters.q);
    const base = [...conditionsOf(actor, scope, filters, app.clock.now()), ...(search.condition ? [search.condition] : [])];
    const conditions = filters.tab ? [...base, inStates(statesOfTab(filters.tab))] : base;
    const rows = await pageOf(tx, conditions, order, filters);
    const sums = await sumsOf(tx, conditions);
    const filtered = base.length > 1;
    const tabs = await tabsOf(tx, scope, base, filtered);
    const known = filtered ? undefined : tabs[filters.tab ?? 'all'];
    const last = rows.at(-1);
    return {
      items: rows.map((row) => viewOf(actor, row)),
      ...(known === undefined ? cappedTotal(sums.total) : { total: known, total_is_capped: 0 }),
      next_cursor: last && rows.length === pageWindow(filters).size ? cursorOf(sortValue(order, last), last.id) : null,
      sums: { post_amount: sums.post_amount, weight: sums.weight, package_count: sums.package_count },
      tabs,
      missing: search.missing,
    };
  });
};
