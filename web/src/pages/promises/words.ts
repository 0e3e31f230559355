import { useTexts } from '#base/texts.ts';
import { useKnownWords } from '#resource/record/known-words.ts';
import type { RecordWords } from '#resource/record/record-words.ts';

export type PromiseField =
  | 'promise_id'
  | 'promise_name'
  | 'promise_name_en'
  | 'provider'
  | 'cutoff_time'
  | 'sort'
  | 'status';

/** The labels of the fields of a delivery time, and the texts of their values. */
export const usePromiseWords = (): RecordWords<PromiseField, 'provider' | 'status'> => {
  const { t } = useTexts();
  const { provider, status } = useKnownWords();
  return {
    promise_id: { label: t('promises.code') },
    provider,
    promise_name: { label: t('promises.name') },
    promise_name_en: { label: t('promises.name_en') },
    cutoff_time: { label: t('promises.cutoff') },
    sort: { label: t('promises.sort') },
    status,
  };
};
