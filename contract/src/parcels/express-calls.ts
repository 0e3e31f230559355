import { endpoint } from '#base/endpoint.ts';
import type { Reason } from '#base/envelope.ts';
import { everyone, managers, office } from '#base/roles.ts';
import type { schemas } from './express-calls.schema.ts';
export type { TraceEvent, Pricing } from './express-calls.schema.ts';

const base = '/api/arco/expresses';

export const listExpresses = endpoint<typeof schemas.listExpresses>({
  method: 'GET',
  path: base,
  roles: everyone,
  key: 'parcels',
  summary: 'Parcels in scope, newest first.',
});

/**
 * The count is exact, whatever its size, if only the filters tab, group, state, station and account
 * are used.
 */
export const countExpresses = endpoint<typeof schemas.countExpresses>({
  method: 'GET',
  path: `${base}/counts`,
  roles: everyone,
  key: 'parcels',
  reads: 'stale',
  summary:
    'How many parcels the filters of the list match, with their sums and the counts per tab; above 10,000 “at least”, unless exact: 1.',
});

export const expressOptions = endpoint<typeof schemas.expressOptions>({
  method: 'GET',
  path: `${base}/options`,
  roles: everyone,
  key: 'order',
  summary:
    'What the order form of a station needs: goods, promises, insurance ladder, flags, default sender; no secrets.',
});

/** The stations for which the caller may order, for a station picker; the first 50 that match. */
export const expressStations = endpoint<typeof schemas.expressStations>({
  method: 'GET',
  path: `${base}/stations`,
  roles: everyone,
  key: 'order',
  summary: 'Stations the caller may order for, by name.',
});

/** Only the fields that a price depends on are required: origin, destination and weight. */
export const quoteExpress = endpoint<typeof schemas.quoteExpress>({
  method: 'POST',
  path: `${base}/quote`,
  roles: everyone,
  key: 'order',
  summary: 'Prices of every promise of the station’s scheme, each explained line by line.',
});

/** Asks the carrier, before an order, whether it serves the sender's and the receiver's address. */
export const coverExpress = endpoint<typeof schemas.coverExpress>({
  method: 'POST',
  path: `${base}/coverage`,
  roles: everyone,
  summary:
    'Whether the carrier reaches both ends, its stations there, and when each product would arrive; unknown where it cannot be asked now.',
});

export const createExpress = endpoint<typeof schemas.createExpress>({
  method: 'POST',
  path: base,
  roles: everyone,
  key: 'order',
  idempotency: 'required',
  summary:
    'Order a parcel (waits up to 4 s for the carrier, then answers in state 20; with wait: 0 it answers at once), or keep a draft with draft: 1.',
});

export const getExpress = endpoint<typeof schemas.getExpress>({
  method: 'GET',
  path: `${base}/{id}`,
  roles: everyone,
  key: 'parcels',
  summary: 'One parcel.',
});

export const editExpress = endpoint<typeof schemas.editExpress>({
  method: 'PATCH',
  path: `${base}/{id}`,
  roles: everyone,
  idempotency: 'optional',
  summary:
    'Change a parcel that is not on its way: all of it in 0, 10, 90; in 100 what the carrier lets change.',
});

export const orderExpress = endpoint<typeof schemas.orderExpress>({
  method: 'POST',
  path: `${base}/{id}/order`,
  roles: everyone,
  key: 'order',
  idempotency: 'required',
  summary: 'Order a draft, or put a parcel on hold first in its queue.',
});

export const retryExpress = endpoint<typeof schemas.retryExpress>({
  method: 'POST',
  path: `${base}/{id}/retry`,
  roles: everyone,
  idempotency: 'required',
  summary: 'Order again what the carrier refused, under the same order number.',
});

export const cancelExpress = endpoint<typeof schemas.cancelExpress>({
  method: 'POST',
  path: `${base}/{id}/cancel`,
  roles: everyone,
  key: 'cancel',
  summary: 'Cancel before pickup, or ask for an intercept after it.',
});

export const countExceptions = endpoint<typeof schemas.countExceptions>({
  method: 'GET',
  path: `${base}/exceptions`,
  roles: everyone,
  summary:
    'How many parcels in scope are refused, stopped, unreachable, on the way back or without movement, and not handled yet.',
});

export const trackExpress = endpoint<typeof schemas.trackExpress>({
  method: 'POST',
  path: `${base}/{id}/track`,
  roles: everyone,
  summary: 'Ask the carrier for the trace of a parcel now; what it reports arrives as live events.',
});

export const handleException = endpoint<typeof schemas.handleException>({
  method: 'POST',
  path: `${base}/{id}/handled`,
  roles: everyone,
  summary:
    'Note that an exception is handled; it leaves the board until something new is reported.',
});

export const readCharge = endpoint<typeof schemas.readCharge>({
  method: 'GET',
  path: `${base}/{id}/charge`,
  roles: office,
  summary: 'What the carrier charges beyond the limits, and why it is not posted.',
});

export const decideCharge = endpoint<typeof schemas.decideCharge>({
  method: 'POST',
  path: `${base}/{id}/charge`,
  roles: office,
  summary:
    'Accept or dispute a carrier’s charge beyond the limits, or ask the carrier again. Decided once: a second decision answers 409.',
});

export const reweighExpress = endpoint<typeof schemas.reweighExpress>({
  method: 'POST',
  path: `${base}/{id}/reweigh`,
  roles: everyone,
  summary:
    'The station’s own weight, before the carrier has weighed; a jump of more than 30 % needs a reason.',
});

export const chooseWaybill = endpoint<typeof schemas.chooseWaybill>({
  method: 'POST',
  path: `${base}/{id}/waybill`,
  roles: office,
  summary:
    'Choose between waybills that the carrier named for one order; the other is cancelled at the carrier.',
});

/** Also sends the order call to the carrier once more, so this may settle the order. */
export const checkOutcome = endpoint<typeof schemas.checkOutcome>({
  method: 'POST',
  path: `${base}/{id}/outcome/check`,
  roles: office,
  summary:
    'Ask the carrier now what it has of an order whose repeat it refused: by order number, and details and trace of each waybill; its answer may settle the order.',
});

export const decideOutcome = endpoint<typeof schemas.decideOutcome>({
  method: 'POST',
  path: `${base}/{id}/outcome`,
  roles: office,
  idempotency: 'required',
  summary:
    'Decide what became of an order whose repeat the carrier refused: not stored (the hold is released), or stored under a waybill; after a day without an answer by the carrier’s written confirmation. Decided once: a second decision answers 409.',
});

export const revealExpress = endpoint<typeof schemas.revealExpress>({
  method: 'POST',
  path: `${base}/{id}/reveal`,
  roles: everyone,
  summary: 'Phones whole; audited.',
});

export const traceExpress = endpoint<typeof schemas.traceExpress>({
  method: 'GET',
  path: `${base}/{id}/trace`,
  roles: everyone,
  key: 'parcels',
  summary: 'What the carrier reported, oldest first.',
});

export const priceExpress = endpoint<typeof schemas.priceExpress>({
  method: 'GET',
  path: `${base}/{id}/price`,
  roles: everyone,
  key: 'parcels',
  summary: 'The why of the price, before and after each re-weigh.',
});

export const expressStatements = endpoint<typeof schemas.expressStatements>({
  method: 'GET',
  path: `${base}/{id}/statements`,
  roles: managers,
  key: 'statements',
  summary: 'The billing lines of a parcel, in order.',
});

export const expressCalls = endpoint<typeof schemas.expressCalls>({
  method: 'GET',
  path: `${base}/{id}/calls`,
  roles: office,
  summary:
    'The calls to the carrier about a parcel, of the last 30 days, newest first, at most 100.',
});

/**
 * For the carrier's print component, which draws the labels itself. Returns the data of each label
 * in the given order, and a print record for each, which waits for its result (`reportPrint`). The
 * component is a program on the user's computer.
 */
export const componentLabels = endpoint<typeof schemas.componentLabels>({
  method: 'POST',
  path: '/api/arco/labels/component',
  roles: everyone,
  summary:
    'Label data for the carrier’s local print component, in the order given; one print record per parcel, queued until its result is reported.',
});

/**
 * A PDF of two invented parcels, to check the paper, the position and the darkness of labels.
 * Nothing is recorded.
 */
export const testLabel = endpoint<typeof schemas.testLabel>({
  method: 'GET',
  path: '/api/arco/labels/test',
  roles: everyone,
  answers: 'file',
  summary: 'A test label for this paper and printer, as PDF, ZPL or TSPL; nothing is recorded.',
});

/**
 * The result for each parcel whose label was requested: the part `result` of the response, if it
 * was requested.
 */
export interface LabelResult {
  /** The number of parcels in the file; `pages` is the number of its pages. */
  count: number;
  pages: number;
  /** Parcels that could not be printed, with the reasons. */
  failures: { id: number; reason: Reason }[];
  /** The printed labels that have flaws, with the reasons. */
  warnings: { id: number; reason: Reason }[];
  /** The parcel id and the print id of each label whose printer reports a result. */
  prints: [express_id: number, print_id: number][];
}

/**
 * The labels are in the order of the request. With `result: 1` the response is
 * `multipart/form-data` with the parts `result` (JSON, `LabelResult`) and `file`; otherwise the
 * response is only the file.
 */
export const printLabels = endpoint<typeof schemas.printLabels>({
  method: 'POST',
  path: '/api/arco/labels',
  roles: everyone,
  key: 'labels',
  answers: 'file',
  summary:
    'Labels as one PDF, as a ZIP archive with one PDF a parcel, or as ZPL or TSPL for a label printer, in the order given; one print record per parcel unless it is a preview. With `result: 1` a multipart body that also says which parcels could not be printed and why.',
});
