import { providers } from '@waystation/contract/network/provider.ts';
import { listOutcomes } from '@waystation/contract/parcels/order-outcome.ts';
import type { OrderOutcome } from '@waystation/contract/parcels/order-outcome.ts';
import { useTexts } from '#base/texts.ts';
import { openScreen } from '#shell/tabs/open-screen.ts';
import { choicesOf } from '#resource/list/list-filters.ts';
import type { ListFilter } from '#resource/list/list-filters.ts';
import { ListPage } from '#resource/list/list-page.tsx';
import { useList } from '#resource/list/use-list.ts';
import { useStationFilter } from '#resource/stations/station-filter.tsx';
import type { RowAction } from '#ui/overlay/row-action.ts';
import { OutcomeCard, useOutcomeColumns } from './outcomes/columns.tsx';
import { useOutcomeWords } from './outcomes/words.ts';

const useFilters = (): ListFilter[] => {
  const { language } = useTexts();
  const say = useOutcomeWords();
  const station = useStationFilter();
  return [
    {
      key: 'open',
      kind: 'choice',
      label: say('status'),
      options: [
        { value: '1', label: say('open') },
        { value: '0', label: say('settled') },
      ],
    },
    { key: 'since', kind: 'days', label: say('since') },
    { ...station, more: false },
    {
      key: 'provider',
      kind: 'choice',
      label: say('carrier'),
      options: choicesOf(providers, language),
    },
  ];
};

/**
 * The page of all orders whose outcome at the carrier was ever unknown (requirements §2,
 * OutcomeTable).
 */
export const Page = () => {
  const { t } = useTexts();
  const say = useOutcomeWords();
  const list = useList({
    name: 'outcomes',
    endpoint: listOutcomes,
    filters: useFilters(),
    sort: '-is_open',
  });
  const open = ({ express_id }: OrderOutcome): void =>
    openScreen('OutcomePage', { id: express_id });
  const actions: RowAction<OrderOutcome>[] = [{ key: 'open', label: say('open_page'), run: open }];
  return (
    <ListPage
      list={list}
      title={t('menu.outcomes')}
      searches={say('searches')}
      columns={useOutcomeColumns({ actions, open })}
      nameOf={({ order_id }) => order_id}
      card={OutcomeCard}
      keys={[{ keys: 'o', label: say('open_page'), run: open }]}
      hint={say('hint')}
    />
  );
};
