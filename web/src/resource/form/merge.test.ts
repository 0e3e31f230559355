import { expect, test } from 'vitest';
import { changesOf, compared, merged } from './merge.ts';

const base = { name: '文件', priority: 10, type: 1, provinces: ['440000'] };

test('a changed record is sent with only its changed fields, and lists are compared by their content', () => {
  expect(changesOf(base, { ...base, priority: 20, provinces: ['440000'] })).toEqual({
    priority: 20,
  });
  expect(changesOf(base, { ...base, provinces: [] })).toEqual({ provinces: [] });
});

test('two users who change a record each keep the fields that they alone changed, and a field that both changed is named', () => {
  const mine = { ...base, name: '合同', priority: 20 };
  const theirs = { ...base, name: '票据', type: 2 };
  const differences = compared(base, mine, theirs);
  expect(differences).toEqual([
    { key: 'name', side: 'mine', clash: true },
    { key: 'priority', side: 'mine', clash: false },
    { key: 'type', side: 'theirs', clash: false },
  ]);
  const sides = Object.fromEntries(differences.map(({ key, side }) => [key, side]));
  expect(merged(mine, theirs, sides)).toEqual({ ...base, name: '合同', priority: 20, type: 2 });
  expect(merged(mine, theirs, { ...sides, name: 'theirs' }).name).toBe('票据');
});

test('a field with the same new value from both users is not a difference', () => {
  expect(compared(base, { ...base, priority: 5 }, { ...base, priority: 5 })).toEqual([]);
});
