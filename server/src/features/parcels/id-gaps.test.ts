import { expect, it } from 'vitest';
import { lowestOf } from './search-keys.ts';

const gaps = [
  { below: 2_010, above: 9_000 },
  { below: 100, above: 2_000 },
];

it('a page of a parcel search by id contains a fixed number of used ids, and skips gaps between the ids', () => {
  expect(lowestOf(501, 50, [])).toBe(451);
  expect(lowestOf(20, 50, [])).toBe(0);
  // The ten ids are 9,001 to 9,010.
  expect(lowestOf(9_011, 10, gaps)).toBe(9_001);
  // The twenty ids are 9,001 to 9,010 and 2,001 to 2,010.
  expect(lowestOf(9_011, 20, gaps)).toBe(2_001);
  expect(lowestOf(9_011, 25, gaps)).toBe(96);
  expect(lowestOf(2_005, 4, gaps)).toBe(2_001);
  expect(lowestOf(2_005, 5, gaps)).toBe(100);
  expect(lowestOf(90, 5, gaps)).toBe(85);
  // A page that ended inside a gap continues below the gap.
  expect(lowestOf(5_000, 3, gaps)).toBe(2_008);
});
