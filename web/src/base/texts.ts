import { createInstance } from 'i18next';
import type { TFunction, i18n } from 'i18next';
import { createContext, createElement, useContext, useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import type { Language } from '@waystation/contract/errors.ts';
import { zhCN } from '#locales/zh-CN/zh-CN.ts';
import type { Texts } from '#locales/texts.ts';
import { currentLocale, languageOf, localeStore } from './language.ts';
import type { Locale } from './language.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: Texts };
    returnNull: false;
  }
}

/** English is fetched when first chosen; Chinese comes with the shell. */
const load = async (locale: Locale): Promise<Texts> => (locale === 'zh-CN' ? zhCN : (await import('#locales/en-US/en-US.ts')).enUS);

export const texts: i18n = createInstance();

/** Makes the texts ready in the chosen language and keeps them there. */
export const startTexts = async (): Promise<void> => {
  const locale = currentLocale();
  await texts.init({
    lng: locale,
    fallbackLng: false,
    resources: { [locale]: { translation: await load(locale) } },
    interpolation: { prefix: '{', suffix: '}', escapeValue: false },
  });
  localeStore.subscribe(async ({ locale: chosen }) => {
    if (!texts.hasResourceBundle(chosen, 'translation')) texts.addResourceBundle(chosen, 'translation', await load(chosen));
    // Only the last choice counts, however long its texts took.
    if (currentLocale() === chosen) await texts.changeLanguage(chosen);
  });
};

export type Say = TFunction;

const hole = /\{([^{}]+)\}/g;

/**
 * The same function for one language, which finds the words of a key once and fills their holes itself: a list asks for a few of them hundreds of times.
 * What has forms by number, or a hole that says how it is written, is left to the library.
 */
const quickened = (ask: TFunction, locale: Locale): TFunction => {
  const known = new Map<string, string | null>();
  const slow = ask as unknown as (key: string, params?: object) => string;
  const plain = (key: string): string | null => {
    const word: unknown = texts.getResource(locale, 'translation', key);
    const formed =
      texts.getResource(locale, 'translation', `${key}_other`) !== undefined || texts.getResource(locale, 'translation', `${key}_one`) !== undefined;
    return typeof word !== 'string' || formed || word.includes('$t(') || /\{[^{}]*,/.test(word) ? null : word;
  };
  const quick = (key: string, params?: Readonly<Record<string, unknown>>): string => {
    let word = known.get(key);
    if (word === undefined) known.set(key, (word = plain(key)));
    if (word === null) return slow(key, params);
    return params === undefined ? word : word.replace(hole, (_, name: string) => String(params[name] ?? ''));
  };
  return quick as unknown as TFunction;
};

interface Told {
  t: Say;
  language: Language;
  locale: Locale;
}

const told = (): Told => {
  const locale = texts.language as Locale;
  return { t: quickened(texts.getFixedT(locale), locale), locale, language: languageOf(locale) };
};

const TextsContext = createContext<Told | null>(null);

/** Hands the texts of the chosen language to all below it: read once here rather than by every cell of a list. */
export const TextsProvider = ({ children }: { children: ReactNode }) => {
  const [now, setNow] = useState(told);
  useEffect(() => {
    const follow = (): void => setNow(told());
    texts.on('languageChanged', follow);
    return () => texts.off('languageChanged', follow);
  }, []);
  return createElement(TextsContext, { value: now }, children);
};

/** The texts of the current language, for components; `language` is what the contract's words take. */
export const useTexts = (): Told => useContext(TextsContext) ?? told();

/** The same outside components, at the moment of asking. */
export const say = ((key: never, params: never) => texts.t(key, params)) as unknown as TFunction;
