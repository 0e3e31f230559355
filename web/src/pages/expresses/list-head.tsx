import { PlusOutlined, ReloadOutlined } from '@ant-design/icons-svg';
import type { ReactNode } from 'react';
import type { OutputOf } from '@waystation/contract/endpoint.ts';
import type { listExpresses } from '@waystation/contract/express-calls.ts';
import type { ExpressRow, ExpressTab } from '@waystation/contract/express.ts';
import { useFormat } from '#base/format.ts';
import type { SearchPatch } from '#base/href.ts';
import { openScreen } from '#shell/tabs/open-screen.ts';
import { useTexts } from '#base/texts.ts';
import { ColumnSettings } from '#resource/list/column-settings.tsx';
import { ExportButton } from '#resource/list/export-button.tsx';
import type { Arranged } from '#resource/list/use-columns.ts';
import { ViewsBar } from '#resource/list/views-bar.tsx';
import { kilograms, yuan } from '#ui/values/amounts.ts';
import { Button } from '#ui/button.tsx';
import { FilterChips } from '#resource/list/filter-chips.tsx';
import { Icon } from '#ui/icon.tsx';
import { TabStrip } from '#ui/tab-strip.tsx';
import type { ParcelList } from './as-list.ts';
import styles from './expresses.module.css';
import { FilterBar } from './filter-bar.tsx';
import { withoutChip, withoutChips } from './filters.ts';
import type { ChipKey, Filters } from './filters.ts';
import { MissingNumbers } from './missing-numbers.tsx';
import { readSearch } from './numbers.ts';
import { QuickSearch } from './quick-search.tsx';
import type { useChips } from './use-chips.ts';

type List = OutputOf<typeof listExpresses> | undefined;

const tabOrder = [
  'awaiting_pickup',
  'in_transit',
  'delivering',
  'signed',
  'exception',
  'returned',
  'on_hold',
  'ordering',
  'failed',
  'draft',
  'cancelled',
] as const satisfies readonly ExpressTab[];

/** How many parcels are listed and what they come to; where no state is chosen, which of them that counts beside those with a waybill. */
const Totals = ({ list, every }: { list: List; every: boolean }) => {
  const { t } = useTexts();
  const format = useFormat();
  if (!list) return null;
  const words = { count: format.number(list.total), amount: yuan(list.sums.post_amount), weight: kilograms(list.sums.weight) };
  return (
    <p className={styles['totals']}>
      {list.total_is_capped === 1 ? t('expresses.totals_least', words) : t('expresses.totals', words)}
      {every && <span title={t('expresses.totals_every_long')}> · {t('expresses.totals_every')}</span>}
    </p>
  );
};

interface Props {
  list: List;
  filters: Filters;
  /** Id of the table's panel, which the tabs control. */
  panel: string;
  chips: ReturnType<typeof useChips>['chips'];
  stationName: string;
  narrow: boolean;
  reading: { stale: boolean; busy: boolean; at: number; again: () => void };
  /** In place of the time of reading, while rows are chosen. */
  selectionBar: ReactNode;
  /** Columns as this user arranged them. */
  arranged: Arranged<ExpressRow>;
  /** The list as views and exports take it. */
  shared: ParcelList;
  change: (patch: SearchPatch) => void;
  setSearch: (patch: SearchPatch) => void;
}

const Actions = ({ narrow, reading, selectionBar, arranged, shared }: Pick<Props, 'narrow' | 'reading' | 'selectionBar' | 'arranged' | 'shared'>) => {
  const { t } = useTexts();
  const format = useFormat();
  return (
    <div className={styles['actions']}>
      {!narrow && (
        <Button type="primary" icon={<Icon of={PlusOutlined} />} onClick={() => openScreen('ExpressStore')}>
          {t('expresses.new')}
        </Button>
      )}
      {!narrow && <ExportButton list={shared} arranged={arranged} />}
      {selectionBar !== null && !narrow ? (
        selectionBar
      ) : (
        <span className={styles['read']}>
          {reading.at > 0 && t('expresses.read_at', { time: format.clock(reading.at) })}
          <Button
            type="text"
            icon={<Icon of={ReloadOutlined} spin={reading.busy} />}
            aria-label={t('expresses.refresh')}
            title={`${t('expresses.refresh')} (R)`}
            onClick={reading.again}
          />
        </span>
      )}
      {!narrow && <ColumnSettings arranged={arranged} />}
    </div>
  );
};

/** Everything over the table: totals, state tabs, search, filters with their chips, what was not found, and what can be done. */
export const ListHead = ({ list, filters, panel, chips, stationName, narrow, reading, selectionBar, arranged, shared, change, setSearch }: Props) => {
  const { t } = useTexts();
  const format = useFormat();
  const asked = readSearch(filters.q).numbers;
  return (
    <>
      <header className={styles['head']}>
        <h1>{t('menu.expresses')}</h1>
        <ViewsBar list={shared} arranged={arranged} />
        <Totals list={list} every={filters.tab === null && filters.group === null} />
      </header>
      <TabStrip<ExpressTab | 'all'>
        label={t('expresses.states')}
        controls={panel}
        value={filters.tab ?? 'all'}
        onChange={(tab) => change({ tab: tab === 'all' ? undefined : tab })}
        tabs={(['all', ...tabOrder] as const).map((tab) => ({
          key: tab,
          label: t(`expresses.tabs.${tab}`),
          count: list?.tabs[tab] === undefined ? undefined : format.number(list.tabs[tab]),
          empty: list?.tabs[tab] === 0,
        }))}
      />
      <div className={styles['filters']}>
        <QuickSearch q={filters.q} onSearch={(q) => change({ q })} />
        <FilterBar filters={filters} stationName={stationName} onChange={change} />
        {narrow && (
          <Button
            type="primary"
            className={styles['add']!}
            icon={<Icon of={PlusOutlined} />}
            aria-label={t('expresses.new')}
            onClick={() => openScreen('ExpressStore')}
          />
        )}
      </div>
      <FilterChips chips={chips} onRemove={(key) => setSearch(withoutChip(key as ChipKey))} onClear={() => setSearch(withoutChips)} />
      {asked > 0 && list && !reading.stale && <MissingNumbers asked={asked} missing={list.missing} listed={list.total} />}
      <Actions narrow={narrow} reading={reading} selectionBar={selectionBar} arranged={arranged} shared={shared} />
    </>
  );
};
