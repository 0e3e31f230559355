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

const once = <T>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => (made ??= make());
};

/** "12,846"; alike in both languages. */
const grouped = (value: number): string => {
  const [whole, part] = String(Math.round(value * 1000) / 1000).split('.');
  const digits = whole!.replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return part === undefined ? digits : `${digits}.${part}`;
};

const two = (value: number): string => String(value).padStart(2, '0');

/** Month and day; with the year where it is wanted, which English puts last. */
const dayOf = (locale: Locale, at: Date, year: boolean): string => {
  const day = `${two(at.getMonth() + 1)}/${two(at.getDate())}`;
  if (!year) return day;
  return locale === 'zh-CN' ? `${at.getFullYear()}/${day}` : `${day}/${at.getFullYear()}`;
};

const clockOf = (locale: Locale, at: Date): string => `${locale === 'zh-CN' ? ' ' : ', '}${two(at.getHours())}:${two(at.getMinutes())}`;

/** "GMT+8", "GMT-3:30". */
const zoneOf = (at: Date): string => {
  const minutes = -at.getTimezoneOffset();
  const ahead = Math.abs(minutes);
  return `GMT${minutes < 0 ? '-' : '+'}${Math.floor(ahead / 60)}${ahead % 60 === 0 ? '' : `:${two(ahead % 60)}`}`;
};

type Unit = (typeof steps)[number][2];

/** The unit after a number, and what is said for the nearest numbers of it. */
const ages: Record<Locale, Record<Unit, { one: string; many: string; near: Readonly<Record<number, string>> }>> = {
  'zh-CN': {
    minute: { one: '分钟', many: '分钟', near: { 0: '刚刚' } },
    hour: { one: '小时', many: '小时', near: { 0: '这一时间 / 此时' } },
    day: { one: '天', many: '天', near: { [-2]: '前天', [-1]: '昨天', 0: '今天', 1: '明天', 2: '后天' } },
    month: { one: '个月', many: '个月', near: { [-1]: '上个月', 0: '本月', 1: '下个月' } },
    year: { one: '年', many: '年', near: { [-1]: '去年', 0: '今年', 1: '明年' } },
  },
  'en-US': {
    minute: { one: ' minute', many: ' minutes', near: { 0: 'just now' } },
    hour: { one: ' hour', many: ' hours', near: { 0: 'this hour' } },
    day: { one: ' day', many: ' days', near: { [-1]: 'yesterday', 0: 'today', 1: 'tomorrow' } },
    month: { one: ' month', many: ' months', near: { [-1]: 'last month', 0: 'this month', 1: 'next month' } },
    year: { one: ' year', many: ' years', near: { [-1]: 'last year', 0: 'this year', 1: 'next year' } },
  },
};

const ageOf = (locale: Locale, count: number, unit: Unit): string => {
  const { one, many, near } = ages[locale][unit];
  const word = near[count];
  if (word !== undefined) return word;
  const much = `${grouped(Math.abs(count))}${Math.abs(count) === 1 ? one : many}`;
  if (locale === 'zh-CN') return `${much}${count < 0 ? '前' : '后'}`;
  return count < 0 ? `${much} ago` : `in ${much}`;
};

/** What a list writes hundreds of times is put together here: the first use of the platform's own formats costs more than the whole list. */
const build = (locale: Locale): Format => {
  const percent = once(() => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }));
  return {
    number: grouped,
    percent: (share) => percent().format(share),
    time: (iso) => {
      const at = new Date(iso);
      return dayOf(locale, at, at.getFullYear() !== new Date().getFullYear()) + clockOf(locale, at);
    },
    moment: (iso) => {
      const at = new Date(iso);
      return `${dayOf(locale, at, true)}${clockOf(locale, at)}:${two(at.getSeconds())} ${zoneOf(at)}`;
    },
    date: (iso) => dayOf(locale, new Date(iso), true),
    relative: (iso, now = Date.now()) => {
      const past = Date.parse(iso) - now;
      const [, unit, name] = steps.find(([below]) => Math.abs(past) < below)!;
      // Without the sign of a zero.
      return ageOf(locale, Math.trunc(past / unit) + 0, name);
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
