import { expect, it } from 'vitest';
import { instantOf, momentOf, wallClockOf } from './wall-clock.ts';

it('times of carriers are read in China’s zone, whatever the zone of the machine', () => {
  expect(wallClockOf(new Date('2026-01-01T19:04:05Z'))).toBe('2026-01-02 03:04:05');
  expect(instantOf('2026-01-02 03:04:05')).toEqual(new Date('2026-01-01T19:04:05Z'));
  expect(instantOf('2026-01-02 03:04')).toEqual(new Date('2026-01-01T19:04:00Z'));
});

it('a carrier’s local time is null if it is not a valid date with a time', () => {
  for (const bad of [
    '2026-02-30 00:00:00',
    '2026-13-01 00:00:00',
    '2026-01-02 24:00:00',
    '2026-01-02 03:60:00',
    '2026-01-02',
    '',
    null,
    7,
    {},
    '02/01/2026 03:04:05',
  ])
    expect(instantOf(bad)).toBeNull();
});

it('a carrier’s promised time can be milliseconds as a number or as text, or a local time', () => {
  expect(momentOf(1767520800000)).toEqual(new Date('2026-01-04T10:00:00Z'));
  expect(momentOf('1767520800000')).toEqual(new Date('2026-01-04T10:00:00Z'));
  expect(momentOf('2026-01-04 18:00:00')).toEqual(new Date('2026-01-04T10:00:00Z'));
  for (const none of [0, null, undefined, '', 'soon', -1]) expect(momentOf(none)).toBeNull();
});
