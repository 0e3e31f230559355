import type { Language } from '@waystation/contract/base/errors.ts';
import type { Params } from '@waystation/contract/base/envelope.ts';
import { fill } from '@waystation/contract/base/fill.ts';
import { keyWords } from '@waystation/contract/people/key-words.ts';
import type { KeyWord } from '@waystation/contract/people/key-words.ts';
import { useTexts } from '#base/texts.ts';

type Say = (word: KeyWord, params?: Params) => string;

const says = (language: Language): Say => {
  return (word, params) => fill(keyWords[word][language], params);
};
/** One for each language, so that a component may depend on it. */
const spoken: Record<Language, Say> = { zh: says('zh'), en: says('en') };

/** The texts of API keys in the reader's language. */
export const useKeyWords = (): Say => spoken[useTexts().language];
