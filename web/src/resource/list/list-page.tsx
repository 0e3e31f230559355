import { PlusOutlined, ReloadOutlined } from '@ant-design/icons-svg';
import type { ComponentType, ReactNode } from 'react';
import { isBoundedSort, mostDays } from '@waystation/contract/base/bounded-lists.ts';
import { errorCode } from '#base/api-error.ts';
import { useFormat } from '#base/format.ts';
import { useShortcuts } from '#base/shortcuts.ts';
import { useTexts } from '#base/texts.ts';
import { useNarrow } from '#base/viewport.ts';
import { WatchedJob } from '#resource/jobs/watched-job.tsx';
import { Button } from '#ui/button.tsx';
import type { Column } from '#resource/table/column.ts';
import { Empty } from '#ui/empty.tsx';
import { Icon } from '#ui/icon.tsx';
import { Pager } from '#ui/pager.tsx';
import { ResourceTable } from '#resource/table/resource-table.tsx';
import type { RowKey } from '#resource/table/row-keys.ts';
import { sumsOf } from '#resource/table/sums.ts';
import primitives from '#ui/primitives.module.css';
import type { TreeOf } from '#resource/table/tree.ts';
import { AwayRows } from './away-rows.tsx';
import { ChosenSums } from './chosen-sums.ts';
import { ColumnSettings } from './column-settings.tsx';
import { ExportButton } from './export-button.tsx';
import styles from './list.module.css';
import { defaultSize, filterInput } from './list-filters.ts';
import { RowNames } from './row-names.ts';
import { SelectionBar } from './selection-bar.tsx';
import { arrange } from './column-arrangement.ts';
import type { Arranged } from './column-arrangement.ts';
import { isLastPage } from './use-list.ts';
import type { AnyList, List } from './use-list.ts';
import type { Create, ListSlots } from './list-head.tsx';
import { hasPhoneTools, Head } from './list-head.tsx';

export interface Props<R extends { id: number }> {
  list: List<R>;
  /** The name of the screen; the page's only `h1` element. */
  title: string;
  /**
   * The names of the fields in which the quick search looks, such as "名称". Null if this list cannot
   * be searched by words.
   */
  searches: string | null;
  /** The text of an empty list. It is one sentence about the purpose of its rows. */
  hint: string;
  columns: readonly Column<R>[];
  /** The name of a row. Screen readers use it for the row and its checkbox. */
  nameOf: (row: R) => string;
  /** Draws a row on a phone. */
  card: ComponentType<{ row: R }>;
  /** The button for a new row (key `n`). Absent if this user may not create rows. */
  create?: Create;
  /** Shortcuts that act on the current row. For example, `e` opens the row's form. */
  keys?: readonly RowKey<R>[];
  /**
   * The actions on selected rows (`BulkSwitch`, `BulkActions`). If it is null, selected rows are
   * only summed. If it is absent, rows cannot be selected.
   */
  bulk?: ReactNode;
  slots?: ListSlots;
  /** The drawers and dialogs of the page, which are drawn after the list. */
  children?: ReactNode;
}

const none: readonly never[] = [];

const Nothing = ({
  list,
  hint,
  create,
  begin,
}: {
  list: AnyList;
  hint: string;
  create: Create | undefined;
  begin: ReactNode;
}) => {
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

/** Shows the time at which the rows were read, and a button that reads them again. */
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

type ActionsProps<R> = {
  list: AnyList;
  create: Create | undefined;
  slots: ListSlots;
  selectionBar: ReactNode;
  arranged: Arranged<R>;
};

/** The buttons for actions on all rows or on the selected rows. */
const Actions = <R,>({ list, create, slots, selectionBar, arranged }: ActionsProps<R>) => (
  <div className={`${primitives['buttons']} ${styles['actions']}`}>
    {create && (
      <Button
        type="primary"
        icon={<Icon of={PlusOutlined} />}
        title={`${create.label} (N)`}
        onClick={create.run}
      >
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

/** The page buttons of a list. They are hidden for a tree whose rows fit on one page. */
const Pages = ({ list, tree }: { list: AnyList; tree: TreeOf<never> | undefined }) => {
  const { place, data } = list;
  if (
    !data ||
    data.items.length === 0 ||
    (tree && (tree.tops ?? 0) <= place.size && place.page === 1)
  )
    return null;
  return (
    <Pager
      page={place.page}
      size={place.size}
      rows={data.items.length}
      total={tree?.tops ?? list.counts.total}
      capped={list.counts.capped}
      isLast={isLastPage(list)}
      onPage={(page) => list.setSearch({ page: page === 1 ? undefined : page })}
      onSize={(size) =>
        list.setSearch({ size: size === defaultSize ? undefined : size, page: undefined })
      }
    />
  );
};

const noSlots: ListSlots = {};

/**
 * A list screen with totals, search, filters and their chips, actions, rows and page buttons. The
 * URL contains the filters, the sort order and the page.
 */
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
  const arranged = arrange(list.layout, columns, list.presets);
  const { place } = list;
  const { panel } = slots;
  useShortcuts([
    { keys: 'r', label: t('lists.refresh'), run: () => void list.refetch() },
    ...(create ? [{ keys: 'n', label: create.label, run: create.run }] : none),
  ]);
  const selectionBar =
    list.chosen.length > 0 ? (
      <ChosenSums value={sumsOf(arranged.shown, list.chosen, list.everything)}>
        {slots.selection ?? <SelectionBar list={list}>{bulk}</SelectionBar>}
      </ChosenSums>
    ) : null;
  const away = <AwayRows list={list} words={slots.away ?? null} />;
  return (
    <RowNames value={nameOf as (row: { id: number }) => string}>
      <section
        className={`${primitives['cardPage']} ${styles['page']}`}
        data-top={slots.top !== undefined || undefined}
      >
        {slots.top}
        <Head
          list={list}
          title={title}
          searches={searches}
          {...(create && { create })}
          arranged={arranged}
          slots={slots}
        />
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
        {!narrow && (
          <Actions
            list={list}
            create={create}
            slots={slots}
            selectionBar={selectionBar}
            arranged={arranged}
          />
        )}
        {!narrow && away}
        <div
          className={styles['table']}
          {...(panel && { role: 'tabpanel', id: panel.id, 'aria-labelledby': panel.tab })}
        >
          <ResourceTable
            label={title}
            columns={arranged.shown}
            reading={{
              rows: list.rows,
              error: list.error,
              stale: list.stale,
              retry: list.refetch,
              ...(errorCode(list.error) === 'page_too_far' && {
                way: {
                  label: t('lists.first_page'),
                  run: () => list.setSearch({ page: undefined }),
                },
              }),
            }}
            empty={<Nothing list={list} hint={hint} create={create} begin={slots.begin} />}
            sort={{
              by: place.sort,
              change: (sort) => list.change({ sort }),
              noteOf: (sort) =>
                list.bounded && isBoundedSort(list.bounded, sort)
                  ? t('lists.sort_bounded', { days: mostDays })
                  : null,
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
