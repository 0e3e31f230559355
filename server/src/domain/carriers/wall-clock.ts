import { textOf } from './reading.ts';

const eightHours = 8 * 3_600_000;
const twoDigits = (value: number): string => String(value).padStart(2, '0');

/**
 * A time as text in the format `yyyy-MM-dd HH:mm:ss`, in China's time, which has no daylight
 * saving.
 */
export const wallClockOf = (at: Date): string => {
  const there = new Date(at.getTime() + eightHours);
  return `${there.getUTCFullYear()}-${twoDigits(there.getUTCMonth() + 1)}-${twoDigits(there.getUTCDate())} ${twoDigits(there.getUTCHours())}:${twoDigits(there.getUTCMinutes())}:${twoDigits(there.getUTCSeconds())}`;
};

/**
 * The time for a text in the format `yyyy-MM-dd HH:mm:ss` in China's time; the seconds may be
 * missing. Null if there is no such time.
 */
export const instantOf = (value: unknown): Date | null => {
  const match = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2})(?::(\d{2}))?(?:\.\d+)?$/.exec(
    textOf(value, 40),
  );
  if (!match) return null;
  const text = `${match[1]}T${match[2]}:${match[3] ?? '00'}`;
  const at = new Date(`${text}+08:00`);
  // JavaScript changes a date such as 30 February into another one, so a text that differs from its
  // Date is not a valid time.
  return Number.isNaN(at.getTime()) || wallClockOf(at) !== text.replace('T', ' ') ? null : at;
};

/**
 * The time for milliseconds since 1970, as a number or text, or for a local time of China as text.
 * Null for any other value, also for 0, which means unknown.
 */
export const momentOf = (value: unknown): Date | null => {
  const text = textOf(value, 40);
  if (!/^\d{12,14}$/.test(text)) return instantOf(value);
  return new Date(Number(text));
};
