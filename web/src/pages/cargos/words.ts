import { cargoTypes } from '@waystation/contract/parcels/cargo.ts';
import type { CargoType } from '@waystation/contract/parcels/cargo.ts';
import {
  knownProviders,
  offeredProviders,
  providers,
} from '@waystation/contract/network/provider.ts';
import type { Provider } from '@waystation/contract/network/provider.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { useTexts } from '#base/texts.ts';
import type { RecordWords } from '#resource/record/record-words.ts';

export type CargoField =
  | 'name'
  | 'type'
  | 'provider'
  | 'priority'
  | 'banned'
  | 'banned_reason'
  | 'status';

/** The labels of the fields of goods, and the texts of their values. */
export const useCargoWords = (): RecordWords<
  CargoField,
  'type' | 'provider' | 'banned' | 'status'
> => {
  const { t, language } = useTexts();
  return {
    name: { label: t('cargos.name') },
    type: {
      label: t('cargos.type'),
      show: (value) => cargoTypes[Number(value) as CargoType]?.[language] ?? String(value),
    },
    provider: {
      label: t('cargos.provider'),
      show: (value) => providers[value as Provider]?.[language] ?? String(value),
    },
    priority: { label: t('cargos.priority') },
    banned: {
      label: t('cargos.banned'),
      show: (value) => t(value === 1 ? 'cargos.banned_tag' : 'cargos.allowed'),
    },
    banned_reason: { label: t('cargos.banned_reason') },
    status: {
      label: t('lists.status'),
      show: (value) => t(value === 1 ? 'lists.enabled' : 'lists.disabled'),
    },
  };
};

/** The options for goods type and carrier, in the user's language. */
export const useCargoOptions = () => {
  const { language } = useTexts();
  return {
    types: Object.entries(cargoTypes).map(([type, words]) => ({
      value: Number(type),
      label: words[language],
    })),
    carriers: offeredProviders.map((value) => ({
      value,
      label: wordOf(providers, value, language),
    })),
    carrierFilter: knownProviders.map((value) => ({
      value,
      label: wordOf(providers, value, language),
    })),
  };
};
