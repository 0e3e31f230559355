import { useState } from 'react';
import { listAccounts } from '@waystation/contract/people/account.ts';
import { managers } from '@waystation/contract/base/roles.ts';
import { mostPageSize } from '@waystation/contract/base/limits.ts';
import { providers } from '@waystation/contract/network/provider.ts';
import {
  boundedHandovers,
  countHandovers,
  handoverStatuses,
  listHandovers,
} from '@waystation/contract/parcels/handover.ts';
import type { Handover } from '@waystation/contract/parcels/handover.ts';
import { useFormat } from '#base/format.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { usePermitted } from '#shell/session/session.ts';
import { openScreen } from '#shell/tabs/open-screen.ts';
import { choicesOf } from '#resource/list/list-filters.ts';
import type { ListFilter } from '#resource/list/list-filters.ts';
import { ListPage } from '#resource/list/list-page.tsx';
import { useList } from '#resource/list/use-list.ts';
import { useStationFilter } from '#resource/stations/station-filter.tsx';
import { useSeveralStations } from '#resource/stations/station-picker.tsx';
import type { RowAction } from '#ui/overlay/row-action.ts';
import { BeginDialog } from './handovers/begin-dialog.tsx';
import { HandoverCard, useHandoverColumns } from './handovers/columns.tsx';
import { usePrintList } from './handovers/print-list.ts';
import { useHandoverWords } from '#parcels/handover-words.ts';

const useFilters = (several: boolean): ListFilter[] => {
  const { language } = useTexts();
  const say = useHandoverWords();
  const station = useStationFilter();
  const seesOthers = usePermitted(managers);
  const { data: people } = useCall(listAccounts, seesOthers ? { page_size: mostPageSize } : null, {
    quiet: true,
    staleTime: 300_000,
  });
  return [
    { key: 'opened', kind: 'days', label: say('days') },
    ...(several ? [{ ...station, more: false }] : []),
    {
      key: 'provider',
      kind: 'choice',
      label: say('carrier'),
      options: choicesOf(providers, language),
    },
    ...(seesOthers
      ? [
          {
            key: 'user_id',
            kind: 'choice',
            label: say('user'),
            options: (people?.items ?? []).map(({ id, nickname, username }) => ({
              value: String(id),
              label: nickname || username,
            })),
          } as const,
        ]
      : []),
    {
      key: 'status',
      kind: 'choice',
      label: say('status'),
      options: choicesOf(handoverStatuses, language),
    },
  ];
};

/**
 * The page of hand-overs (requirements §2, HandoverTable): every courier's visit, with the parcels
 * handed over.
 */
export const Page = () => {
  const { t } = useTexts();
  const say = useHandoverWords();
  const format = useFormat();
  const several = useSeveralStations();
  const [beginning, setBeginning] = useState(false);
  const { print } = usePrintList();
  const list = useList({
    name: 'handovers',
    endpoint: listHandovers,
    counts: countHandovers,
    filters: useFilters(several),
    sort: '-opened_at',
    bounded: boundedHandovers,
    exportable: true,
  });
  const open = ({ id }: Handover): void => openScreen('HandoverPage', { id });
  const actions: RowAction<Handover>[] = [
    { key: 'open', label: say('open'), run: open },
    {
      key: 'print',
      label: say('print'),
      visible: ({ status }) => status === 'closed',
      run: ({ id }) => void print(id),
    },
  ];
  const { answer, stale } = list.counts;
  const sums =
    stale || !answer
      ? '…'
      : answer.packages === null
        ? '—'
        : say('sums', { count: format.number(answer.packages) });
  return (
    <ListPage
      list={list}
      title={t('menu.handovers')}
      searches={say('searches')}
      columns={useHandoverColumns({ actions, several, open })}
      nameOf={({ id }) => say('title', { id })}
      card={HandoverCard}
      create={{ label: say('begin'), run: () => setBeginning(true) }}
      keys={[{ keys: 'o', label: say('open'), run: open }]}
      hint={say('hint')}
      slots={{ sums }}
    >
      {beginning && (
        <BeginDialog
          onOpened={({ id }) => openScreen('HandoverPage', { id })}
          onClose={() => setBeginning(false)}
        />
      )}
    </ListPage>
  );
};
