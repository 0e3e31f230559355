import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { fen, flag, id, integer, listInput, listOf, reason, searchText, text, time, version } from './fields.ts';
import { office } from './roles.ts';

/** Where a line of the carrier's bill falls when it is held against our parcels (docs/ledger.md, month end). */
export const billBuckets = {
  equal: { zh: '一致', en: 'Equal' },
  weight_differs: { zh: '重量不符', en: 'Weight differs' },
  price_differs: { zh: '金额不符', en: 'Price differs' },
  only_ours: { zh: '仅我方', en: 'Only ours' },
  only_theirs: { zh: '仅承运商', en: 'Only theirs' },
  duplicate: { zh: '重复', en: 'Duplicate' },
  other_code: { zh: '商家编码不符', en: 'Customer code differs' },
  unreadable: { zh: '无法识别', en: 'Unreadable' },
  otherwise: { zh: '承运商另报', en: 'Carrier reports otherwise' },
} as const;
export type BillBucket = keyof typeof billBuckets;

/** `open`: nobody has decided yet; lines of bucket `equal` need no decision and are `settled`. */
export const billDecisions = {
  settled: { zh: '无需处理', en: 'Settled' },
  open: { zh: '待处理', en: 'Open' },
  accepted: { zh: '已认可', en: 'Accepted' },
  disputed: { zh: '有异议', en: 'Disputed' },
} as const;
export type BillDecision = keyof typeof billDecisions;

/** `mapping`: a person must say which column is which; `failed`: the file cannot be read, `reason` says why; `discarded`: the wrong file. */
export const reconciliationStatuses = {
  reading: { zh: '读取中', en: 'Reading' },
  mapping: { zh: '待匹配列', en: 'Columns to match' },
  matching: { zh: '比对中', en: 'Matching' },
  ready: { zh: '待处理', en: 'Ready' },
  settled: { zh: '已处理', en: 'Settled' },
  failed: { zh: '失败', en: 'Failed' },
  discarded: { zh: '已作废', en: 'Discarded' },
} as const;
export type ReconciliationStatus = keyof typeof reconciliationStatuses;

/** What a column of a bill may be; the first three are needed. */
export const billFields = ['delivery_id', 'weight', 'amount', 'customer_code', 'volume', 'fee', 'sent_on', 'remark'] as const;
export type BillField = (typeof billFields)[number];

const keysOf = <T extends object>(words: T) => Object.keys(words) as [keyof T & string, ...(keyof T & string)[]];
const bucket = z.enum(keysOf(billBuckets), 'invalid');
const decision = z.enum(keysOf(billDecisions), 'invalid');
const status = z.enum(keysOf(reconciliationStatuses), 'invalid');
/** `YYYY-MM`, a month of Asia/Shanghai. */
export const period = z.string().check(z.regex(/^[1-9]\d{3}-(0[1-9]|1[0-2])$/, 'invalid'));

const nullable = z.nullable(z.int());
const base = '/api/arco/reconciliations';

/** A column of the file as it was found: its header and a few of its values. */
export const billColumn = z.object({ index: z.int(), title: z.string(), samples: z.array(z.string()) });
/** Which column (from 0) is what. */
const mapping = z.partialRecord(z.enum(billFields), z.int().check(z.gte(0, 'invalid'), z.lte(199, 'invalid')));

/** One bill of a carrier for one month. Weights in grams, amounts in fen. */
export const reconciliation = z.object({
  id,
  period: z.string(),
  provider: z.string(),
  file_name: z.string(),
  file_bytes: z.int(),
  status: z.enum(keysOf(reconciliationStatuses)),
  /** Why it failed or waits; null otherwise. */
  reason: z.nullable(reason),
  /** Lines of the file read so far, and all of them once known. */
  rows_read: z.int(),
  rows_total: nullable,
  columns: z.array(billColumn),
  mapping,
  /** What the carrier weighs in, as the bill writes it. */
  weight_unit: z.enum(['kg', 'g']),
  /** A difference up to these is marked `within_tolerance`. */
  weight_tolerance: z.int(),
  amount_tolerance: z.int(),
  /** Every bucket, also empty ones. Sums in fen; `theirs` is null for only_ours. */
  buckets: z.array(
    z.object({
      bucket: z.enum(keysOf(billBuckets)),
      count: z.int(),
      open: z.int(),
      within_tolerance: z.int(),
      accepted: z.int(),
      disputed: z.int(),
      ours_amount: z.int(),
      theirs_amount: z.int(),
    }),
  ),
  /** What the bill's own total row states; null where it has none that can be read. It equals `theirs_amount` where no line is missing or changed. */
  stated_amount: nullable,
  /** Sum of the bill, and what of it we owe by now: equal and accepted lines. */
  theirs_amount: z.int(),
  owed_amount: z.int(),
  paid_amount: z.int(),
  created_at: time,
  created_by_name: z.nullable(z.string()),
  version: z.int(),
});
export type Reconciliation = z.infer<typeof reconciliation>;

export const billRow = z.object({
  id,
  /** Line of the file, from 1, header not counted; null for only_ours. */
  no: nullable,
  bucket: z.enum(keysOf(billBuckets)),
  decision: z.enum(keysOf(billDecisions)),
  /** Why it cannot be read or accepted, or what is particular (line it repeats, whose code it is). */
  problem: z.nullable(reason),
  delivery_id: z.nullable(z.string()),
  express_id: nullable,
  order_id: z.nullable(z.string()),
  station_id: nullable,
  station_name: z.nullable(z.string()),
  customer_code: z.nullable(z.string()),
  our_customer_code: z.nullable(z.string()),
  their_weight: nullable,
  /** The carrier's weight as known before the bill, else what was billed. A bill that names the weight the carrier reckoned by agrees, too. */
  our_weight: nullable,
  their_amount: nullable,
  /** The carrier's fee as known before the bill. Several lines of one parcel are compared by their sum: ours stands on the first of them alone. */
  our_amount: nullable,
  within_tolerance: flag,
  /** What the station would pay more (or less, below 0) if the line is accepted, or pays since it was; null where nothing moves. */
  effect_amount: nullable,
  /** What was said when it was accepted or disputed. */
  note: z.string(),
  decided_at: z.nullable(time),
  decided_by_name: z.nullable(z.string()),
});
export type BillRow = z.infer<typeof billRow>;

export const listReconciliations = endpoint({
  method: 'GET',
  path: base,
  roles: office,
  summary: 'Bills of carriers, newest first.',
  input: z.object({ ...listInput, period: z.optional(period), provider: z.optional(text(1, 20)), status: z.optional(status) }),
  output: listOf(reconciliation),
});

/**
 * The carrier's bill as .xlsx or .csv (UTF-8, UTF-16 or GBK), at most 20 MB and 100,000 lines, as multipart/form-data with the fields below and the `file`.
 * It is read in the background; ask the reconciliation for its progress. The same file again answers the first one's reconciliation.
 */
export const createReconciliation = endpoint({
  method: 'POST',
  path: base,
  roles: office,
  takes: 'form',
  bodyLimit: 21 * 1024 * 1024,
  summary: 'Upload a carrier’s bill of a month.',
  input: z.object({ period, provider: text(1, 20), weight_tolerance: z.optional(integer(0, 100_000)), amount_tolerance: z.optional(fen) }),
  output: reconciliation,
});

export const getReconciliation = endpoint({
  method: 'GET',
  path: `${base}/{id}`,
  roles: office,
  summary: 'One bill with its progress and the sums of its buckets.',
  input: z.object({ id }),
  output: reconciliation,
});

/** A list's own filters, also those of accept and dispute. */
export const billRowFilters = {
  bucket: z.optional(bucket),
  decision: z.optional(decision),
  within_tolerance: z.optional(flag),
  station_id: z.optional(id),
  /** Waybill numbers, separated by anything. */
  q: z.optional(searchText),
};

export const listBillRows = endpoint({
  method: 'GET',
  path: `${base}/{id}/rows`,
  roles: office,
  summary: 'Lines of a bill, in the order of the file, those only we know last.',
  input: z.object({ id, ...listInput, ...billRowFilters }),
  output: listOf(billRow),
});

export const mapReconciliation = endpoint({
  method: 'POST',
  path: `${base}/{id}/mapping`,
  roles: office,
  summary: 'Say which column is what, and match anew; remembered for files with these headers. Only before any line was decided.',
  input: z.object({ id, version, mapping, weight_unit: z.enum(['kg', 'g'], 'invalid') }),
  output: reconciliation,
});

export const setTolerances = endpoint({
  method: 'POST',
  path: `${base}/{id}/tolerances`,
  roles: office,
  summary: 'Up to which difference a line is marked as within tolerance.',
  input: z.object({ id, version, weight_tolerance: integer(0, 100_000), amount_tolerance: fen }),
  output: reconciliation,
});

/** `ids`, or every line that `filter` matches now, of which the caller saw `expected`. */
const chosen = {
  id,
  ids: z.optional(z.array(id).check(z.minLength(1, 'required'), z.maxLength(10_000, 'too_long'))),
  filter: z.optional(z.object(billRowFilters)),
  expected: z.optional(integer(0, 1_000_000)),
};

/**
 * The carrier is right. weight_differs: its weight and fee become facts of the parcel, the station's difference and the shares follow; price_differs: cost
 * only; only_ours: noted, it may come in a later bill; only_theirs, duplicate, other_code: cost of the platform. A background job with one result per line.
 */
export const acceptBillRows = endpoint({
  method: 'POST',
  path: `${base}/{id}/accept`,
  roles: office,
  summary: 'Accept open or disputed lines of a bill, in the background.',
  input: z.object({ ...chosen, reason: z.optional(text(0, 200)) }),
  output: z.object({ job_id: z.int(), total: z.int() }),
});

export const disputeBillRows = endpoint({
  method: 'POST',
  path: `${base}/{id}/dispute`,
  roles: office,
  summary: 'Dispute open lines of a bill, in the background; they go into the list for the carrier.',
  input: z.object({ ...chosen, reason: text(2, 200) }),
  output: z.object({ job_id: z.int(), total: z.int() }),
});

export const disputedFile = endpoint({
  method: 'GET',
  path: `${base}/{id}/disputes.xlsx`,
  roles: office,
  answers: 'file',
  summary: 'The disputed lines in the layout of the carrier’s file, with our figures, their source and the reason.',
  input: z.object({ id, language: z.optional(z.enum(['zh', 'en'], 'invalid')) }),
  output: z.unknown(),
});

export const discardReconciliation = endpoint({
  method: 'POST',
  path: `${base}/{id}/discard`,
  roles: office,
  summary: 'Set a wrong file aside; only before any line was accepted.',
  input: z.object({ id, version, reason: text(2, 200) }),
  output: reconciliation,
});

export const payCarrier = endpoint({
  method: 'POST',
  path: `${base}/{id}/payments`,
  roles: office,
  idempotency: 'required',
  summary: 'Note that the carrier was paid: payable to cash. At most what is owed by the bill.',
  input: z.object({ id, amount: integer(1, 10_000_000_000), description: z.optional(text(0, 200)) }),
  output: reconciliation,
});

export const periodStatuses = { open: { zh: '未结账', en: 'Open' }, closed: { zh: '已结账', en: 'Closed' } } as const;

/** A month of the books. */
export const bookPeriod = z.object({
  period: z.string(),
  status: z.enum(keysOf(periodStatuses)),
  /** Entries posted in it, and their sum per account; `sum` over all accounts is 0 in books that hold. */
  entries: z.int(),
  trial_balance: z.array(z.object({ account: z.enum(['wallet', 'holds', 'cash', 'revenue', 'carrier_cost', 'carrier_payable']), amount: z.int() })),
  sum: z.int(),
  /** Lines of its bills that nobody has decided, and requests made in it that still wait. */
  reconciliations: z.int(),
  open_rows: z.int(),
  pending: z.int(),
  /** 1: its last day is over. */
  ended: flag,
  /** The earliest month before it that is still open; it is closed first. */
  earlier_open: z.nullable(z.string()),
  /** Carrier accounts with parcels picked up in it and no bill of it. Without a reason for each the month is not closed; a closed one lists those that had one. */
  missing_bills: z.array(
    z.object({
      merchant_id: z.int(),
      name: z.string(),
      provider: z.string(),
      customer_code: z.string(),
      parcels: z.int(),
      reason: z.nullable(z.string()),
      by_name: z.nullable(z.string()),
      at: z.nullable(time),
    }),
  ),
  closed_at: z.nullable(time),
  closed_by_name: z.nullable(z.string()),
  reopened_at: z.nullable(time),
  reopened_by_name: z.nullable(z.string()),
  reopen_reason: z.string(),
});
export type BookPeriod = z.infer<typeof bookPeriod>;

export const listPeriods = endpoint({
  method: 'GET',
  path: '/api/arco/periods',
  roles: office,
  summary: 'The months of the books since the first entry, newest first.',
  input: z.object({}),
  output: z.object({ items: z.array(bookPeriod) }),
});

/**
 * Refused before the month has ended, while one before it is open, while a line of a bill of it or of an earlier month is undecided, while a carrier account with
 * parcels picked up in it has neither a bill nor a written reason, or when the proof finds a break. Entries of that month after it land in the next open one.
 */
export const closePeriod = endpoint({
  method: 'POST',
  path: '/api/arco/periods/{period}/close',
  roles: office,
  summary: 'Close a month that has ended: prove it, keep its figures, and let no entry in any more.',
  input: z.object({ period }),
  output: bookPeriod,
});

export const reopenPeriod = endpoint({
  method: 'POST',
  path: '/api/arco/periods/{period}/reopen',
  roles: office,
  summary: 'Open a closed month again: by another person than who closed it, while no later month is closed.',
  input: z.object({ period, reason: text(2, 200) }),
  output: bookPeriod,
});

export const explainMissingBill = endpoint({
  method: 'POST',
  path: '/api/arco/periods/{period}/missing-bills',
  roles: office,
  summary: 'Say why a carrier account has no bill of an open month; said again, the later reason counts.',
  input: z.object({ period, merchant_id: id, reason: text(2, 200) }),
  output: bookPeriod,
});
