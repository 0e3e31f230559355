import type { InboxEntry } from '@waystation/contract/shell/inbox.ts';
import { jsonText, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';

/**
 * A webhook that was disabled or removed, with the data for the audit log and for a notice to its
 * account.
 */
export interface EndedWebhook {
  id: number;
  account_id: number;
  station_id: number | null;
  name: string;
}

/** Notifies the account of a webhook that nothing more is sent to the webhook, and why. */
export const noticeStop = async (
  work: Work,
  { id, account_id, station_id, name }: EndedWebhook,
  { reason, now }: { reason: NonNullable<InboxEntry['webhook']>['reason']; now: Date },
): Promise<void> => {
  await work.tx
    .insertInto('inbox_notices')
    .values({
      kind: 'webhook',
      station_id,
      account_id,
      subject_id: id,
      data: jsonText({ name, reason }),
      at: now,
    })
    .execute();
};

/**
 * Disables every enabled webhook of an account whose access was reset, because another person may
 * have known the password. A notice is written for each webhook. The owner can enable a webhook
 * with the password. Returns the disabled webhooks.
 */
export const endWebhooks = async (
  work: Work,
  account_id: number,
  now: Date,
): Promise<EndedWebhook[]> => {
  const { rows } =
    await sql<EndedWebhook>`update webhooks set status = 'disabled', stopped_by = 'access',
        version = version + 1, updated_at = ${now}
      where account_id = ${account_id} and status = 'live'
      returning id, account_id, station_id, name`.execute(work.tx);
  for (const ended of rows) await noticeStop(work, ended, { reason: 'access', now });
  return rows;
};
