import { sql } from '#platform/db/db.ts';
import type { Prune } from '#platform/db/prune.ts';

/** The number of days for which a delivery is kept. */
const deliveryDays = 14;

/**
 * Removes deliveries of old events, whatever their result. Also removes deliveries of removed
 * webhooks, and then these webhooks.
 */
export const removeOldDeliveries =
  (now: Date): Prune =>
  async (work, most) => {
    const before = new Date(now.getTime() - deliveryDays * 86_400_000);
    const { numAffectedRows: old } = await sql`delete from webhook_deliveries where id = any(array(
      select id from webhook_deliveries where at < ${before} limit ${most}))`.execute(work.tx);
    const { numAffectedRows: ended } = await sql`delete from webhook_deliveries
      where id = any(array(select d.id from webhooks w join webhook_deliveries d
        on d.webhook_id = w.id where w.status = 'removed' limit ${most}))`.execute(work.tx);
    await sql`delete from webhooks w where w.status = 'removed'
      and not exists (select from webhook_deliveries d where d.webhook_id = w.id)`.execute(work.tx);
    return Math.min(most, Number(old ?? 0) + Number(ended ?? 0));
  };
