import { isArrived, stateCode } from '@waystation/contract/parcels/express-states.ts';
import { safeSum } from '#domain/carriers/carriers.ts';
import type { ActualFee, Answered, Measured } from '#domain/carriers/carriers.ts';
import { openAccountInTx } from '#domain/carrier-accounts/carrier-accounts.ts';
import type { CarrierContext } from '#domain/carrier-accounts/carrier-accounts.ts';
import { sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { readSetting } from '#platform/settings.ts';
import { returnCode } from './billed.ts';
import { callCarrier } from './call-carrier.ts';
import { applyFacts } from './facts.ts';
import { takeReport } from './held-charges.ts';
import type { ChargeReport } from './held-charges.ts';
import type { Facts } from './facts-type.ts';
import { queueFacts } from './queues.ts';
import { lockExpress } from './row.ts';
import type { ExpressRow } from './row.ts';

const all = systemScope('settlement');
const hour = 3_600_000;
/**
 * Seconds until weight and fee are requested again after unanswered calls. Each further unanswered
 * call in a row uses the next value; the last value repeats.
 */
const silenceWaits = [30, 120, 300, 600, 1_800];

/**
 * The carrier's measured weight, its fee, and the fee of the return waybill. The last is null if
 * the parcel has no return waybill.
 */
type CarrierFacts = readonly [
  measured: Answered<Measured>,
  fee: Answered<ActualFee>,
  returnFee: Answered<ActualFee> | null,
];

/** Task: asks the carrier for a parcel's weight and fees, and posts the resulting prices. */
export const askFacts = async (
  context: CarrierContext,
  { express_id, silences = 0 }: { express_id: number; silences?: number },
): Promise<void> => {
  await callCarrier(context, all, {
    caller: 'ask_facts',
    ready: async (work) => {
      const express = await lockExpress(work, express_id);
      const { delivery_id, merchant_id } = express;
      if (
        express.state_code < stateCode.awaitingPickup ||
        delivery_id === null ||
        merchant_id === null
      )
        return null;
      const opened = await openAccountInTx(context, work, merchant_id);
      if (!opened.paused) return { express, opened, delivery_id };
      await settleFacts(context, work, express, { answers: null, silences });
      return null;
    },
    call: async ({
      express: { return_delivery_id },
      opened: { carrier, account },
      delivery_id,
    }) => [
      await carrier.details(account, { delivery_id }),
      await carrier.actualFee(account, { delivery_id }),
      return_delivery_id === null
        ? null
        : await carrier.actualFee(account, { delivery_id: return_delivery_id }),
    ],
    settle: (work, express, answers, { express: before }) =>
      // Facts that were stored meanwhile may be newer than these answers, so the carrier is asked
      // again.
      express.fact_no === before.fact_no
        ? settleFacts(context, work, express, { answers, silences })
        : queueFacts(work, express_id),
  });
};

/**
 * Applies the carrier's answers about a locked parcel, and queues the next request if more answers
 * are expected. `answers` is null if the carrier account is paused.
 */
const settleFacts = async (
  context: CarrierContext,
  work: Work,
  express: ExpressRow,
  { answers, silences }: { answers: CarrierFacts | null; silences: number },
): Promise<void> => {
  const at = context.clock.now();
  const taken = answers
    ? await takeReport(work, express, reportOf(answers, express.surcharges), {
        source: 'poll',
        at,
        account_id: null,
      })
    : express;
  // A held charge waits for an administrator's decision. A parcel whose charge is disputed is
  // treated as if it was never weighed.
  if (taken.held_status !== 'open')
    await settleWithoutWeight(work, taken, at, answers?.[0].outcome === 'ok');
  // Without an answer, the facts are unknown. They are requested again, because a correction must
  // not be lost in an outage.
  const isSilent = isUnanswered(answers);
  if (
    taken.state_code === stateCode.cancelled ||
    !(isSilent || (await isUncharged(work, express.id)))
  )
    return;
  const wait = isSilent
    ? silenceWaits[Math.min(silences, silenceWaits.length - 1)]! * 1_000
    : hour / 6;
  await queueFacts(work, express.id, new Date(at.getTime() + wait), isSilent ? silences + 1 : 0);
};

/**
 * True if a call got no answer: the account is paused, the gateway rejected the call, or there was
 * no connection. A refusal is an answer.
 */
const isUnanswered = (answers: CarrierFacts | null): boolean =>
  answers === null ||
  answers.some((answer) => answer?.outcome === 'unknown' || answer?.outcome === 'gateway');

const isUncharged = async (work: Work, id: number): Promise<boolean> =>
  (
    await sql`select 1 from expresses where id = ${id} and charged_at is null
    and state_code between 200 and 420`.execute(work.tx)
  ).rows.length > 0;

const returnName = '退回运费';

const reportOf = (
  [measured, fee, returnFee]: CarrierFacts,
  known: ExpressRow['surcharges'],
): ChargeReport => {
  const weights = measured.outcome === 'ok' ? measured.value : null;
  const fees = fee.outcome === 'ok' ? fee.value : null;
  const unreadable = [weights, fees, returnFee?.outcome === 'ok' ? returnFee.value : null].flatMap(
    (value) => value?.unreadable ?? [],
  );
  return {
    facts: {
      ...(weights?.jd_weight != null && { jd_weight: weights.jd_weight }),
      ...(weights?.jd_volume != null && { jd_volume: weights.jd_volume }),
      // If a part of the answer cannot be read, none of its fees is used.
      ...(fees && unreadable.length === 0 && feeFacts(fees, returnFee, known)),
    },
    fees: fees?.fees ?? [],
    unreadable,
  };
};

/**
 * Returns the fees of the parcel and of its return, which are applied together. If there is no
 * answer about the return, its known fee stays.
 */
const feeFacts = (
  fee: ActualFee,
  returnFee: CarrierFacts[2],
  known: ExpressRow['surcharges'],
): Facts => {
  const back =
    returnFee?.outcome === 'ok' ? returnFee.value.jd_amount : (known[returnCode]?.amount ?? 0);
  const surcharges = Object.fromEntries(
    fee.fees
      .filter(({ kind }) => kind === 'surcharge')
      .map(({ code, name, amount }) => [code, { name, amount }]),
  );
  return {
    jd_amount: safeSum(fee.jd_amount, back),
    surcharges:
      back > 0 ? { ...surcharges, [returnCode]: { name: returnName, amount: back } } : surcharges,
    ...(fee.jd_cal_weight != null && { jd_cal_weight: fee.jd_cal_weight }),
  };
};

/**
 * Charges the estimate of a parcel that was never weighed, if it has arrived, or was picked up a
 * long time ago (requirements §4). `answered`: true if the carrier has answered without a weight.
 */
const settleWithoutWeight = async (
  work: Work,
  express: ExpressRow,
  at: Date,
  answered: boolean,
): Promise<void> => {
  if (
    express.charged_at !== null ||
    express.state_code < stateCode.pickedUp ||
    express.state_code === stateCode.cancelled
  )
    return;
  const arrived = isArrived(express.state_code) && answered;
  const since = express.picked_up_at ?? (await returningSince(work, express));
  const overdue =
    since !== null &&
    at.getTime() - since.getTime() >= (await readSetting(work, 'estimate_after_hours')) * hour;
  if (arrived || overdue)
    await applyFacts(work, express, { estimate: 1 }, { source: 'estimate', at, account_id: null });
};

const returningSince = async (work: Work, express: ExpressRow): Promise<Date | null> => {
  if (express.state_code !== stateCode.returning) return null;
  const { rows } = await sql<{
    at: Date | null;
  }>`select min(operation_time) as at from express_messages where express_id = ${express.id}
    and effect = 'returning'`.execute(work.tx);
  return rows[0]?.at ?? null;
};
