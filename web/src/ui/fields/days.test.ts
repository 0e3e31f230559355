import { expect, test } from 'vitest';
import { dayPresets, plusDays, today } from './days.ts';

const preset = (day: string, key: string) => dayPresets(day).find((each) => each.key === key)?.days;

test('the business day changes at midnight in Shanghai', () => {
  expect(today(Date.parse('2026-11-20T15:59:59Z'))).toBe('2026-11-20');
  expect(today(Date.parse('2026-11-20T16:00:00Z'))).toBe('2026-11-21');
});

test('the presets of 7 and 30 days end today and include today, and the preset “yesterday” is one day', () => {
  expect(preset('2026-11-21', 'week')).toEqual({ from: '2026-11-15', to: '2026-11-21' });
  expect(preset('2026-11-21', 'month')).toEqual({ from: '2026-10-23', to: '2026-11-21' });
  expect(preset('2026-11-01', 'yesterday')).toEqual({ from: '2026-10-31', to: '2026-10-31' });
});

test('the preset “last month” is the whole previous month, even in January and even if the previous month is shorter', () => {
  expect(preset('2026-11-21', 'last_month')).toEqual({ from: '2026-10-01', to: '2026-10-31' });
  expect(preset('2026-01-05', 'last_month')).toEqual({ from: '2025-12-01', to: '2025-12-31' });
  expect(preset('2028-03-31', 'last_month')).toEqual({ from: '2028-02-01', to: '2028-02-29' });
  expect(preset('2026-03-31', 'this_month')).toEqual({ from: '2026-03-01', to: '2026-03-31' });
  expect(plusDays('2028-02-28', 1)).toBe('2028-02-29');
});
