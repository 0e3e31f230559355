import type { Params } from '@waystation/contract/base/envelope.ts';
import type { ErrorCode, Language } from '@waystation/contract/base/errors.ts';
import { fillError } from '@waystation/contract/base/fill-error.ts';
import chinese from '#locales/zh-CN/errors.json';

type Texts = Readonly<Record<string, string>>;

/**
 * The texts of the contract's errors, in one language each. `npm run generate` makes these files
 * from the error table of the contract. Importing the table itself would load both languages.
 */
const texts: Record<Language, Texts> = { zh: chinese, en: {} };

/** Loads the English texts. Called by the login page and the console, which show them. */
export const loadEnglishErrors = async (): Promise<void> => {
  texts.en = (await import('#locales/en-US/errors.json')).default;
};

export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(chinese, code);

/**
 * The text for an error code. An unknown code is returned unchanged. Until the English texts are
 * loaded, the Chinese text is returned.
 */
export const errorText = (code: string, params: Params | undefined, language: Language): string => {
  if (!isErrorCode(code)) return code;
  return fillError(texts[language][code] ?? chinese[code], params, language);
};
