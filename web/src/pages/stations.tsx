import { Suspense, lazy, useState } from 'react';
import type { ReactNode } from 'react';
import { bulkStations } from '@waystation/contract/shell/bulk.ts';
import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import { getStation, listStations } from '@waystation/contract/network/station.ts';
import type { Station } from '@waystation/contract/network/station.ts';
import { usePageSearch } from '#shell/tabs/page.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { useNarrow } from '#base/viewport.ts';
import { BulkSwitch } from '#resource/list/bulk-actions.tsx';
import { activeFilters, readPlace } from '#resource/list/list-filters.ts';
import { ListPage } from '#resource/list/list-page.tsx';
import { useList } from '#resource/list/use-list.ts';
import type { List } from '#resource/list/use-list.ts';
import { yuan } from '#ui/values/amounts.ts';
import { Button } from '#ui/button.tsx';
import type { RowAction } from '#ui/overlay/row-action.ts';
import { useAuthorities } from './stations/authority.ts';
import { StationCard, useStationColumns } from './stations/columns.tsx';
import { useStationFilters } from './stations/filters.tsx';
import { useStationTree } from './stations/station-tree.ts';
import type { StationTree } from './stations/station-tree.ts';
import { useStationPlaces } from './stations/use-places.ts';
import { useSetupGuide } from './stations/use-setup-guide.ts';
import { useStationStatus } from './stations/use-station-status.tsx';
import { shows, MoveAndTopUp, Forms } from './stations/station-dialogs.tsx';

// Drawers and dialogs are loaded later than the list.
const StationDrawer = lazy(async () => ({
  default: (await import('./stations/station-drawer.tsx')).StationDrawer,
}));
const SetupDrawer = lazy(async () => ({
  default: (await import('./stations/setup-drawer.tsx')).SetupDrawer,
}));
const BulkPrice = lazy(async () => ({
  default: (await import('./stations/bulk-price.tsx')).BulkPrice,
}));
const ProvincesDrawer = lazy(async () => ({
  default: (await import('./stations/provinces-drawer.tsx')).ProvincesDrawer,
}));
const sort = 'name';
const none: ReadonlyMap<number, string> = new Map();

/**
 * The interval in milliseconds at which the list is requested again. Orders of other users change
 * the balances.
 */
const live = 30_000;

type StationList = List<Station, OutputOf<typeof listStations>>;

/** The list of stations in the order of the tree. The arrow keys follow this order. */
const treeList = (
  list: StationList,
  { rows }: StationTree,
  whole: StationList['data'],
): StationList => {
  if (whole === undefined || list.data === undefined || rows === undefined) return list;
  const at = rows.findIndex(({ id }) => id === list.opened);
  const step = (to: number) => {
    const row = rows[to];
    return at >= 0 && row ? () => list.setSearch({ id: row.id }) : null;
  };
  const counts = { ...list.counts, total: whole.total, capped: whole.total_is_capped === 1 };
  return {
    ...list,
    counts,
    rows,
    openedRow: rows[at],
    chosen: rows.filter(({ id }) => list.selection.rows.has(id)),
    onPrevious: step(at - 1),
    onNext: step(at + 1),
  };
};

export const useStationList = () => {
  const { t } = useTexts();
  const [search] = usePageSearch();
  const authorities = useAuthorities();
  const narrow = useNarrow();
  // The list shows a tree only without a filter. A filtered list is flat and shows matching
  // stations of every level; on a phone the list is always flat.
  const known = useStationFilters(none, authorities.office);
  const place = readPlace(search, known, sort);
  const flat = narrow || place.q !== '' || activeFilters(place, known).length > 0;
  const parent = /^[1-9]\d{0,14}$/.test(search['parent_id'] ?? '')
    ? Number(search['parent_id'])
    : null;
  const above = useCall(getStation, parent === null ? null : { id: parent }, {
    quiet: true,
    staleTime: 60_000,
  });
  const filters = useStationFilters(
    above.data ? new Map([[above.data.id, above.data.name]]) : none,
    authorities.office,
  );
  const list = useList({
    name: 'stations',
    endpoint: listStations,
    filters,
    sort,
    input: flat ? {} : { top: 1 },
    refetchInterval: live,
    exportable: true,
    refreshes: shows,
  });
  const tree = useStationTree(list, flat, (row) => list.change({ parent_id: row.id }));
  const whole = useCall(listStations, flat ? null : { page_size: 1 }, {
    quiet: true,
    refetchInterval: live,
  });
  const totals = flat ? list.data : whole.data;
  const { money, freeze, available } = totals?.sums ?? { money: 0, freeze: 0, available: 0 };
  const reserve = money - freeze - available;
  return {
    authorities,
    flat,
    tree,
    list: flat
      ? list
      : {
          ...treeList(list, tree, whole.data),
          tree: { ...tree, tops: list.data?.total ?? undefined },
        },
    every: totals?.sums,
    sums:
      totals &&
      t(reserve === 0 ? 'stations.sums' : 'stations.sums_reserve', {
        money: yuan(money),
        freeze: yuan(freeze),
        reserve: yuan(reserve),
        available: yuan(available),
      }),
  };
};

interface ToolsProps {
  builds: boolean;
  /** Functions that expand and collapse the tree; null if the stations are shown as a flat list. */
  tree: Pick<StationTree, 'expandAll' | 'collapseAll'> | null;
  byProvince: ReactNode;
  onSetUp: () => void;
}

const StationTools = ({ builds, tree, byProvince, onSetUp }: ToolsProps) => {
  const { t } = useTexts();
  return (
    <>
      {builds && (
        <Button title={`${t('stations.setup_new')} (O)`} onClick={onSetUp}>
          {t('stations.setup_new')}
        </Button>
      )}
      {byProvince}
      {builds && tree && <Button onClick={tree.expandAll}>{t('stations.expand_all')}</Button>}
      {builds && tree && <Button onClick={tree.collapseAll}>{t('stations.collapse_all')}</Button>}
    </>
  );
};

type OnStation = (row: Station) => void;

/** The actions on a station that this user is permitted to carry out. */
const useStationActions = (
  { office, builds, steers }: ReturnType<typeof useStationList>['authorities'],
  on: Readonly<Record<'edit' | 'add' | 'topUp' | 'move' | 'showPrice' | 'showSetup', OnStation>>,
): RowAction<Station>[] => {
  const { t } = useTexts();
  const places = useStationPlaces();
  return [
    { key: 'edit', label: t('lists.edit'), run: on.edit },
    ...(office ? [{ key: 'top_up', label: t('stations.top_up'), run: on.topUp }] : []),
    ...(builds ? [{ key: 'below', label: t('stations.new_below'), run: on.add }] : []),
    {
      key: 'price',
      label: t('stations.tab_price'),
      run: on.showPrice,
    },
    ...(builds
      ? [
          {
            key: 'setup',
            label: t('stations.setup'),
            visible: steers,
            run: on.showSetup,
          },
        ]
      : []),
    ...(builds ? [{ key: 'move', label: t('stations.move'), visible: steers, run: on.move }] : []),
    ...places,
  ];
};

export const Page = () => {
  const { t } = useTexts();
  const { authorities, flat, tree, list, every, sums } = useStationList();
  const { office, builds } = authorities;
  const { switching, dialog } = useStationStatus(tree.rows, shows);
  const guide = useSetupGuide(authorities);
  const [pricing, setPricing] = useState(false);
  const [parent, setParent] = useState<Station | null>(null);
  const [moving, setMoving] = useState<Station | null>(null);
  const [topUp, setTopUp] = useState<Pick<Station, 'id' | 'name'> | null>(null);
  const edit = (row: Station): void => list.openForm(row.id);
  const add = (below: Station | null): void => {
    setParent(below);
    list.openForm('new');
  };
  const actions = useStationActions(authorities, {
    edit,
    add,
    topUp: setTopUp,
    move: setMoving,
    showPrice: (row) => list.setSearch({ id: row.id, view: 'price' }, { push: true }),
    showSetup: (row) => guide.show(row.id),
  });
  const columns = useStationColumns({
    tree,
    every,
    guide,
    authorities,
    actions,
    switching,
    open: list.open,
  });
  const byProvince = (
    <Button onClick={() => list.setSearch({ provinces: 1 }, { push: true })}>
      {t('stations.by_province')}
    </Button>
  );
  return (
    <ListPage
      list={list}
      title={t('menu.stations')}
      searches={t(office ? 'stations.searches' : 'stations.searches_name')}
      columns={columns}
      nameOf={({ name }) => name}
      card={StationCard}
      {...(builds && { create: { label: t('stations.new'), run: () => add(null) } })}
      {...(builds && {
        bulk: (
          <>
            <Button onClick={() => setPricing(true)}>{t('stations.bulk_price')}</Button>
            <BulkSwitch list={list} endpoint={bulkStations} />
          </>
        ),
      })}
      slots={{
        sums,
        tools: (
          <StationTools
            builds={builds}
            tree={flat ? null : tree}
            byProvince={byProvince}
            onSetUp={guide.begin}
          />
        ),
        phoneTools: (
          <>
            {builds && <Button onClick={guide.begin}>{t('stations.setup_new')}</Button>}
            {byProvince}
          </>
        ),
      }}
      keys={[{ keys: 'e', label: t('lists.edit'), run: edit }]}
      hint={t('stations.hint')}
    >
      <Suspense fallback={null}>
        <StationDrawer
          list={list}
          rows={tree.rows}
          authorities={authorities}
          switching={switching}
          onTopUp={setTopUp}
          onMove={setMoving}
        />
        {guide.station !== null && (
          <SetupDrawer
            key={guide.station}
            id={guide.station}
            covered={list.form !== null || topUp !== null}
            onEdit={list.openForm}
            onTopUp={setTopUp}
            onClose={guide.close}
          />
        )}
        <Forms
          list={list}
          tree={flat ? null : tree}
          parent={parent}
          guide={guide}
          builds={builds}
        />
        {list.search['provinces'] === '1' && (
          <ProvincesDrawer
            onChoose={(province) => list.change({ provinces: undefined, province })}
            onClose={() => list.setSearch({ provinces: undefined })}
          />
        )}
        {pricing && <BulkPrice list={list} office={office} onClose={() => setPricing(false)} />}
        <MoveAndTopUp
          office={office}
          moving={moving}
          topUp={topUp}
          onMoved={() => setMoving(null)}
          onToppedUp={() => setTopUp(null)}
        />
        {dialog}
      </Suspense>
    </ListPage>
  );
};
