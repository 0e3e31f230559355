import { expect, test } from 'vitest';
import { readTopUp } from './top-up.ts';

test('a top-up amount may be typed in yuan with ¥, commas, 元 or full-width digits, and is read as whole fen', () => {
  expect(readTopUp('100')).toEqual({ fen: 10_000 });
  expect(readTopUp(' ¥1,234.50 ')).toEqual({ fen: 123_450 });
  expect(readTopUp('１２．５元')).toEqual({ fen: 1_250 });
  expect(readTopUp('100000000')).toEqual({ fen: 10_000_000_000 });
});

test('a top-up amount that is missing, invalid or above the limit is refused with its own error', () => {
  expect(readTopUp('')).toEqual({ wrong: 'missing' });
  expect(readTopUp('  ')).toEqual({ wrong: 'missing' });
  for (const text of ['0', '-5', 'abc', '1.005', '1e3', '1,23'])
    expect(readTopUp(text)).toEqual({ wrong: 'invalid' });
  expect(readTopUp('100000000.01')).toEqual({ wrong: 'too_big' });
});
