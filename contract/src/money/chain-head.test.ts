import { expect, it } from 'vitest';
import { typedHead } from './chain-head.ts';

const hash = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

it.each([
  [hash, null, hash],
  [hash.toUpperCase(), null, hash],
  [`  ${hash.slice(0, 32)}\n${hash.slice(32)} `, null, hash],
  [hash.slice(0, 16), null, hash.slice(0, 16)],
  [`哈希链头 第 12 条  ${hash}`, 12, hash],
  [`第12条${hash}`, 12, hash],
  [`Hash chain head no. 1200  ${hash}`, 1_200, hash],
  [`no. 7 ${hash.slice(0, 20)}`, 7, hash.slice(0, 20)],
])('the head of a hash chain typed as %s is read with its number', (text, seq, digits) => {
  expect(typedHead(text)).toEqual({ seq, hash: digits });
});

it.each(['', '12', hash.slice(0, 15), `${hash}0`, `${hash.slice(0, 63)}g`, `第 12 条`, `no. 12`])(
  'the text %s is not the head of a hash chain',
  (text) => {
    expect(typedHead(text)).toBeNull();
  },
);
