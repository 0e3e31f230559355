/**
 * Business days are days in Asia/Shanghai, in whatever time zone the user is (docs/glossary.md).
 * Asia/Shanghai has no summer time.
 */
export interface Days {
  /**
   * The first and the last day as `YYYY-MM-DD`. Both belong to the range. An empty text means no
   * limit.
   */
  from: string;
  to: string;
}

const dayLength = 86_400_000;
const shanghai = 8 * 3_600_000;

/** The business day (Asia/Shanghai) of a time in milliseconds. */
export const today = (now: number): string => new Date(now + shanghai).toISOString().slice(0, 10);

export const plusDays = (day: string, count: number): string =>
  new Date(Date.parse(day) + count * dayLength).toISOString().slice(0, 10);

/** The month to which a time in milliseconds belongs, `YYYY-MM`. */
export const monthOf = (now: number): string => today(now).slice(0, 7);

/** The month (`YYYY-MM`) that is `months` months before `month`. */
export const monthBefore = (month: string, months = 1): string => {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, number - 1 - months)).toISOString().slice(0, 7);
};

const daysOfMonthBefore = (day: string): Days => {
  const last = plusDays(`${day.slice(0, 8)}01`, -1);
  return { from: `${last.slice(0, 8)}01`, to: last };
};

/** Common ranges of days, relative to `day`. */
export const dayPresets = (day: string) =>
  [
    { key: 'today', days: { from: day, to: day } },
    { key: 'yesterday', days: { from: plusDays(day, -1), to: plusDays(day, -1) } },
    { key: 'week', days: { from: plusDays(day, -6), to: day } },
    { key: 'month', days: { from: plusDays(day, -29), to: day } },
    { key: 'this_month', days: { from: `${day.slice(0, 8)}01`, to: day } },
    { key: 'last_month', days: daysOfMonthBefore(day) },
  ] as const satisfies readonly { key: string; days: Days }[];
