import { stateCode } from '@waystation/contract/express-states.ts';
import { PlusOutlined } from '@ant-design/icons-svg';
import { useId, useState } from 'react';
import type { ComponentProps } from 'react';
import { listExpresses } from '@waystation/contract/express-calls.ts';
import { office } from '@waystation/contract/roles.ts';
import type { ExpressRow } from '@waystation/contract/express.ts';
import { useFormat } from '#base/format.ts';
import type { Search } from '#base/href.ts';
import { openScreen } from '#shell/tabs/open-screen.ts';
import { usePageSearch } from '#shell/tabs/page.ts';
import type { SetSearch } from '#shell/tabs/page.ts';
import { preloadQuery, useCall } from '#base/query.ts';
import { usePermitted } from '#shell/session/session.ts';
import { useShortcuts } from '#base/shortcuts.ts';
import { useTexts } from '#base/texts.ts';
import { useNarrow } from '#base/viewport.ts';
import { WatchedJob } from '#resource/jobs/watched-job.tsx';
import { useColumns } from '#resource/list/use-columns.ts';
import { useParcelActions } from '#parcels/parcel-actions.tsx';
import { missingAmount, numberOf } from '#parcels/parcel-rules.ts';
import { usePrinting } from '#printing/printing.tsx';
import { useSeveralStations } from '#resource/stations/station-picker.tsx';
import { ActionMenu } from '#ui/overlay/action-menu.tsx';
import { Button } from '#ui/button.tsx';
import { Empty } from '#ui/empty.tsx';
import { useOnceOpen } from '#ui/use-once-open.ts';
import { Icon } from '#ui/icon.tsx';
import { Pager } from '#ui/pager.tsx';
import { ResourceTable } from '#resource/table/resource-table.tsx';
import { lazyComponent } from '#ui/lazy.tsx';
import { inListOrder, refreshed, useSelection } from '#resource/table/selection.ts';
import { asList } from './expresses/as-list.ts';
import { mostChosen, useChooseAll } from './expresses/choose-all.ts';
import { columnsOf } from './expresses/columns.tsx';
import { drawerTab } from './expresses/drawer-tab.ts';
import { presetsOf } from './expresses/presets.ts';
import { defaultSize, filterPatch, isFiltered, listInput, readFilters, withoutChips } from './expresses/filters.ts';
import type { Filters } from './expresses/filters.ts';
import styles from './expresses/expresses.module.css';
import { ListHead } from './expresses/list-head.tsx';
import { ParcelCard } from './expresses/parcel-card.tsx';
import { SelectionBar } from './expresses/selection-bar.tsx';
import { useChips } from './expresses/use-chips.ts';
import { useRowKeys } from './expresses/use-row-keys.ts';
import { walkOf } from './expresses/use-walk.ts';
import { WhyPopup } from './expresses/why-popup.tsx';

const shows = [listExpresses] as const;

interface At {
  row: ExpressRow;
  anchor: HTMLElement;
}

/** How soon the list is read again: an order's outcome is near, a top-up that frees what is on hold may come any time. */
const paceOf = (rows: readonly ExpressRow[]): number | false => {
  if (rows.some((row) => row.state_code === stateCode.ordering || row.canceling === 1 || row.modifying === 1)) return 3_000;
  return rows.some((row) => row.state_code === stateCode.onHold) && 10_000;
};

/** The list as the search names it, read again by itself while something on it waits. */
const useParcels = (filters: Filters) => {
  const [pace, setPace] = useState<number | false>(false);
  const reading = useCall(listExpresses, listInput(filters), { keep: true, refetchInterval: pace });
  const wanted = paceOf(reading.data?.items ?? []);
  if (wanted !== pace) setPace(wanted);
  return reading;
};

/** Fetched when the first parcel is opened. */
const FetchedDrawer = lazyComponent(async () => (await import('./expresses/parcel-drawer.tsx')).ParcelDrawer);

const ParcelDrawer = (props: ComponentProps<typeof FetchedDrawer>) => useOnceOpen(props.id !== null) && <FetchedDrawer {...props} />;

const Nothing = ({ filters, onClear }: { filters: Filters; onClear: () => void }) => {
  const { t } = useTexts();
  if (isFiltered(filters))
    return (
      <Empty title={t('expresses.none_match')} hint={t('expresses.none_match_hint')}>
        <Button onClick={onClear}>{t('common.clear_filters')}</Button>
      </Empty>
    );
  return (
    <Empty title={t('expresses.none_yet')} hint={t('expresses.none_yet_hint')}>
      <Button type="primary" icon={<Icon of={PlusOutlined} />} onClick={() => openScreen('ExpressStore')}>
        {t('expresses.new')}
      </Button>
    </Empty>
  );
};

const Pages = ({ list, filters, setSearch }: { list: ReturnType<typeof useParcels>['data']; filters: Filters; setSearch: SetSearch }) =>
  list !== undefined && list.items.length > 0 ? (
    <Pager
      page={filters.page}
      size={filters.size}
      total={list.total}
      capped={list.total_is_capped === 1}
      onPage={(page) => setSearch({ page: page === 1 ? undefined : page })}
      onSize={(size) => setSearch({ size: size === defaultSize ? undefined : size, page: undefined })}
    />
  ) : null;

export const preload = (search: Search): Promise<void> => preloadQuery(listExpresses, listInput(readFilters(search)));

export const Page = () => {
  const { t, language } = useTexts();
  const format = useFormat();
  const panel = useId();
  const [search, setSearch] = usePageSearch();
  const filters = readFilters(search);
  const { data, error, isPlaceholderData, isFetching, dataUpdatedAt, refetch } = useParcels(filters);
  const rows = data?.items;
  const selection = useSelection<ExpressRow>();
  const chosen = inListOrder(refreshed(selection.state, rows ?? []), filters.sort);
  const chooseAll = useChooseAll(filters, selection.replace);
  const printing = usePrinting();
  const several = useSeveralStations();
  const narrow = useNarrow();
  const [why, setWhy] = useState<At | null>(null);
  const [menu, setMenu] = useState<At | null>(null);
  const { chips, stationName } = useChips(filters, rows ?? []);
  const opened = Number(search['id']) || null;
  const open = (row: ExpressRow): void => setSearch({ id: row.id }, { push: opened === null });
  const change = (patch: Parameters<typeof setSearch>[0]): void => setSearch(filterPatch(patch));
  const doing = useParcelActions(printing, open);
  const pages = data ? (data.total_is_capped === 1 ? Number.POSITIVE_INFINITY : Math.ceil(data.total / filters.size)) : 1;
  const columns = columnsOf(t, format, { several, english: language === 'en', office: usePermitted(office) }, doing.actions, {
    onOpen: open,
    onWhy: (row, anchor) => setWhy({ row, anchor }),
    onMore: (row, anchor) => setMenu({ row, anchor }),
    onTopUp: doing.mayTopUp ? (row) => doing.topUp({ station: { id: row.station_id, name: row.station_name }, amount: missingAmount(row) ?? 0 }) : null,
  });
  const arranged = useColumns('expresses', columns, presetsOf(t));
  const shared = asList(filters, search, setSearch, data);
  const selectionBar = (
    <SelectionBar
      rows={chosen}
      all={
        data && Math.min(data.total, mostChosen) > chosen.length && data.items.every(({ id }) => selection.rows.has(id))
          ? { total: format.number(Math.min(data.total, mostChosen)), busy: chooseAll.busy, choose: chooseAll.run }
          : null
      }
      printing={printing}
      onClear={selection.clear}
    />
  );
  const rowKeys = useRowKeys(printing, chosen);
  useShortcuts([
    { keys: 'n', label: t('expresses.new'), run: () => openScreen('ExpressStore') },
    { keys: 'r', label: t('expresses.refresh'), run: () => void refetch() },
  ]);
  return (
    <section className={styles['page']}>
      <ListHead
        list={data}
        filters={filters}
        panel={panel}
        chips={chips}
        stationName={stationName}
        narrow={narrow}
        reading={{ stale: isPlaceholderData, busy: isFetching, at: dataUpdatedAt, again: () => void refetch() }}
        selectionBar={chosen.length > 0 ? selectionBar : null}
        arranged={arranged}
        shared={shared}
        change={change}
        setSearch={setSearch}
      />
      <div id={panel} role="tabpanel" aria-labelledby={`${panel}-${filters.tab ?? 'all'}`} className={styles['table']}>
        <ResourceTable
          label={t('menu.expresses')}
          columns={arranged.shown}
          rows={rows}
          reading={{ error, stale: isPlaceholderData, retry: refetch }}
          empty={<Nothing filters={filters} onClear={() => setSearch({ ...withoutChips, q: undefined, tab: undefined })} />}
          sort={{ by: filters.sort, change: (sort) => change({ sort }) }}
          selection={selection}
          nameOf={numberOf}
          onOpen={open}
          keys={rowKeys}
          card={ParcelCard}
          place={JSON.stringify(listInput(filters))}
        />
      </div>
      <Pages list={data} filters={filters} setSearch={setSearch} />
      {narrow && chosen.length > 0 && selectionBar}
      <ParcelDrawer
        id={opened}
        row={rows?.find(({ id }) => id === opened)}
        tab={drawerTab(search['view'])}
        onTab={(view) => setSearch({ view: view === 'overview' ? undefined : view })}
        actions={doing.actions}
        onReprinted={search['reprint'] === '1' ? () => setSearch({ reprint: undefined }) : null}
        {...walkOf(opened, rows ?? [], filters, pages, setSearch)}
        onClose={() => setSearch({ id: undefined, view: undefined, reprint: undefined })}
      />
      {why && (
        <WhyPopup
          key={why.row.id}
          row={why.row}
          anchor={why.anchor}
          onClose={() => setWhy(null)}
          onMore={() => {
            setWhy(null);
            setSearch({ id: why.row.id, view: 'price' }, { push: true });
          }}
        />
      )}
      {menu && (
        <ActionMenu
          anchor={menu.anchor}
          row={menu.row}
          actions={doing.actions.filter(({ key }) => key !== 'open' && key !== 'print')}
          label={t('expresses.more_for', { number: numberOf(menu.row) })}
          onClose={() => setMenu(null)}
        />
      )}
      <WatchedJob id={Number(search['job']) || null} refreshes={shows} onRetried={shared.openJob} onClose={() => setSearch({ job: undefined })} />
      {doing.dialogs}
      {printing.dialogs}
    </section>
  );
};
