import { expect, test } from 'vitest';
import { nearestNames } from './nearest.ts';

const names = ['文件', '日用品', '服装鞋帽', '电子产品', '易碎品', 'Books'];

test.each([
  ['文献', ['文件']],
  ['合同文件', ['文件']],
  ['日用', ['日用品']],
  ['服装', ['服装鞋帽']],
  ['电子产口', ['电子产品']],
  ['book', ['Books']],
  ['钢琴', []],
  ['', []],
  ['品'.repeat(61), []],
] as const)(
  'unknown goods %s in an import are offered the nearest names, or none',
  (text, expected) => {
    expect(nearestNames(text, names)).toEqual(expected);
  },
);
