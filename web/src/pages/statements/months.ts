import { today } from '#ui/fields/days.ts';

/** `YYYY-MM` so many months before the one of a moment in milliseconds, in Asia/Shanghai. */
export const monthBefore = (now: number, months: number): string => {
  const [year, month] = today(now).split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, month - 1 - months)).toISOString().slice(0, 7);
};

/** The running month and those before it, newest first. */
export const latestMonths = (now: number, count: number): string[] => Array.from({ length: count }, (_, back) => monthBefore(now, back));
