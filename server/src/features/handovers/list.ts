import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import { boundedHandovers } from '@waystation/contract/parcels/handover.ts';
import type { Handover } from '@waystation/contract/parcels/handover.ts';
import type * as calls from '@waystation/contract/parcels/handover.ts';
import { searchLimit, searchNumbers } from '@waystation/contract/shell/search.ts';
import type { App } from '#app.ts';
import { handoverList } from '#domain/handovers/handovers.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { all, equalIn, filterConditions, fromDay, untilDay } from '#platform/db/conditions.ts';
import type { Condition } from '#platform/db/conditions.ts';
import { callerOf, oneRow, sql } from '#platform/db/db.ts';
import { amongFirst, stationSplit } from '#platform/db/newest.ts';
import type { Split } from '#platform/db/newest.ts';
import { countedOf, limitOfCount, orderOf, pageOfRows, pageWindow } from '#platform/db/paging.ts';
import type { Counting, Listed } from '#platform/db/paging.ts';
import { inOrder } from '#platform/db/rows.ts';
import { inOrderOfAccount, inOrderOfPerson } from '#platform/db/scope.ts';
import type { Scoped } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';
import { assertDays } from '#platform/http/bounded-days.ts';
import type { ListWalk } from '#platform/http/list-walk.ts';

type Filters = ParsedOf<typeof calls.listHandovers>;
type CountFilters = ParsedOf<typeof calls.countHandovers>;

const sortable = ['-opened_at'] as const;
const source = {
  table: 'handovers',
  alias: 'h',
  by: { column: 'opened_at', type: 'timestamptz' },
} as const;
const equal = equalIn('h');

/**
 * The hand-overs into which one of the searched waybills was scanned; null if nothing is searched.
 */
const waybills = (q: string): Condition | null => {
  const numbers = searchNumbers(q);
  if (numbers.length > searchLimit.numbers)
    fail('too_many_numbers', { limit: searchLimit.numbers, count: numbers.length });
  if (numbers.length === 0) return q.trim() === '' ? null : sql<boolean>`false`;
  return sql<boolean>`h.id = any(array(select x.handover_id from handover_scans x
    where x.delivery_id = any(${numbers}::text[]) and x.result = 'given'
    and x.taken_back_at is null))`;
};

const conditionsOf = (work: Scoped, filters: Filters, now: Date): Condition[] => {
  assertDays(boundedHandovers, filters, now);
  return [
    filters.user_id === undefined
      ? inOrderOfAccount(work, 'h.station_id', 'h.user_id')
      : inOrderOfPerson(work, 'h.station_id', 'h.user_id'),
    ...filterConditions(filters, {
      q: waybills,
      station_id: equal,
      user_id: equal,
      provider: equal,
      status: equal,
      opened_from: fromDay(sql.ref('h.opened_at')),
      opened_to: untilDay(sql.ref('h.opened_at')),
    }),
  ];
};

const afterCursor = (cursor: string | undefined, descending: boolean): Condition[] => {
  if (cursor === undefined) return [];
  if (!/^[1-9]\d{0,15}$/.test(cursor)) fail('bad_request');
  const beyond = sql.raw(descending ? '<' : '>');
  return [
    sql<boolean>`(h.opened_at, h.id) ${beyond} (select p.opened_at, p.id from handovers p
    where p.id = ${Number(cursor)})`,
  ];
};

/**
 * The first index column for a page: the filtered or own account, else the stations of the scope.
 */
const splitOf = (work: Scoped, { user_id, station_id }: Filters): Split | null => {
  const account = work.scope.kind === 'stations' ? work.scope.account : null;
  const user = user_id ?? account;
  return user === null
    ? stationSplit(work, station_id)
    : { column: 'user_id', type: 'bigint', values: [user] };
};

/**
 * Returns a page of hand-overs in scope. It reads only those rows of each station that the page may
 * contain.
 */
export const list = (app: App, actor: Actor, filters: Filters): Promise<Listed<Handover>> => {
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
      sql<{ ids: number[] }>`select array(select h.id from handovers h where ${first}
        order by h.opened_at ${order.direction},
        h.id ${order.direction} offset ${offset}) as ids`,
    );
    const rows = inOrder(ids, await handoverList(work, sql<boolean>`h.id = any(${ids}::bigint[])`));
    const { items, last } = pageOfRows(rows, size);
    return { items, total: null, total_is_capped: 0, next_cursor: last && String(last.id) };
  });
};

export const counts = (
  app: App,
  actor: Actor,
  filters: CountFilters,
): Promise<OutputOf<typeof calls.countHandovers>> => {
  const caller = callerOf(actor);
  const conditions = conditionsOf(caller, filters, app.clock.now());
  return app.db.tx(caller, async (work) => {
    const { n, packages } = await oneRow(
      work,
      sql<{ n: number; packages: number }>`
        select count(*)::int as n, coalesce(sum(c.packages), 0)::int as packages
        from (select h.packages from handovers h
          where ${all(conditions)} ${limitOfCount(filters)}) c`,
    );
    const counted = countedOf(n, filters);
    return { ...counted, packages: counted.total_is_capped === 1 ? null : packages };
  });
};

/** The functions with which an export reads hand-overs. */
export const walk: ListWalk<App, Filters & Counting> = {
  ids: (app, actor, filters) => {
    const caller = callerOf(actor);
    const conditions = conditionsOf(caller, filters, app.clock.now());
    const { direction } = orderOf(filters.sort, sortable);
    return app.db.tx(caller, async (work) => {
      const { ids } = await oneRow(
        work,
        sql<{ ids: number[] }>`select array(select x.id from (select h.id, h.opened_at
          from handovers h where ${all(conditions)} ${limitOfCount(filters)}) x
          order by x.opened_at ${direction}, x.id ${direction}) as ids`,
      );
      return ids;
    });
  },
  rows: (app, actor, { ids }) =>
    app.db.tx(callerOf(actor), async (work) =>
      inOrder(ids, await handoverList(work, sql<boolean>`h.id = any(${ids}::bigint[])`)),
    ),
};
