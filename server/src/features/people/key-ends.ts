import { recordAudit } from '#platform/audit.ts';
import { changesOfEnd, endKeys } from '#platform/auth/key-trust.ts';
import type { UserWork } from '#platform/db/db.ts';

interface Owner {
  id: number;
  station_id: number | null;
}

/** Revokes every live key of an account, each with its entry in the audit log. */
export const endKeysOf = async (
  work: UserWork,
  { id, station_id }: Owner,
  now: Date,
): Promise<void> => {
  const ended = await work.asSystem('keys of an account', (system) =>
    endKeys(system, id, { by: work.actor.account_id, now }),
  );
  for (const key of ended)
    await recordAudit(work, {
      action: 'revoke_key',
      subject: 'accounts',
      subject_id: id,
      station_id,
      changes: changesOfEnd(key),
    });
};
