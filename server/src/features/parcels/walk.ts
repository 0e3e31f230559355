import { boundedParcels } from '@waystation/contract/base/bounded-lists.ts';
import type { Express } from '@waystation/contract/parcels/express.ts';
import type { ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type { listExpresses } from '@waystation/contract/parcels/express-calls.ts';
import { mostCounted } from '@waystation/contract/base/limits.ts';
import type { App } from '#app.ts';
import { assertDays } from '#platform/http/bounded-days.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { all } from '#platform/db/conditions.ts';
import { callerOf, oneRow, sql } from '#platform/db/db.ts';
import type { ReaderWork } from '#platform/db/db.ts';
import { orderOf } from '#platform/db/paging.ts';
import type { Counting } from '#platform/db/paging.ts';
import { inOrder } from '#platform/db/rows.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import type { Origin } from '#platform/http/context.ts';
import type { ListWalk, WalkedIds } from '#platform/http/list-walk.ts';
import { sourcesOf } from './fields.ts';
import { parcelConditions, planFor, tabConditions } from './filters.ts';
import { sortable, sortedBy } from './list.ts';
import { foundParcels } from './search.ts';
import { searchBounds } from './search-keys.ts';
import { viewOf } from './view.ts';
import type { PartOfExpress } from './view.ts';

type Filters = ParsedOf<typeof listExpresses> & Counting;
/**
 * The ids of the parcels that the filters match, in the order of the list. A search continues
 * through all its search ranges.
 */
const ids = (
  app: App,
  actor: Actor,
  filters: Filters,
  origin: Origin | null = null,
): Promise<number[]> => {
  const caller = callerOf(actor, origin);
  const { column, direction } = orderOf(filters.sort, sortable);
  const most = (filters.countUpTo ?? mostCounted) + 1;
  const find = async (work: ReaderWork): Promise<number[]> => {
    // Only the days of a request are checked: a job was requested with valid days, and may begin
    // after midnight.
    if (origin !== null) assertDays(boundedParcels, filters, app.clock.now());
    const found: number[] = [];
    let before = filters.searched_before ?? null;
    do {
      const { base, search } = await parcelConditions(app, work, filters, {
        before,
        most: searchBounds.found,
      });
      const window = await oneRow(
        work,
        // The ids are sorted after the search, so that no plan reads all parcels in the order of
        // the list.
        sql<{ ids: number[] }>`select array(select x.id
          from (select e.id, ${sortedBy(column)} as at from ${foundParcels(search)}
            where ${all([...base, ...tabConditions(filters)])} limit ${most - found.length}) x
              order by x.at ${direction}, x.id ${direction}) as ids`,
      );
      for (const id of window.ids) found.push(id);
      before = search.searched_to;
    } while (before !== null && found.length < most);
    return found;
  };
  return app.db.tx(caller, find, { plan: planFor(filters) });
};

/** Returns parcels by their ids as in the list, with the requested fields. */
const rows = (
  app: App,
  actor: Actor,
  { ids: wanted, fields }: WalkedIds,
): Promise<Partial<Express>[]> => {
  const { columns, joins } = sourcesOf(fields);
  return app.db.tx(callerOf(actor), async (work) => {
    const found = await sql<PartOfExpress & { id: number }>`
      select ${columns} from expresses e ${joins}
      where e.id = any(${wanted}::bigint[])
        and ${scopeCondition(work, 'e.station_id', 'e.user_id')}`.execute(work.tx);
    return inOrder(wanted, found.rows).map((row) => viewOf(actor, row));
  });
};

/** The functions with which exports and bulk actions read parcels. */
export const walk: ListWalk<App, Filters> = { ids, rows };
