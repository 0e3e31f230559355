import { describe, expect, it } from 'vitest';
import { chineseParts, isMixed } from './chinese-parts.ts';

describe('Chinese parts of an English text (WCAG 3.1.2)', () => {
  it('a text counts as mixed if it contains Chinese and an English word; a single Latin letter does not count as a word', () => {
    expect(isMixed('Move 深圳南山站')).toBe(true);
    expect(isMixed('示例路1号 A座')).toBe(false);
    expect(isMixed('Nothing yet')).toBe(false);
  });

  it('each Chinese name in an English sentence is one part, and an address with digits and punctuation is one part too', () => {
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
