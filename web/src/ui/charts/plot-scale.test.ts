import { expect, test } from 'vitest';
import { placeByKey, roundTop, valueAxis } from './plot-scale.ts';

test('a chart’s value axis ends at a round number, and half of that number is a whole number too', () => {
  expect([0, 3, 7, 43, 100, 1204].map(roundTop)).toEqual([4, 4, 8, 60, 100, 2000]);
});

test('a chart’s value axis includes zero, and extends below it only for negative values', () => {
  expect(valueAxis([10, 43])).toEqual({ top: 60, bottom: 0, marks: [60, 30, 0] });
  expect(valueAxis([43, -20])).toEqual({ top: 60, bottom: -20, marks: [60, 30, 0, -20] });
  expect(valueAxis([1000, -3]).marks).toEqual([1000, 500, 0]);
  expect(valueAxis([])).toEqual({ top: 4, bottom: 0, marks: [4, 2, 0] });
});

test('in a chart, an arrow key moves by one point, a page key by seven, Home and End to the ends, and no key moves beyond the ends', () => {
  expect(placeByKey(3, 30, 'ArrowRight')).toBe(4);
  expect(placeByKey(3, 30, 'PageUp')).toBe(0);
  expect(placeByKey(3, 30, 'End')).toBe(29);
  expect(placeByKey(29, 30, 'ArrowRight')).toBe(29);
  expect(placeByKey(3, 30, 'a')).toBeNull();
});
