import { describe, expect, it } from 'vitest';
import { fit, shape } from './text-fit.ts';
import type { Fitted, Room } from './text-fit.ts';
import type { Typefaces } from '#domain/documents/typefaces.ts';

/**
 * Typefaces for tests: an ideograph is 1 em wide, any other character 0.5 em. Digits have no
 * descenders, and Greek capitals have no glyph.
 */
const faces: Typefaces = {
  glyph: (codePoint, weight) => {
    const character = String.fromCodePoint(codePoint);
    if (/[Α-Ω]/.test(character)) return null;
    return {
      character,
      face: codePoint > 0xffff ? 'rare' : weight,
      advance: codePoint > 0x2000 ? 1 : 0.5,
      above: codePoint < 0x3a ? 0.74 : 0.88,
      below: codePoint < 0x3a ? 0 : character === 'Q' ? 0.4 : 0.1,
    };
  },
  open: () => {
    throw new Error('not needed');
  },
};
const mark = faces.glyph(0x2026, 'regular')!;
const set = (text: string, room: Partial<Room>): Fitted =>
  fit(shape(text, 'regular', faces, new Set()), mark, {
    width: 200,
    height: 60,
    size: 20,
    min: 10,
    lines: 2,
    ...room,
  });
const shown = (fitted: Fitted): string[] =>
  fitted.lines.map((line) => line.runs.map((run) => run.text).join(''));

describe('fitting a text into its field on a label', () => {
  it('a text on a label keeps its preferred font size if it fits', () =>
    expect(set('一二三四五', {})).toMatchObject({ size: 20, shortened: false }));
  it('a text on a label is wrapped into a second line before its font size is reduced', () => {
    const fitted = set('一二三四五六七八九十百千万', {});
    expect([fitted.size, shown(fitted)]).toEqual([20, ['一二三四五六七八九十', '百千万']]);
  });
  it('the font size of a long text on a label is reduced before the text is shortened', () => {
    const fitted = set('一'.repeat(30), {});
    expect([fitted.size, fitted.shortened, shown(fitted).join('').length]).toEqual([13, false, 30]);
  });
  it('a text that does not fit at the minimum size is shortened with an ellipsis', () => {
    const fitted = set('一'.repeat(50), {});
    expect([fitted.size, fitted.shortened, shown(fitted)[1]]).toEqual([
      10,
      true,
      `${'一'.repeat(19)}…`,
    ]);
  });
  it('a text on a label gets the largest font size that fits the height of its field', () =>
    expect(set('一二三', { height: 14 }).size).toBe(12));
  it('a text of digits on a label gets a larger font size, because digits have no descenders', () =>
    expect(set('012', { height: 78, size: 200, width: 999 }).size).toBe(100));
  it('a text on a label gets a smaller font size if it contains a letter with a long descender', () =>
    expect(set('Q', { height: 26, size: 200 }).size).toBe(20));
  it('a text on a label is not broken within a word or number that fits on one line', () => {
    expect(shown(set('世纪大道一百号八 1001-2002', {}))).toEqual(['世纪大道一百号八', '1001-2002']);
  });
  it('a word that is longer than a line of a label’s text is broken', () =>
    expect(shown(set('x'.repeat(35), {}))).toEqual(['x'.repeat(20), 'x'.repeat(15)]));
  it('no line of a text on a label starts with closing punctuation or ends with opening punctuation', () => {
    expect(shown(set('一二三四五六七八九十，百千', {}))).toEqual([
      '一二三四五六七八九',
      '十，百千',
    ]);
    expect(shown(set('一二三四五六七八九（百千）', {}))).toEqual([
      '一二三四五六七八九',
      '（百千）',
    ]);
  });
  it('a text on a label gets a smaller font size if its last line would have only one character', () =>
    expect(set('一二三四五六七八九十百', {})).toMatchObject({ size: 18 }));
  it('a character of another typeface in a label’s text starts exactly where the text before it ends', () => {
    const [line] = set('吴𠮷明', {}).lines;
    expect(line!.runs.map(({ face, text, x }) => [face, text, x])).toEqual([
      ['regular', '吴', 0],
      ['rare', '𠮷', 20],
      ['regular', '明', 40],
    ]);
  });
  it('a character that no typeface has is left out of a label’s text, with one of the spaces beside it, and is reported', () => {
    const missing = new Set<string>();
    const glyphs = shape('Ω aΩb Ω Ω c', 'regular', faces, missing);
    expect([glyphs.map((glyph) => glyph.character).join(''), [...missing]]).toEqual([
      'ab c',
      ['Ω'],
    ]);
  });
});
