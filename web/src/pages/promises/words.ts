import { useTexts } from '#app/texts.ts';
import { useKnownWords } from '#parts/known-words.ts';
import type { RecordWords } from '#parts/record-words.ts';

export type PromiseField = 'promise_id' | 'promise_name' | 'promise_name_en' | 'provider' | 'cutoff_time' | 'sort' | 'status';

/** How the fields of a delivery time are called, and what their values say. */
export const usePromiseWords = (): RecordWords<PromiseField> => {
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
