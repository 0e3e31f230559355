import type { ParsedOf } from '@waystation/contract/endpoint.ts';
import type * as calls from '@waystation/contract/statement.ts';
import type { Statement } from '@waystation/contract/statement.ts';
import type { App } from '#app.ts';
import { expressIn } from '#domain/express/express.ts';
import * as ledger from '#domain/ledger/ledger.ts';
import { recordAudit } from '#platform/audit.ts';
import { scopeOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { asSystem, sql } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';
import { within } from '#platform/db/scope.ts';
import type { Scope } from '#platform/db/scope.ts';
import { fail, failFields } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { once } from '#platform/idempotency.ts';
import { readSetting } from '#platform/settings.ts';

interface Doing {
  app: App;
  actor: Actor;
  request: RequestContext;
  /** Method and path with its ids. */
  endpoint: string;
  /** Answers the id of the line that the answer shows. */
  effect: (tx: Tx, scope: Scope, said: { cause: string; at: Date; by: number }) => Promise<number>;
}

/** Moves money once, however often the request is repeated; answers the billing line. */
const move = ({ app, actor, request, endpoint, effect }: Doing): Promise<Statement> => {
  const scope = scopeOf(actor);
  return once({
    db: app.db,
    scope,
    actor,
    request,
    endpoint,
    effect: (tx) => effect(tx, scope, { cause: `${endpoint}:${actor.account_id}:${request.idempotency_key}`, at: app.clock.now(), by: actor.account_id }),
    answer: (statement_id) => app.db.tx(scope, (tx) => ledger.statementIn(tx, scope, statement_id)),
  });
};

const stationIn = async (tx: Tx, scope: Scope, id: number): Promise<void> => {
  const { rows } = await sql`select 1 from stations where id = ${id} and ${within(scope, 'id')}`.execute(tx);
  if (!rows[0]) fail('not_found');
};

/** Of one's own station alone: what is below it asks for itself. */
export const withdraw = (
  app: App,
  actor: Actor,
  { id, amount, description = '' }: ParsedOf<typeof calls.requestWithdrawal>,
  request: RequestContext,
): Promise<Statement> =>
  move({
    app,
    actor,
    request,
    endpoint: `POST /api/arco/stations/${id}/withdrawals`,
    effect: async (tx, _scope, said) => {
      if (id !== actor.station_id) fail('not_found');
      const asked = await ledger.requestWithdrawal(tx, { station_id: id, amount, description, ...said });
      if (!asked.ok) return fail('available_too_low', { missing_amount: asked.missing_amount });
      await recordAudit(tx, actor, request, {
        action: 'request_withdrawal',
        subject: 'stations',
        subject_id: id,
        station_id: id,
        changes: { amount: [null, amount] },
        reason: description,
      });
      return asked.statement_id!;
    },
  });

export const adjust = (
  app: App,
  actor: Actor,
  { id, amount, description }: ParsedOf<typeof calls.adjustStation>,
  request: RequestContext,
): Promise<Statement> =>
  move({
    app,
    actor,
    request,
    endpoint: `POST /api/arco/stations/${id}/adjustments`,
    effect: async (tx, scope, said) => {
      await stationIn(tx, scope, id);
      const alone = Math.abs(amount) <= (await readSetting(tx, 'adjustment_limit'));
      const input = { station_id: id, amount, description, ...said };
      const statement_id = await (alone ? ledger.adjustment(tx, input) : ledger.requestAdjustment(tx, input));
      await recordAudit(tx, actor, request, {
        action: alone ? 'adjust' : 'request_adjustment',
        subject: 'stations',
        subject_id: id,
        station_id: id,
        changes: { amount: [null, amount] },
        reason: description,
      });
      return statement_id;
    },
  });

type Give = ParsedOf<typeof calls.refundExpress>;

const give =
  (what: 'refund' | 'payout') =>
  (app: App, actor: Actor, { id, amount, description }: Give, request: RequestContext): Promise<Statement> =>
    move({
      app,
      actor,
      request,
      endpoint: `POST /api/arco/expresses/${id}/${what}s`,
      effect: async (tx, scope, said) => {
        const express = await expressIn(tx, scope, id);
        // What the carrier never had cannot have been lost by it.
        if (what === 'payout' && express.state_code < 100) fail('state_forbids', { state: express.state_txt });
        const input = { express_id: id, amount, description, ...said };
        const statement_id = await (what === 'refund' ? ledger.refund(tx, input) : ledger.payout(tx, input));
        await recordAudit(tx, actor, request, {
          action: what,
          subject: 'expresses',
          subject_id: id,
          station_id: express.station_id,
          changes: { amount: [null, amount] },
          reason: description,
        });
        return statement_id;
      },
    });

export const refund = give('refund');
export const payOut = give('payout');

interface Decided {
  id: number;
  reason?: string | undefined;
}

const decide =
  (what: 'approve' | 'decline' | 'reverse', act: (tx: Tx, line: Statement, reason: string, said: { cause: string; at: Date; by: number }) => Promise<number>) =>
  (app: App, actor: Actor, { id, reason = '' }: Decided, request: RequestContext): Promise<Statement> =>
    move({
      app,
      actor,
      request,
      endpoint: `POST /api/arco/statements/${id}/${what}`,
      effect: async (tx, scope, said) => {
        const line = await ledger.statementIn(tx, scope, id);
        const shown = await asSystem(tx, scope, () => act(tx, line, reason, said));
        await recordAudit(tx, actor, request, {
          action: what,
          subject: 'statements',
          subject_id: id,
          station_id: line.station_id,
          changes: { amount: [null, line.amount] },
          reason,
        });
        return shown;
      },
    });

export const approve = decide('approve', async (tx, { id }, _reason, said) => {
  const approved = await ledger.approve(tx, { statement_id: id, ...said });
  return approved.ok ? id : fail('available_too_low', { missing_amount: approved.missing_amount });
});

export const decline = decide('decline', async (tx, { id }, reason, said) => {
  if (reason === '') failFields({ reason: { code: 'required' } });
  await ledger.decline(tx, { statement_id: id, reason, ...said });
  return id;
});

const chargedTypes = new Set(['charge', 'reweigh', 'surcharge']);

/** Everything the parcel of this line was charged; a line without a parcel is put right by an adjustment. */
export const reverse = decide('reverse', async (tx, { id, express_id, type }, reason, said) => {
  if (reason === '') failFields({ reason: { code: 'required' } });
  if (express_id === null || !chargedTypes.has(type)) return fail('not_reversible');
  const posted = await ledger.reverse(tx, { express_id, reason, ...said });
  return posted.statement_id ?? id;
});
