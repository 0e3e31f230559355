import type { ParsedOf } from '@waystation/contract/endpoint.ts';
import type * as calls from '@waystation/contract/statement.ts';
import type { Statement } from '@waystation/contract/statement.ts';
import type { App } from '#app.ts';
import { expressIn, payoutLimit } from '#domain/express/express-reads.ts';
import * as ledger from '#domain/ledger/ledger.ts';
import { sameHand } from '#domain/second-person/second-person.ts';
import { recordAudit } from '#platform/audit.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { asSystem } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import type { Scope } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { readSetting } from '#platform/settings.ts';
import { announceIfNobodyDecides, moveOnce, requireStation } from './movement.ts';
import type { MovementMeta } from './movement.ts';

/** The office asks for disabled stations alone, whose people cannot log in. */
const requireClosed = async (tx: Tx, scope: Scope, id: number): Promise<void> => {
  const station = await tx.selectFrom('stations').select('status').where('id', '=', id).where(scopeCondition(scope, 'id')).executeTakeFirst();
  if (!station) fail('not_found');
  else if (station.status === 1) fail('withdrawal_by_station');
};

const withdrawal =
  (path: string, check: (tx: Tx, actor: Actor, scope: Scope, id: number) => Promise<void>) =>
  (app: App, actor: Actor, { id, amount, description = '' }: ParsedOf<typeof calls.requestWithdrawal>, request: RequestContext): Promise<Statement> =>
    moveOnce({
      app,
      actor,
      request,
      endpoint: `POST /api/arco/stations/${id}/${path}`,
      effect: async (tx, scope, meta) => {
        await check(tx, actor, scope, id);
        const requested = await ledger.requestWithdrawal(tx, { station_id: id, amount, description, ...meta });
        if (!requested.ok) return fail('available_too_low', { missing_amount: requested.missing_amount });
        const statement_id = requested.statement_id!;
        await recordAudit(tx, actor, request, {
          action: 'request_withdrawal',
          subject: 'stations',
          subject_id: id,
          station_id: id,
          changes: { amount: [null, amount] },
          reason: description,
        });
        await asSystem(tx, scope, () => announceIfNobodyDecides(tx, { statement_id, asked_by: meta.by, asked_at: meta.at }, meta));
        return statement_id;
      },
    });

/** Of the actor's station alone: stations below request their own. */
export const withdraw = withdrawal('withdrawals', async (_tx, actor, _scope, id) => {
  if (id !== actor.station_id) fail('not_found');
});

/** The rest of a disabled station, paid out by the office. */
export const withdrawFromClosed = withdrawal('closing-withdrawals', (tx, _actor, scope, id) => requireClosed(tx, scope, id));

/** Whether one person may give so much alone on this day at this station. Holds the station's lock, so that two movements at once do not both fit. */
export const givesAlone = async (tx: Tx, station_id: number, amount: number, { by, at }: Pick<MovementMeta, 'by' | 'at'>): Promise<boolean> => {
  await ledger.lockStations(tx, [station_id]);
  const alone = await ledger.givenAlone(tx, station_id, { account_ids: await sameHand(tx, { account_id: by, at }), at });
  return alone + Math.abs(amount) <= (await readSetting(tx, 'given_alone_limit'));
};

export const adjust = (
  app: App,
  actor: Actor,
  { id, amount, description }: ParsedOf<typeof calls.adjustStation>,
  request: RequestContext,
): Promise<Statement> =>
  moveOnce({
    app,
    actor,
    request,
    endpoint: `POST /api/arco/stations/${id}/adjustments`,
    effect: async (tx, scope, meta) => {
      await requireStation(tx, scope, id);
      const alone = await givesAlone(tx, id, amount, meta);
      const input = { station_id: id, amount, description, ...meta };
      const statement_id = await (alone ? ledger.adjustment(tx, input) : ledger.requestAdjustment(tx, input));
      await recordAudit(tx, actor, request, {
        action: alone ? 'adjust' : 'request_adjustment',
        subject: 'stations',
        subject_id: id,
        station_id: id,
        changes: { amount: [null, amount] },
        reason: description,
      });
      if (!alone) await announceIfNobodyDecides(tx, { statement_id, asked_by: meta.by, asked_at: meta.at }, meta);
      return statement_id;
    },
  });

/** What may be paid out for a parcel in all, as it now is. Lock its station first. */
export const payoutLimitOf = async (tx: Tx, express: Parameters<typeof payoutLimit>[0] & { id: number; station_id: number }): Promise<number> => {
  if (express.picked_up_at === null) fail('payout_not_picked_up');
  return payoutLimit(express, (await ledger.paidOut(tx, express.id, express.station_id)).charged_amount);
};

type Give = ParsedOf<typeof calls.refundExpress>;

const give =
  (what: 'refund' | 'payout') =>
  (app: App, actor: Actor, { id, amount, description }: Give, request: RequestContext): Promise<Statement> =>
    moveOnce({
      app,
      actor,
      request,
      endpoint: `POST /api/arco/expresses/${id}/${what}s`,
      effect: async (tx, scope, meta) => {
        const express = await expressIn(tx, scope, id);
        const { station_id, delivery_id } = express;
        const alone = await givesAlone(tx, station_id, amount, meta);
        const input = { express_id: id, station_id, delivery_id, amount, description, ...meta };
        const paying = what === 'payout' ? { limit_amount: await payoutLimitOf(tx, express) } : null;
        const post = async (): Promise<number> => {
          if (paying) return alone ? ledger.payout(tx, { ...input, ...paying }) : ledger.request(tx, { type: 'payout', ...input, ...paying });
          return alone ? ledger.refund(tx, input) : ledger.request(tx, { type: 'refund', ...input });
        };
        const statement_id = await post();
        await recordAudit(tx, actor, request, {
          action: alone ? what : `request_${what}`,
          subject: 'expresses',
          subject_id: id,
          station_id,
          changes: { amount: [null, amount] },
          reason: description,
        });
        if (!alone) await announceIfNobodyDecides(tx, { statement_id, asked_by: meta.by, asked_at: meta.at }, meta);
        return statement_id;
      },
    });

export const refund = give('refund');
export const payOut = give('payout');
