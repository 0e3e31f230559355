import { mayWork } from '#platform/auth/sessions.ts';
import type { Prune } from '#platform/db/prune.ts';
import { sql } from '#platform/db/db.ts';
import { retriedFor } from './schedule.ts';

/**
 * SQL: true if the account of the webhook `k`, or the account's station, is disabled. The account
 * must still have the role and station that are stored in `k`. Deliveries of such a webhook wait,
 * because the account may be enabled again before their attempts end.
 */
export const isPaused = sql<boolean>`exists (select from accounts a
  left join stations t on t.id = a.station_id
  where a.id = k.account_id and a.role <> 'super' and a.role = k.role
    and a.station_id is not distinct from k.station_id and not (${mayWork}))`;

/**
 * Marks a delivery as failed if its account was disabled for the whole time of its attempts. Also
 * ends the pause of webhooks whose account is enabled again.
 */
export const endPausedDeliveries =
  (now: Date): Prune =>
  async (work, most) => {
    const since = new Date(now.getTime() - retriedFor);
    await sql`update webhooks k set paused_since = null
      where k.paused_since is not null and not ${isPaused}`.execute(work.tx);
    const { numAffectedRows } = await sql`update webhook_deliveries
      set status = 'failed', error = 'paused', leased_until = null
      where id = any(array(select d.id from webhooks k join webhook_deliveries d
        on d.webhook_id = k.id and d.status = 'pending' and d.begun_at < ${since}
        where k.status = 'live' and ${isPaused} limit ${most}))`.execute(work.tx);
    return Number(numAffectedRows ?? 0);
  };
