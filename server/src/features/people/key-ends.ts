import { endChannels } from '#domain/notices/notices.ts';
import { endWebhooks } from '#domain/webhooks/webhooks.ts';
import { recordAudit } from '#platform/audit.ts';
import { expireInvitations } from '#platform/auth/invitations.ts';
import { changesOfEnd, endKeys } from '#platform/auth/key-trust.ts';
import type { UserWork } from '#platform/db/db.ts';

/**
 * Ends the invitation links for an account and the links that it issued, because the account has
 * changed.
 */
export const endInvitationsOf = (work: UserWork, id: number, now: Date): Promise<void> =>
  work.asSystem('invitations of an account', (system) =>
    expireInvitations(system, id, { now, own: true }),
  );

/**
 * Revokes every active key of an account and disables its webhooks and channels, each with an audit
 * entry. With `made`, also ends the keys that it made for others and the invitation links that it
 * issued. The channel `keptChannel` stays enabled.
 */
export const endKeysOf = async (
  work: UserWork,
  id: number,
  { now, made, keptChannel = null }: { now: Date; made: boolean; keptChannel?: number | null },
): Promise<void> => {
  const ended = await work.asSystem('keys of an account', (system) =>
    endKeys(system, id, { by: work.actor.account_id, now, made }),
  );
  if (made)
    await work.asSystem('invitations by an account', (system) =>
      expireInvitations(system, id, { now, own: false }),
    );
  for (const key of ended)
    await recordAudit(work, {
      action: 'revoke_key',
      subject: 'accounts',
      subject_id: key.account_id,
      station_id: key.station_id,
      changes: changesOfEnd(key),
    });
  const stopped = await work.asSystem('webhooks of an account', (system) =>
    endWebhooks(system, id, now),
  );
  for (const hook of stopped)
    await recordAudit(work, {
      action: 'disable',
      subject: 'webhooks',
      subject_id: hook.id,
      station_id: hook.station_id,
      changes: { status: ['live', 'disabled'] },
    });
  const channels = await work.asSystem('channels of an account', (system) =>
    endChannels(system, id, { now, kept: keptChannel }),
  );
  for (const channel of channels)
    await recordAudit(work, {
      action: 'disable',
      subject: 'notice_channels',
      subject_id: channel.id,
      station_id: channel.station_id,
      changes: { status: ['live', 'disabled'] },
    });
};
