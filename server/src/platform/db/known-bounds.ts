import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/**
 * `moment >= bound`, for a statement in which another condition implies it for nearly all rows: the
 * bounds of transfers imply the days of their lines. The planner would multiply the estimates of
 * dependent conditions; for this operator (migration 0052) it expects 995 of 1,000 rows to match.
 * No index serves it.
 */
export const isKnownFrom = (
  moment: RawBuilder<Date>,
  bound: RawBuilder<Date>,
): RawBuilder<boolean> => sql<boolean>`${moment} >=~ ${bound}`;

/** `moment < bound`, with the same estimate. */
export const isKnownBefore = (
  moment: RawBuilder<Date>,
  bound: RawBuilder<Date>,
): RawBuilder<boolean> => sql<boolean>`${moment} <~ ${bound}`;
