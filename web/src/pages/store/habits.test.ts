import { expect, it } from 'vitest';
import { nextWeight, usualWeights, withOrder } from './habits.ts';
import type { Habits } from './habits.ts';

const after = (...weights: string[]): Habits =>
  weights.reduce<Habits>((habits, weight) => withOrder(habits, '文件', weight), {});

it('the usual weights of a goods kind are sorted by how often they were ordered; equally frequent weights are sorted by the latest order', () => {
  expect(usualWeights(after('1', '2', '2', '3'), '文件')).toEqual(['2', '3', '1']);
  expect(usualWeights(after('1'), '衣物')).toEqual([]);
});

it('the number of stored usual weights stays within its limits, however many parcels are ordered', () => {
  let habits: Habits = after(...Array.from({ length: 40 }, () => '1'));
  expect(habits['文件']).toHaveLength(9);
  for (let no = 0; no < 60; no++) habits = withOrder(habits, `物品${no}`, '1');
  expect(Object.keys(habits)).toHaveLength(20);
  expect(habits['物品59']).toEqual(['1']);
  expect(withOrder(habits, '', '1')).toBe(habits);
});

it('each press of the key for usual weights chooses the next usual weight; after the last weight it chooses the first', () => {
  expect(nextWeight(['2', '3'], '')).toBe('2');
  expect(nextWeight(['2', '3'], '2')).toBe('3');
  expect(nextWeight(['2', '3'], '3')).toBe('2');
  expect(nextWeight([], '')).toBeUndefined();
});
