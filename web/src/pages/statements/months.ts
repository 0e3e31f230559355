import { monthBefore, monthOf } from '#ui/fields/days.ts';

/** The present month in Asia/Shanghai and the months before it, newest first. */
export const latestMonths = (now: number, count: number): string[] =>
  Array.from({ length: count }, (_, back) => monthBefore(monthOf(now), back));
