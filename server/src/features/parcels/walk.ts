import { boundedParcels } from '@waystation/contract/bounded-lists.ts';
import type { Express } from '@waystation/contract/express.ts';
import type { ParsedOf } from '@waystation/contract/endpoint.ts';
import type { listExpresses } from '@waystation/contract/express-calls.ts';
import { mostCounted } from '@waystation/contract/limits.ts';
import type { App } from '#app.ts';
import { assertDays } from '#platform/http/bounded-days.ts';
import { scopeOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { all } from '#platform/db/conditions.ts';
import { oneRow, sql } from '#platform/db/db.ts';
import { orderOf } from '#platform/db/paging.ts';
import type { Counting } from '#platform/db/paging.ts';
import { inOrder } from '#platform/db/rows.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import type { Origin } from '#platform/http/context.ts';
import type { ListWalk, WalkedIds } from '#platform/http/list-walk.ts';
import { parcelConditions, tabConditions } from './filters.ts';
import { sortable, sortedBy } from './list.ts';
import { listColumns } from './list-columns.ts';
import { foundParcels } from './search.ts';
import { searchBounds } from './search-keys.ts';
import { isNamed, namesOf, partOf } from './view.ts';
import type { ListedExpress } from './view.ts';

type Filters = ParsedOf<typeof listExpresses> & Counting;
type Source = keyof ListedExpress;

/** What fields are made of that are no column or name, or not that alone. */
const sources: Readonly<Record<string, readonly Source[]>> = {
  state_remark: ['state_remark', 'state_reason', 'state_code', 'carrier_down_since', 'on_hold_needs'],
  state_reason: ['state_remark', 'state_reason', 'state_code', 'carrier_down_since', 'on_hold_needs'],
  waybill_claims: ['waybill_claims', 'state_code'],
  canceling: ['cancel_requested_at'],
} satisfies Partial<Record<keyof Express, readonly Source[]>>;

const stored: ReadonlySet<string> = new Set(listColumns);

/** What is read for these fields; the phones of a parcel follow its station. */
const sourcesOf = (fields: ReadonlySet<string>): Source[] => [
  ...new Set<Source>(['id', 'station_id', ...[...fields].flatMap((field) => sources[field] ?? (stored.has(field) || isNamed(field) ? [field as Source] : []))]),
];

/** Ids of the parcels that the filters match, of all windows of a search, in the order of the list. */
const ids = (app: App, actor: Actor, filters: Filters, origin: Origin | null = null): Promise<number[]> => {
  const scope = scopeOf(actor);
  const { column, direction } = orderOf(filters.sort, sortable);
  const most = (filters.countUpTo ?? mostCounted) + 1;
  return app.db.tx(scope, async (tx) => {
    // A job was asked for with days that fit, and may begin after midnight.
    if (origin !== null) assertDays(boundedParcels, filters, app.clock.now());
    const found: number[] = [];
    let before = filters.searched_before ?? null;
    do {
      const { base, search } = await parcelConditions(app, tx, actor, scope, filters, { before, most: searchBounds.found }, origin);
      const window = await oneRow(
        tx,
        // Sorted once found, so that no plan walks all parcels in the order of the list.
        sql<{ ids: number[] }>`select array(select x.id from (select e.id, ${sortedBy(column)} as at from ${foundParcels(search)}
            where ${all([...base, ...tabConditions(filters)])} limit ${most - found.length}) x order by x.at ${direction}, x.id ${direction}) as ids`,
      );
      for (const id of window.ids) found.push(id);
      before = search.searched_to;
    } while (before !== null && found.length < most);
    return found;
  });
};

/** Parcels by their ids as the list shows them, with the fields that are needed. */
const rows = (app: App, actor: Actor, { ids: wanted, fields }: WalkedIds): Promise<Partial<Express>[]> => {
  const scope = scopeOf(actor);
  const read = sourcesOf(fields);
  const { columns, joins } = namesOf(read);
  const own = read.filter((name) => stored.has(name)).map((name) => sql.ref(`e.${name}`));
  return app.db.tx(scope, async (tx) => {
    const found = await sql<Pick<ListedExpress, 'id' | 'station_id'> & Partial<ListedExpress>>`
      select ${sql.join([...own, ...columns])} from expresses e ${joins}
      where e.id = any(${wanted}::bigint[]) and ${scopeCondition(scope, 'e.station_id', 'e.user_id')}`.execute(tx);
    return inOrder(wanted, found.rows).map((row) => partOf(actor, row));
  });
};

/** How exports and bulk actions read the parcels of a list. */
export const walk: ListWalk<App, Filters> = { ids, rows };
