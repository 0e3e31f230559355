import { expect, test } from 'vitest';
import { monthBefore, monthOf } from '#ui/fields/days.ts';
import { latestMonths } from './months.ts';

test('the list of latest months counts back from the present month in Shanghai, across the turn of the year', () => {
  expect(latestMonths(Date.parse('2026-01-31T16:30:00Z'), 4)).toEqual([
    '2026-02',
    '2026-01',
    '2025-12',
    '2025-11',
  ]);
  expect(monthBefore(monthOf(Date.parse('2026-01-31T15:30:00Z')))).toBe('2025-12');
});
