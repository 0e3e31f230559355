import { expect, test } from 'vitest';
import { dayByKey, monthWeeks, plusMonths } from './month-weeks.ts';

test('the calendar of a month shows six weeks, beginning with the Monday on or before the first day of the month', () => {
  const weeks = monthWeeks('2026-11-22');
  expect(weeks).toHaveLength(6);
  expect(weeks[0]).toEqual([
    '2026-10-26',
    '2026-10-27',
    '2026-10-28',
    '2026-10-29',
    '2026-10-30',
    '2026-10-31',
    '2026-11-01',
  ]);
  expect(weeks.flat()).toContain('2026-11-30');
  expect(monthWeeks('2027-02-10')[0]![0]).toBe('2027-02-01');
});

test('a date moved to a shorter month becomes the last day of that month', () => {
  expect(plusMonths('2026-01-31', 1)).toBe('2026-02-28');
  expect(plusMonths('2028-01-31', 1)).toBe('2028-02-29');
  expect(plusMonths('2026-01-15', -1)).toBe('2025-12-15');
  expect(plusMonths('2028-02-29', -12)).toBe('2027-02-28');
});

test('in a calendar, arrow keys move by a day or week, Home and End move within the week, and page keys move by a month or year', () => {
  expect(dayByKey('2026-11-22', 'ArrowRight', false)).toBe('2026-11-23');
  expect(dayByKey('2026-11-22', 'ArrowUp', false)).toBe('2026-11-15');
  expect(dayByKey('2026-11-22', 'Home', false)).toBe('2026-11-16');
  expect(dayByKey('2026-11-16', 'End', false)).toBe('2026-11-22');
  expect(dayByKey('2026-11-22', 'PageDown', false)).toBe('2026-12-22');
  expect(dayByKey('2026-11-22', 'PageUp', true)).toBe('2025-11-22');
  expect(dayByKey('2026-11-22', 'a', false)).toBeNull();
});
