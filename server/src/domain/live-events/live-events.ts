/**
 * Hints to clients that something they may see has changed (docs/decisions/0046). Rows are
 * written by triggers in the transaction of the change (`server/sql/live-events.sql`); each
 * API process reads them once and distributes them to its open streams.
 */
import type { Db } from '#platform/db/db.ts';
import { pruneEvents } from './store.ts';

export { pruneEvents } from './store.ts';
export { createLiveEvents } from './hub.ts';
export type { LiveEventHub } from './hub.ts';

/**
 * Task that runs every minute: removes events that are too old to be sent to a stream that
 * reconnects.
 */
export const pruneLiveEvents = async (app: { db: Db }): Promise<void> => {
  await pruneEvents(app.db);
};
