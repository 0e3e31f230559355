import { describe, expect, it } from 'vitest';
import { firstOf, lastOf, present } from './present.ts';

describe('what must be there', () => {
  it('a present value is returned, also a falsy one', () => {
    expect([present(0), present(''), present(false)]).toEqual([0, '', false]);
  });

  it.each([null, undefined])('requiring a value that is %s throws', (missing) => {
    expect(() => present(missing)).toThrow('missing');
  });

  it('a list with items answers its first and its last', () => {
    expect([firstOf([1, 2, 3]), lastOf([1, 2, 3]), firstOf('abc')]).toEqual([1, 3, 'a']);
  });

  it('asking an empty list for its first or last item throws', () => {
    expect(() => firstOf([])).toThrow('empty');
    expect(() => lastOf([])).toThrow('empty');
  });
});
