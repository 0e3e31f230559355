import { describe, expect, it } from 'vitest';
import { firstOf, lastOf, present } from './present.ts';

describe('present(), firstOf() and lastOf()', () => {
  it('present() returns a value that is neither null nor undefined, also if the value is falsy', () => {
    expect([present(0), present(''), present(false)]).toEqual([0, '', false]);
  });

  it.each([null, undefined])('present() throws if the value is %s', (missing) => {
    expect(() => present(missing)).toThrow('missing');
  });

  it('firstOf and lastOf return the first and the last item of a list that is not empty', () => {
    expect([firstOf([1, 2, 3]), lastOf([1, 2, 3]), firstOf('abc')]).toEqual([1, 3, 'a']);
  });

  it('reading the first or the last item of an empty list throws', () => {
    expect(() => firstOf([])).toThrow('empty');
    expect(() => lastOf([])).toThrow('empty');
  });
});
