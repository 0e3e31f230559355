import { fill } from '@waystation/contract/base/fill.ts';
import type { Language } from '@waystation/contract/base/errors.ts';
import type { Params } from '@waystation/contract/base/envelope.ts';
import { labelScanResults, verifyResults } from '@waystation/contract/parcels/label-scan.ts';
import type {
  LabelParcel,
  LabelScanResult,
  VerifyAnswer,
} from '@waystation/contract/parcels/label-scan.ts';
import { labelScanWords } from '@waystation/contract/parcels/label-scan-words.ts';
import type { LabelScanWord } from '@waystation/contract/parcels/label-scan-words.ts';
import { useTexts } from '#base/texts.ts';
import { useStateWords } from '#parcels/status-tag.tsx';

export type SayLabel = (word: LabelScanWord, params?: Params) => string;
const says =
  (language: Language): SayLabel =>
  (word, params) =>
    fill(labelScanWords[word][language], params);
/**
 * One function for each language. It stays the same at every render, so that effects can depend on
 * it.
 */
const spoken: Record<Language, SayLabel> = { zh: says('zh'), en: says('en') };
export const useLabelWords = (): SayLabel => spoken[useTexts().language];

export interface Worded {
  words: string;
  next: string;
}

/**
 * The texts that show the answers to a label scan in the user's language, and the texts of the next
 * steps.
 */
export const useLabelAnswers = () => {
  const { language } = useTexts();
  const stateWords = useStateWords();
  const filled = (
    texts: { zh: string; en: string; next: { zh: string; en: string } },
    params: Params,
  ): Worded => ({ words: fill(texts[language], params), next: fill(texts.next[language], params) });
  return {
    scan: (result: LabelScanResult, parcel: LabelParcel | undefined): Worded =>
      filled(labelScanResults[result], {
        state: parcel ? stateWords(parcel.state_code) : '',
        station_name: parcel?.station_name ?? '',
      }),
    verify: ({ result, no, package_count, delivery_id, later_copies }: VerifyAnswer): Worded => {
      const worded = filled(verifyResults[result], { no: no ?? '', package_count, delivery_id });
      const isRight = result === 'verified' || result === 'package';
      return isRight && later_copies > 0
        ? { ...worded, next: spoken[language]('copied_next', { count: later_copies }) }
        : worded;
    },
  };
};
