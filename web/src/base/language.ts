import { createStore } from 'zustand/vanilla';
import type { Language } from '@waystation/contract/errors.ts';
import { local } from './storage.ts';

/** The languages of requirements §2: Chinese by default, English the fallback for any choice we do not know. */
export const locales = ['zh-CN', 'en-US'] as const;
export type Locale = (typeof locales)[number];

export const localeKey = 'arco-locale';

/** What a stored choice means: none is Chinese, an unknown one English. */
export const resolveLocale = (stored: string | null): Locale => {
  if (stored === null) return 'zh-CN';
  return locales.find((locale) => locale === stored) ?? 'en-US';
};

export const languageOf = (locale: Locale): Language => (locale === 'zh-CN' ? 'zh' : 'en');

interface Choice {
  locale: Locale;
}

export const localeStore = createStore<Choice>(() => ({ locale: resolveLocale(local.read(localeKey)) }));

export const currentLocale = (): Locale => localeStore.getState().locale;
export const currentLanguage = (): Language => languageOf(currentLocale());

/** Remembers and applies the choice; the texts follow in every mounted page without losing its state. */
export const chooseLocale = (locale: Locale): void => {
  local.write(localeKey, locale);
  document.documentElement.lang = locale === 'zh-CN' ? 'zh-CN' : 'en';
  localeStore.setState({ locale });
};
