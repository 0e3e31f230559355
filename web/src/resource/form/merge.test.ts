import { expect, test } from 'vitest';
import { changesOf, compared, merged } from './merge.ts';

const base = { name: '文件', priority: 10, type: 1, provinces: ['440000'] };

test('only the changed fields of a record are sent, and a list counts as changed only if its content has changed', () => {
  expect(changesOf(base, { ...base, priority: 20, provinces: ['440000'] })).toEqual({
    priority: 20,
  });
  expect(changesOf(base, { ...base, provinces: [] })).toEqual({ provinces: [] });
});

test('the changes of two users to different fields of a record are both kept, and a field that both changed is reported as a conflict', () => {
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

test('a field that both users changed to the same new value is not listed as a difference', () => {
  expect(compared(base, { ...base, priority: 5 }, { ...base, priority: 5 })).toEqual([]);
});
