import {
  knownProviders,
  offeredProviders,
  providers,
} from '@waystation/contract/network/provider.ts';
import type { Provider } from '@waystation/contract/network/provider.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { useTexts } from '#base/texts.ts';
import type { FieldWords } from './record-words.ts';

/** The labels and possible values of fields that many kinds of records have. */
export const useKnownWords = (): {
  status: Required<FieldWords>;
  provider: Required<FieldWords>;
  carriers: { value: Provider; label: string }[];
  carrierFilter: { value: Provider; label: string }[];
  statuses: { value: string; label: string }[];
} => {
  const { t, language } = useTexts();
  return {
    status: {
      label: t('lists.status'),
      show: (value) => t(value === 1 ? 'lists.enabled' : 'lists.disabled'),
    },
    provider: {
      label: t('common.carrier'),
      show: (value) => providers[value as Provider]?.[language] ?? String(value),
    },
    carriers: offeredProviders.map((value) => ({
      value,
      label: wordOf(providers, value, language),
    })),
    carrierFilter: knownProviders.map((value) => ({
      value,
      label: wordOf(providers, value, language),
    })),
    statuses: [
      { value: '1', label: t('lists.enabled') },
      { value: '0', label: t('lists.disabled') },
    ],
  };
};
