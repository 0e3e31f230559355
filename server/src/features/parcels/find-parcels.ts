import type { Found } from '@waystation/contract/shell/global-search.ts';
import { mostFound } from '@waystation/contract/shell/global-search.ts';
import type { App } from '#app.ts';
import type { FeaturePart } from '#feature.ts';
import { all } from '#platform/db/conditions.ts';
import { sql } from '#platform/db/db.ts';
import type { ReaderWork } from '#platform/db/db.ts';
import { parcelConditions } from './filters.ts';
import { foundParcels } from './search.ts';
import { searchBounds } from './search-keys.ts';
import { viewOf } from './view.ts';
import type { PartOfExpress } from './view.ts';

const columns = sql.raw(
  'id station_id delivery_id order_id receive_name receive_phone receive_city state_code'
    .split(' ')
    .map((name) => `e."${name}"`)
    .join(', '),
);

/**
 * The number of parcels that are searched first. Conditions may remove some of them; if too few
 * remain, a whole search range is read.
 */
const few = 3 * (mostFound + 1);

/** Finds the newest parcels with the search of the parcel list (docs/decisions/0036). */
const find = async (app: App, work: ReaderWork, q: string): Promise<Found['parcels'][]> => {
  for (const most of [few, searchBounds.found]) {
    const { base, search } = await parcelConditions(app, work, { q }, { before: null, most });
    if (search.ids?.length === 0 || search.ids === null) return [];
    const { rows } = await sql<PartOfExpress>`select ${columns} from ${foundParcels(search)}
      where ${all(base)} order by e.created_at desc, e.id desc
      limit ${sql.lit(mostFound + 1)}`.execute(work.tx);
    if (rows.length > mostFound || search.searched_to === null || most === searchBounds.found)
      return rows.map((row) => {
        const { receive_phone } = viewOf(work.actor, row);
        return { ...row, receive_phone } as Found['parcels'];
      });
  }
  return [];
};

export const foundInParcels: FeaturePart = { finds: { parcels: find } };
