/**
 * The limits of simultaneous deliveries: of a webhook, of one that fails or is slow, and of a
 * station.
 */
export const atOnce = { each: 4, failing: 1, station: 8 } as const;
/** An endpoint is slow whose answers take longer on average. */
export const slowAfterMs = 2_000;
/**
 * The limits of a process's simultaneous deliveries: of all webhooks, and of those that fail or are
 * slow.
 */
export const slots = { all: 48, failing: 24 } as const;

/** The limits in milliseconds: of a call from its start to its last byte, and of its connection. */
export const callWithin = { whole: 10_000, connect: 5_000 } as const;
/**
 * A worker that has not renewed the lease of a delivery by then has died, as for jobs; it renews
 * those that it sends four times as often.
 */
export const leaseMs = 20_000;
/**
 * The most bytes of an answer, and its characters that are stored of the last attempt and of
 * earlier ones.
 */
export const answerSize = { bytes: 65_536, kept: 2_000, earlier: 200 } as const;
/** Attempts of a delivery that are kept, the last one included. */
export const keptAttempts = 20;

const hour = 3_600_000;
/** The time of a delivery's attempts, and that for which a disabled account keeps events. */
export const retriedFor = 24 * hour;
/** The time without any success after which a webhook is disabled. */
export const disabledAfter = 72 * hour;

/** The time of failures after which a webhook keeps a limited number of deliveries. */
export const cappedAfter = hour;
/** Failures that are further apart are not of one outage. */
export const outageGap = 24 * hour;
/** After a longer outage, waiting deliveries are sent at the first success. */
export const caughtUpAfter = hour / 6;
/** The most that an endpoint may ask for with `Retry-After`. */
export const mostRetryAfter = hour;

/** Seconds from one attempt to the next. */
const pauses = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 21_600, 32_400];

/**
 * The time of the next attempt after `attempts` that failed; null: there is none. The last one is a
 * day after the first was due.
 */
export const nextAttempt = (attempts: number, begun: Date, now: Date): Date | null => {
  const end = begun.getTime() + retriedFor;
  if (now.getTime() >= end) return null;
  const pause = pauses[attempts - 1] ?? pauses.at(-1)!;
  return new Date(Math.min(now.getTime() + pause * 1_000, end));
};

/** The time until which a webhook is left alone after this number of failures in a row. */
export const resumeAfter = (failures: number, now: Date): Date =>
  new Date(now.getTime() + Math.min(300, 2 ** Math.min(failures, 9)) * 1_000);
