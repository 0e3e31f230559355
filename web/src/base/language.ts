import { createStore } from 'zustand/vanilla';
import type { Language } from '@waystation/contract/base/errors.ts';
import { local } from './storage.ts';

/**
 * The languages of requirements §2. Chinese is the default, and English is used if the chosen
 * language is unknown.
 */
export const locales = ['zh-CN', 'en-US'] as const;
export type Locale = (typeof locales)[number];

export const localeKey = 'arco-locale';

/**
 * The locale for a stored choice. It is Chinese if nothing is stored, and English if the stored
 * choice is unknown.
 */
export const resolveLocale = (stored: string | null): Locale => {
  if (stored === null) return 'zh-CN';
  return locales.find((locale) => locale === stored) ?? 'en-US';
};

export const languageOf = (locale: Locale): Language => (locale === 'zh-CN' ? 'zh' : 'en');

interface Choice {
  locale: Locale;
}

export const localeStore = createStore<Choice>(() => ({
  locale: resolveLocale(local.read(localeKey)),
}));

export const currentLocale = (): Locale => localeStore.getState().locale;
export const currentLanguage = (): Language => languageOf(currentLocale());

/**
 * Stores and applies the chosen language. All open pages change their texts and keep their state.
 */
export const chooseLocale = (locale: Locale): void => {
  local.write(localeKey, locale);
  document.documentElement.lang = locale === 'zh-CN' ? 'zh-CN' : 'en';
  localeStore.setState({ locale });
};
