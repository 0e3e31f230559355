import { monthBefore, monthOf } from '#ui/fields/days.ts';

/** The latest months in Asia/Shanghai, from the present month back. */
export const latestMonths = (now: number, count: number): string[] =>
  Array.from({ length: count }, (_, back) => monthBefore(monthOf(now), back));
