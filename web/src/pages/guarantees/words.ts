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
