import { useTexts } from './texts.ts';
import type { Locale } from './language.ts';

/** Whole numbers, times and days as the reader's language writes them; times in the viewer's zone (docs/glossary.md). */
export interface Format {
  number: (value: number) => string;
  /** 0.853 → "85.3%". */
  percent: (share: number) => string;
  /** With minutes; with the year only where it is another one. */
  time: (iso: string) => string;
  /** The whole moment with seconds and zone, for a tooltip. */
  moment: (iso: string) => string;
  date: (iso: string) => string;
  /** "3 小时前" */
  relative: (iso: string, now?: number) => string;
}

const minute = 60_000;
const steps = [
  [minute * 60, minute, 'minute'],
  [minute * 1440, minute * 60, 'hour'],
  [minute * 1440 * 30, minute * 1440, 'day'],
  [minute * 1440 * 365, minute * 1440 * 30, 'month'],
  [Number.POSITIVE_INFINITY, minute * 1440 * 365, 'year'],
] as const;

/** These are slow to make, and most pages need few of them. */
const once = <T>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => (made ??= make());
};

const build = (locale: Locale): Format => {
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const day = { month: '2-digit', day: '2-digit' } as const;
  const number = once(() => new Intl.NumberFormat(locale));
  const percent = once(() => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }));
  const thisYear = once(() => new Intl.DateTimeFormat(locale, { ...day, ...clock }));
  const otherYear = once(() => new Intl.DateTimeFormat(locale, { year: 'numeric', ...day, ...clock }));
  const moment = once(() => new Intl.DateTimeFormat(locale, { year: 'numeric', ...day, ...clock, second: '2-digit', timeZoneName: 'short' }));
  const date = once(() => new Intl.DateTimeFormat(locale, { year: 'numeric', ...day }));
  const relative = once(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));
  return {
    number: (value) => number().format(value),
    percent: (share) => percent().format(share),
    time: (iso) => {
      const at = new Date(iso);
      return (at.getFullYear() === new Date().getFullYear() ? thisYear() : otherYear()).format(at);
    },
    moment: (iso) => moment().format(new Date(iso)),
    date: (iso) => date().format(new Date(iso)),
    relative: (iso, now = Date.now()) => {
      const past = Date.parse(iso) - now;
      const [, unit, name] = steps.find(([below]) => Math.abs(past) < below)!;
      return relative().format(Math.trunc(past / unit), name);
    },
  };
};

const built = new Map<Locale, Format>();

export const formatOf = (locale: Locale): Format => {
  const format = built.get(locale) ?? build(locale);
  built.set(locale, format);
  return format;
};

export const useFormat = (): Format => formatOf(useTexts().locale);
