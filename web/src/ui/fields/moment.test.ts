import { expect, test } from 'vitest';
import { momentText, readMoment } from './moment.ts';

const evening = new Date(2026, 10, 22, 18, 30).toISOString();

test('a day and time typed into a field are accepted in Chinese and English notation', () => {
  for (const text of [
    '2026-11-22 18:30',
    ' 2026/11/22  18:30 ',
    '2026-11-22T18:30',
    '202611221830',
    '20261122 1830',
    '2026年11月22日 18：30',
  ])
    expect(readMoment(text), text).toBe(evening);
  expect(readMoment('2026-11-02 9:05')).toBe(new Date(2026, 10, 2, 9, 5).toISOString());
});

test('a typed text that is not a complete day and time is refused', () => {
  for (const text of [
    '',
    '2026-11-22',
    '20261122',
    '2026-11-22 24:00',
    '2026-11-22 18:60',
    '2026-02-30 10:00',
    '2026-11-22 18:30:15',
    '18:30',
    '2026-11-22 18',
  ])
    expect(readMoment(text), text).toBeNull();
});

test('a day and time are written into a field with minutes and without seconds', () => {
  expect(momentText(evening)).toBe('2026-11-22 18:30');
  expect(momentText(null)).toBe('');
  expect(momentText('')).toBe('');
});
