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
const load = async (locale: Locale): Promise<object> => (locale === 'zh-CN' ? zhCN : (await import('#locales/en-US/en-US.ts')).enUS);

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

/** What is said for one, and for any other count; a text without a count has only the second. */
interface Forms {
  one: string;
  other: string;
}

const formsOf = (locale: Locale, key: string): Forms | null => {
  const word = (name: string): string | null => {
    const found: unknown = texts.getResource(locale, 'translation', name);
    return typeof found === 'string' ? found : null;
  };
  const other = word(`${key}_other`) ?? word(key);
  return other === null ? null : { one: word(`${key}_one`) ?? other, other };
};

/** Whether a count is one in this language; it may come written for people: `1,204`. */
const isOne = (rules: Intl.PluralRules, count: unknown): boolean => rules.select(Number(String(count).replaceAll(',', ''))) === 'one';

/**
 * The same function for one language, which finds the words of a key once, chooses the form by `count` and fills the holes itself: a list asks for a few
 * of them hundreds of times, and counts come formatted, of which the library would not choose a form.
 */
const quickened = (ask: TFunction, locale: Locale): TFunction => {
  const known = new Map<string, Forms | null>();
  const rules = new Intl.PluralRules(locale);
  const slow = ask as unknown as (key: string, params?: object) => string;
  const quick = (key: string, params?: Readonly<Record<string, unknown>>): string => {
    let forms = known.get(key);
    if (forms === undefined) known.set(key, (forms = formsOf(locale, key)));
    if (forms === null) return slow(key, params);
    if (params === undefined) return forms.other;
    const word = forms.one !== forms.other && isOne(rules, params['count']) ? forms.one : forms.other;
    return word.replace(hole, (_, name: string) => String(params[name] ?? ''));
  };
  return quick as unknown as TFunction;
};

interface Translation {
  t: Say;
  language: Language;
  locale: Locale;
}

const made = new Map<Locale, Translation>();
const translation = (): Translation => {
  const locale = texts.language as Locale;
  const before = made.get(locale);
  if (before) return before;
  const now = { t: quickened(texts.getFixedT(locale), locale), locale, language: languageOf(locale) };
  made.set(locale, now);
  return now;
};

const TextsContext = createContext<Translation | null>(null);

/** Hands the texts of the chosen language to all below it: read once here rather than by every cell of a list. */
export const TextsProvider = ({ children }: { children: ReactNode }) => {
  const [now, setNow] = useState(translation);
  useEffect(() => {
    const follow = (): void => setNow(translation());
    texts.on('languageChanged', follow);
    return () => texts.off('languageChanged', follow);
  }, []);
  return createElement(TextsContext, { value: now }, children);
};

/** The texts of the current language, for components; `language` is what the contract's words take. */
export const useTexts = (): Translation => useContext(TextsContext) ?? translation();

/** The same outside components, at the moment of asking. */
export const say = ((key: never, params: never) => translation().t(key, params)) as unknown as TFunction;
