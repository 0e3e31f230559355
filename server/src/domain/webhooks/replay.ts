import { mostReplayed } from '@waystation/contract/base/limits.ts';
import { sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';

const anew = (now: Date) => sql`status = 'pending', attempts = 0, begun_at = ${now},
  next_at = ${now}, leased_until = null`;

/** Sends one delivery of a webhook again, unless the delivery is still pending. */
export const replayOne = async (
  work: Work,
  webhook_id: number,
  id: number,
  now: Date,
): Promise<void> => {
  await sql`update webhook_deliveries set ${anew(now)} where id = ${id}
    and webhook_id = ${webhook_id} and status <> 'pending'`.execute(work.tx);
};

/**
 * Sends failed or skipped deliveries again if their events happened between `from` and `to`, the
 * oldest deliveries first. Returns the number of deliveries.
 */
export const replayRange = async (
  work: Work,
  webhook_id: number,
  { from, to, most, now }: { from: Date; to: Date; most: number; now: Date },
): Promise<number> => {
  const { rows } = await sql`update webhook_deliveries set ${anew(now)} where id = any(array(
      select id from webhook_deliveries where webhook_id = ${webhook_id} and status in ('failed', 'skipped')
        and at >= ${from} and at <= ${to} order by at, id limit ${Math.min(most, mostReplayed)}))
    returning id`.execute(work.tx);
  return rows.length;
};

/**
 * Makes the pending deliveries of a webhook due now, after the webhook was enabled again. Their
 * attempts start again from the first.
 */
export const resumeWaiting = async (work: Work, webhook_id: number, now: Date): Promise<void> => {
  await sql`update webhook_deliveries set ${anew(now)} where webhook_id = ${webhook_id}
    and status = 'pending'`.execute(work.tx);
};
