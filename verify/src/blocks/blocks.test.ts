import { expect, test } from 'vitest';
import { comparedBlocks } from './compare.ts';

test('of 60 random pasted blocks none is wrong without a warning, and at most 2 % with one', () => {
  const { people, right, wrongSilent, wrongDoubted } = comparedBlocks('test', 60);
  expect(people).toBeGreaterThan(200);
  expect(wrongSilent).toEqual([]);
  expect(wrongDoubted.length).toBeLessThanOrEqual(people / 50);
  expect(right).toBe(people - wrongDoubted.length);
});
