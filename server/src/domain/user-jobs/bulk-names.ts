import type { BulkList } from './bulk.ts';
import { sql } from '#platform/db/db.ts';
import type { RawBuilder } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';

type NameOf = BulkList<unknown>['nameOf'];

/**
 * The names of a table's rows, read from the column `column`. `station` is the column with the
 * station of a row; rows outside the scope get no name.
 */
export const namesIn =
  (table: string, column: string, station?: string): NameOf =>
  (scope, id) => {
    const scoped = station === undefined ? sql`true` : scopeCondition({ scope }, `r.${station}`);
    return sql<string>`(select ${sql.ref(`r.${column}`)} from ${sql.table(table)} r
      where r.id = ${id} and ${scoped})`;
  };

/** The names of parcels: the waybill number, or our order number if there is no waybill yet. */
export const namesOfParcels: NameOf = (scope, id) =>
  sql<string>`(select coalesce(r.delivery_id, r.order_id) from expresses r where r.id = ${id}
    and ${scopeCondition({ scope }, 'r.station_id', 'r.user_id')})`;

/** The names of insurance tiers, which are their highest insured values. */
export const namesOfTiers: NameOf = (_scope, id: RawBuilder<number>) =>
  sql<string>`(select '≤ ¥' || to_char(r.money / 100.0, 'FM999,999,999,999,990.00')
    from guarantees r where r.id = ${id})`;
