import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { day, flag, id, integer, listInput, listOf, text, time } from './fields.ts';
import { managers, office } from './roles.ts';

/** What moved (docs/ledger.md). The words are stored and transmitted as they stand. */
export const statementTypes = {
  top_up: { zh: '充值', en: 'Top-up' },
  withdrawal: { zh: '提现', en: 'Withdrawal' },
  hold: { zh: '冻结', en: 'Hold' },
  release: { zh: '解冻', en: 'Release' },
  charge: { zh: '扣费', en: 'Charge' },
  reweigh: { zh: '复重差额', en: 'Re-weigh difference' },
  surcharge: { zh: '附加费', en: 'Surcharge' },
  refund: { zh: '退款', en: 'Refund' },
  payout: { zh: '理赔', en: 'Insurance payout' },
  profit: { zh: '分润', en: 'Profit share' },
  adjustment: { zh: '调账', en: 'Adjustment' },
  reversal: { zh: '冲正', en: 'Reversal' },
} as const;
export type StatementType = keyof typeof statementTypes;

/** `pending`: asked for, waits for a second person, moves nothing yet. */
export const statementStatuses = {
  pending: { zh: '待审批', en: 'Pending' },
  posted: { zh: '已入账', en: 'Posted' },
  declined: { zh: '已拒绝', en: 'Declined' },
  reversed: { zh: '已冲正', en: 'Reversed' },
} as const;
export type StatementStatus = keyof typeof statementStatuses;

const type = z.enum(Object.keys(statementTypes) as [StatementType, ...StatementType[]]);
const status = z.enum(Object.keys(statementStatuses) as [StatementStatus, ...StatementStatus[]]);

const nullable = z.nullable(z.int());

/** A billing line as answered: requirements §3 and what explains it. Fen; `discount` in basis points. */
export const statement = z.object({
  id,
  station_id: z.int(),
  station_name: z.string(),
  /** Counts the station's posted lines from 1 without a gap; null for a request. */
  seq: nullable,
  type,
  status,
  /** Null without a parcel, and where the parcel lies outside the reader's scope. */
  express_id: nullable,
  delivery_id: z.nullable(z.string()),
  /** Signed change of the station's money; 0 for hold and release. */
  amount: z.int(),
  /** Signed change of what is frozen. */
  freeze_amount: z.int(),
  pre_amount: nullable,
  discount: nullable,
  discount_amount: nullable,
  guarantee_amount: nullable,
  post_amount: nullable,
  /** After this line: what may be spent, and the station's money; null for a request. */
  available: nullable,
  balance: nullable,
  /** What the line earned the station. */
  profit: z.int(),
  description: z.string(),
  /** Month of posting in Asia/Shanghai, `YYYY-MM`. */
  period: z.nullable(z.string()),
  created_at: time,
  updated_at: time,
  posted_at: z.nullable(time),
});
export type Statement = z.infer<typeof statement>;

/** In the order of posting, requests first; `sort` is `-posted_at` unless told, or `posted_at`. */
export const listStatements = endpoint({
  method: 'GET',
  path: '/api/arco/statements',
  roles: managers,
  summary: 'Billing lines in scope, newest first.',
  input: z.object({
    ...listInput,
    sort: z.optional(z.enum(['posted_at', '-posted_at'], 'invalid')),
    station_id: z.optional(id),
    type: z.optional(type),
    status: z.optional(status),
    express_id: z.optional(id),
    delivery_id: z.optional(text(1, 50)),
    period: z.optional(z.string().check(z.regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'invalid'))),
    /** Days of posting, both included; of a request, days of asking. */
    posted_from: z.optional(day),
    posted_to: z.optional(day),
  }),
  output: listOf(statement),
});

/** At most ¥100,000,000 at once. */
export const topUpStation = endpoint({
  method: 'POST',
  path: '/api/arco/stations/{id}/top-ups',
  roles: office,
  idempotency: 'required',
  summary: 'Top up a station’s wallet; answers the billing line.',
  input: z.object({ id, amount: integer(1, 10_000_000_000), description: z.optional(text(0, 200)) }),
  output: statement,
});

/** A station whose proof failed takes no money until somebody has looked and says what it was; `cleared` 0: it was not blocked. */
export const unblockStation = endpoint({
  method: 'POST',
  path: '/api/arco/stations/{id}/unblock',
  roles: office,
  summary: 'Let a station whose proof failed take money again; the reason is kept.',
  input: z.object({ id, reason: text(2, 200) }),
  output: z.object({ cleared: flag }),
});

/** `full` 1 looks at everything, else at what was posted since each station's last proof. */
export const proveLedger = endpoint({
  method: 'GET',
  path: '/api/arco/ledger/proof',
  roles: office,
  summary: 'Prove the ledger now.',
  input: z.object({ full: z.optional(flag) }),
  output: z.object({
    ok: z.int(),
    checked_entries: z.int(),
    checked_at: time,
    /** Invariants as docs/ledger.md names them; at most 500 of each kind. */
    breaks: z.array(z.object({ invariant: z.string(), subject: z.string(), detail: z.string() })),
  }),
});
