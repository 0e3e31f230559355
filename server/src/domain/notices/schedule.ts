import { channelMessagesInHour } from '@waystation/contract/base/limits.ts';
import type { NoticePace } from '@waystation/contract/people/notice-channel.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** The milliseconds by which China's time is ahead of UTC; China has no summer time. */
const offset = 8 * hour;

/** The time without any success after which a channel is disabled. */
export const disabledAfter = 3 * day;
/** The number of failures in a row after which the owner of a channel is notified. */
export const noticeAfter = 3;
/** The longest time for which a notification waits before it is dropped. */
export const keptFor = 3 * day;

const pauses = [1, 5, 15, 60, 180, 360].map((minutes) => minutes * minute);

/** The time of the next attempt after this number of failures in a row. */
export const retryAt = (failures: number, now: Date): Date =>
  new Date(now.getTime() + (pauses[failures - 1] ?? pauses.at(-1)!));

export interface Times {
  pace: NoticePace;
  daily_hour: number;
  quiet_from: number | null;
  quiet_to: number | null;
  hour_from: Date | null;
  hour_sent: number;
}

const hourOf = (at: number): number => Math.floor(((((at + offset) % day) + day) % day) / hour);

/** The first time at or after `at` at which the hour of day `wanted` begins. */
const nextHour = (at: number, wanted: number): number => {
  const start = Math.floor((at + offset) / day) * day - offset + wanted * hour;
  return start >= at ? start : start + day;
};

/**
 * The end of the quiet hours if `at` is within them, otherwise `at`. Quiet hours may include
 * midnight.
 */
const afterQuiet = (at: number, { quiet_from: from, quiet_to: to }: Times): number => {
  if (from === null || to === null || from === to) return at;
  const now = hourOf(at);
  const isQuiet = from < to ? now >= from && now < to : now >= from || now < to;
  return isQuiet ? nextHour(at, to) : at;
};

/**
 * The earliest time at which entries that have waited since `since` may be sent. It depends on how
 * often the channel sends, and is never within quiet hours. If the channel has reached its limit of
 * messages for this hour, the time is after that hour.
 */
export const dueAt = (since: Date, now: Date, times: Times): Date => {
  const waiting = since.getTime();
  const paced =
    times.pace === 'now'
      ? waiting
      : times.pace === 'hourly'
        ? (Math.floor(waiting / hour) + 1) * hour
        : nextHour(waiting + 1, times.daily_hour);
  const { hour_from, hour_sent } = times;
  const free =
    hour_from !== null && hour_sent >= channelMessagesInHour ? hour_from.getTime() + hour : 0;
  return new Date(afterQuiet(Math.max(paced, free, now.getTime()), times));
};

/** The number of messages in the current hour after one more message. */
export const countedMessage = (
  { hour_from, hour_sent }: Pick<Times, 'hour_from' | 'hour_sent'>,
  now: Date,
): { hour_from: Date; hour_sent: number } =>
  hour_from !== null && now.getTime() - hour_from.getTime() < hour
    ? { hour_from, hour_sent: hour_sent + 1 }
    : { hour_from: now, hour_sent: 1 };
