import { useState } from 'react';
import { office } from '@waystation/contract/base/roles.ts';
import { getStation } from '@waystation/contract/network/station.ts';
import { statementStatuses, statementTypes } from '@waystation/contract/money/statement.ts';
import { usePageSearch } from '#shell/tabs/page.ts';
import { useCall } from '#base/query.ts';
import { useUser } from '#shell/session/session.ts';
import { useTexts } from '#base/texts.ts';
import { choicesOf } from '#resource/list/list-filters.ts';
import type { ListFilter } from '#resource/list/list-filters.ts';
import { StationPicker } from '#resource/stations/station-picker.tsx';
import { latestMonths } from './months.ts';

const monthsShown = 36;

/**
 * The chosen station of the filter `key`. Its name is requested if the list of options does not
 * contain it yet.
 */
const useChosenStation = (key: 'station_id' | 'earned_from') => {
  const [search] = usePageSearch();
  const [names, setNames] = useState<Record<string, string>>({});
  const chosen = /^[1-9]\d{0,14}$/.test(search[key] ?? '') ? search[key]! : '';
  const read = useCall(
    getStation,
    chosen !== '' && names[chosen] === undefined ? { id: Number(chosen) } : null,
    { quiet: true, staleTime: 60_000 },
  );
  const nameOf = (id: string): string | undefined =>
    names[id] ?? (String(read.data?.id) === id ? read.data?.name : undefined);
  return { chosen, nameOf, know: (id: number, name: string) => setNames({ ...names, [id]: name }) };
};

/**
 * The filters of the list of transactions. `several` is true if the user sees more than one
 * station.
 */
export const useStatementFilters = (several: boolean): ListFilter[] => {
  const { t, language } = useTexts();
  const isOffice = office.includes(useUser().role);
  const own = useChosenStation('station_id');
  const source = useChosenStation('earned_from');
  const [months] = useState(() =>
    latestMonths(Date.now(), monthsShown).map((value) => ({ value, label: value })),
  );
  const station = (
    key: 'station_id' | 'earned_from',
    label: string,
    { nameOf, know }: ReturnType<typeof useChosenStation>,
  ): ListFilter => ({
    key,
    kind: 'own',
    label,
    words: (id) => nameOf(id) ?? `#${id}`,
    control: (value, change, bare) => (
      <StationPicker
        label={label}
        bare={bare}
        clearable
        value={value === '' ? null : Number(value)}
        shown={nameOf(value)}
        onChange={(id, name) => {
          if (id !== null) know(id, name);
          change(id === null ? undefined : String(id));
        }}
      />
    ),
  });
  const below: ListFilter = {
    key: 'with_children',
    kind: 'choice',
    label: t('statements.below'),
    options: [{ value: '1', label: t('statements.with_below') }],
  };
  return [
    ...(several ? [station('station_id', t('common.station'), own)] : []),
    ...(several && own.chosen !== '' ? [below] : []),
    { key: 'period', kind: 'choice', label: t('statements.period'), options: months },
    {
      key: 'type',
      kind: 'choices',
      label: t('statements.type'),
      options: choicesOf(statementTypes, language),
    },
    { key: 'posted', kind: 'days', label: t('statements.posted'), more: true },
    {
      key: 'status',
      kind: 'choice',
      label: t('statements.status'),
      options: choicesOf(statementStatuses, language),
      more: true,
    },
    {
      key: 'sign',
      kind: 'choice',
      label: t('statements.sign'),
      options: [
        { value: 'in', label: t('statements.gained') },
        { value: 'out', label: t('statements.spent') },
      ],
      more: true,
    },
    {
      key: 'closed',
      kind: 'choice',
      label: t('statements.books'),
      options: [
        { value: '0', label: t('statements.open') },
        { value: '1', label: t('statements.closed') },
      ],
      more: true,
    },
    ...(isOffice
      ? [
          {
            key: 'billed',
            kind: 'choice' as const,
            label: t('statements.billed'),
            options: [
              { value: '0', label: t('statements.billed_not') },
              { value: '1', label: t('statements.billed_yes') },
            ],
            more: true,
          },
        ]
      : []),
    { key: 'amount', kind: 'amounts', label: t('statements.amount'), more: true },
    ...(several
      ? [{ ...station('earned_from', t('statements.earned_from'), source), more: true }]
      : []),
  ];
};
