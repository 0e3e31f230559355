import type { Params } from '@waystation/contract/base/envelope.ts';
import { fill } from '@waystation/contract/base/fill.ts';
import { personalWords } from '@waystation/contract/people/personal-words.ts';
import type { PersonalWord } from '@waystation/contract/people/personal-words.ts';
import { useTexts } from '#base/texts.ts';

/** The texts of the page on personal data, in the user's language. */
export const usePersonalWords = (): ((word: PersonalWord, params?: Params) => string) => {
  const { language } = useTexts();
  return (word, params) => fill(personalWords[word][language], params);
};
