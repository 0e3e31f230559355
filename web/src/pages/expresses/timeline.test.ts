import { expect, test } from 'vitest';
import { timelineOf } from './timeline.ts';

const report = (at: string) => ({
  at,
  category: '',
  state: '',
  title: at,
  remark: '',
  operator_name: '',
  place: '',
  source: 'trace',
  our_state: null,
});
const pricing = (no: number, at: string) => ({ no, at, source: 'order', reason: '', price: {} });
const line = (id: number, created_at: string) => ({ id, created_at });
const change = (id: number, action: string, at: string) => ({ id, action, at });

test('a timeline lists everything that happened to a parcel, newest first, and compares times of different zones correctly', () => {
  const happenings = timelineOf({
    reports: [report('2026-03-02T12:00:00+08:00')],
    pricings: [pricing(1, '2026-03-02T02:00:00.000Z'), pricing(2, '2026-03-02T05:00:00.000Z')],
    lines: [line(7, '2026-03-02T02:00:00.000Z')],
    changes: [
      change(1, 'order', '2026-03-02T02:00:00.000Z'),
      change(2, 'print', '2026-03-02T03:00:00.000Z'),
    ],
  } as never);
  expect(happenings.map(({ kind, key }) => [kind, key])).toEqual([
    ['price', 'price 2'],
    ['carrier', 'carrier 0'],
    ['print', 'change 2'],
    ['price', 'price 1'],
    ['money', 'money 7'],
    ['change', 'change 1'],
  ]);
});

test('a later price in a parcel’s timeline refers to the price that it replaced', () => {
  const first = pricing(1, '2026-03-02T02:00:00.000Z');
  const [second, ordered] = timelineOf({
    reports: [],
    pricings: [first, pricing(2, '2026-03-03T02:00:00.000Z')],
    lines: [],
    changes: [],
  } as never);
  expect(second).toMatchObject({ before: first });
  expect(ordered).toMatchObject({ before: null });
});
