/**
 * The largest numbers of deliveries that are sent at the same time. `each`: of one webhook.
 * `failing`: of one webhook that fails or is slow. `station`: of all webhooks of a station.
 */
export const atOnce = { each: 4, failing: 1, station: 8 } as const;
/** An endpoint is slow if its answers take longer than this on average. */
export const slowAfterMs = 2_000;
/**
 * The largest numbers of deliveries that one process sends at the same time. `all`: of all
 * webhooks. `failing`: of webhooks that fail or are slow.
 */
export const slots = { all: 48, failing: 24 } as const;

/**
 * The time limits of a call in milliseconds: from its start to its last byte, and for opening the
 * connection.
 */
export const callWithin = { whole: 10_000, connect: 5_000 } as const;
/**
 * The time after which the lease of a delivery ends because its worker must have died, as for jobs.
 * A worker renews its leases four times within this time.
 */
export const leaseMs = 20_000;
/**
 * `bytes`: the largest number of bytes of an answer that are read. `kept` and `earlier`: the
 * numbers of characters that are stored of the last answer and of earlier answers.
 */
export const answerSize = { bytes: 65_536, kept: 2_000, earlier: 200 } as const;
/** The number of attempts of a delivery that are stored, including the last one. */
export const keptAttempts = 20;

const hour = 3_600_000;
/**
 * The time for which a delivery is attempted. A disabled account also gets events for this time.
 */
export const retriedFor = 24 * hour;
/** The time without any success after which a webhook is disabled. */
export const disabledAfter = 72 * hour;

/**
 * The time of failures after which a webhook may keep only a limited number of pending deliveries.
 */
export const cappedAfter = hour;
/** Two failures further apart than this belong to different outages. */
export const outageGap = 24 * hour;
/**
 * If a webhook has failed for at least this time, its first success makes all waiting deliveries
 * due.
 */
export const caughtUpAfter = hour / 6;
/** The longest pause that an endpoint may request with `Retry-After`. */
export const mostRetryAfter = hour;

/** The time from each attempt to the next, in seconds. */
const pauses = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 21_600, 32_400];

/**
 * The time of the next attempt after `attempts` failed ones; null if there is none. The last
 * attempt is one day after the first attempt was due.
 */
export const nextAttempt = (attempts: number, begun: Date, now: Date): Date | null => {
  const end = begun.getTime() + retriedFor;
  if (now.getTime() >= end) return null;
  const pause = pauses[attempts - 1] ?? pauses.at(-1)!;
  return new Date(Math.min(now.getTime() + pause * 1_000, end));
};

/** The time before which a webhook is not called again after this number of failures in a row. */
export const resumeAfter = (failures: number, now: Date): Date =>
  new Date(now.getTime() + Math.min(300, 2 ** Math.min(failures, 9)) * 1_000);
