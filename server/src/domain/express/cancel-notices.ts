import { sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import type { ExpressRow } from './row.ts';

/** True if a cancel or an interception is under way. */
export const isRecalled = ({
  cancel_requested_at,
  intercepting,
}: Pick<ExpressRow, 'cancel_requested_at' | 'intercepting'>): boolean =>
  cancel_requested_at !== null || intercepting === 1;

/**
 * Notifies the user who requested a cancel or an interception, and the managers of the station,
 * that the request failed (`server/src/domain/inbox`). Called by the code that knows the outcome,
 * because the parcel's flags end before its state shows the outcome.
 */
export const noteFailedCancel = async (
  work: Work,
  { id, station_id, cancel_uid }: ExpressRow,
  at: Date,
): Promise<void> => {
  await sql`insert into inbox_notices (kind, station_id, account_id, subject_id, at)
    values ('cancel_failed', ${station_id}, ${cancel_uid}, ${id}, ${at})`.execute(work.tx);
};
