import type { ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type * as calls from '@waystation/contract/money/statement.ts';
import type { Statement } from '@waystation/contract/money/statement.ts';
import { present } from '@waystation/contract/base/present.ts';
import type { App } from '#app.ts';
import { expressIn, payoutLimit } from '#domain/express/express-reads.ts';
import * as ledger from '#domain/ledger/ledger.ts';
import { sameHand } from '#domain/second-person/second-person.ts';
import { recordAudit } from '#platform/audit.ts';
import type { Actor } from '#platform/auth/actor.ts';
import type { ReaderWork, Work } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { readSetting } from '#platform/settings.ts';
import { announceIfNobodyDecides, moveOnce, recordRequest, requireStation } from './movement.ts';
import type { MovementMeta } from './movement.ts';

/** Administrators may withdraw only from disabled stations, whose users cannot log in. */
const requireClosed = async (work: Work, id: number): Promise<void> => {
  const station = await work.tx
    .selectFrom('stations')
    .select('status')
    .where('id', '=', id)
    .where(scopeCondition(work, 'id'))
    .executeTakeFirst();
  if (!station) fail('not_found');
  else if (station.status === 1) fail('withdrawal_by_station');
};

const withdrawal =
  (path: string, check: (work: ReaderWork, id: number) => Promise<void>) =>
  (
    app: App,
    actor: Actor,
    { id, amount, description = '' }: ParsedOf<typeof calls.requestWithdrawal>,
    request: RequestContext,
  ): Promise<Statement> =>
    moveOnce({
      app,
      actor,
      request,
      endpoint: `POST /api/arco/stations/${id}/${path}`,
      effect: async (work, meta) => {
        await check(work, id);
        const requested = await ledger.requestWithdrawal(work, {
          station_id: id,
          amount,
          description,
          ...meta,
        });
        if (!requested.ok)
          return fail('available_too_low', { missing_amount: requested.missing_amount });
        const statement_id = present(requested.statement_id);
        const asked = { statement_id, station_id: id, amount, description };
        await recordRequest(work, 'request_withdrawal', asked, meta);
        return statement_id;
      },
    });

/** Withdraws only from the actor's own station: other stations make their own requests. */
export const withdraw = withdrawal('withdrawals', async (work, id) => {
  if (id !== work.actor.station_id) fail('not_found');
});

/** Withdraws the rest of a disabled station's balance, requested by an administrator. */
export const withdrawFromClosed = withdrawal('closing-withdrawals', (work, id) =>
  requireClosed(work, id),
);

/**
 * True if one user may approve this amount without a second person, at this station on this day.
 * Locks the station, so that two simultaneous movements cannot both pass.
 */
export const givesAlone = async (
  work: Work,
  station_id: number,
  amount: number,
  { by, at }: Pick<MovementMeta, 'by' | 'at'>,
): Promise<boolean> => {
  await ledger.lockStations(work, [station_id]);
  const alone = await ledger.givenAlone(work, station_id, {
    account_ids: await sameHand(work, { account_id: by, at }),
    at,
  });
  return alone + Math.abs(amount) <= (await readSetting(work, 'given_alone_limit'));
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
    effect: async (work, meta) => {
      await requireStation(work, id);
      const alone = await givesAlone(work, id, amount, meta);
      const input = { station_id: id, amount, description, ...meta };
      const statement_id = await (alone
        ? ledger.adjustment(work, input)
        : ledger.requestAdjustment(work, input));
      await recordAudit(work, {
        action: alone ? 'adjust' : 'request_adjustment',
        subject: 'stations',
        subject_id: id,
        station_id: id,
        changes: { amount: [null, amount] },
        reason: description,
      });
      if (!alone)
        await announceIfNobodyDecides(
          work,
          { statement_id, asked_by: meta.by, asked_at: meta.at },
          meta,
        );
      return statement_id;
    },
  });

/**
 * The limit of all payouts for the parcel in its present state. The parcel's station must be locked
 * before the call.
 */
export const payoutLimitOf = async (
  work: Work,
  express: Parameters<typeof payoutLimit>[0] & { id: number; station_id: number },
): Promise<number> => {
  if (express.picked_up_at === null) fail('payout_not_picked_up');
  return payoutLimit(
    express,
    (await ledger.paidOut(work, express.id, express.station_id)).charged_amount,
  );
};

type Give = ParsedOf<typeof calls.refundExpress>;

const give =
  (what: 'refund' | 'payout') =>
  (
    app: App,
    actor: Actor,
    { id, amount, description }: Give,
    request: RequestContext,
  ): Promise<Statement> =>
    moveOnce({
      app,
      actor,
      request,
      endpoint: `POST /api/arco/expresses/${id}/${what}s`,
      effect: async (work, meta) => {
        const express = await expressIn(work, id);
        const { station_id, delivery_id } = express;
        const alone = await givesAlone(work, station_id, amount, meta);
        const input = { express_id: id, station_id, delivery_id, amount, description, ...meta };
        const paying =
          what === 'payout' ? { limit_amount: await payoutLimitOf(work, express) } : null;
        const post = async (): Promise<number> => {
          if (paying)
            return alone
              ? ledger.payout(work, { ...input, ...paying })
              : ledger.request(work, { type: 'payout', ...input, ...paying });
          return alone
            ? ledger.refund(work, input)
            : ledger.request(work, { type: 'refund', ...input });
        };
        const statement_id = await post();
        await recordAudit(work, {
          action: alone ? what : `request_${what}`,
          subject: 'expresses',
          subject_id: id,
          station_id,
          changes: { amount: [null, amount] },
          reason: description,
        });
        if (!alone)
          await announceIfNobodyDecides(
            work,
            { statement_id, asked_by: meta.by, asked_at: meta.at },
            meta,
          );
        return statement_id;
      },
    });

export const refund = give('refund');
export const payOut = give('payout');
