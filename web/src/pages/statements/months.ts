import { monthBefore, monthOf } from '#ui/fields/days.ts';

/** The running month of Asia/Shanghai and those before it, newest first. */
export const latestMonths = (now: number, count: number): string[] =>
  Array.from({ length: count }, (_, back) => monthBefore(monthOf(now), back));
