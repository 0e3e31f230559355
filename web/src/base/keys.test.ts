import { describe, expect, it } from 'vitest';
import { isSingle, keyCaps, written } from './keys.ts';

describe('a key press is written', () => {
  it.each([
    [{ key: 'k', ctrlKey: true }, 'mod+k'],
    [{ key: 'k', metaKey: true }, 'mod+k'],
    [{ key: '?', shiftKey: true }, '?'],
    [{ key: 'X', shiftKey: true }, 'shift+x'],
    [{ key: 'N' }, 'n'],
    [{ key: 'Enter', ctrlKey: true, shiftKey: true }, 'mod+shift+Enter'],
    [{ key: '¡', code: 'Digit1', altKey: true }, 'alt+1'],
    [{ key: '∑', code: 'KeyW', altKey: true }, 'alt+w'],
    [{ key: ' ' }, 'Space'],
    [{ key: 'F8' }, 'F8'],
  ])('a key press of %j is written as %s', (press, expected) => {
    expect(written(press)).toBe(expected);
  });
});

describe('single keys', () => {
  it('a shortcut without Ctrl, Alt or a function key is recognised, so that it can be ignored while the user types', () => {
    expect(['n', '?', 'g w', 'shift+x', 'Enter', 'ArrowDown'].every(isSingle)).toBe(true);
    expect(['mod+k', 'alt+1', 'mod+shift+Enter', 'F8'].some(isSingle)).toBe(false);
  });
});

describe('key caps', () => {
  it('the keys of a shortcut are shown in the order in which they are pressed', () => {
    expect(keyCaps('g w')).toEqual([['G'], ['W']]);
    expect(keyCaps('mod+k')).toEqual([['Ctrl', 'K']]);
    expect(keyCaps('ArrowDown')).toEqual([['↓']]);
  });
});
