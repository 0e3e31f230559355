/**
 * Notifications for users (docs/decisions/0051). Triggers write notices in the same transaction as
 * the change (`server/sql/inbox.sql`). A task turns notices into entries: one entry for each user
 * and thread until the user reads it.
 */
export { noteClosedMonth, noteReminder } from './closed-month.ts';
export { deliverInbox, removeOldEntries } from './deliver.ts';
export { noteLowBalances } from './low-balance.ts';
export { entriesOf, markRead } from './store.ts';
