import type { Erasure } from '@waystation/contract/people/erasure.ts';
import { mostBlockedParcels } from '@waystation/contract/people/erasure.ts';
import type { ErasurePreview } from '@waystation/contract/people/erasure.ts';
import type { App } from '#app.ts';
import { daysBefore } from '#platform/clock.ts';
import { jsonText, sql } from '#platform/db/db.ts';
import type { RowOf, Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { readSetting } from '#platform/settings.ts';
import { finished } from './personal-data.ts';

export type ErasureRow = RowOf<'erasures'>;
export type Counts = Erasure['counts'];

/**
 * A step of an erasure. It blanks the rows that still contain the person, so it can be repeated.
 * Returns the reason why it must be repeated, or nothing if all its rows are blanked.
 */
export type Step = (app: App, row: ErasureRow) => Promise<string | undefined | void>;

export const scope = systemScope('erasure of a person');

/** Adds to the counts of an erasure, in the transaction that blanked the rows. */
export const addCounts = async (work: Work, id: number, counts: Counts): Promise<void> => {
  await sql`select erasure_count(${id}, ${jsonText(counts)}::jsonb)`.execute(work.tx);
};

/** The parcels that prevent an erasure, the unfinished ones first. */
export const blockedOf = async (
  work: Work,
  parcels: readonly number[],
  now: Date,
): Promise<Pick<ErasurePreview, 'blocked' | 'more'>> => {
  const days = await readSetting(work, 'erase_after_days');
  const { rows } = await sql<{ number: string; at: Date | null }>`
    select coalesce(p.delivery_id, p.order_id) as number,
      case when p.done then p.ended_at + make_interval(days => ${days}) end as at
    from (select e.delivery_id, e.order_id, express_ended_at(e) as ended_at,
        e.state_code in ${finished} and e.modifying = 0
          and e.held_status is distinct from 'open' as done
      from expresses e where e.id = any(${[...parcels]}::bigint[])) p
    where not p.done or p.ended_at > ${daysBefore(now, days)}
    order by at nulls first, number`.execute(work.tx);
  return {
    blocked: rows
      .slice(0, mostBlockedParcels)
      .map(({ number, at }) => ({ number, at: at && at.toISOString() })),
    more: Math.max(rows.length - mostBlockedParcels, 0),
  };
};
