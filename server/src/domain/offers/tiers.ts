import { rowsAtOnce, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';

export interface Tier {
  money: number;
  price: number;
}

/**
 * The insurance tiers that are valid at the time `at`, in ascending order. They are the tiers of
 * the last plan that has begun, else the enabled tiers (requirements §10.17.32).
 */
export const tiersAt = (work: Work, at: Date): Promise<Tier[]> =>
  rowsAtOnce(
    work,
    sql<Tier>`with due as (select tiers from guarantee_plans where outcome is null
      and valid_from <= ${at})
      select money, price from guarantees where status = 1 and not exists (select from due)
      union all select (t ->> 'money')::bigint, (t ->> 'price')::bigint from due cross
        join lateral jsonb_array_elements(due.tiers) t order by money`,
  );
