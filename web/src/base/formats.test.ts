import { describe, expect, it } from 'vitest';
import { formatOf } from './formats.ts';

const zh = formatOf('zh-CN');
const en = formatOf('en-US');
const now = Date.parse('2026-11-21T12:00:00+08:00');

describe('how times and numbers are written', () => {
  it('times and numbers are written in the user’s language', () => {
    expect(zh.number(12846)).toBe('12,846');
    expect(zh.percent(0.853)).toBe('85.3%');
    expect(zh.relative('2026-11-21T09:00:00+08:00', now)).toBe('3小时前');
    expect(en.relative('2026-11-21T09:00:00+08:00', now)).toBe('3 hours ago');
    expect(en.relative('2026-11-20T12:00:00+08:00', now)).toBe('yesterday');
  });

  it('a past time is written as a duration in its largest suitable unit, from minutes to years', () => {
    const ago = (minutes: number): string =>
      en.relative(new Date(now - minutes * 60_000).toISOString(), now);
    expect([
      ago(0),
      ago(59),
      ago(90),
      ago(60 * 24 * 3),
      ago(60 * 24 * 60),
      ago(60 * 24 * 800),
    ]).toEqual([
      'just now',
      '59 minutes ago',
      '1 hour ago',
      '3 days ago',
      '2 months ago',
      '2 years ago',
    ]);
  });

  it('a date is shown with its year only if it is not in the current year', () => {
    const thisYear = new Date().getFullYear();
    expect(zh.time(`${thisYear}-03-04T05:06:00`)).toBe('03/04 05:06');
    expect(zh.time('2019-03-04T05:06:00')).toBe('2019/03/04 05:06');
  });

  it.for([
    ['zh-CN', '2019/03/04', ' ', '2小时前', '去年'],
    ['en-US', '03/04/2019', ', ', '2 hours ago', 'last year'],
  ] as const)(
    'days, times, numbers and durations are written in the usual form of the locale %s',
    ([locale, day, comma, twoHours, lastYear]) => {
      const format = formatOf(locale);
      const at = '2019-03-04T00:06:07';
      expect(format.date(at)).toBe(day);
      expect(format.time(at)).toBe(`${day}${comma}00:06`);
      expect(format.dateTime(at)).toBe(`${day} 00:06`);
      expect(format.clock(Date.parse(at))).toBe('00:06');
      expect(format.moment(at)).toMatch(
        new RegExp(`^${day}${comma}00:06:07 GMT([+-]\\d{1,2}(:\\d{2})?)?$`),
      );
      expect(format.relative(new Date(now - 7_200_000).toISOString(), now)).toBe(twoHours);
      expect(format.relative(new Date(now - 366 * 86_400_000).toISOString(), now)).toBe(lastYear);
      expect([0, 999, 1000, 1_234_567, -4200, 1234.5, 0.125].map(format.number)).toEqual([
        '0',
        '999',
        '1,000',
        '1,234,567',
        '-4,200',
        '1,234.5',
        '0.125',
      ]);
      expect([4, 4.46, 1234.5].map(format.oneDecimal)).toEqual(['4.0', '4.5', '1,234.5']);
    },
  );
});
