import type { Language } from '@waystation/contract/base/errors.ts';
import type { Params } from '@waystation/contract/base/envelope.ts';
import { fill } from '@waystation/contract/base/fill.ts';
import { outcomeWords } from '@waystation/contract/parcels/order-outcome-words.ts';
import type { OutcomeWord } from '@waystation/contract/parcels/order-outcome-words.ts';
import { useTexts } from '#base/texts.ts';

export type SayOutcome = (word: OutcomeWord, params?: Params) => string;

const says = (language: Language): SayOutcome => {
  return (word, params) => fill(outcomeWords[word][language], params);
};
/**
 * One function for each language. It stays the same at every render, so that effects can depend on
 * it.
 */
const spoken: Record<Language, SayOutcome> = { zh: says('zh'), en: says('en') };

/** The texts about unknown outcomes in the user's language. */
export const useOutcomeWords = (): SayOutcome => spoken[useTexts().language];

/**
 * The text for a name that the server sends. If there is no such text, the name itself is returned.
 */
export const wordOr = (say: SayOutcome, prefix: 'op' | 'got' | 'source', name: string): string => {
  const word = `${prefix}_${name}`;
  return word in outcomeWords ? say(word as OutcomeWord) : name;
};
