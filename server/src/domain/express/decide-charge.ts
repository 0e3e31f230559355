import type { ChargeDecision } from '@waystation/contract/parcels/express-exceptions.ts';
import { mostAmount, mostWeight } from '@waystation/contract/base/limits.ts';
import type { Work } from '#platform/db/db.ts';
import { fail } from '#platform/fail.ts';
import { applyFacts } from './facts.ts';
import type { Facts } from './facts-type.ts';
import { appendFact, closeHeld, endException, heldChargeOf } from './held-charges.ts';
import { queueFacts } from './queues.ts';
import type { ExpressRow } from './row.ts';

export interface ChargeChoice {
  /** The number of the held fact that the administrator saw. */
  no: number;
  decision: ChargeDecision;
  reason: string;
  by: number;
  at: Date;
}

/** True if the ledger and the columns of the database can store these figures. */
export const isChargeStorable = ({
  jd_weight = 0,
  jd_cal_weight = 0,
  jd_amount = 0,
  surcharges = {},
}: Facts): boolean =>
  Math.max(jd_weight, jd_cal_weight) <= mostWeight &&
  Math.max(jd_amount, ...Object.values(surcharges).map(({ amount }) => amount)) <= mostAmount;

/**
 * Applies an administrator's decision about a held report (requirements §10.14.8) to a locked
 * parcel; needs the system scope. Accepted figures are stored under a new number, and change price,
 * charge and cost. Disputed figures have no effect, however often the carrier repeats them. The
 * parcel is then charged as if it had never been weighed.
 */
export const decideCharge = async (
  work: Work,
  express: ExpressRow,
  { no, decision, reason, by, at }: ChargeChoice,
): Promise<ExpressRow> => {
  const held = await heldChargeOf(work, express);
  if (held === null || express.held_no !== no) return fail('charge_decided');
  if (decision === 'ask') {
    await queueFacts(work, express.id);
    return express;
  }
  if (decision === 'dispute') {
    if (express.held_status !== 'open') fail('charge_decided');
    const fact_no = await appendFact(work, express, {
      source: 'disputed',
      facts: { disputed: no },
      reason,
      account_id: by,
      at,
    });
    const disputed = await endException(work, express, { fact_no, held_status: 'disputed' }, at);
    await queueFacts(work, express.id);
    return disputed;
  }
  if (held.unreadable.length > 0) fail('charge_not_readable');
  if (!isChargeStorable(held.facts))
    fail('charge_too_large', { limit_amount: mostAmount, limit_weight: mostWeight });
  return closeHeld(
    work,
    await applyFacts(work, express, held.facts, { source: 'accepted', at, account_id: by, reason }),
    at,
  );
};
