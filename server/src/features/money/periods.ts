import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type * as calls from '@waystation/contract/money/reconciliation.ts';
import type { BookPeriod } from '@waystation/contract/money/reconciliation.ts';
import type { App } from '#app.ts';
import {
  booksOf,
  changesSince,
  closeBooks,
  giveBillReason,
  listBooks,
  prepareClosing,
  remindOfMonth,
  reopenBooks,
} from '#domain/ledger/ledger.ts';
import { noteClosedMonth, noteReminder } from '#domain/inbox/inbox.ts';
import { proveWithin } from './ledger-proof.ts';
import { recordAudit } from '#platform/audit.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { requireSession } from '#platform/auth/no-keys.ts';
import { callerOf } from '#platform/db/db.ts';
import { fail } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';

export const list = (app: App, actor: Actor): Promise<OutputOf<typeof calls.listPeriods>> =>
  app.db.tx(callerOf(actor), async (work) => ({ items: await listBooks(work, app.clock.now()) }));

/**
 * Closes a month. The ledger check runs first, in a separate transaction, because its findings are
 * stored even if the month is not closed. The sums are calculated next, before the transaction that
 * closes the month and blocks postings.
 */
export const close = async (
  app: App,
  actor: Actor,
  { period }: ParsedOf<typeof calls.closePeriod>,
  request: RequestContext,
): Promise<BookPeriod> => {
  const { proved, running } = await proveWithin(app, false);
  if (proved === null)
    return fail('period_check_running', {
      percent: Math.floor((running.rows_done / Math.max(1, running.rows_total)) * 100),
    });
  if (!proved.ok) fail('period_unproved', { count: proved.breaks.length });
  const prepared = await prepareClosing(app.db, period, app.clock.now());
  return app.db.tx(callerOf(actor, request), async (work) => {
    await closeBooks(work, prepared, { by: actor.account_id, at: app.clock.now() });
    await noteClosedMonth(work, period, app.clock.now());
    const books = await booksOf(work, period, app.clock.now());
    await recordAudit(work, {
      action: 'close_period',
      subject: 'periods',
      subject_id: null,
      changes: { period: [null, period], entries: [null, books.entries] },
    });
    return books;
  });
};

export const changes = (
  app: App,
  actor: Actor,
  { period }: ParsedOf<typeof calls.periodChanges>,
): Promise<OutputOf<typeof calls.periodChanges>> =>
  app.db.tx(callerOf(actor), (work) => changesSince(work, period));

/** Sends a reminder to the stations that have not confirmed a closed month. */
export const remind = (
  app: App,
  actor: Actor,
  { period }: ParsedOf<typeof calls.remindPeriod>,
  request: RequestContext,
): Promise<OutputOf<typeof calls.remindPeriod>> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    const at = app.clock.now();
    const { heard, unheard } = await remindOfMonth(work, period, at);
    await noteReminder(work, { period, stations: heard, at });
    await recordAudit(work, {
      action: 'remind_period',
      subject: 'periods',
      subject_id: null,
      changes: { period: [null, period], stations: [null, heard.length] },
    });
    return { stations: heard.length, unheard };
  });

export const reopen = (
  app: App,
  actor: Actor,
  { period, reason }: ParsedOf<typeof calls.reopenPeriod>,
  request: RequestContext,
): Promise<BookPeriod> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    requireSession(actor);
    await reopenBooks(work, period, { by: actor.account_id, at: app.clock.now(), reason });
    await recordAudit(work, {
      action: 'reopen_period',
      subject: 'periods',
      subject_id: null,
      changes: { period: [period, null] },
      reason,
    });
    return booksOf(work, period, app.clock.now());
  });

/**
 * Stores why a carrier account has no bill for a month, so that the month can be closed without a
 * bill.
 */
export const explainMissingBill = (
  app: App,
  actor: Actor,
  { period, merchant_id, reason }: ParsedOf<typeof calls.explainMissingBill>,
  request: RequestContext,
): Promise<BookPeriod> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    const now = app.clock.now();
    const before = await giveBillReason(work, {
      period,
      merchant_id,
      reason,
      by: actor.account_id,
      at: now,
    });
    await recordAudit(work, {
      action: 'explain_missing_bill',
      subject: 'merchants',
      subject_id: merchant_id,
      changes: { period: [null, period], reason: [before, reason] },
    });
    return booksOf(work, period, now);
  });
