import type { Language } from '@waystation/contract/base/errors.ts';
import type { Params } from '@waystation/contract/base/envelope.ts';
import { fill } from '@waystation/contract/base/fill.ts';
import { handoverWords } from '@waystation/contract/parcels/handover-words.ts';
import type { HandoverWord } from '@waystation/contract/parcels/handover-words.ts';
import { useTexts } from '#base/texts.ts';

type Say = (word: HandoverWord, params?: Params) => string;

const says = (language: Language): Say => {
  return (word, params) => fill(handoverWords[word][language], params);
};
/** One function per language. It is the same at each render, so that effects can depend on it. */
const spoken: Record<Language, Say> = { zh: says('zh'), en: says('en') };

/** The texts about hand-overs in the user's language. */
export const useHandoverWords = (): Say => spoken[useTexts().language];
