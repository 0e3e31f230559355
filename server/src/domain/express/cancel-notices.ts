import { sql } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';
import type { ExpressRow } from './row.ts';

/** Whether a cancel or an interception is under way. */
export const isRecalled = ({ cancel_requested_at, intercepting }: Pick<ExpressRow, 'cancel_requested_at' | 'intercepting'>): boolean =>
  cancel_requested_at !== null || intercepting === 1;

/**
 * Notifies who asked for a cancel or an interception, and the managers of the station, that it failed (`server/src/domain/inbox`). Called by the code that knows the
 * outcome: the flags of the parcel end before its state says how.
 */
export const noteFailedCancel = async (tx: Tx, { id, station_id, cancel_uid }: ExpressRow, at: Date): Promise<void> => {
  await sql`insert into inbox_notices (kind, station_id, account_id, subject_id, at) values ('cancel_failed', ${station_id}, ${cancel_uid}, ${id}, ${at})`.execute(
    tx,
  );
};
