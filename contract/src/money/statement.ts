import { endpoint } from '#base/endpoint.ts';
import { managers, office } from '#base/roles.ts';
import type { schemas } from './statement.schema.ts';
export type { Statement, Journal } from './statement.schema.ts';

/** The kinds of transactions (docs/ledger.md). The keys are stored and sent. */
export const statementTypes = {
  top_up: { zh: '充值', en: 'Top-up' },
  withdrawal: { zh: '提现', en: 'Withdrawal' },
  hold: { zh: '冻结', en: 'Hold' },
  release: { zh: '解冻', en: 'Release' },
  charge: { zh: '扣费', en: 'Charge' },
  reweigh: { zh: '复重差额', en: 'Re-weigh difference' },
  surcharge: { zh: '附加费', en: 'Surcharge' },
  refund: { zh: '退款', en: 'Refund' },
  payout: { zh: '理赔', en: 'Claim payout' },
  profit: { zh: '分润', en: 'Profit share' },
  adjustment: { zh: '调账', en: 'Adjustment' },
  reversal: { zh: '冲正', en: 'Reversal' },
} as const;
export type StatementType = keyof typeof statementTypes;

/**
 * The statuses of a transaction. `pending`: a request that waits for a second person and has posted
 * nothing yet.
 */
export const statementStatuses = {
  pending: { zh: '待审批', en: 'Pending' },
  posted: { zh: '已入账', en: 'Posted' },
  declined: { zh: '已驳回', en: 'Declined' },
  reversed: { zh: '已冲正', en: 'Reversed' },
} as const;
export type StatementStatus = keyof typeof statementStatuses;

/**
 * Lists pending requests first, and then transactions by the time of posting. `sort` is
 * `-posted_at` by default, or `posted_at`.
 */
export const listStatements = endpoint<typeof schemas.listStatements>({
  method: 'GET',
  path: '/api/arco/statements',
  roles: managers,
  key: 'statements',
  summary: 'Billing lines in scope, newest first.',
});

export const countStatements = endpoint<typeof schemas.countStatements>({
  method: 'GET',
  path: '/api/arco/statements/counts',
  roles: managers,
  key: 'statements',
  summary:
    'How many billing lines the filters of the list match and what they come to, with opening and closing balance; above 10,000 “at least”, unless exact: 1.',
});

/** A top-up may be at most ¥100,000,000. */
export const topUpStation = endpoint<typeof schemas.topUpStation>({
  method: 'POST',
  path: '/api/arco/stations/{id}/top-ups',
  roles: managers,
  idempotency: 'required',
  summary:
    'Top up a station’s wallet; by a station or partner: a request for its own wallet, pending until the office approves. Answers the billing line.',
});

/**
 * The postings of a transaction: a debit is negative, a credit is positive, and the sum of all is
 * zero. `others` is the sum of the postings outside the reader's scope.
 */
export const statementJournal = endpoint<typeof schemas.statementJournal>({
  method: 'GET',
  path: '/api/arco/statements/{id}/journal',
  roles: managers,
  summary: 'One billing line with the entries of its transfer and the proof of their hashes.',
});

export const requestWithdrawal = endpoint<typeof schemas.requestWithdrawal>({
  method: 'POST',
  path: '/api/arco/stations/{id}/withdrawals',
  roles: ['partner', 'station'],
  idempotency: 'required',
  summary:
    'Request a withdrawal from the user’s station; pending until an administrator approves it.',
});

/** Allowed only for a disabled station, because an enabled station makes its own request. */
export const withdrawFromClosed = endpoint<typeof schemas.withdrawFromClosed>({
  method: 'POST',
  path: '/api/arco/stations/{id}/closing-withdrawals',
  roles: office,
  idempotency: 'required',
  summary:
    'Request that the rest of a disabled station is paid out; pending until another administrator approves it.',
});

/**
 * An adjustment above the limit (a setting, ¥500 by default) is pending until a second super or
 * admin approves it.
 */
export const adjustStation = endpoint<typeof schemas.adjustStation>({
  method: 'POST',
  path: '/api/arco/stations/{id}/adjustments',
  roles: office,
  idempotency: 'required',
  summary: 'Correct a station’s wallet by a sum of either sign, with the reason.',
});

export const refundExpress = endpoint<typeof schemas.refundExpress>({
  method: 'POST',
  path: '/api/arco/expresses/{id}/refunds',
  roles: office,
  idempotency: 'required',
  summary: 'Give part of a charged parcel’s price back to its station; shares stay.',
});

export const payOutExpress = endpoint<typeof schemas.payOutExpress>({
  method: 'POST',
  path: '/api/arco/expresses/{id}/payouts',
  roles: office,
  idempotency: 'required',
  summary: 'Pay insurance out to the station of a parcel.',
});

const decision = (what: 'approve' | 'decline', summary: string) =>
  endpoint<typeof schemas.approveStatement>({
    method: 'POST',
    path: `/api/arco/statements/{id}/${what}`,
    roles: office,
    idempotency: 'required',
    summary,
  });
export const approveStatement = decision(
  'approve',
  'Post a request; never by the person who made it.',
);
export const declineStatement = decision(
  'decline',
  'Decline a request, with the reason; never by the person who made it.',
);
/**
 * Withdraws the caller's own request. The request then has the status declined, with the requester
 * as the person who decided.
 */
export const retractStatement = endpoint<typeof schemas.retractStatement>({
  method: 'POST',
  path: '/api/arco/statements/{id}/retract',
  roles: managers,
  idempotency: 'required',
  summary: 'Take an own request back while it is pending.',
});
/**
 * Reverses a transaction. With `part` 1 it reverses only the unspent part of a top-up. The rest
 * becomes a claim on the station. Further reversals of the same transaction collect this claim.
 */
export const reverseStatement = endpoint<typeof schemas.reverseStatement>({
  method: 'POST',
  path: '/api/arco/statements/{id}/reverse',
  roles: office,
  idempotency: 'required',
  summary:
    'Give back all that the parcel of this line was charged, and take back its shares; or take a top-up back. Above the limit a second person decides.',
});

/**
 * The reference that a station writes into its bank transfer, so that an administrator finds the
 * request. It is unique and ends with a check digit: `CZ00046297-3`.
 */
export const topUpReference = (statement_id: number): string => {
  const digits = String(statement_id).padStart(8, '0');
  const sum = [...digits]
    .toReversed()
    .reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 3 : 1), 0);
  return `CZ${digits}-${(10 - (sum % 10)) % 10}`;
};

/**
 * The id of the transaction that a typed reference belongs to; null if the text is no reference.
 */
export const statementOfReference = (text: string): number | null => {
  const found = /^CZ-?(\d{8,15})-?(\d)$/.exec(text.trim().toUpperCase().replaceAll(' ', ''));
  if (!found) return null;
  const id = Number(found[1]);
  return topUpReference(id).endsWith(`-${found[2]}`) ? id : null;
};

/**
 * Allows payments of a station again. After a failed ledger check, a station posts no payments
 * until an administrator has checked it and given the cause. `cleared` 0: the station was not
 * blocked.
 */
export const unblockStation = endpoint<typeof schemas.unblockStation>({
  method: 'POST',
  path: '/api/arco/stations/{id}/unblock',
  roles: office,
  summary: 'Let a station whose proof failed take money again; the reason is stored.',
});

/**
 * The limits of a ledger check: changes that it cannot find (docs/ledger.md, Proof). An incremental
 * check does not read postings from before the last check of a station.
 */
export const proofBlindSpots = [
  'rewrites_since_head',
  'below_checkpoints',
  'before_baseline',
  'undecided',
  'erased_text',
  'waybills',
  'pickup_times',
  'invented_moves',
  'setup',
  'claims',
] as const;
export type ProofBlindSpot = (typeof proofBlindSpots)[number];

/**
 * `full` 1 checks the whole ledger; otherwise only the postings since each station's last check are
 * checked.
 */
export const proveLedger = endpoint<typeof schemas.proveLedger>({
  method: 'GET',
  path: '/api/arco/ledger/proof',
  roles: office,
  summary: 'Prove the ledger now.',
});
