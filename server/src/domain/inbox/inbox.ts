/**
 * Notifications of people (docs/decisions/0051). Triggers write notices in the transaction of a
 * change (`server/sql/inbox.sql`). A task makes entries of them, one per person and thread until it
 * is read.
 */
export { noteClosedMonth, noteReminder } from './closed-month.ts';
export { deliverInbox, removeOldEntries } from './deliver.ts';
export { noteLowBalances } from './low-balance.ts';
export { entriesOf, markRead } from './store.ts';
