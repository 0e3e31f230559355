import { describe, expect, it } from 'vitest';
import { localeKey, resolveLocale } from './language.ts';

describe('the language', () => {
  it('the web console uses the chosen language; it uses Chinese if none was chosen, and English if the chosen language is unknown', () => {
    expect(localeKey).toBe('arco-locale');
    expect(resolveLocale(null)).toBe('zh-CN');
    expect(resolveLocale('zh-CN')).toBe('zh-CN');
    expect(resolveLocale('en-US')).toBe('en-US');
    expect(resolveLocale('fr-FR')).toBe('en-US');
    expect(resolveLocale('')).toBe('en-US');
  });
});
