/** The source of time, which tests replace. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** Returns a clock that stands still until it is moved. */
export const standingClock = (
  start: Date,
): Clock & { advance(milliseconds: number): void; set(at: Date): void } => {
  let at = start.getTime();
  return {
    now: () => new Date(at),
    advance: (milliseconds) => {
      at += milliseconds;
    },
    set: (date) => {
      at = date.getTime();
    },
  };
};

const shanghaiDay = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Asia/Shanghai',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});

const dayMs = 86_400_000;
/** Returns the first instant of a business day, like `sqlDayStart` of db/days.ts in SQL. */
export const dayStart = (day: string): Date => new Date(`${day}T00:00:00+08:00`);

/** Before this time, Shanghai had daylight saving time in some years. */
const sameHours = Date.UTC(1992, 0);

/**
 * The last business day that was calculated, usually today. It is kept because a calculation takes
 * several microseconds.
 */
let asked = { day: '', from: 0, until: 0 };

/** The business day of an instant, `YYYY-MM-DD` in Asia/Shanghai. */
export const businessDay = (at: Date): string => {
  const time = at.getTime();
  if (time >= asked.from && time < asked.until) return asked.day;
  const day = shanghaiDay.format(at);
  const from = dayStart(day).getTime();
  if (from > sameHours) asked = { day, from, until: from + dayMs };
  return day;
};
/** The accounting period of an instant, `YYYY-MM` in Asia/Shanghai. */
export const periodOf = (at: Date): string => businessDay(at).slice(0, 7);

/**
 * Returns the day that is `count` days after `day` (`YYYY-MM-DD`), or before it if `count` is
 * negative.
 */
export const addDays = (day: string, count: number): string =>
  new Date(Date.parse(day) + count * dayMs).toISOString().slice(0, 10);
/** Returns the instant that is `count` times 24 hours before `at`. */
export const daysBefore = (at: Date, count: number): Date => new Date(at.getTime() - count * dayMs);

const shanghaiTime = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Asia/Shanghai',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** Returns an instant as users see it, `YYYY-MM-DD HH:MM` in Asia/Shanghai. */
export const businessTime = (at: Date): string => shanghaiTime.format(at).replace(', ', ' ');
