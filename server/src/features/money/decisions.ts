import type { Statement } from '@waystation/contract/money/statement.ts';
import type { App } from '#app.ts';
import { raiseAlert } from '#domain/alerts/alerts.ts';
import { expressIn } from '#domain/express/express-reads.ts';
import * as ledger from '#domain/ledger/ledger.ts';
import {
  announcedAt,
  executableAt,
  independentApprovers,
  setupDays,
} from '#domain/second-person/second-person.ts';
import { recordAudit } from '#platform/audit.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { requireSession } from '#platform/auth/no-keys.ts';
import { businessTime } from '#platform/clock.ts';
import type { UserWork, Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { fail, failFields } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { announceIfNobodyDecides, moveOnce } from './movement.ts';
import type { MovementMeta } from './movement.ts';
import { givesAlone, payoutLimitOf } from './movements.ts';
import { fitsAlone } from './top-ups.ts';

interface Decision {
  id: number;
  reason?: string | undefined;
  /** 1 if only the unspent part of a top-up is reversed. */
  part?: 0 | 1 | undefined;
}

/** The name of the action in the audit log, and the transaction to return. */
interface Done {
  action: string;
  statement_id: number;
}

const all = systemScope('decision on a request');

const decide =
  (
    what: 'approve' | 'decline' | 'retract' | 'reverse',
    act: (work: UserWork, line: Statement, decision: Decision, meta: MovementMeta) => Promise<Done>,
  ) =>
  (app: App, actor: Actor, decision: Decision, request: RequestContext): Promise<Statement> =>
    moveOnce({
      app,
      actor,
      request,
      endpoint: `POST /api/arco/statements/${decision.id}/${what}`,
      effect: async (work, meta) => {
        const line = await ledger.statementIn(work, decision.id);
        const { action, statement_id } = await act(work, line, decision, meta);
        await recordAudit(work, {
          action,
          subject: 'statements',
          subject_id: decision.id,
          station_id: line.station_id,
          changes: { amount: [null, line.amount] },
          reason: decision.reason ?? '',
        });
        return statement_id;
      },
    });

/**
 * Returns 0 if the actor is independent of the requester. Returns 1 if no user is independent and
 * administrators were notified of that 24 hours ago. Fails if another person has to decide, or if
 * the 24 hours are not over.
 */
const decidesAlone = async (
  work: Work,
  { id }: Statement,
  { by, at }: MovementMeta,
): Promise<0 | 1> => {
  const requester = await ledger.requesterOf(work, id);
  const approvers = await independentApprovers(work, requester);
  if (approvers.includes(by)) return 0;
  if (approvers.length > 0)
    return requester.account_id === by
      ? fail('second_person_required')
      : fail('second_person_tied', { days: setupDays });
  const from = executableAt((await announcedAt(work, id)) ?? at);
  return at < from ? fail('second_person_wait', { time: businessTime(from) }) : 1;
};

/**
 * True if this approval posts the transaction. False if it is the first of two approvals. A
 * station's request for a top-up needs two if its amount is above the limit of one user.
 */
const isLastApproval = async (
  work: Work,
  line: Statement,
  { by, at }: MovementMeta,
): Promise<boolean> => {
  if (line.type !== 'top_up' || !(await ledger.isStationRequest(work, line.id))) return true;
  const fits = await fitsAlone(work, line.amount, { cause: '', by, at });
  const first = await ledger.firstApproval(work, line.id);
  if (first?.account_id === by) return fail('second_person_required');
  if (first && !(await independentApprovers(work, first)).includes(by))
    fail('second_person_tied', { days: setupDays });
  await ledger.storeApproval(work, {
    statement_id: line.id,
    account_id: by,
    at,
    amount: line.amount,
    alone: fits && !first ? 1 : 0,
  });
  return fits || first !== null;
};

const post = decide('approve', async (work, line, _decision, meta) => {
  if (line.status !== 'pending') fail('statement_not_pending');
  const alone = await decidesAlone(work, line, meta);
  await ledger.lockStations(work, [line.station_id]);
  // Another approval may have been posted while this approval waited for the lock of the station.
  if ((await ledger.statementIn(work, line.id)).status !== 'pending') fail('statement_not_pending');
  if (!(await isLastApproval(work, line, meta)))
    return { action: 'approve_first', statement_id: line.id };
  const paying =
    line.type === 'payout'
      ? { limit_amount: await payoutLimitOf(work, await expressIn(work, line.express_id!)) }
      : {};
  const approved = await ledger.approve(work, { statement_id: line.id, alone, ...paying, ...meta });
  if (!approved.ok) return fail('available_too_low', { missing_amount: approved.missing_amount });
  if (alone === 1)
    await raiseAlert(work, {
      code: 'request_executed_alone',
      params: {
        station: line.station_name,
        request_amount: line.amount,
        account: work.actor.username,
      },
      station_id: line.station_id,
      account_id: meta.by,
      key: `request_executed_alone:${line.id}`,
    });
  return { action: alone === 1 ? 'approve_alone' : 'approve', statement_id: line.id };
});

export const approve = async (
  app: App,
  actor: Actor,
  decision: Decision,
  request: RequestContext,
): Promise<Statement> => {
  requireSession(actor);
  // The announcement is made in a separate transaction, so that it stays if the approval is
  // refused.
  await app.db.tx(all, async (work) => {
    const { status } = await ledger.statementIn(work, decision.id);
    if (status !== 'pending') return;
    const { account_id, at } = await ledger.requesterOf(work, decision.id);
    await announceIfNobodyDecides(
      work,
      { statement_id: decision.id, asked_by: account_id, asked_at: at },
      { at: app.clock.now(), by: actor.account_id },
    );
  });
  return post(app, actor, decision, request);
};

export const decline = decide('decline', async (work, { id }, { reason = '' }, meta) => {
  if (reason === '') failFields({ reason: { code: 'required' } });
  await ledger.decline(work, { statement_id: id, reason, ...meta });
  return { action: 'decline', statement_id: id };
});

/** Withdraws a pending request for its requester. */
export const retract = decide('retract', async (work, { id }, _decision, meta) => {
  await ledger.retract(work, { statement_id: id, ...meta });
  return { action: 'retract', statement_id: id };
});

const chargedTypes = new Set(['charge', 'reweigh', 'surcharge']);

interface Reversing {
  reason: string;
  part: 0 | 1;
  meta: MovementMeta;
}

/**
 * Reverses a parcel's charges at once up to the limit for one user; above it a request for a second
 * person is made.
 */
const reverseParcel = async (
  work: Work,
  { station_id }: Statement,
  express_id: number,
  { reason, meta }: Omit<Reversing, 'part'>,
): Promise<Done> => {
  const alone = await givesAlone(
    work,
    station_id,
    await ledger.reversible(work, express_id, station_id),
    meta,
  );
  if (alone)
    return {
      action: 'reverse',
      statement_id: (await ledger.reverse(work, { express_id, reason, ...meta })).statement_id!,
    };
  const statement_id = await ledger.request(work, {
    type: 'reversal',
    express_id,
    station_id,
    reason,
    ...meta,
  });
  await announceIfNobodyDecides(work, { statement_id, asked_by: meta.by, asked_at: meta.at }, meta);
  return { action: 'request_reversal', statement_id };
};

/**
 * Reverses a top-up at once if the actor is independent of its creator; otherwise a request for a
 * second person is made.
 */
const reverseTopUp = async (
  work: Work,
  { id, station_id }: Statement,
  { reason, part, meta }: Reversing,
): Promise<Done> => {
  const { account_id } = await ledger.requesterOf(work, id);
  const input = { station_id, statement_id: id, reason, part, ...meta };
  if ((await independentApprovers(work, { account_id, at: meta.at })).includes(meta.by))
    return { action: 'reverse', statement_id: await ledger.reverseTopUp(work, input) };
  const statement_id = await ledger.request(work, { type: 'reversal', ...input });
  await announceIfNobodyDecides(work, { statement_id, asked_by: meta.by, asked_at: meta.at }, meta);
  return { action: 'request_reversal', statement_id };
};

/**
 * Reverses a top-up, or all charges of the transaction's parcel. Other transactions are corrected
 * by an adjustment.
 */
export const reverse = decide('reverse', async (work, line, { reason = '', part = 0 }, meta) => {
  if (reason === '') failFields({ reason: { code: 'required' } });
  if (line.type === 'top_up') return reverseTopUp(work, line, { reason, part, meta });
  if (line.express_id === null || !chargedTypes.has(line.type)) return fail('not_reversible');
  return reverseParcel(work, line, line.express_id, { reason, meta });
});
