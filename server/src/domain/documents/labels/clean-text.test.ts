import { describe, expect, it } from 'vitest';
import { cleanText, cut } from './clean-text.ts';

describe('cleaning a text for a label', () => {
  it.each([
    ['line breaks and tabs are spaces', '人民路\r\n1号\t2栋', '人民路 1号 2栋'],
    ['spaces at the ends and doubled ones go', '  人民路   1号 ', '人民路 1号'],
    ['an ideographic space is a space', '人民路　1号', '人民路 1号'],
    ['control characters go', '人\u0000民\u0007路', '人 民 路'],
    ['direction overrides go', '\u202e123\u202c号', '123号'],
    ['zero-width characters go', '人\u200b民\ufeff路', '人民路'],
    ['accents are composed', 'Cafe\u0301', 'Café'],
    ['compatibility ideographs stay as written', '\uf9dc\ufa1d', '\uf9dc\ufa1d'],
    ['a variation of an ideograph keeps its base', '葛\u{e0100}', '葛'],
    ['a family of emoji is one character', '👨‍👩‍👧盒', '👨盒'],
    ['a lone surrogate is a replacement character', '号\ud842', '号\ufffd'],
    ['markup is plain text', '<script>alert(1)</script>', '<script>alert(1)</script>'],
    ['a number is its digits', 12, '12'],
    ['nothing is empty', null, ''],
    ['an object is empty', { a: 1 }, ''],
  ])('a stored text becomes the text of a label: %s', (_, stored, shown) =>
    expect(cleanText(stored)).toBe(shown),
  );

  it('a text on a label is cut to at most 600 characters', () => {
    expect([...cleanText('𠮷'.repeat(100_000))]).toHaveLength(600);
    expect(cleanText('a '.repeat(1_000_000)).length).toBeLessThanOrEqual(600);
  });

  it('a text for a label is cut between characters, not within a surrogate pair', () => {
    expect(cut('𠮷𠮷𠮷𠮷', 3)).toBe('𠮷𠮷…');
    expect(cut('𠮷𠮷𠮷', 3)).toBe('𠮷𠮷𠮷');
  });
});
