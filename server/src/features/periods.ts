import type { OutputOf, ParsedOf } from '@waystation/contract/endpoint.ts';
import type * as calls from '@waystation/contract/reconciliation.ts';
import type { BookPeriod } from '@waystation/contract/reconciliation.ts';
import type { App } from '#app.ts';
import { booksOf, closeBooks, listBooks, prove, reopenBooks } from '#domain/ledger/ledger.ts';
import { recordAudit } from '#platform/audit.ts';
import { scopeOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { fail } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';

export const list = (app: App, actor: Actor): Promise<OutputOf<typeof calls.listPeriods>> =>
  app.db.tx(scopeOf(actor), async (tx) => ({ items: await listBooks(tx, app.clock.now()) }));

/** Proved first, in a transaction of its own: what a proof finds is kept and acted on whether the month is closed or not. */
export const close = async (app: App, actor: Actor, { period }: ParsedOf<typeof calls.closePeriod>, request: RequestContext): Promise<BookPeriod> => {
  const { ok, breaks } = await prove(app.db, { full: false, at: app.clock.now() });
  if (!ok) fail('period_unproved', { count: breaks.length });
  return app.db.tx(scopeOf(actor), async (tx) => {
    await closeBooks(tx, period, { by: actor.account_id, at: app.clock.now() });
    const books = await booksOf(tx, period);
    await recordAudit(tx, actor, request, {
      action: 'close_period',
      subject: 'periods',
      subject_id: null,
      changes: { period: [null, period], entries: [null, books.entries] },
    });
    return books;
  });
};

export const reopen = (app: App, actor: Actor, { period, reason }: ParsedOf<typeof calls.reopenPeriod>, request: RequestContext): Promise<BookPeriod> =>
  app.db.tx(scopeOf(actor), async (tx) => {
    await reopenBooks(tx, period, { by: actor.account_id, at: app.clock.now(), reason });
    await recordAudit(tx, actor, request, { action: 'reopen_period', subject: 'periods', subject_id: null, changes: { period: [period, null] }, reason });
    return booksOf(tx, period);
  });
