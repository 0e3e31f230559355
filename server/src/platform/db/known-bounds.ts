import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/**
 * SQL `moment >= bound`, for a statement whose other conditions already imply it for nearly all
 * rows. For example, the bounds of transfers imply the days of their statements. With a plain
 * comparison, the planner would multiply the estimates of all conditions and expect too few rows.
 * For this operator (migration 0052) it expects 995 of 1,000 rows to match. No index is used for
 * it.
 */
export const isKnownFrom = (
  moment: RawBuilder<Date>,
  bound: RawBuilder<Date>,
): RawBuilder<boolean> => sql<boolean>`${moment} >=~ ${bound}`;

/** SQL `moment < bound`. The planner expects nearly all rows to match, as for `isKnownFrom`. */
export const isKnownBefore = (
  moment: RawBuilder<Date>,
  bound: RawBuilder<Date>,
): RawBuilder<boolean> => sql<boolean>`${moment} <~ ${bound}`;
