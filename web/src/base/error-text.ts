import type { Params } from '@waystation/contract/base/envelope.ts';
import type { ErrorCode, Language } from '@waystation/contract/base/errors.ts';
import { fillError } from '@waystation/contract/base/fill-error.ts';
import chinese from '#locales/zh-CN/errors.json';

type Texts = Readonly<Record<string, string>>;

/**
 * The texts of the contract's errors, one language each. `npm run generate` writes them from the
 * contract's table. Importing that table itself would load both languages with the first list.
 */
const texts: Record<Language, Texts> = { zh: chinese, en: {} };

/** English is fetched by the parts that show it: login and console. */
export const loadEnglishErrors = async (): Promise<void> => {
  texts.en = (await import('#locales/en-US/errors.json')).default;
};

export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(chinese, code);

/**
 * The text for an error code; for an unknown code, the code. Until English has arrived, Chinese is
 * shown.
 */
export const errorText = (code: string, params: Params | undefined, language: Language): string => {
  if (!isErrorCode(code)) return code;
  return fillError(texts[language][code] ?? chinese[code], params, language);
};
