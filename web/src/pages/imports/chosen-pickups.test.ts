import { expect, it } from 'vitest';
import { chosenPickups } from './chosen-pickups.ts';

it('only windows of the present pickups are confirmed, and none for a pickup as soon as possible', () => {
  const [from, until] = ['2026-11-29T01:00:00.000Z', '2026-11-29T03:00:00.000Z'];
  const windows = new Map([
    [1, `${from}/${until}`],
    [4, ''],
    [9, `${from}/${until}`],
  ]);
  expect(chosenPickups([{ row: 1 }, { row: 4 }, { row: 6 }], windows)).toEqual([
    { row: 1, pickup_from: from, pickup_until: until },
  ]);
});
