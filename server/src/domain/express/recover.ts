import { present } from '@waystation/contract/base/present.ts';
import { isOutcomeOpen, unansweredHours } from '@waystation/contract/parcels/express-outcome.ts';
import type { openOutcomeReasons } from '@waystation/contract/parcels/express-outcome.ts';
import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import { closeAlertOf, raiseAlert } from '#domain/alerts/alerts.ts';
import type { CarrierContext, OpenAccount } from '#domain/carrier-accounts/carrier-accounts.ts';
import type { CallRecord, Carrier, CreateAnswer, SeekAnswer } from '#domain/carriers/carriers.ts';
import { sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { announce, whyFields } from './moves.ts';
import { noteUnknown } from './outcome-record.ts';
import { updateExpress } from './row.ts';
import type { ExpressRow } from './row.ts';

/** The carrier refused a repeated call, although it may have stored the order in the first call. */
interface RepeatRefused {
  outcome: 'repeat_refused';
  code: string;
  text: string;
  call: CallRecord;
}

export type OrderAnswer = CreateAnswer | SeekAnswer | RepeatRefused;

/** Seconds between two searches. If neither of them finds the order, it counts as not found. */
const notFoundSeconds = 30;

const createsAgain = (carrier: Carrier): boolean =>
  carrier.recovers_by === 'repeat' ||
  (carrier.recovers_by !== 'person' && carrier.not_found === 'create');

/**
 * The waybill by which a call can refer to the order: the order's waybill, or the number fetched
 * for it in advance.
 */
const numberOf = ({ delivery_id, waybill_claims }: ExpressRow): string =>
  delivery_id ?? waybill_claims.find(({ source }) => source === 'number')?.delivery_id ?? '';

/**
 * Finds the outcome of an order that was sent before, in the way that its carrier declares. Some
 * carriers get the stored bytes again; others get them only after two searches without a result
 * (`isNotFound`). Otherwise the carrier is searched for the order. Returns null if the carrier
 * cannot be asked.
 */
export const recoverOrder = async (
  { carrier, account }: Pick<OpenAccount, 'carrier' | 'account'>,
  express: ExpressRow,
  isNotFound = false,
): Promise<OrderAnswer | null> => {
  if (carrier.recovers_by === 'repeat' || (isNotFound && createsAgain(carrier))) {
    const answer = await carrier.create(account, present(express.order_request));
    return answer.outcome === 'refused' ? { ...answer, outcome: 'repeat_refused' } : answer;
  }
  return carrier.recovers_by === 'person'
    ? null
    : carrier.seek(account, { order_id: express.order_id, delivery_id: numberOf(express) });
};

/**
 * How the next call about an order that was not found is made; null if an administrator decides
 * instead. The order is sent again only if no user has requested a cancel and no administrator's
 * decision is needed.
 */
export const afterNotFound = (
  context: Pick<CarrierContext, 'clock' | 'carrierOf'>,
  express: ExpressRow,
  notFoundAt: number | undefined,
): { wait: number; not_found_at: number; is_not_found?: true } | null => {
  const now = context.clock.now().getTime();
  if (notFoundAt === undefined) return { wait: notFoundSeconds, not_found_at: now };
  const left = notFoundAt + notFoundSeconds * 1_000 - now;
  if (left > 0) return { wait: Math.ceil(left / 1_000), not_found_at: notFoundAt };
  return createsAgain(context.carrierOf(express.provider)) &&
    express.cancel_requested_at === null &&
    !isOutcomeOpen(express)
    ? { wait: 0, not_found_at: notFoundAt, is_not_found: true }
    : null;
};

const alertsApart = ['order_not_found', 'order_not_asked', 'order_unanswered'];

const alertKey = ({ id, attempt }: ExpressRow, code: string): string =>
  alertsApart.includes(code) ? `order:${id}:${attempt}:${code}` : `order:${id}:${attempt}`;

/**
 * Leaves the outcome of an order to an administrator's decision. The order keeps its hold, and the
 * clerk sees why the order waits. A search without a result or a refused repeat does not prove that
 * the carrier lacks the order.
 */
export const leaveToOffice = async (
  { clock }: Pick<CarrierContext, 'clock'>,
  work: Work,
  express: ExpressRow,
  { code, text }: { code: (typeof openOutcomeReasons)[number]; text: string },
): Promise<void> => {
  await noteUnknown(work, express, {
    cause: code === 'order_stored_without_number' ? 'stored_without_number' : 'no_answer',
    since: express.order_sought_at ?? clock.now(),
    maybe_stored: true,
  });
  const isWeaker = code !== 'order_stored_without_number';
  if (isWeaker && express.state_reason?.code === 'order_stored_without_number') return;
  const reason = { code, params: { order_id: express.order_id, text } };
  // Each reason has its own alert, so the alert of the former reason is closed.
  if (isOutcomeOpen(express) && express.state_reason?.code !== code)
    await closeAlertOf(work, alertKey(express, express.state_reason!.code), clock.now());
  // This reason is replaced when the order's outcome is decided.
  await updateExpress(work, express.id, whyFields({ reason }));
  await announce(work, express.id);
  await raiseAlert(work, {
    ...reason,
    express_id: express.id,
    station_id: express.station_id,
    key: alertKey(express, code),
  });
};

/** True if a time is so long ago that an administrator may decide about a missing answer. */
export const isDayAgo = ({ clock }: Pick<CarrierContext, 'clock'>, at: Date | null): boolean =>
  at !== null && clock.now().getTime() - at.getTime() >= unansweredHours * 3_600_000;

/**
 * True if the present attempt of an order began so long ago that an administrator may decide about
 * a missing answer. The first call stored on the parcel is not enough for this, because it may
 * belong to an earlier attempt.
 */
export const isLongUnanswered = async (
  context: Pick<CarrierContext, 'clock'>,
  work: Work,
  { id, first_sent_at }: Pick<ExpressRow, 'id' | 'first_sent_at'>,
): Promise<boolean> => {
  if (!isDayAgo(context, first_sent_at)) return false;
  const { rows } = await sql<{ at: Date }>`select at from express_moves where express_id = ${id}
    and to_code = ${stateCode.ordering} order by id desc limit 1`.execute(work.tx);
  return isDayAgo(context, rows[0]?.at ?? null);
};

/**
 * Lets an administrator decide about an order that may have reached the carrier, if no call has got
 * an answer for a day. The calls continue, and an answer still settles the order.
 */
export const leaveUnanswered = async (
  context: Pick<CarrierContext, 'clock'>,
  work: Work,
  express: ExpressRow,
  text: string,
): Promise<void> => {
  if (isOutcomeOpen(express) || !(await isLongUnanswered(context, work, express))) return;
  await leaveToOffice(context, work, express, { code: 'order_unanswered', text });
};
