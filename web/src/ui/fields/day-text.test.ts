import { expect, test } from 'vitest';
import { readDay } from './day-text.ts';

test('a typed day is accepted in Chinese and in English notation', () => {
  for (const text of [
    '2026-11-22',
    ' 2026-11-22 ',
    '20261122',
    '2026/11/22',
    '2026.11.22',
    '2026年11月22日',
  ])
    expect(readDay(text), text).toBe('2026-11-22');
  expect(readDay('2026-2-3')).toBe('2026-02-03');
  expect(readDay('2024-02-29')).toBe('2024-02-29');
});

test('a day typed into a field is refused if it is incomplete or invalid', () => {
  for (const text of [
    '',
    '2026',
    '2026-11',
    '2026-13-01',
    '2026-02-29',
    '11/22/2026',
    '2026112',
    '202611',
    'today',
  ])
    expect(readDay(text), text).toBeNull();
});
