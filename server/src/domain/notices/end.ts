import { sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import type { Prune } from '#platform/db/prune.ts';

/**
 * Disables every enabled channel of an account whose access was reset, because another person may
 * have added a channel. The owner can enable a channel with a new code; codes sent earlier are no
 * longer valid. `kept` is the mailbox that proved the owner's identity. Returns the disabled
 * channels.
 */
export const endChannels = async (
  work: Work,
  account_id: number,
  { now, kept = null }: { now: Date; kept?: number | null },
): Promise<{ id: number; station_id: number | null }[]> => {
  const { rows } = await sql<{ id: number; station_id: number | null }>`with ended as (
      update notice_channels set status = 'disabled', stopped_by = 'access',
        resets_password = false, reset_hash = null, code_hash = null, code_until = null, version = version + 1, updated_at = ${now}
      where account_id = ${account_id} and status = 'live' and id is distinct from ${kept}
      returning id
    ), codes as (
      update notice_channels set code_hash = null, code_until = null
      where account_id = ${account_id} and status <> 'live' and code_hash is not null
    ), dropped as (
      delete from notice_outbox o using ended where o.channel_id = ended.id
    )
    select ended.id, a.station_id from ended join accounts a on a.id = ${account_id}`.execute(
    work.tx,
  );
  return rows;
};

const day = 86_400_000;

/**
 * Erases the addresses of channels whose account is disabled. Deletes removed and unconfirmed
 * channels a day after their first code. Until then, their codes count for the daily limit of
 * codes.
 */
export const removeOldChannels =
  (now: Date): Prune =>
  async (work, most) => {
    await sql`update notice_channels c set status = 'removed', address = null, hint = '',
        updated_at = ${now}
      from accounts a where a.id = c.account_id and a.status = 0 and c.status <> 'removed'`.execute(
      work.tx,
    );
    const { numAffectedRows } = await sql`delete from notice_channels where id = any(array(
      select id from notice_channels where (status = 'removed' or status = 'unconfirmed')
        and asked_from < ${new Date(now.getTime() - day)} limit ${most}))`.execute(work.tx);
    return Number(numAffectedRows ?? 0);
  };
