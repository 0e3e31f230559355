import { yuan } from '#ui/values/amounts.ts';
import { useTexts } from '#base/texts.ts';
import type { ListFilter } from '#resource/list/list-filters.ts';
import { StationPicker } from '#resource/stations/station-picker.tsx';
import { MoneyField } from '#ui/fields/number-fields.tsx';
import { useOfficeChoices } from './use-office-choices.ts';
import { useStationWords } from './words.ts';

const digits = /^-?\d{1,12}$/;

/** The filters of a list of stations. `names` maps the ids of stations to their names. */
export const useStationFilters = (
  names: ReadonlyMap<number, string>,
  office: boolean,
): ListFilter[] => {
  const { t } = useTexts();
  const words = useStationWords();
  const { projects } = useOfficeChoices();
  const flag = (
    key: 'has_amount' | 'allow_print' | 'allow_select' | 'enable_profit',
  ): ListFilter => ({
    key,
    kind: 'choice',
    label: words[key].label,
    options: [1, 0].map((value) => ({ value: String(value), label: words[key].show(value) })),
    more: true,
  });
  const sum = (key: 'available_from' | 'available_to', label: string): ListFilter => ({
    key,
    kind: 'own',
    label,
    more: true,
    words: (value) => (digits.test(value) ? yuan(Number(value)) : value),
    control: (value, change) => (
      <MoneyField
        label={label}
        value={digits.test(value) ? Number(value) : null}
        onChange={(fen) => change(fen === null || Number.isNaN(fen) ? undefined : String(fen))}
      />
    ),
  });
  return [
    {
      key: 'status',
      kind: 'choice',
      label: t('stations.filter_status'),
      options: [1, 0].map((value) => ({ value: String(value), label: words.status.show(value) })),
    },
    {
      key: 'low',
      kind: 'choice',
      label: t('stations.filter_money'),
      options: [{ value: '1', label: t('stations.filter_low') }],
    },
    ...(office
      ? [
          {
            key: 'project_id',
            kind: 'choice' as const,
            label: t('stations.project'),
            options: projects.map(({ value, label }) => ({ value: String(value), label })),
          },
        ]
      : []),
    {
      key: 'parent_id',
      kind: 'own',
      label: t('stations.filter_parent'),
      more: true,
      words: (value) => names.get(Number(value)) ?? `#${value}`,
      control: (value, change) => (
        <StationPicker
          label={t('stations.filter_parent')}
          value={/^[1-9]\d{0,14}$/.test(value) ? Number(value) : null}
          shown={names.get(Number(value))}
          onChange={(id) => change(id === null ? undefined : String(id))}
          clearable
        />
      ),
    },
    { key: 'province', kind: 'text', label: t('stations.filter_province'), more: true },
    {
      key: 'silent_days',
      kind: 'choice',
      label: t('stations.filter_silent'),
      options: ['3', '7', '30'].map((days) => ({
        value: days,
        label: t('stations.silent_for', { days }),
      })),
      more: true,
    },
    {
      key: 'lasts_days',
      kind: 'choice',
      label: t('stations.filter_lasts'),
      options: ['3', '7', '14', '30'].map((days) => ({
        value: days,
        label: t('stations.lasts_for', { days }),
      })),
      more: true,
    },
    {
      key: 'negative',
      kind: 'choice',
      label: t('stations.filter_negative'),
      options: [{ value: '1', label: t('stations.yes') }],
      more: true,
    },
    {
      key: 'owing',
      kind: 'choice',
      label: t('stations.filter_owing'),
      options: [{ value: '1', label: t('stations.yes') }],
      more: true,
    },
    sum('available_from', t('stations.filter_from')),
    sum('available_to', t('stations.filter_to')),
    flag('has_amount'),
    flag('allow_print'),
    flag('allow_select'),
    flag('enable_profit'),
  ];
};
