import { PlusOutlined, ReloadOutlined } from '@ant-design/icons-svg';
import type { ComponentType, ReactNode } from 'react';
import { isBoundedSort, mostDays } from '@waystation/contract/bounded-lists.ts';
import { errorCode } from '#base/api-error.ts';
import { useFormat } from '#base/format.ts';
import { useShortcuts } from '#base/shortcuts.ts';
import { useTexts } from '#base/texts.ts';
import { useNarrow } from '#base/viewport.ts';
import { WatchedJob } from '#resource/jobs/watched-job.tsx';
import { Button } from '#ui/button.tsx';
import type { Column } from '#resource/table/column.ts';
import { Empty } from '#ui/empty.tsx';
import { FilterChips } from './filter-chips.tsx';
import { Icon } from '#ui/icon.tsx';
import { Pager } from '#ui/pager.tsx';
import { ResourceTable } from '#resource/table/resource-table.tsx';
import type { RowKey } from '#resource/table/row-keys.ts';
import { sumsOf } from '#resource/table/sums.ts';
import { SearchBox } from '#ui/fields/search-box.tsx';
import primitives from '#ui/primitives.module.css';
import type { TreeOf } from '#resource/table/tree.ts';
import { AwayRows } from './away-rows.tsx';
import { ChosenSums } from './chosen-sums.ts';
import { ColumnSettings } from './column-settings.tsx';
import { CalculateButton, useCountText } from './count-words.tsx';
import { ExportButton } from './export-button.tsx';
import { FilterBar } from './filter-bar.tsx';
import styles from './list.module.css';
import { defaultSize, filterInput } from './list-filters.ts';
import { RowNames } from './row-names.ts';
import { limitNote } from './limit-note.ts';
import { SelectionBar } from './selection-bar.tsx';
import { useColumns } from './use-columns.ts';
import type { Arranged } from './use-columns.ts';
import { isLastPage } from './use-list.ts';
import type { AnyList, List } from './use-list.ts';
import { ViewsBar } from './views-bar.tsx';

interface Create {
  label: string;
  run: () => void;
}

/** What a list shows beside its ordinary parts, or in place of one. */
export interface ListSlots {
  /** What the page shows before its list, with the page's own `h1`; the list's title is a heading under it then. */
  top?: ReactNode;
  /** In place of the saved views, where the list is not one that is come back to. */
  views?: ReactNode;
  /** In place of "N in all". */
  totals?: ReactNode;
  /** Sums of the whole filtered set in words, after "N in all". */
  sums?: ReactNode;
  /** Tabs over the filters, which switch the rows. */
  tabs?: ReactNode;
  /** The panel's id and that of the chosen tab, where tabs switch the rows. */
  panel?: { id: string; tab: string };
  /** In place of the search box. */
  search?: ReactNode;
  /** Between the filters and the rows: what belongs to all that is found. */
  above?: ReactNode;
  /** Buttons beside "new". */
  tools?: ReactNode;
  /** What has happened since the rows were read; moves nothing when it appears. */
  news?: ReactNode;
  /** Buttons over the rows of a phone. */
  phoneTools?: ReactNode;
  /** Beside "new" where there is nothing yet. */
  begin?: ReactNode;
  /** Replaces the bar of actions on the selected rows. */
  selection?: ReactNode;
  /** Says how many selected rows are not on the list, in place of the words of every list. */
  away?: (count: string) => string;
  /** Corrects a row that failed in a background job. */
  mend?: { label: string; run: (id: number) => void };
}

interface Props<R extends { id: number }> {
  list: List<R>;
  /** The screen's own name, its one `h1`. */
  title: string;
  /** What the quick search looks for: "名称"; null where the server finds nothing by words. */
  searches: string | null;
  /** Nothing there yet: one sentence about what these are for. */
  hint: string;
  columns: readonly Column<R>[];
  /** Names a row for screen readers and its checkbox. */
  nameOf: (row: R) => string;
  /** A row on a phone. */
  card: ComponentType<{ row: R }>;
  /** Makes a new one (`n`); absent where this user makes none. */
  create?: Create;
  /** Keys on the current row: `e` edits. */
  keys?: readonly RowKey<R>[];
  /** What can be done with the chosen rows (`BulkSwitch`, `BulkActions`), null where they are only added up; without it rows are not chosen. */
  bulk?: ReactNode;
  slots?: ListSlots;
  /** Drawers and dialogs. */
  children?: ReactNode;
}

const none: readonly never[] = [];

const Totals = ({ list, sums }: { list: AnyList; sums: ReactNode }) => {
  const { t } = useTexts();
  const count = useCountText(list.counts);
  if (!list.data) return null;
  return (
    <p className={styles['totals']}>
      {t('lists.total', { count })}
      {sums !== undefined && <> · {sums}</>}
      <CalculateButton counts={list.counts} />
    </p>
  );
};

const Nothing = ({ list, hint, create, begin }: { list: AnyList; hint: string; create: Create | undefined; begin: ReactNode }) => {
  const { t } = useTexts();
  if (list.filtered)
    return (
      <Empty title={t('lists.none_match')} hint={t('lists.none_match_hint')}>
        <Button onClick={list.clearFilters}>{t('common.clear_filters')}</Button>
      </Empty>
    );
  return (
    <Empty title={t('lists.none_yet')} hint={hint}>
      {create && (
        <Button type="primary" icon={<Icon of={PlusOutlined} />} onClick={create.run}>
          {create.label}
        </Button>
      )}
      {begin}
    </Empty>
  );
};

/** When the rows were read, and reading them again. */
const ReadAt = ({ list }: { list: AnyList }) => {
  const { t } = useTexts();
  const format = useFormat();
  return (
    <span className={styles['read']}>
      {list.at > 0 && t('lists.read_at', { time: format.clock(list.at) })}
      <Button
        type="text"
        icon={<Icon of={ReloadOutlined} spin={list.busy} />}
        aria-label={t('lists.refresh')}
        title={`${t('lists.refresh')} (R)`}
        onClick={() => void list.refetch()}
      />
    </span>
  );
};

type HeadProps<R extends { id: number }> = Pick<Props<R>, 'title' | 'searches' | 'create'> & {
  list: AnyList;
  arranged: Arranged<R>;
  slots: ListSlots;
};

/** Whether a phone has a line of buttons over the rows; else the columns are set beside the search. */
const hasPhoneTools = (list: AnyList, slots: ListSlots): boolean => slots.phoneTools !== undefined || list.exportable;

/** Title, saved views, totals, tabs, search and filters with their chips. */
const Head = <R extends { id: number }>({ list, title, searches, create, arranged, slots }: HeadProps<R>) => {
  const { t } = useTexts();
  const narrow = useNarrow();
  const { place } = list;
  return (
    <>
      <header className={styles['head']}>
        {slots.top === undefined ? <h1>{title}</h1> : <h2>{title}</h2>}
        {slots.views === undefined ? <ViewsBar list={list} arranged={arranged} /> : slots.views}
        {slots.totals === undefined ? <Totals list={list} sums={slots.sums} /> : slots.totals}
      </header>
      {slots.tabs !== undefined && <div className={styles['tabs']}>{slots.tabs}</div>}
      <div className={styles['filters']}>
        {slots.search}
        {slots.search === undefined && searches !== null && (
          <SearchBox q={place.q} onSearch={(q) => list.change({ q })} label={t('lists.search', { what: title })} placeholder={searches} />
        )}
        <FilterBar filters={list.filters} place={place} onChange={list.change} />
        {narrow && create && (
          <Button type="primary" className={styles['phone']!} icon={<Icon of={PlusOutlined} />} aria-label={create.label} onClick={create.run} />
        )}
        {narrow && !hasPhoneTools(list, slots) && (
          <span className={styles['end']}>
            <ColumnSettings arranged={arranged} />
          </span>
        )}
      </div>
      <FilterChips
        chips={list.chips}
        note={list.bounded && list.limited ? limitNote({ ...list, bounded: list.bounded }, t) : null}
        onRemove={list.removeFilter}
        onClear={list.clearChips}
      />
    </>
  );
};

type ActionsProps<R> = { list: AnyList; create: Create | undefined; slots: ListSlots; selectionBar: ReactNode; arranged: Arranged<R> };

/** What can be done: with all of them, or with the chosen rows. */
const Actions = <R,>({ list, create, slots, selectionBar, arranged }: ActionsProps<R>) => (
  <div className={`${primitives['buttons']} ${styles['actions']}`}>
    {create && (
      <Button type="primary" icon={<Icon of={PlusOutlined} />} title={`${create.label} (N)`} onClick={create.run}>
        {create.label}
      </Button>
    )}
    {slots.tools}
    {list.exportable && <ExportButton list={list} arranged={arranged} />}
    {slots.news}
    {selectionBar ?? <ReadAt list={list} />}
    <ColumnSettings arranged={arranged} />
  </div>
);

/** The pages; none where a tree has no more than one. */
const Pages = ({ list, tree }: { list: AnyList; tree: TreeOf<never> | undefined }) => {
  const { place, data } = list;
  if (!data || data.items.length === 0 || (tree && (tree.tops ?? 0) <= place.size && place.page === 1)) return null;
  return (
    <Pager
      page={place.page}
      size={place.size}
      rows={data.items.length}
      total={tree?.tops ?? list.counts.total}
      capped={list.counts.capped}
      isLast={isLastPage(list)}
      onPage={(page) => list.setSearch({ page: page === 1 ? undefined : page })}
      onSize={(size) => list.setSearch({ size: size === defaultSize ? undefined : size, page: undefined })}
    />
  );
};

const noSlots: ListSlots = {};

/** A list screen: totals, search, filters with their chips, actions, rows, pages. Filters, order and page are in the address. */
export const ListPage = <R extends { id: number }>({
  list,
  title,
  searches,
  hint,
  columns,
  nameOf,
  card,
  create,
  keys = none,
  bulk,
  slots = noSlots,
  children,
}: Props<R>) => {
  const { t } = useTexts();
  const narrow = useNarrow();
  const arranged = useColumns(list.name, columns, list.presets);
  const { place } = list;
  const { panel } = slots;
  useShortcuts([
    { keys: 'r', label: t('lists.refresh'), run: () => void list.refetch() },
    ...(create ? [{ keys: 'n', label: create.label, run: create.run }] : none),
  ]);
  const selectionBar =
    list.chosen.length > 0 ? (
      <ChosenSums value={sumsOf(arranged.shown, list.chosen, list.everything)}>{slots.selection ?? <SelectionBar list={list}>{bulk}</SelectionBar>}</ChosenSums>
    ) : null;
  const away = <AwayRows list={list} words={slots.away ?? null} />;
  return (
    <RowNames value={nameOf as (row: { id: number }) => string}>
      <section className={styles['page']} data-top={slots.top !== undefined || undefined}>
        {slots.top}
        <Head list={list} title={title} searches={searches} {...(create && { create })} arranged={arranged} slots={slots} />
        {slots.above}
        {narrow && slots.news}
        {narrow && hasPhoneTools(list, slots) && (
          <div className={`${primitives['buttons']} ${styles['actions']}`}>
            {slots.phoneTools}
            {list.exportable && <ExportButton list={list} arranged={arranged} />}
            <span className={styles['end']}>
              <ColumnSettings arranged={arranged} />
            </span>
          </div>
        )}
        {!narrow && <Actions list={list} create={create} slots={slots} selectionBar={selectionBar} arranged={arranged} />}
        {!narrow && away}
        <div className={styles['table']} {...(panel && { role: 'tabpanel', id: panel.id, 'aria-labelledby': panel.tab })}>
          <ResourceTable
            label={title}
            columns={arranged.shown}
            reading={{
              rows: list.rows,
              error: list.error,
              stale: list.stale,
              retry: list.refetch,
              ...(errorCode(list.error) === 'page_too_far' && { way: { label: t('lists.first_page'), run: () => list.setSearch({ page: undefined }) } }),
            }}
            empty={<Nothing list={list} hint={hint} create={create} begin={slots.begin} />}
            sort={{
              by: place.sort,
              change: (sort) => list.change({ sort }),
              noteOf: (sort) => (list.bounded && isBoundedSort(list.bounded, sort) ? t('lists.sort_bounded', { days: mostDays }) : null),
            }}
            selection={bulk !== undefined || slots.selection !== undefined ? list.selection : null}
            nameOf={nameOf}
            onOpen={list.open}
            keys={keys}
            card={arranged.changed ? null : card}
            {...(list.tree && { tree: list.tree })}
            place={JSON.stringify([filterInput(place), place.sort, place.page, place.size])}
          />
        </div>
        <Pages list={list} tree={list.tree} />
        {narrow && away}
        {narrow && selectionBar}
        <WatchedJob
          id={list.job}
          refreshes={list.refreshes}
          rows={{ open: (id) => list.setSearch({ job: undefined, id }), mend: slots.mend }}
          onRetried={list.openJob}
          onClose={list.closeJob}
        />
        {children}
      </section>
    </RowNames>
  );
};
