import { expect, test } from 'vitest';
import { readTopUp } from './top-up.ts';

test('a top-up is typed in yuan, also as people write it, and paid in whole fen', () => {
  expect(readTopUp('100')).toEqual({ fen: 10_000 });
  expect(readTopUp(' ¥1,234.50 ')).toEqual({ fen: 123_450 });
  expect(readTopUp('１２．５元')).toEqual({ fen: 1_250 });
  expect(readTopUp('100000000')).toEqual({ fen: 10_000_000_000 });
});

test('a top-up amount that is not a number, not positive, finer than a fen or above the limit has its own error', () => {
  expect(readTopUp('')).toEqual({ wrong: 'missing' });
  expect(readTopUp('  ')).toEqual({ wrong: 'missing' });
  for (const text of ['0', '-5', 'abc', '1.005', '1e3', '1,23'])
    expect(readTopUp(text)).toEqual({ wrong: 'invalid' });
  expect(readTopUp('100000000.01')).toEqual({ wrong: 'too_big' });
});
