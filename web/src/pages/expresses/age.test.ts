import { expect, test } from 'vitest';
import { ageOf, movedAt } from './age.ts';

const now = Date.parse('2026-11-21T10:00:00Z');
const before = (minutes: number): string => new Date(now - minutes * 60_000).toISOString();

test('an age is shown in minutes, then in hours up to two days, then in days', () => {
  expect(
    [0, 1, 59, 60, 60 * 47 + 59, 60 * 48, 60 * 24 * 90].map((minutes) =>
      ageOf(before(minutes), now),
    ),
  ).toEqual([
    { unit: 'minutes', count: 1 },
    { unit: 'minutes', count: 1 },
    { unit: 'minutes', count: 59 },
    { unit: 'hours', count: 1 },
    { unit: 'hours', count: 47 },
    { unit: 'days', count: 2 },
    { unit: 'days', count: 90 },
  ]);
});

test('an age is at least one minute, even if the browser’s clock is behind the server’s clock', () => {
  expect(ageOf(before(-5), now)).toEqual({ unit: 'minutes', count: 1 });
});

test('a parcel’s age is counted from the carrier’s last report; without a report it is counted from the creation; an ended parcel has no age', () => {
  const times = { created_at: before(600), updated_at: before(1), last_event_at: before(30) };
  expect(movedAt({ state_code: 210, ...times })).toBe(times.last_event_at);
  expect(movedAt({ state_code: 100, ...times, last_event_at: null })).toBe(times.created_at);
  expect(movedAt({ state_code: 10, ...times })).toBe(times.created_at);
  for (const state_code of [300, 420, 500] as const)
    expect(movedAt({ state_code, ...times })).toBeNull();
});
