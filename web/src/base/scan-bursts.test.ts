import { describe, expect, it } from 'vitest';
import { burstReader } from './scan-bursts.ts';

const keys: Record<string, string> = {
  '-': 'Minus',
  '\n': 'Enter',
  '\t': 'Tab',
  ':': 'Semicolon',
  '/': 'Slash',
  '.': 'Period',
  '?': 'Slash',
  '=': 'Equal',
  '&': 'Digit7',
  '#': 'Digit3',
};
const codeOf = (character: string): string =>
  keys[character] ?? (/\d/.test(character) ? `Digit${character}` : `Key${character.toUpperCase()}`);

/**
 * Types a text with this number of milliseconds between two keys. Returns the result for the last
 * key.
 */
const typed = (text: string, ms: number) => {
  const read = burstReader();
  return [...text]
    .map((character, index) =>
      read({
        code: codeOf(character),
        timeStamp: index * ms,
        shiftKey: ':?&#'.includes(character),
      }),
    )
    .at(-1)!;
};

describe('a burst of keys', () => {
  it('a burst of keys that ends in Enter is read as a scan, and its small letters become capital letters', () => {
    expect(typed('JDVE00000000017\n', 10)).toEqual({ state: 'read', text: 'JDVE00000000017' });
    expect(typed('jdve00000000017-1-2-\n', 10)).toEqual({
      state: 'read',
      text: 'JDVE00000000017-1-2-',
    });
  });
  it('a fast burst of keys that ends in Tab is read as a scan, also if it is the URL of a QR code', () => {
    expect(typed('JDVE00000000017-1-2-\t', 10)).toEqual({
      state: 'read',
      text: 'JDVE00000000017-1-2-',
    });
    expect(typed('https://www.jdl.com/q?w=jdve00000000017&from=label#1\n', 10)).toEqual({
      state: 'read',
      text: 'HTTPS://WWW.JDL.COM/Q?W=JDVE00000000017&FROM=LABEL#1',
    });
    expect(typed('JDVE00000000017\t', 80)).toEqual({ state: 'none', text: '' });
  });
  it('slow typing, a burst of fewer than eight keys and a burst without Enter are not read as scans', () => {
    expect(typed('JDVE00000000017\n', 80)).toEqual({ state: 'none', text: '' });
    expect(typed('1234567\n', 10)).toEqual({ state: 'none', text: '' });
    expect(typed('JDVE00000000017', 10)).toEqual({ state: 'going', text: 'JDVE00000000017' });
  });
  it('if a scanner pauses while it sends a number, the whole number is read or nothing is read, never only the end of the number', () => {
    const number = 'JDVE00000000017';
    const halting = (after: number) => {
      const read = burstReader();
      for (const [index, character] of [...number].entries())
        read({
          code: codeOf(character),
          timeStamp: index * 5 + (index > after ? 200 : 0),
          shiftKey: false,
        });
      return read({ code: 'Enter', timeStamp: 200 + number.length * 5, shiftKey: false });
    };
    expect(halting(3)).toEqual({ state: 'read', text: number });
    expect(halting(10)).toEqual({ state: 'none', text: '' });
  });
  it('keys that were typed in another field before a scan are not part of the scanned number', () => {
    const read = burstReader();
    const [page, field] = [new EventTarget(), new EventTarget()];
    for (const [index, code] of ['KeyG', 'KeyO'].entries())
      read({ code, timeStamp: index * 20, shiftKey: false, target: page });
    for (const [index, character] of [...'JDVE0001'].entries())
      read({ code: codeOf(character), timeStamp: 60 + index * 5, shiftKey: false, target: field });
    expect(read({ code: 'Enter', timeStamp: 100, shiftKey: false, target: field }).text).toBe(
      'JDVE0001',
    );
  });
  it('if the page moves the focus during a scan, the whole number is read or nothing is read, never only the end of the number', () => {
    const number = 'JDVE00000000017';
    const moved = (halt: number) => {
      const read = burstReader();
      const [page, field] = [new EventTarget(), new EventTarget()];
      for (const [index, character] of [...number].entries())
        read({
          code: codeOf(character),
          timeStamp: index * 5 + (index > 4 ? halt : 0),
          shiftKey: false,
          target: index > 4 ? field : page,
        });
      const timeStamp = number.length * 5 + halt;
      return read({ code: 'Enter', timeStamp, shiftKey: false, target: field });
    };
    expect(moved(0)).toEqual({ state: 'read', text: number });
    expect(moved(100)).toEqual({ state: 'none', text: '' });
  });
  it('if a scanned number contains a character that cannot be read, no part of the number is read', () => {
    for (const [code, shiftKey] of [
      ['Space', false],
      ['Digit8', true],
      ['Backslash', true],
    ] as const) {
      const read = burstReader();
      const keys = [...'XS'].map(codeOf).concat(code, [...'20261128-0001'].map(codeOf));
      for (const [index, key] of keys.entries())
        read({ code: key, timeStamp: index * 5, shiftKey: key === code && shiftKey });
      expect(read({ code: 'Enter', timeStamp: 100, shiftKey: false }).state).toBe('none');
    }
    const read = burstReader();
    read({ code: 'Space', timeStamp: 0, shiftKey: false });
    for (const [index, character] of [...'JDVE00000000017'].entries())
      read({ code: codeOf(character), timeStamp: 500 + index * 5, shiftKey: false });
    expect(read({ code: 'Enter', timeStamp: 580, shiftKey: false }).state).toBe('read');
  });
  it('a scanned number does not contain keys that were typed before the scan, and Shift keys within the scan do not end it', () => {
    const read = burstReader();
    read({ code: 'KeyA', timeStamp: 0, shiftKey: false });
    const keys = [...'JDVE0001'].flatMap((character) => ['ShiftLeft', codeOf(character)]);
    for (const [index, code] of keys.entries())
      read({ code, timeStamp: 500 + index * 5, shiftKey: code.startsWith('Key') });
    expect(read({ code: 'Enter', timeStamp: 500 + keys.length * 5, shiftKey: false })).toEqual({
      state: 'read',
      text: 'JDVE0001',
    });
  });
});
