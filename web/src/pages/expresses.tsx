import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import { useEffect, useId, useState } from 'react';
import type { ComponentProps } from 'react';
import { boundedParcels } from '@waystation/contract/base/bounded-lists.ts';
import { countExpresses, listExpresses } from '@waystation/contract/parcels/express-calls.ts';
import { office } from '@waystation/contract/base/roles.ts';
import type { ExpressRow } from '@waystation/contract/parcels/express.ts';
import { useFormat } from '#base/format.ts';
import type { Search } from '#base/href.ts';
import { openScreen } from '#shell/tabs/open-screen.ts';
import type { SetSearch } from '#shell/tabs/page.ts';
import { useLivePause, useReadAtEvents } from '#base/live-events.ts';
import { preloadQuery } from '#base/query.ts';
import { usePermitted } from '#shell/session/session.ts';
import { useTexts } from '#base/texts.ts';
import { topUpFor, useParcelActions } from '#parcels/parcel-actions.tsx';
import { numberOf } from '#parcels/parcel-rules.ts';
import { usePrinting } from '#printing/printing.tsx';
import { useSeveralStations } from '#resource/stations/station-picker.tsx';
import { ActionMenu } from '#ui/overlay/action-menu.tsx';
import { useOnceOpen } from '#ui/use-once-open.ts';
import { idleComponent, lazyComponent } from '#ui/lazy.tsx';
import { inListOrder } from '#resource/table/selection.ts';
import type { ParcelBulk } from './expresses/bulk-dialog.tsx';
import { inlineActions, useSimulatedTags } from './expresses/cells.tsx';
import { fieldsOf } from './expresses/column-fields.ts';
import { columnsOf } from './expresses/columns.tsx';
import { drawerTab } from './expresses/drawer-tab.ts';
import { presetsOf } from './expresses/presets.ts';
import { defaultSort, parcelCountsInput, parcelInput, sorts } from './expresses/filters.ts';
import { StateTabs, Totals } from './expresses/list-head.tsx';
import { keepLastFields } from './expresses/last-fields.ts';
import { OlderParcels } from './expresses/older-parcels.tsx';
import { readSearch } from './expresses/numbers.ts';
import { QuickSearch } from './expresses/quick-search.tsx';
import { useParcelFilters } from './expresses/use-filters.tsx';
import { withoutFilters } from '#resource/list/list-filters.ts';
import { ListPage } from '#resource/list/list-page.tsx';
import { useList } from '#resource/list/use-list.ts';
import { ParcelCard } from './expresses/parcel-card.tsx';
import { useRowKeys } from './expresses/use-row-keys.ts';

const shows = [listExpresses] as const;

type Doing = ReturnType<typeof useParcelActions>;

interface At {
  row: ExpressRow;
  anchor: HTMLElement;
}

/** True if the parcel's state may change without an action of the user. */
const isWaited = ({ state_code, canceling, modifying }: ExpressRow): boolean =>
  state_code === stateCode.ordering ||
  state_code === stateCode.onHold ||
  canceling === 1 ||
  modifying === 1;

/**
 * The polling interval of the list in milliseconds. It is 3 s if the outcome of an order is
 * awaited. It is 10 s if only parcels on hold can change, for example after a top-up.
 */
const paceOf = (rows: readonly ExpressRow[]): number | false => {
  if (rows.some((row) => row.state_code !== stateCode.onHold && isWaited(row))) return 3_000;
  return rows.some(isWaited) && 10_000;
};

/**
 * The list that the URL describes. It is read again while its parcels may change. The state is
 * chosen with tabs, so it is neither a filter nor a chip.
 */
const useParcels = () => {
  const { t } = useTexts();
  const [pace, setPace] = useState<number | false>(false);
  const filters = useParcelFilters();
  const list = useList({
    name: 'expresses',
    endpoint: listExpresses,
    counts: countExpresses,
    bounded: boundedParcels,
    filters,
    sort: defaultSort,
    sorts,
    fieldsOf,
    refetchInterval: useLivePause(pace),
    presets: presetsOf(t),
    exportable: true,
    exportsChosen: true,
    refreshes: shows,
  });
  const { rows, refetch, fields } = list;
  useEffect(() => keepLastFields(fields), [fields]);
  useReadAtEvents(
    (id) => rows?.some((row) => row.id === id && isWaited(row)) === true,
    () => void (pace !== false && refetch()),
  );
  const wanted = paceOf(rows ?? []);
  if (wanted !== pace) setPace(wanted);
  const beside = filters.filter(({ key }) => key !== 'tab');
  const reset = withoutFilters(filters);
  return {
    ...list,
    filters: beside,
    chips: list.chips.filter(({ key }) => key !== 'tab'),
    clearChips: () => list.setSearch(withoutFilters(beside)),
    clearFilters: () => list.setSearch({ ...reset, q: undefined }),
    chosen: inListOrder(list.chosen, list.place.sort),
    closeRow: () => list.setSearch({ id: undefined, view: undefined, reprint: undefined }),
  };
};

const WhyPopup = idleComponent(async () => (await import('./expresses/why-popup.tsx')).WhyPopup);

const ParcelSelection = idleComponent(
  async () => (await import('./expresses/selection-bar.tsx')).ParcelSelection,
);

const NewParcels = idleComponent(
  async () => (await import('./expresses/new-parcels.tsx')).NewParcels,
);

const ExceptionBoard = lazyComponent(
  async () => (await import('./expresses/exception-board.tsx')).ExceptionBoard,
);

const MissingNumbers = lazyComponent(
  async () => (await import('./expresses/missing-numbers.tsx')).MissingNumbers,
);

/** Loaded when the first bulk action is opened. */
const BulkDialog = lazyComponent(
  async () => (await import('./expresses/bulk-dialog.tsx')).BulkDialog,
);

/** Its file is loaded when the first parcel is opened in the drawer. */
const FetchedDrawer = lazyComponent(
  async () => (await import('./expresses/parcel-drawer.tsx')).ParcelDrawer,
);

const ParcelDrawer = (props: ComponentProps<typeof FetchedDrawer>) =>
  useOnceOpen(props.id !== null) && <FetchedDrawer {...props} />;

export const preload = (search: Search): Promise<void> => {
  void preloadQuery(countExpresses, parcelCountsInput(search));
  return preloadQuery(listExpresses, parcelInput(search));
};

const withoutInline = (actions: Doing['actions'], row: ExpressRow): Doing['actions'] => {
  const inline = inlineActions(actions, row);
  return actions.filter((action) => !inline.includes(action));
};

/** The popups of a row. One explains its price, and one contains its further actions. */
const useRowPopups = (doing: Doing, setSearch: SetSearch) => {
  const { t } = useTexts();
  const [why, setWhy] = useState<At | null>(null);
  const [menu, setMenu] = useState<At | null>(null);
  const showPrice = ({ id }: ExpressRow): void => {
    setWhy(null);
    setSearch({ id, view: 'price' }, { push: true });
  };
  return {
    onWhy: (row: ExpressRow, anchor: HTMLElement) => setWhy({ row, anchor }),
    onMore: (row: ExpressRow, anchor: HTMLElement) => setMenu({ row, anchor }),
    popups: (
      <>
        {why && (
          <WhyPopup
            key={why.row.id}
            row={why.row}
            anchor={why.anchor}
            onClose={() => setWhy(null)}
            onMore={() => showPrice(why.row)}
          />
        )}
        {menu && (
          <ActionMenu
            anchor={menu.anchor}
            row={menu.row}
            actions={withoutInline(doing.actions, menu.row)}
            label={t('expresses.more_for', { number: numberOf(menu.row) })}
            onClose={() => setMenu(null)}
          />
        )}
      </>
    ),
  };
};

/**
 * The part between the filters and the rows. It shows the board of exceptions, the searched numbers
 * that were not found, and a button to search older parcels too.
 */
const Above = ({ list, tab }: { list: ReturnType<typeof useParcels>; tab: string }) => {
  const { data, counts, place, change } = list;
  const exception = place.values['exception'];
  const numbers = readSearch(place.q).numbers;
  return (
    <>
      {(exception !== undefined || tab === 'exception' || tab === 'returned') && (
        <ExceptionBoard
          value={exception ?? ''}
          station_id={place.values['station_id']}
          onChange={(next) => change({ exception: next, tab: undefined })}
        />
      )}
      {data && !list.stale && numbers > 0 && (
        <MissingNumbers searched={numbers} missing={data.missing} listed={counts.total} />
      )}
      {data && !list.stale && data.searched_to !== null && (
        <OlderParcels onContinue={() => change({ searched_before: String(data.searched_to) })} />
      )}
    </>
  );
};

export const Page = () => {
  const { t, language } = useTexts();
  const format = useFormat();
  const panel = useId();
  const list = useParcels();
  const { counts, place, chosen, search, setSearch, change } = list;
  const [bulk, setBulk] = useState<ParcelBulk | null>(null);
  const printing = usePrinting();
  const several = useSeveralStations();
  const doing = useParcelActions(printing, list.open);
  const { onWhy, onMore, popups } = useRowPopups(doing, setSearch);
  const every = counts.stale ? null : counts.answer?.sums;
  const tab = place.values['tab'] ?? 'all';
  const reader = {
    several,
    english: language === 'en',
    office: usePermitted(office),
    failed: tab === 'failed',
    tags: useSimulatedTags(),
    every,
  };
  const columns = columnsOf(t, format, reader, {
    actions: doing.actions,
    on: {
      onOpen: list.open,
      onWhy,
      onMore,
      onTopUp: doing.mayTopUp ? (row) => doing.topUp(topUpFor(row)) : null,
    },
  });
  return (
    <ListPage
      list={list}
      title={t('menu.expresses')}
      searches={null}
      hint={t('expresses.none_yet_hint')}
      columns={columns}
      nameOf={numberOf}
      card={ParcelCard}
      create={{ label: t('expresses.new'), run: () => openScreen('ExpressStore') }}
      keys={useRowKeys({ printing, chosen, everything: list.everything, onBulk: setBulk })}
      slots={{
        totals: (
          <Totals counts={counts} every={tab === 'all' && place.values['group'] === undefined} />
        ),
        tabs: (
          <StateTabs
            counts={counts}
            tab={tab}
            panel={panel}
            onChange={(next) => change({ tab: next })}
          />
        ),
        panel: { id: panel, tab: `${panel}-${tab}` },
        search: (
          <QuickSearch q={place.q} onSearch={(q) => change({ q, searched_before: undefined })} />
        ),
        news: <NewParcels list={list} />,
        above: <Above list={list} tab={tab} />,
        away: (count) => t('expresses.away', { count }),
        selection: (
          <ParcelSelection list={list} rows={chosen} printing={printing} onBulk={setBulk} />
        ),
        mend: {
          label: t('common.act.edit'),
          run: (id) => openScreen('ExpressStore', { edit: id }),
        },
      }}
    >
      <ParcelDrawer
        id={list.opened}
        row={list.openedRow}
        tab={drawerTab(search['view'])}
        onTab={(view) => setSearch({ view: view === 'overview' ? undefined : view })}
        actions={doing.actions}
        printing={printing}
        onReprinted={search['reprint'] === '1' ? () => setSearch({ reprint: undefined }) : null}
        onPrevious={list.onPrevious}
        onNext={list.onNext}
        onClose={list.closeRow}
      />
      {bulk && (
        <BulkDialog
          key={bulk}
          list={list}
          action={bulk}
          onPrint={printing.print}
          onClose={() => setBulk(null)}
        />
      )}
      {/* A link with `act=cancel`, such as that of an import, opens the dialog for all parcels that
          match the filters of the link. */}
      {search['act'] === 'cancel' && list.chips.length > 0 && (
        <BulkDialog
          list={{ ...list, everything: true }}
          action="cancel"
          onPrint={printing.print}
          onClose={() => setSearch({ act: undefined })}
        />
      )}
      {popups}
      {doing.dialogs}
      {printing.dialogs}
    </ListPage>
  );
};
