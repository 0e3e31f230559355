import { currentLanguage } from '#base/language.ts';
import { loginTexts as en } from '#locales/en-US/login.ts';
import type { TextsOf } from '#locales/texts.ts';
import { loginTexts as zh } from '#locales/zh-CN/login.ts';

export type LoginTexts = TextsOf<typeof zh>;

/**
 * Includes the texts of both languages, because code that loads only one would be larger than both
 * together.
 */
export const loginTexts = (): LoginTexts => (currentLanguage() === 'zh' ? zh : en);

/** The text with each `{name}` replaced by its parameter. */
export const filled = (text: string, params: Record<string, string | number>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole));
