import { plusDays } from './days.ts';

/** The month of `day` as six weeks of seven days (`YYYY-MM-DD`). Each week begins on Monday. */
export const monthWeeks = (day: string): string[][] => {
  const first = `${day.slice(0, 8)}01`;
  const weekday = (new Date(first).getUTCDay() + 6) % 7;
  const start = plusDays(first, -weekday);
  return Array.from({ length: 6 }, (_, week) =>
    Array.from({ length: 7 }, (__, at) => plusDays(start, week * 7 + at)),
  );
};

/** The same day of the month, `count` months later. If that month is too short, its last day. */
export const plusMonths = (day: string, count: number): string => {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  const last = new Date(Date.UTC(year, month + count, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + count, Math.min(date, last)))
    .toISOString()
    .slice(0, 10);
};

/**
 * The day that is selected after a key is pressed in the calendar. Null if the key does not change
 * the day.
 */
export const dayByKey = (day: string, key: string, shift: boolean): string | null => {
  const weekday = (new Date(day).getUTCDay() + 6) % 7;
  switch (key) {
    case 'ArrowLeft':
      return plusDays(day, -1);
    case 'ArrowRight':
      return plusDays(day, 1);
    case 'ArrowUp':
      return plusDays(day, -7);
    case 'ArrowDown':
      return plusDays(day, 7);
    case 'Home':
      return plusDays(day, -weekday);
    case 'End':
      return plusDays(day, 6 - weekday);
    case 'PageUp':
      return plusMonths(day, shift ? -12 : -1);
    case 'PageDown':
      return plusMonths(day, shift ? 12 : 1);
    default:
      return null;
  }
};
