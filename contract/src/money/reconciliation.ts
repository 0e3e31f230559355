import { mostBillBytes } from '#base/limits.ts';
import { endpoint } from '#base/endpoint.ts';
import { office } from '#base/roles.ts';
import type { schemas } from './reconciliation.schema.ts';
export type { Reconciliation, BillRow, BookPeriod } from './reconciliation.schema.ts';

/**
 * The groups of bill lines, by how a line compares with our parcels (docs/ledger.md, month end).
 */
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

/**
 * The decisions about a bill line. `open`: not decided yet. A line of the group `equal` needs no
 * decision and is `settled`.
 */
export const billDecisions = {
  settled: { zh: '无需处理', en: 'Settled' },
  open: { zh: '待处理', en: 'Open' },
  accepted: { zh: '已认可', en: 'Accepted' },
  disputed: { zh: '有异议', en: 'Disputed' },
} as const;
export type BillDecision = keyof typeof billDecisions;

/**
 * The statuses of a bill. `mapping`: a user must match the columns; `failed`: the file cannot be
 * read, for the reason in `reason`; `discarded`: it was the wrong file.
 */
export const reconciliationStatuses = {
  reading: { zh: '读取中', en: 'Reading' },
  mapping: { zh: '待匹配列', en: 'Columns to match' },
  matching: { zh: '比对中', en: 'Matching' },
  ready: { zh: '待处理', en: 'To process' },
  settled: { zh: '已处理', en: 'Settled' },
  failed: { zh: '失败', en: 'Failed' },
  discarded: { zh: '已作废', en: 'Discarded' },
} as const;
export type ReconciliationStatus = keyof typeof reconciliationStatuses;

/** The fields to which a column of a bill can be matched; the first three are required. */
export const billFields = [
  'delivery_id',
  'weight',
  'amount',
  'customer_code',
  'volume',
  'fee',
  'sent_on',
  'remark',
] as const;
export type BillField = (typeof billFields)[number];
const base = '/api/arco/reconciliations';

export const listReconciliations = endpoint<typeof schemas.listReconciliations>({
  method: 'GET',
  path: base,
  roles: office,
  summary: 'Bills of carriers, newest first.',
});

/**
 * Uploads a carrier's bill as .xlsx or .csv (UTF-8, UTF-16 or GBK), at most 20 MB and 100,000
 * lines, as multipart/form-data with the fields below and the `file`. The bill is read in the
 * background; the reconciliation shows the progress. If the same file is uploaded again, the call
 * returns the existing reconciliation.
 */
export const createReconciliation = endpoint<typeof schemas.createReconciliation>({
  method: 'POST',
  path: base,
  roles: office,
  takes: 'form',
  // The multipart form around the file needs far less than a mebibyte.
  bodyLimit: mostBillBytes + 1024 * 1024,
  summary: 'Upload a carrier’s bill of a month.',
});

export const getReconciliation = endpoint<typeof schemas.getReconciliation>({
  method: 'GET',
  path: `${base}/{id}`,
  roles: office,
  summary: 'One bill with its progress and the sums of its buckets.',
});

export const listBillRows = endpoint<typeof schemas.listBillRows>({
  method: 'GET',
  path: `${base}/{id}/rows`,
  roles: office,
  summary: 'Lines of a bill, in the order of the file, those only we know last.',
});

export const mapReconciliation = endpoint<typeof schemas.mapReconciliation>({
  method: 'POST',
  path: `${base}/{id}/mapping`,
  roles: office,
  summary:
    'Say which column is what, and match again; remembered for files with these headers. Only before any line was decided.',
});

export const setTolerances = endpoint<typeof schemas.setTolerances>({
  method: 'POST',
  path: `${base}/{id}/tolerances`,
  roles: office,
  summary: 'Up to which difference a line is marked as within tolerance.',
});

/**
 * Accepts the carrier's figures. weight_differs: the weight and the fee become facts of the parcel,
 * and the station's difference and the profit shares follow from them. price_differs: only the cost
 * is changed. only_ours: is only recorded, because a later bill may contain the parcel.
 * only_theirs, duplicate, other_code: the platform bears the cost. Runs as a background job with
 * one result per line.
 */
export const acceptBillRows = endpoint<typeof schemas.acceptBillRows>({
  method: 'POST',
  path: `${base}/{id}/accept`,
  roles: office,
  summary: 'Accept open or disputed lines of a bill, in the background.',
});

export const disputeBillRows = endpoint<typeof schemas.disputeBillRows>({
  method: 'POST',
  path: `${base}/{id}/dispute`,
  roles: office,
  summary:
    'Dispute open lines of a bill, in the background; they go into the list for the carrier.',
});

export const disputedFile = endpoint<typeof schemas.disputedFile>({
  method: 'GET',
  path: `${base}/{id}/disputes.xlsx`,
  roles: office,
  answers: 'file',
  summary:
    'The disputed lines in the layout of the carrier’s file, with our figures, their source and the reason.',
});

export const discardReconciliation = endpoint<typeof schemas.discardReconciliation>({
  method: 'POST',
  path: `${base}/{id}/discard`,
  roles: office,
  summary: 'Set a wrong file aside; only before any line was accepted.',
});

export const payCarrier = endpoint<typeof schemas.payCarrier>({
  method: 'POST',
  path: `${base}/{id}/payments`,
  roles: office,
  idempotency: 'required',
  summary: 'Note that the carrier was paid: payable to cash. At most what is owed by the bill.',
});

export const periodStatuses = {
  open: { zh: '未结账', en: 'Open' },
  closed: { zh: '已结账', en: 'Closed' },
} as const;

export const listPeriods = endpoint<typeof schemas.listPeriods>({
  method: 'GET',
  path: '/api/arco/periods',
  roles: office,
  summary: 'The months of the books since the first entry, newest first.',
});

/**
 * Closes a month. It is refused if the month has not ended, an earlier month is open, or the ledger
 * check fails. It is also refused while a bill line of this or an earlier month is undecided. It is
 * refused, too, if a carrier account with parcels picked up in the month has neither a bill nor a
 * stored reason. Later entries of the month are posted in the next open month.
 */
export const closePeriod = endpoint<typeof schemas.closePeriod>({
  method: 'POST',
  path: '/api/arco/periods/{period}/close',
  roles: office,
  summary:
    'Close a month that has ended: prove it, keep its figures, and let no entry in any more.',
});

/**
 * Refused if the month is open, if all its stations have confirmed it, or if a reminder was already
 * sent on this day.
 */
export const remindPeriod = endpoint<typeof schemas.remindPeriod>({
  method: 'POST',
  path: '/api/arco/periods/{period}/remind',
  roles: office,
  summary: 'Remind the stations that have not confirmed a closed month, once a day.',
});

/**
 * The changes since the month was closed. They include transactions of later months, grouped by
 * type, about parcels charged in this month. They also include confirmations and bills of this
 * month, and the disputed lines of these bills. `capped` 1: only the first `mostLateLines` later
 * transactions of a type were read.
 */
export const periodChanges = endpoint<typeof schemas.periodChanges>({
  method: 'GET',
  path: '/api/arco/periods/{period}/changes',
  roles: office,
  summary: 'What has changed about a closed month since its closing; nothing for an open one.',
});

/** The largest number of transactions of one type that are read after a closing. */
export const mostLateLines = 10_000;

export const reopenPeriod = endpoint<typeof schemas.reopenPeriod>({
  method: 'POST',
  path: '/api/arco/periods/{period}/reopen',
  roles: office,
  summary:
    'Open a closed month again: by another person than who closed it, while no later month is closed.',
});

export const explainMissingBill = endpoint<typeof schemas.explainMissingBill>({
  method: 'POST',
  path: '/api/arco/periods/{period}/missing-bills',
  roles: office,
  summary:
    'Say why a carrier account has no bill of an open month; of several reasons the last counts.',
});
