import { describe, expect, it } from 'vitest';
import { formatOf } from './format.ts';

const zh = formatOf('zh-CN');
const en = formatOf('en-US');
const now = Date.parse('2026-11-21T12:00:00+08:00');

describe('how times and numbers are written', () => {
  it('follows the language', () => {
    expect(zh.number(12846)).toBe('12,846');
    expect(zh.percent(0.853)).toBe('85.3%');
    expect(zh.relative('2026-11-21T09:00:00+08:00', now)).toBe('3小时前');
    expect(en.relative('2026-11-21T09:00:00+08:00', now)).toBe('3 hours ago');
    expect(en.relative('2026-11-20T12:00:00+08:00', now)).toBe('yesterday');
  });

  it('picks the unit a person would', () => {
    const ago = (minutes: number): string => en.relative(new Date(now - minutes * 60_000).toISOString(), now);
    expect([ago(0), ago(59), ago(90), ago(60 * 24 * 3), ago(60 * 24 * 60), ago(60 * 24 * 800)]).toEqual([
      'just now',
      '59 minutes ago',
      '1 hour ago',
      '3 days ago',
      '2 months ago',
      '2 years ago',
    ]);
  });

  it('names the year only where it is another one', () => {
    const thisYear = new Date().getFullYear();
    expect(zh.time(`${thisYear}-03-04T05:06:00`)).toBe('03/04 05:06');
    expect(zh.time('2019-03-04T05:06:00')).toBe('2019/03/04 05:06');
  });

  it.each(['zh-CN', 'en-US'] as const)('says in %s what the platform would say', (locale) => {
    const mine = formatOf(locale);
    const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
    const clock = { month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
    const units = [
      ['minute', 60_000, 59],
      ['hour', 3_600_000, 23],
      ['day', 86_400_000, 29],
      ['month', 30 * 86_400_000, 11],
      ['year', 365 * 86_400_000, 30],
    ] as const;
    for (const [unit, length, most] of units)
      for (let count = -most; count <= most; count++) {
        if (count === 0) continue;
        expect(mine.relative(new Date(now + count * length).toISOString(), now)).toBe(relative.format(count, unit));
      }
    for (const value of [0, 7, 999, 1000, 12_846, 1_234_567, -4200, 1234.5, 0.125])
      expect(mine.number(value)).toBe(new Intl.NumberFormat(locale).format(value));
    for (const day of ['2019-03-04T05:06:00', `${new Date().getFullYear()}-11-30T23:59:59`]) {
      const year = day.startsWith('2019') ? { year: 'numeric' as const } : {};
      expect(mine.time(day)).toBe(new Intl.DateTimeFormat(locale, { ...year, ...clock }).format(new Date(day)));
      expect(mine.date(day)).toBe(new Intl.DateTimeFormat(locale, { year: 'numeric', month: '2-digit', day: '2-digit' }).format(new Date(day)));
    }
  });
});
