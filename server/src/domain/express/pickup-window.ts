import { setTimeout as elapsed } from 'node:timers/promises';
import { mostPickupDays, mostPickupHours } from '@waystation/contract/base/limits.ts';
import type { Reason } from '@waystation/contract/base/envelope.ts';
import { coverageOperation, recordAnswer } from '#domain/carrier-accounts/carrier-accounts.ts';
import type { CarrierContext, OpenAccount } from '#domain/carrier-accounts/carrier-accounts.ts';
import type { Carrier, Coverage } from '#domain/carriers/carriers.ts';
import { systemScope } from '#platform/db/scope.ts';
import type { ExpressRow } from './row.ts';

/** The pickup window of a parcel; both ends are null if the courier comes as soon as possible. */
export type PickupWindow = Pick<ExpressRow, 'pickup_from' | 'pickup_until'>;

type Windows = Coverage['pickup_windows'];

/**
 * The reason why an order fails if the carrier does not offer its pickup window, or no longer
 * offers it.
 */
export const windowGone = 'pickup_window_gone';
/**
 * The reason why an order with a pickup window fails at a carrier that offers no windows at all.
 */
const noWindows = 'no_pickup_windows';

const day = 86_400_000;
const hour = 3_600_000;
/** The largest number of windows in an answer. */
const mostWindows = 100;

/**
 * True if a window's start is before its end and the window is not longer than the longest allowed
 * window.
 */
export const isWindowShaped = (from: Date, until: Date): boolean => {
  const length = until.getTime() - from.getTime();
  return length > 0 && length <= mostPickupHours * hour;
};

const isAhead = (until: Date, now: Date): boolean =>
  until > now && until.getTime() <= now.getTime() + mostPickupDays * day;

/**
 * The reason why a parcel cannot be ordered with this window, as far as it is known without asking
 * the carrier; null if the window is possible.
 */
export const windowProblem = (
  carrier: Pick<Carrier, 'offers_windows'>,
  { pickup_from, pickup_until }: PickupWindow,
  now: Date,
): Reason | null => {
  if (pickup_from === null || pickup_until === null) return null;
  if (!carrier.offers_windows) return { code: noWindows };
  return isAhead(pickup_until, now) ? null : { code: windowGone };
};

/**
 * The windows of the carrier that can be chosen for an order, without duplicates and sorted by
 * time.
 */
export const bookableWindows = (windows: Windows, now: Date): Windows => {
  const bookable = windows.filter(
    ({ starts_at, ends_at }) => isWindowShaped(starts_at, ends_at) && isAhead(ends_at, now),
  );
  const once = new Map(
    bookable.map((window) => [`${window.starts_at.getTime()}/${window.ends_at.getTime()}`, window]),
  );
  return [...once.values()]
    .toSorted(
      (a, b) =>
        a.starts_at.getTime() - b.starts_at.getTime() || a.ends_at.getTime() - b.ends_at.getTime(),
    )
    .slice(0, mostWindows);
};

/**
 * True if the carrier's answer shows that the window is not offered. An unserved area, or an answer
 * without any readable window, does not show this. In these cases, the carrier decides when it gets
 * the order.
 */
export const lacksWindow = (
  { served, pickup_windows }: Pick<Coverage, 'served' | 'pickup_windows'>,
  { pickup_from, pickup_until }: Partial<PickupWindow>,
): boolean =>
  served &&
  pickup_windows.length > 0 &&
  !pickup_windows.some(
    ({ starts_at, ends_at }) =>
      starts_at.getTime() === pickup_from?.getTime() &&
      ends_at.getTime() === pickup_until?.getTime(),
  );

/** The milliseconds for which an order waits for the answer about its window. */
const windowAnswerWait = 3_000;

/**
 * The carrier's answer about a window. `unserved`: the carrier does not serve the places, so it
 * offers no windows there.
 */
export type WindowAnswer = 'offered' | 'gone' | 'unserved' | 'unknown';

/**
 * The answer about a window, and the delivery time that the carrier promises if the parcel is
 * picked up in this window.
 */
interface AskedWindow {
  answer: WindowAnswer;
  promised_at: Date | null;
}

/**
 * The time, in milliseconds, for which the answer about a pickup window remains valid if the
 * order's call does not reach the carrier.
 */
const windowKnownFor = 5 * 60_000;

export const isWindowKnown = (
  { window_asked_at }: { window_asked_at?: number | undefined },
  at: Date,
): boolean => window_asked_at !== undefined && at.getTime() - window_asked_at <= windowKnownFor;

/** The places and the pickup window of a parcel. `id` is null if the parcel is not stored yet. */
type WindowQuestion = Parameters<Carrier['precheck']>[1] &
  Partial<PickupWindow> & { id: number | null };

/**
 * Asks the carrier once for its present windows, with the same request as the order form. If the
 * answer is a refusal or comes too late, nothing is known, and the carrier decides when it gets the
 * order. A late answer is still recorded for its account.
 */
export const askWindow = (
  context: CarrierContext,
  { carrier, account, merchant_id }: OpenAccount,
  order: WindowQuestion,
): Promise<AskedWindow> => {
  const unknown: AskedWindow = { answer: 'unknown', promised_at: null };
  const ask = async (): Promise<AskedWindow> => {
    const { promise_id } = order;
    const answer = await carrier.precheck(account, {
      ...order,
      promise_id: '',
      windows_of: promise_id,
    });
    // The call is recorded as a request for coverage, because such a request does not count for an
    // outage of the account.
    const call = { ...answer.call, operation: coverageOperation };
    await context.db.tx(systemScope('pickup window'), (work) =>
      recordAnswer(context, work, merchant_id, {
        express_id: order.id,
        answer: { ...answer, call },
      }),
    );
    if (answer.outcome === 'refused' && carrier.refusedCoverage(answer.text) !== 'refused')
      return { answer: 'unserved', promised_at: null };
    if (answer.outcome !== 'ok') return unknown;
    const { served, pickup_windows, products } = answer.value;
    if (!served) return { answer: 'unserved', promised_at: null };
    const product = products.find((each) => each.promise_id === promise_id);
    return {
      answer:
        pickup_windows.length === 0
          ? 'unknown'
          : lacksWindow(answer.value, order)
            ? 'gone'
            : 'offered',
      promised_at: product?.delivery_promise_at ?? null,
    };
  };
  return Promise.race([ask(), elapsed(windowAnswerWait, unknown, { ref: false })]);
};
