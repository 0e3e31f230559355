import { sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';

/** A webhook that was stopped, as the audit log names it. */
export interface EndedWebhook {
  id: number;
  station_id: number | null;
}

/**
 * Disables every live webhook of an account with the trust that it was made in: somebody else may
 * have known the password. The owner enables it by password. Returns them.
 */
export const endWebhooks = async (
  work: Work,
  account_id: number,
  now: Date,
): Promise<EndedWebhook[]> =>
  (
    await sql<EndedWebhook>`update webhooks set status = 'disabled', stopped_by = 'access',
        version = version + 1, updated_at = ${now}
      where account_id = ${account_id} and status = 'live'
      returning id, station_id`.execute(work.tx)
  ).rows;
