import { expect, test } from 'vitest';
import { comparedBlocks } from './compare.ts';

test('pasted address blocks are never read wrongly without a warning, and at most 2 % of the people are read wrongly with a warning', () => {
  const { people, right, wrongSilent, wrongDoubted } = comparedBlocks('test', 60);
  expect(people).toBeGreaterThan(200);
  expect(wrongSilent).toEqual([]);
  expect(wrongDoubted.length).toBeLessThanOrEqual(people / 50);
  expect(right).toBe(people - wrongDoubted.length);
});
