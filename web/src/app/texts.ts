import { createInstance } from 'i18next';
import type { TFunction, i18n } from 'i18next';
import { I18nextProvider, initReactI18next, useTranslation } from 'react-i18next';
import type { Language } from '@waystation/contract/errors.ts';
import { zhCN } from '#locales/zh-CN.ts';
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
const load = async (locale: Locale): Promise<Texts> => (locale === 'zh-CN' ? zhCN : (await import('#locales/en-US.ts')).enUS);

export const texts: i18n = createInstance();

/** Makes the texts ready in the chosen language and keeps them there. */
export const startTexts = async (): Promise<void> => {
  const locale = currentLocale();
  await texts.use(initReactI18next).init({
    lng: locale,
    fallbackLng: false,
    resources: { [locale]: { translation: await load(locale) } },
    interpolation: { prefix: '{', suffix: '}', escapeValue: false },
    react: { useSuspense: false },
  });
  localeStore.subscribe(async ({ locale: chosen }) => {
    if (!texts.hasResourceBundle(chosen, 'translation')) texts.addResourceBundle(chosen, 'translation', await load(chosen));
    // Only the last choice counts, however long its texts took.
    if (currentLocale() === chosen) await texts.changeLanguage(chosen);
  });
};

export type Say = TFunction;

const quick = new WeakMap<TFunction, TFunction>();

/** The same function, which looks up words without parameters once only: a list asks for a few of them hundreds of times. A language has its own. */
const quickened = (t: TFunction): TFunction => {
  const known = quick.get(t);
  if (known) return known;
  const words = new Map<string, string>();
  const ask = t as unknown as (key: string, params?: object) => string;
  const look = (key: string, params?: object): string => {
    if (params !== undefined) return ask(key, params);
    const found = words.get(key) ?? ask(key);
    words.set(key, found);
    return found;
  };
  quick.set(t, look as unknown as TFunction);
  return look as unknown as TFunction;
};

/** The texts of the current language, for components; `language` is what the contract's words take. */
export const useTexts = (): { t: Say; language: Language; locale: Locale } => {
  const { t, i18n: instance } = useTranslation();
  const locale = instance.language as Locale;
  return { t: quickened(t), locale, language: languageOf(locale) };
};

/** The same outside components, at the moment of asking. */
export const say = ((key: never, params: never) => texts.t(key, params)) as unknown as TFunction;

export { I18nextProvider };
