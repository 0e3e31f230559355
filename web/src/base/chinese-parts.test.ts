import { describe, expect, it } from 'vitest';
import { chineseParts, isMixed } from './chinese-parts.ts';

describe('Chinese parts of an English text (WCAG 3.1.2)', () => {
  it('a text is mixed if it contains Chinese and an English word, and a single letter is not a word', () => {
    expect(isMixed('Move 深圳南山站')).toBe(true);
    expect(isMixed('示例路1号 A座')).toBe(false);
    expect(isMixed('Nothing yet')).toBe(false);
  });

  it('a Chinese name in a sentence is marked as one part, including digits and signs within an address', () => {
    expect(chineseParts('Move “深圳南山站” below 广东省·深圳市, 示例路1号?')).toEqual([
      'Move “',
      '深圳南山站',
      '” below ',
      '广东省·深圳市, 示例路1号',
      '?',
    ]);
    expect(chineseParts('深圳 and 上海')).toEqual(['', '深圳', ' and ', '上海', '']);
  });
});
