import { formatYuan } from '@waystation/contract/money.ts';
import type { BulkList } from './bulk.ts';
import { sql } from '#platform/db/db.ts';
import type { RowOf } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';

type Names = BulkList<unknown>['names'];

const mapOf = (rows: readonly { id: number; name: string }[]): Map<number, string> => new Map(rows.map(({ id, name }) => [id, name]));

/** What rows of a table are called, by one of its columns; `station` names the column that rows of a station are scoped by. */
export const namesIn =
  (table: string, column: string, station?: string): Names =>
  async (tx, scope, ids) => {
    const scoped = station === undefined ? sql`true` : scopeCondition(scope, station);
    const { rows } = await sql<{
      id: number;
      name: string;
    }>`select id, ${sql.ref(column)} as name from ${sql.table(table)} where id = any(${ids as number[]}::bigint[]) and ${scoped}`.execute(tx);
    return mapOf(rows);
  };

/** Parcels by their waybill, or by our number while they have none. */
export const namesOfParcels: Names = async (tx, scope, ids) => {
  const { rows } = await sql<RowOf<'expresses', 'id'> & { name: string }>`select id, coalesce(delivery_id, order_id) as name from expresses
    where id = any(${ids as number[]}::bigint[]) and ${scopeCondition(scope, 'station_id', 'user_id')}`.execute(tx);
  return mapOf(rows);
};

/** Insurance tiers by the value they reach to. */
export const namesOfTiers: Names = async (tx, _scope, ids) => {
  const { rows } = await sql<RowOf<'guarantees', 'id' | 'money'>>`select id, money from guarantees where id = any(${ids as number[]}::bigint[])`.execute(tx);
  return mapOf(rows.map(({ id, money }) => ({ id, name: `≤ ¥${formatYuan(money)}` })));
};
