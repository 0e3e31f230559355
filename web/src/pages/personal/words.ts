import type { Params } from '@waystation/contract/base/envelope.ts';
import { fill } from '@waystation/contract/base/fill.ts';
import { personalWords } from '@waystation/contract/people/personal-words.ts';
import type { PersonalWord } from '@waystation/contract/people/personal-words.ts';
import { useTexts } from '#base/texts.ts';

/** The page's texts in the reader's language. */
export const usePersonalWords = (): ((word: PersonalWord, params?: Params) => string) => {
  const { language } = useTexts();
  return (word, params) => fill(personalWords[word][language], params);
};
