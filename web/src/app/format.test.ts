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
      'this minute',
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
});
