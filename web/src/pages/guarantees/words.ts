import { fill } from '@waystation/contract/base/fill.ts';
import type { Language } from '@waystation/contract/base/errors.ts';
import type { Params } from '@waystation/contract/base/envelope.ts';
import { guaranteeWords } from '@waystation/contract/money/guarantee-words.ts';
import type { GuaranteeWord } from '@waystation/contract/money/guarantee-words.ts';
import { useTexts } from '#base/texts.ts';
import { useKnownWords } from '#resource/record/known-words.ts';
import type { RecordWords } from '#resource/record/record-words.ts';
import { yuan } from '#ui/values/amounts.ts';

export type GuaranteeField = 'money' | 'price' | 'status';

/** The labels of the fields of a tier, and the texts of their values. */
export const useGuaranteeWords = (): RecordWords<GuaranteeField, 'status'> => {
  const { t } = useTexts();
  const { status } = useKnownWords();
  const amount = (value: unknown): string => yuan(Number(value));
  return {
    money: { label: t('guarantees.money'), show: amount },
    price: { label: t('guarantees.price'), show: amount },
    status,
  };
};

type SayTier = (word: GuaranteeWord, params?: Params) => string;
const says =
  (language: Language): SayTier =>
  (word, params) =>
    fill(guaranteeWords[word][language], params);
/**
 * One function for each language. It stays the same at every render, so that effects can depend on
 * it.
 */
const spoken: Record<Language, SayTier> = { zh: says('zh'), en: says('en') };
/** The texts about planned tiers and about the fee calculator, in the user's language. */
export const useTierWords = (): SayTier => spoken[useTexts().language];
