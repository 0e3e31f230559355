import { describe, expect, it } from 'vitest';
import { openTypefaces } from './typefaces.ts';

const faces = openTypefaces();
const faceOf = (character: string): string | undefined =>
  faces.glyph(character.codePointAt(0)!, 'bold')?.face;

describe('the typefaces of a label', () => {
  it('common Chinese characters and signs are printed with the typeface Noto Sans SC', () => {
    for (const character of '赵靐芳䶮㛃鿍，。（）①℃·…□^_¥Aé')
      expect([character, faceOf(character)]).toEqual([character, 'bold']);
    expect(faceOf('𬭚')).toBe('bold');
  });

  it('rare Chinese characters are printed with the typeface Waystation Rare Han', () => {
    for (const character of '𠮷𪨊𨭎𡋾𠀀𪚥𫝀𫠝𬺷𮯠')
      expect([character, faceOf(character)]).toEqual([character, 'rare']);
  });

  it('the label typefaces have a visible glyph for every rare Chinese character that they claim to contain', () => {
    const blocks: [number, number][] = [
      [0x20000, 0x2a6d6],
      [0x2a700, 0x2b734],
      [0x2b740, 0x2b81d],
      [0x2b820, 0x2cea1],
      [0x2ceb0, 0x2ebe0],
    ];
    const absent: string[] = [];
    const hollow: string[] = [];
    for (const [from, to] of blocks) {
      for (let codePoint = from; codePoint <= to; codePoint += 37) {
        const glyph = faces.glyph(codePoint, 'regular');
        if (!glyph) absent.push(codePoint.toString(16));
        else {
          const drawn = faces.open(glyph.face).glyphForCodePoint(codePoint);
          if (drawn.id === 0 || drawn.path.commands.length < 5) hollow.push(codePoint.toString(16));
        }
      }
    }
    expect({ absent, hollow }).toEqual({ absent: [], hollow: [] });
  });

  it('the label typefaces have no glyph for emoji, unassigned characters and private-use characters', () => {
    for (const codePoint of [0x1f600, 0xe000, 0x10ffff, 0x0378])
      expect(faces.glyph(codePoint, 'regular')).toBeNull();
  });
});
