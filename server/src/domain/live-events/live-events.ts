/**
 * Live events notify a client that data that it may see have changed (docs/decisions/0046).
 * Triggers write the rows in the same transaction as the change (`server/sql/live-events.sql`).
 * Each API process reads the rows once and distributes them to its open streams.
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
