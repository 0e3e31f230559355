import type { Locale } from './language.ts';

/**
 * Writes whole numbers, times and days in the usual form of the reader's language. Times are in the
 * viewer's time zone (docs/glossary.md).
 */
export interface Format {
  /** Writes a number with thousands separators, such as "12,846". */
  number: (value: number) => string;
  /** Writes a number with one decimal, such as "4.0". */
  oneDecimal: (value: number) => string;
  /** Writes 0.853 as "85.3%". */
  percent: (share: number) => string;
  /**
   * Writes a time in hours and minutes with its date. The date has a year only if it is not the
   * current year.
   */
  time: (iso: string) => string;
  /** Writes day and time with seconds and time zone, for a tooltip. */
  moment: (iso: string) => string;
  date: (iso: string) => string;
  /** Writes the time of day, such as "14:02". */
  clock: (at: number) => string;
  /** Writes a day with its year and a time in hours and minutes. The time zone is left out. */
  dateTime: (iso: string) => string;
  /** Writes a past time as a duration, such as "3小时前". */
  relative: (iso: string, now?: number) => string;
}

/**
 * Makes one value per language. Each value is made when its language is used for the first time.
 */
export const perLocale = <T>(make: (locale: Locale) => T): ((locale: Locale) => T) => {
  const made = new Map<Locale, T>();
  return (locale) => {
    if (!made.has(locale)) made.set(locale, make(locale));
    return made.get(locale)!;
  };
};

const minute = 60_000;
const steps = [
  [minute * 60, minute, 'minute'],
  [minute * 1440, minute * 60, 'hour'],
  [minute * 1440 * 30, minute * 1440, 'day'],
  [minute * 1440 * 365, minute * 1440 * 30, 'month'],
  [Number.POSITIVE_INFINITY, minute * 1440 * 365, 'year'],
] as const;

/** The text for a time less than a minute ago, because Intl would write "this minute". */
const justNow: Readonly<Record<Locale, string>> = { 'zh-CN': '刚刚', 'en-US': 'just now' };

const day = { month: '2-digit', day: '2-digit' } as const;
const year = { year: 'numeric' } as const;
const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

/**
 * Creates a formatter only when it is first used, because creating one takes a millisecond and a
 * page needs only few of them.
 */
const lazily = <T>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => (made ??= make());
};

const zoneNames = lazily(() => new Intl.DateTimeFormat('en-US', { timeZoneName: 'shortOffset' }));
const zones = new Map<number, string>();
/**
 * Writes the time zone as "GMT+8". Intl itself would put it between day and time in Chinese, and
 * would write names such as "EST" in English.
 */
const zoneOf = (at: Date): string => {
  const offset = at.getTimezoneOffset();
  const known = zones.get(offset);
  if (known !== undefined) return known;
  const name = zoneNames()
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')!.value;
  zones.set(offset, name);
  return name;
};

export const formatOf = perLocale((locale): Format => {
  const timesBy = (options: Intl.DateTimeFormatOptions) =>
    lazily(() => new Intl.DateTimeFormat(locale, options));
  const numbersBy = (options?: Intl.NumberFormatOptions) =>
    lazily(() => new Intl.NumberFormat(locale, options));
  const numbers = numbersBy();
  const decimals = numbersBy({ minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const percents = numbersBy({ style: 'percent', maximumFractionDigits: 1 });
  const times = timesBy({ ...day, ...clock });
  const timesOfYears = timesBy({ ...year, ...day, ...clock });
  const moments = timesBy({ ...year, ...day, ...clock, second: '2-digit' });
  const dates = timesBy({ ...year, ...day });
  const clocks = timesBy(clock);
  const ages = lazily(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));
  return {
    number: (value) => numbers().format(value),
    oneDecimal: (value) => decimals().format(value),
    percent: (share) => percents().format(share),
    time: (iso) => {
      const at = new Date(iso);
      return (at.getFullYear() === new Date().getFullYear() ? times : timesOfYears)().format(at);
    },
    moment: (iso) => {
      const at = new Date(iso);
      return `${moments().format(at)} ${zoneOf(at)}`;
    },
    date: (iso) => dates().format(new Date(iso)),
    clock: (at) => clocks().format(at),
    dateTime: (iso) => {
      const at = new Date(iso);
      return `${dates().format(at)} ${clocks().format(at)}`;
    },
    relative: (iso, now = Date.now()) => {
      const past = Date.parse(iso) - now;
      const [, unit, name] = steps.find(([below]) => Math.abs(past) < below)!;
      const count = Math.trunc(past / unit);
      return count === 0 ? justNow[locale] : ages().format(count, name);
    },
  };
});
