import { expect, it } from 'vitest';
import { channelMessagesInHour } from '@waystation/contract/base/limits.ts';
import { dueAt } from './schedule.ts';
import type { Times } from './schedule.ts';

/** A time on 15 January in China's time zone; hours from 24 on are on the next day. */
const at = (hour: number, minute = 0): Date => new Date(Date.UTC(2026, 0, 15, hour - 8, minute));
const always: Times = {
  pace: 'now',
  daily_hour: 9,
  quiet_from: null,
  quiet_to: null,
  hour_from: null,
  hour_sent: 0,
};
const night = { ...always, quiet_from: 22, quiet_to: 7 };

it.each([
  ['a minute before they begin', at(21, 59), at(21, 59)],
  ['as they begin', at(22), at(31)],
  ['at midnight', at(24), at(31)],
  ['a minute before they end', at(30, 59), at(31)],
  ['as they end', at(31), at(31)],
])('quiet hours over midnight hold a notification back until they end: %s', (_, now, due) => {
  expect(dueAt(now, now, night)).toEqual(due);
});

it('a daily notification whose hour falls into quiet hours is sent when the quiet hours end', () => {
  expect(dueAt(at(10), at(10), { ...night, pace: 'daily', daily_hour: 23 })).toEqual(at(31));
});

it('a daily notification contains the entries up to its hour of sending, and later entries are sent a day later', () => {
  const daily = { ...always, pace: 'daily' as const };
  expect(dueAt(at(8, 59), at(8, 59), daily)).toEqual(at(9));
  expect(dueAt(at(9), at(9), daily)).toEqual(at(33));
});

it('notifications above the hourly limit whose next hour falls into quiet hours are sent when the quiet hours end', () => {
  const full = { ...night, hour_from: at(21, 30), hour_sent: channelMessagesInHour };
  expect(dueAt(at(21, 40), at(21, 40), full)).toEqual(at(31));
});

it('quiet hours that begin and end at the same hour delay no notification', () => {
  expect(dueAt(at(5), at(5), { ...always, quiet_from: 5, quiet_to: 5 })).toEqual(at(5));
});
