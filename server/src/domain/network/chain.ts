import { chainTooGenerous } from '#domain/pricing/pricing.ts';
import { oneRow, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import { failFields } from '#platform/fail.ts';
import { subtreeOf } from './tree.ts';

/**
 * The largest number of levels in a station's chain. There is a limit because the pricing terms of
 * a parcel contain the whole chain.
 */
const deepest = 50;

/**
 * Fails unless the parent is in scope, and is neither the station itself nor below it. `id` is null
 * for a new station.
 */
export const checkParent = async (
  work: Work,
  id: number | null,
  parent_id: number,
): Promise<void> => {
  const { rows } = await sql`select 1 from stations where id = ${parent_id}
    and ${scopeCondition(work, 'id')}`.execute(work.tx);
  if (!rows[0]) failFields({ parent_id: { code: 'not_found' } });
  if (id !== null && (await subtreeOf(work, id)).includes(parent_id))
    failFields({ parent_id: { code: 'parent_circular' } });
};

/**
 * The largest sum of stored percentages along any chain through the station, and the number of
 * levels of the longest chain.
 */
const chainsThrough = async (work: Work, id: number): Promise<{ rate: number; levels: number }> => {
  return oneRow(
    work,
    sql<{ rate: number; levels: number }>`
    with recursive up as (
        select id, parent_id, enable_profit * profit as rate, 1 as level from stations
          where id = ${id}
        union all select s.id, s.parent_id, s.enable_profit * s.profit, u.level + 1
          from stations s join up u on s.id = u.parent_id where u.level < 200),
      down as (
        select id, 0::bigint as rate, 0 as level from stations where id = ${id}
        union all select c.id, d.rate + c.enable_profit * c.profit, d.level + 1
          from stations c join down d on c.parent_id = d.id where d.level < 200)
    select coalesce((select sum(rate) from up where parent_id is not null),
      0)::bigint + (select max(rate) from down) as rate,
      (select max(level) from up) + (select max(level) from down) as levels`,
  );
};

/**
 * Fails on `field` if the stored percentages along a chain through the station add up to more than
 * 100 %, or if the tree has too many levels.
 */
export const checkRates = async (
  work: Work,
  id: number,
  field: 'profit' | 'parent_id',
): Promise<void> => {
  // The rates of stations above a partner's own station count too.
  const { rate, levels } = await work.asSystem('shares of a chain', (system) =>
    chainsThrough(system, id),
  );
  const problem = chainTooGenerous([{ enable_profit: 1, percent_type: 1, profit: rate }]);
  if (problem) failFields({ [field]: problem });
  if (levels > deepest)
    failFields({ parent_id: { code: 'network_too_deep', params: { levels: deepest } } });
};
