import { percentTypes } from '@waystation/contract/network/project.ts';
import type { PercentType } from '@waystation/contract/money/terms.ts';
import { useTexts } from '#base/texts.ts';
import { useKnownWords } from '#resource/record/known-words.ts';
import type { RecordWords } from '#resource/record/record-words.ts';

export type ProjectField = 'name' | 'percent_type' | 'voucher_ids' | 'status';

/** The labels of the fields of a scheme, and the texts of their values. */
export const useProjectWords = (): RecordWords<ProjectField, 'percent_type' | 'status'> => {
  const { t, language } = useTexts();
  const { status } = useKnownWords();
  return {
    name: { label: t('projects.name') },
    percent_type: {
      label: t('projects.percent_type'),
      show: (value) => percentTypes[value as PercentType]?.[language] ?? String(value),
    },
    voucher_ids: {
      label: t('projects.matrix'),
      show: (value) =>
        Array.isArray(value) ? t('projects.templates', { count: value.length }) : String(value),
    },
    status,
  };
};

export const usePercentOptions = (): { value: PercentType; label: string }[] => {
  const { language } = useTexts();
  return Object.entries(percentTypes).map(([value, words]) => ({
    value: Number(value) as PercentType,
    label: words[language],
  }));
};
