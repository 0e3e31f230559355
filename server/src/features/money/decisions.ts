import type { Statement } from '@waystation/contract/statement.ts';
import type { App } from '#app.ts';
import { raiseAlert } from '#domain/alerts/alerts.ts';
import { expressIn } from '#domain/express/express-reads.ts';
import * as ledger from '#domain/ledger/ledger.ts';
import { announcedAt, executableAt, independentApprovers, setupDays } from '#domain/second-person/second-person.ts';
import { recordAudit } from '#platform/audit.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { businessTime } from '#platform/clock.ts';
import type { Tx } from '#platform/db/db.ts';
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
  /** Of a top-up, 1: as far as it is unspent. */
  part?: 0 | 1 | undefined;
}

/** What was done: the action as the audit names it, and the line to answer. */
interface Done {
  action: string;
  statement_id: number;
}

const all = systemScope('decision on a request');

const decide =
  (
    what: 'approve' | 'decline' | 'retract' | 'reverse',
    act: (tx: Tx, line: Statement, decision: Decision, meta: MovementMeta, actor: Actor) => Promise<Done>,
  ) =>
  (app: App, actor: Actor, decision: Decision, request: RequestContext): Promise<Statement> =>
    moveOnce({
      app,
      actor,
      request,
      endpoint: `POST /api/arco/statements/${decision.id}/${what}`,
      effect: async (tx, scope, meta) => {
        const line = await ledger.statementIn(tx, scope, decision.id);
        const { action, statement_id } = await act(tx, line, decision, meta, actor);
        await recordAudit(tx, actor, request, {
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

/** 0: the actor is independent of who asked. 1: nobody is, and the office has known of it for 24 hours. Fails where somebody else has to decide, or later. */
const decidesAlone = async (tx: Tx, { id }: Statement, { by, at }: MovementMeta): Promise<0 | 1> => {
  const requester = await ledger.requesterOf(tx, id);
  const approvers = await independentApprovers(tx, requester);
  if (approvers.includes(by)) return 0;
  if (approvers.length > 0) return requester.account_id === by ? fail('second_person_required') : fail('second_person_tied', { days: setupDays });
  const from = executableAt((await announcedAt(tx, id)) ?? at);
  return at < from ? fail('second_person_wait', { time: businessTime(from) }) : 1;
};

/** Whether a station's request for a top-up is posted by this approval, or is the first of two: above what one person may top up it takes two. */
const isLastApproval = async (tx: Tx, line: Statement, { by, at }: MovementMeta): Promise<boolean> => {
  if (line.type !== 'top_up' || !(await ledger.isStationRequest(tx, line.id))) return true;
  const fits = await fitsAlone(tx, line.amount, { cause: '', by, at });
  const first = await ledger.firstApproval(tx, line.id);
  if (first?.account_id === by) return fail('second_person_required');
  if (first && !(await independentApprovers(tx, first)).includes(by)) fail('second_person_tied', { days: setupDays });
  await ledger.storeApproval(tx, { statement_id: line.id, account_id: by, at, amount: line.amount, alone: fits && !first ? 1 : 0 });
  return fits || first !== null;
};

const post = decide('approve', async (tx, line, _decision, meta, actor) => {
  if (line.status !== 'pending') fail('statement_not_pending');
  const alone = await decidesAlone(tx, line, meta);
  await ledger.lockStations(tx, [line.station_id]);
  // Another approval may have decided while this one waited for the station.
  if ((await ledger.statementIn(tx, all, line.id)).status !== 'pending') fail('statement_not_pending');
  if (!(await isLastApproval(tx, line, meta))) return { action: 'approve_first', statement_id: line.id };
  const paying = line.type === 'payout' ? { limit_amount: await payoutLimitOf(tx, await expressIn(tx, all, line.express_id!)) } : {};
  const approved = await ledger.approve(tx, { statement_id: line.id, alone, ...paying, ...meta });
  if (!approved.ok) return fail('available_too_low', { missing_amount: approved.missing_amount });
  if (alone === 1)
    await raiseAlert(tx, {
      code: 'request_executed_alone',
      params: { station: line.station_name, request_amount: line.amount, account: actor.username },
      station_id: line.station_id,
      account_id: meta.by,
      key: `request_executed_alone:${line.id}`,
    });
  return { action: alone === 1 ? 'approve_alone' : 'approve', statement_id: line.id };
});

export const approve = async (app: App, actor: Actor, decision: Decision, request: RequestContext): Promise<Statement> => {
  // In a transaction of its own, so that the announcement stays when the approval is refused.
  await app.db.tx(all, async (tx) => {
    const { status } = await ledger.statementIn(tx, all, decision.id);
    if (status !== 'pending') return;
    const { account_id, at } = await ledger.requesterOf(tx, decision.id);
    await announceIfNobodyDecides(tx, { statement_id: decision.id, asked_by: account_id, asked_at: at }, { at: app.clock.now(), by: actor.account_id });
  });
  return post(app, actor, decision, request);
};

export const decline = decide('decline', async (tx, { id }, { reason = '' }, meta) => {
  if (reason === '') failFields({ reason: { code: 'required' } });
  await ledger.decline(tx, { statement_id: id, reason, ...meta });
  return { action: 'decline', statement_id: id };
});

/** A request that its own maker no longer wants. */
export const retract = decide('retract', async (tx, { id }, _decision, meta) => {
  await ledger.retract(tx, { statement_id: id, ...meta });
  return { action: 'retract', statement_id: id };
});

const chargedTypes = new Set(['charge', 'reweigh', 'surcharge']);

interface Reversing {
  reason: string;
  part: 0 | 1;
  meta: MovementMeta;
}

/** A parcel's charges are given back by one person within the limit for what it gives alone; above it a second person decides. */
const reverseParcel = async (tx: Tx, { station_id }: Statement, express_id: number, { reason, meta }: Omit<Reversing, 'part'>): Promise<Done> => {
  const alone = await givesAlone(tx, station_id, await ledger.reversible(tx, express_id, station_id), meta);
  if (alone) return { action: 'reverse', statement_id: (await ledger.reverse(tx, { express_id, reason, ...meta })).statement_id! };
  const statement_id = await ledger.request(tx, { type: 'reversal', express_id, station_id, reason, ...meta });
  await announceIfNobodyDecides(tx, { statement_id, asked_by: meta.by, asked_at: meta.at }, meta);
  return { action: 'request_reversal', statement_id };
};

/** A top-up is taken back at once by somebody independent of who made it; else it waits for a second person. */
const reverseTopUp = async (tx: Tx, { id, station_id }: Statement, { reason, part, meta }: Reversing): Promise<Done> => {
  const { account_id } = await ledger.requesterOf(tx, id);
  const input = { station_id, statement_id: id, reason, part, ...meta };
  if ((await independentApprovers(tx, { account_id, at: meta.at })).includes(meta.by))
    return { action: 'reverse', statement_id: await ledger.reverseTopUp(tx, input) };
  const statement_id = await ledger.request(tx, { type: 'reversal', ...input });
  await announceIfNobodyDecides(tx, { statement_id, asked_by: meta.by, asked_at: meta.at }, meta);
  return { action: 'request_reversal', statement_id };
};

/** Everything the parcel of this line was charged, or a top-up; any other line is put right by an adjustment. */
export const reverse = decide('reverse', async (tx, line, { reason = '', part = 0 }, meta) => {
  if (reason === '') failFields({ reason: { code: 'required' } });
  if (line.type === 'top_up') return reverseTopUp(tx, line, { reason, part, meta });
  if (line.express_id === null || !chargedTypes.has(line.type)) return fail('not_reversible');
  return reverseParcel(tx, line, line.express_id, { reason, meta });
});
