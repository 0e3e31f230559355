import { describe, expect, it } from 'vitest';
import { localeKey, resolveLocale } from './language.ts';

describe('the language', () => {
  it('the language of the web is Chinese by default, then the chosen one, and English for an unknown one', () => {
    expect(localeKey).toBe('arco-locale');
    expect(resolveLocale(null)).toBe('zh-CN');
    expect(resolveLocale('zh-CN')).toBe('zh-CN');
    expect(resolveLocale('en-US')).toBe('en-US');
    expect(resolveLocale('fr-FR')).toBe('en-US');
    expect(resolveLocale('')).toBe('en-US');
  });
});
