import type { StatementType } from '@waystation/contract/statement.ts';
import { all } from '#platform/db/conditions.ts';
import type { Condition } from '#platform/db/conditions.ts';
import { sql } from '#platform/db/db.ts';
import { firstIds, stationSplit } from '#platform/db/newest.ts';
import type { Source, Split } from '#platform/db/newest.ts';
import type { Order } from '#platform/db/paging.ts';
import type { Scope } from '#platform/db/scope.ts';
import type { StatementFilters } from './statement-list.ts';

/** The types of which few lines are: the indexes `statements_rare` and `statements_rare_all` hold these alone. */
const rareTypes = ['top_up', 'withdrawal', 'release', 'reweigh', 'surcharge', 'refund', 'payout', 'adjustment', 'reversal'] satisfies StatementType[];

/** As text, and in the words of the indexes, by which PostgreSQL knows that they hold all the rows. */
const isRare = sql<boolean>`s.type in (${sql.join(rareTypes.map((type) => sql.lit(type)))})`;

const byTransfer: Source = { table: 'statements', alias: 's', by: { column: 'transfer_id', type: 'bigint' } };

/** More rows than this are not read for one page: then all lines are walked in their order. */
const mostRead = 20_000;

const isRareType = (type: StatementType): boolean => (rareTypes as StatementType[]).includes(type);

/**
 * The lines that can be on the first `count` rows of a list of rare types: of each station and type its newest, from their index, and the requests, which have no
 * transfer yet. Null where the types are no rare ones. `conditions` are those of the list without the types: the index begins with these, and beside a second
 * condition on them PostgreSQL would read and sort all lines of the type.
 */
export const rareLines = (
  scope: Scope,
  { type, station_id, with_children }: StatementFilters,
  conditions: readonly Condition[],
  order: Order,
  count: number,
): Condition | null => {
  if (type === undefined || !type.every(isRareType)) return null;
  const types: Split = { column: 'type', type: 'text', values: [...new Set(type)] };
  const stations = stationSplit(scope, with_children === 1 ? undefined : station_id);
  const splits = stations === null ? [types] : [stations, types];
  if (splits.reduce((product, { values }) => product * values.length, count) > mostRead) return null;
  const posted = firstIds(byTransfer, splits, [isRare, sql<boolean>`s.transfer_id is not null`, ...conditions], order, count);
  const requests = sql`select s.id from statements s where s.transfer_id is null and s.type = any(${type}::text[]) and ${all(conditions)} order by s.id ${order.direction} limit ${sql.lit(count)}`;
  return sql<boolean>`s.id = any(array(${posted}) || array(${requests}))`;
};
