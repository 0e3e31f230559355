import { createContext, createElement, useContext } from 'react';
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Language } from '@waystation/contract/base/errors.ts';
import { zhCN } from '#locales/zh-CN/zh-CN.ts';
import { loadEnglishErrors } from './error-text.ts';
import { currentLocale, languageOf, localeStore } from './language.ts';
import type { Locale } from './language.ts';
import { translator } from './translate.ts';
import type { TextParams, TextTree } from './translate.ts';

type KeysOf<T> = {
  [K in keyof T & string]: T[K] extends string ? K : `${K}.${KeysOf<T[K]>}`;
}[keyof T & string];

/** The type of a text's key, with dots between its parts: `expresses.title`. */
export type TextKey = KeysOf<typeof zhCN>;

export type Say = (key: TextKey, params?: TextParams) => string;

interface Translation {
  t: Say;
  language: Language;
  locale: Locale;
}

const translationOf = (locale: Locale, texts: TextTree): Translation => ({
  t: translator(texts, locale),
  locale,
  language: languageOf(locale),
});

const chinese = translationOf('zh-CN', zhCN);
let english: Translation | undefined;

const loadEnglish = async (): Promise<Translation> => {
  const [{ enUS }] = await Promise.all([import('#locales/en-US/en-US.ts'), loadEnglishErrors()]);
  return translationOf('en-US', enUS);
};

/**
 * Returns the texts of a language. The Chinese texts are part of the shell. The English texts are
 * fetched when a user chooses English.
 */
const load = async (locale: Locale): Promise<Translation> =>
  locale === 'zh-CN' ? chinese : (english ??= await loadEnglish());

/** The texts that are shown: those of the chosen language as soon as they are loaded. */
const shown = createStore<Translation>(() => chinese);

const show = async (locale: Locale): Promise<void> => {
  const translation = await load(locale);
  // If the user has chosen another language meanwhile, these texts are ignored.
  if (currentLocale() === locale) shown.setState(translation, true);
};

/** Loads the texts of the chosen language now, and again after each change of the language. */
export const startTexts = async (): Promise<void> => {
  localeStore.subscribe(({ locale }) => void show(locale));
  await show(currentLocale());
};

const TextsContext = createContext<Translation | null>(null);

/**
 * Provides the texts of the chosen language to all children. They are read once here and not in
 * every cell of a list.
 */
export const TextsProvider = ({ children }: { children: ReactNode }) =>
  createElement(TextsContext, { value: useStore(shown) }, children);

/**
 * The texts of the current language, for components. `language` is the language of the contract's
 * texts.
 */
export const useTexts = (): Translation => useContext(TextsContext) ?? shown.getState();

/**
 * Returns a text outside components. It is in the language that is chosen at the time of the call.
 */
export const say: Say = (key, params) => shown.getState().t(key, params);
