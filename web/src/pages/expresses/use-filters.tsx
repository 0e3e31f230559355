import {
  exceptionWords,
  isExceptionKind,
} from '@waystation/contract/parcels/express-exceptions.ts';
import type { ReactNode } from 'react';
import type { ExpressArrival, ExpressGroup } from '@waystation/contract/parcels/express.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { usePageSearch } from '#shell/tabs/page.ts';
import { useTexts } from '#base/texts.ts';
import { rangeWords } from '#resource/list/list-filters.ts';
import type { ListFilter, OwnFilter } from '#resource/list/list-filters.ts';
import { useStationFilter } from '#resource/stations/station-filter.tsx';
import { kg } from '#ui/values/amounts.ts';
import { useDivisions } from '#ui/fields/divisions.ts';
import { useSeveralStations } from '#resource/stations/station-picker.tsx';
import { ButtonChoice, CheckFilter, OptionsFilter } from './filter-controls.tsx';
import { idFilters, useIdChoices, useIdFilters, useOrderChoices } from './filter-choices.ts';
import type { IdFilter } from './filter-choices.ts';
import { filterRules, readParcelPlace } from './filters.ts';

interface FieldProps {
  label: string;
  value: string;
  change: (value: string | undefined) => void;
}

const PromiseField = (field: FieldProps) => (
  <OptionsFilter {...field} options={useOrderChoices(useStationId(), true).promises} />
);
const GoodsField = (field: FieldProps) => (
  <OptionsFilter
    {...field}
    shown={field.value}
    options={useOrderChoices(useStationId(), true).goods}
  />
);
const ProvinceField = (field: FieldProps) => {
  const { divisions } = useDivisions(true);
  return (
    <OptionsFilter
      {...field}
      options={(divisions?.provinces ?? []).map(({ name }) => ({ value: name, label: name }))}
    />
  );
};
const IdField = ({ of, ...field }: FieldProps & { of: IdFilter }) => (
  <OptionsFilter {...field} options={useIdChoices(true)[of] ?? []} />
);

/** The id of the station in the list's filter; null if there is none. */
const useStationId = (): number | null => {
  const [search] = usePageSearch();
  return Number(readParcelPlace(search).values['station_id']) || null;
};

const nothing = (): null => null;

const itself = (value: string): string => value;

/** A filter without a control in the filter bar. Tabs, links and buttons set it in the URL. */
const byAddress = (
  key: 'tab' | 'exception' | 'group' | 'import_id' | 'searched_before' | 'arrived',
  label: string,
  words: OwnFilter['words'],
): ListFilter => ({ ...filterRules[key], label, hidden: true, words, control: nothing });

/**
 * The filters of the parcel list. The options of a filter are requested when the filter is opened,
 * or when its chip must show a name.
 */
export const useParcelFilters = (): readonly ListFilter[] => {
  const { t, language } = useTexts();
  const [search] = usePageSearch();
  const { values } = readParcelPlace(search);
  const several = useSeveralStations();
  const station = useStationFilter();
  const { promises } = useOrderChoices(useStationId(), values['promise_id'] !== undefined);
  const offered = useIdFilters();
  const ids = useIdChoices(idFilters.some((key) => values[key] !== undefined));
  const any = { value: '', label: t('common.any') };
  const flags = (words: readonly [no: string, yes: string], order: readonly ('0' | '1')[]) => [
    any,
    ...order.map((value) => ({ value, label: words[Number(value) as 0 | 1] })),
  ];
  const buttons = (
    key: 'weight_difference' | 'insured' | 'printed' | 'unmoved_hours',
    options: readonly { value: string; label: string }[],
    words: (value: string) => string,
  ): ListFilter => {
    const label = t(`expresses.filter.${key}`);
    return {
      ...filterRules[key],
      label,
      more: true,
      words,
      control: (value: string, change: FieldProps['change']): ReactNode => (
        <ButtonChoice label={label} value={value} options={options} onChange={change} />
      ),
    };
  };
  const picked = (
    key: 'promise_id' | 'receive_province' | 'goods',
    Field: (props: FieldProps) => ReactNode,
    words: (value: string) => string,
  ) => {
    const label = t(`expresses.filter.${key}`);
    return {
      ...filterRules[key],
      label,
      more: true,
      words,
      control: (value: string, change: FieldProps['change']): ReactNode => (
        <Field label={label} value={value} change={change} />
      ),
    };
  };
  const insured = [t('expresses.insured_no'), t('expresses.insured_yes')] as const;
  const printed = [t('expresses.printed_no'), t('expresses.printed_yes')] as const;
  const unmoved = (hours: string): string => t('expresses.unmoved_for', { hours });
  const difference = (grams: string): string => `≥ ${kg(Number(grams))}`;
  return [
    byAddress('tab', t('expresses.states'), itself),
    { ...filterRules.created, label: t('expresses.filter.created') },
    { ...station, ...filterRules.station_id, more: false, hidden: !several },
    picked(
      'promise_id',
      PromiseField,
      (value) => promises.find((promise) => promise.value === value)?.label ?? value,
    ),
    picked('receive_province', ProvinceField, itself),
    picked('goods', GoodsField, itself),
    ...idFilters.map((key): ListFilter => {
      const label = t(`expresses.filter.${key}`);
      return {
        ...filterRules[key],
        label,
        more: true,
        hidden: !offered.includes(key),
        words: (id) => ids[key]?.find(({ value }) => value === id)?.label ?? `#${id}`,
        control: (value, change) => (
          <IdField of={key} label={label} value={value} change={change} />
        ),
      };
    }),
    { ...filterRules.post_amount, label: t('expresses.filter.post_amount'), more: true },
    buttons(
      'weight_difference',
      [any, ...['100', '500', '1000'].map((value) => ({ value, label: difference(value) }))],
      difference,
    ),
    buttons('insured', flags(insured, ['1', '0']), (value) => insured[Number(value) as 0 | 1]),
    buttons('printed', flags(printed, ['0', '1']), (value) => printed[Number(value) as 0 | 1]),
    buttons(
      'unmoved_hours',
      [any, ...['24', '48', '72'].map((value) => ({ value, label: unmoved(value) }))],
      unmoved,
    ),
    byAddress('exception', t('expresses.filter.exception'), (value) =>
      isExceptionKind(value)
        ? wordOf(exceptionWords, value, language)
        : t('expresses.exceptions_all'),
    ),
    {
      ...filterRules.need_retry,
      label: t('expresses.filter.need_retry'),
      more: true,
      words: () => t('expresses.need_retry'),
      control: (value, change) => (
        <CheckFilter label={t('expresses.need_retry')} checked={value === '1'} onChange={change} />
      ),
    },
    byAddress('group', t('expresses.filter.group'), (group) =>
      t(`expresses.group.${group as ExpressGroup}`),
    ),
    byAddress('import_id', t('menu.imports'), (id) => id),
    byAddress('searched_before', t('expresses.filter.searched_before'), () =>
      t('expresses.older_parcels'),
    ),
    byAddress(
      'arrived',
      t('expresses.filter.arrived'),
      (arrival, { arrived_from: from, arrived_to: to }) =>
        [
          t(`expresses.arrived.${arrival as ExpressArrival}`),
          ...(from === undefined && to === undefined ? [] : [rangeWords(from, to)]),
        ].join(' · '),
    ),
  ];
};
