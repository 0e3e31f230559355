import { expect, it } from 'vitest';
import { datedColumn } from './dispute-dates.ts';

const read = (title: string, cells: string[]) => {
  const { kind, valueOf } = datedColumn(title, cells);
  return [kind, ...cells.map(valueOf)];
};

it.each([
  [
    '揽收日期',
    ['2026-03-02', '', '2026/3/2', '2026年3月12日'],
    ['date', '2026-03-02', '', '2026-03-02', '2026-03-12'],
  ],
  [
    '寄件时间',
    ['2026-03-02 09:05', '2026-03-02 10:00:30', '2026-03-03'],
    ['time', '2026-03-02T09:05:00+08:00', '2026-03-02T10:00:30+08:00', '2026-03-03T00:00:00+08:00'],
  ],
  [
    'Pickup date',
    ['46083', '46083.5'],
    ['time', '2026-03-02T00:00:00+08:00', '2026-03-02T12:00:00+08:00'],
  ],
  ['日期', ['46083', '46084'], ['date', '2026-03-02', '2026-03-03']],
] as const)(
  'a column %s of a dispute file that has only dates is written as a date column',
  (title, cells, expected) => {
    expect(read(title, [...cells])).toEqual(expected);
  },
);

it.each([
  ['揽收日期', ['2026-03-02', '待定']],
  ['揽收日期', ['2026-13-02']],
  ['邮编', ['46083']],
  ['日期', ['20260302']],
  ['日期', ['36525', '73051']],
  ['日期', ['', ' ']],
  ['运单号', ['JDVE00000006001']],
])('a column %s of a dispute file with %s is written as text', (title, cells) => {
  expect(read(title, [...cells])).toEqual(['text', ...cells]);
});
