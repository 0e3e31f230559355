import { PlusOutlined, ReloadOutlined } from '@ant-design/icons-svg';
import type { ComponentType, ReactNode } from 'react';
import type { Endpoint } from '@waystation/contract/endpoint.ts';
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
import { SearchBox } from '#ui/fields/search-box.tsx';
import primitives from '#ui/primitives.module.css';
import type { TreeOf } from '#resource/table/tree.ts';
import { ColumnSettings } from './column-settings.tsx';
import { ExportButton } from './export-button.tsx';
import { FilterBar } from './filter-bar.tsx';
import styles from './list.module.css';
import { defaultSize, filterInput } from './list-filters.ts';
import { SelectionBar } from './selection-bar.tsx';
import { useColumns } from './use-columns.ts';
import type { AnyList, List } from './use-list.ts';
import { ViewsBar } from './views-bar.tsx';

interface Props<R extends { id: number }> {
  list: List<R>;
  /** The screen's own name, its one `h1`. */
  title: string;
  /** What the quick search looks for: "名称"; null where the server finds nothing by words. */
  searches: string | null;
  columns: readonly Column<R>[];
  /** Names a row for screen readers and its checkbox. */
  nameOf: (row: R) => string;
  /** A row on a phone. */
  card: ComponentType<{ row: R }>;
  /** Makes a new one (`n`); absent where this user makes none. */
  create?: { label: string; run: () => void };
  /** Sums of the whole filtered set in words, after "N 条". */
  sums?: ReactNode;
  /** How many the pages count, where that is not every row: the tops of a tree. */
  paged?: number | undefined;
  /** The rows hang together. */
  tree?: TreeOf<R> | undefined;
  /** Keys on the row the keyboard stands on: `e` edits. */
  keys?: readonly RowKey<R>[];
  /** Between the filters and the rows: what belongs to all that is found. */
  above?: ReactNode;
  /** Buttons beside "new". */
  tools?: ReactNode;
  /** They are wanted on phones too. */
  toolsOnPhones?: boolean;
  /** What can be done with the chosen rows (`BulkSwitch`, `BulkActions`); without it rows are not chosen. */
  bulk?: ReactNode;
  /** The server exports it (server/src/exports.ts). */
  exportable?: boolean;
  /** What shows these rows, read again once a job has changed them. */
  refreshes?: readonly Endpoint[];
  /** Nothing there yet: one sentence about what these are for. */
  hint: string;
  /** What the page shows before its list, with the page's own `h1`; the list's title is a heading under it then. */
  top?: ReactNode;
  /** In place of the saved views, where the list is not one that is come back to. */
  lead?: ReactNode;
  /** The rows are what tabs above switch: the panel's id and that of the chosen tab. */
  panel?: { id: string; tab: string };
  /** Drawers and dialogs. */
  children?: ReactNode;
}

const none: readonly never[] = [];

const Totals = ({ list, sums }: { list: AnyList; sums: ReactNode }) => {
  const { t } = useTexts();
  const format = useFormat();
  if (!list.data) return null;
  return (
    <p className={styles['totals']}>
      {t(list.data.total_is_capped === 1 ? 'lists.total_least' : 'lists.total', { count: format.number(list.data.total) })}
      {sums !== undefined && <> · {sums}</>}
    </p>
  );
};

const Nothing = ({ list, hint, create }: { list: AnyList; hint: string; create: Props<{ id: number }>['create'] }) => {
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

/** A list screen: totals, search, filters with their chips, what can be done, the rows, the pages. What is shown and how stands in the address. */
export const ListPage = <R extends { id: number }>(props: Props<R>) => {
  const {
    list,
    title,
    searches,
    columns,
    nameOf,
    card,
    create,
    sums,
    paged,
    tree,
    keys,
    tools,
    toolsOnPhones = false,
    bulk,
    exportable,
    refreshes,
    hint,
    above,
    top,
    lead,
    panel,
    children,
  } = props;
  const { t } = useTexts();
  const narrow = useNarrow();
  const arranged = useColumns(list.name, columns);
  const { place, data, rows } = list;
  useShortcuts([
    { keys: 'r', label: t('lists.refresh'), run: () => void list.refetch() },
    ...(create ? [{ keys: 'n', label: create.label, run: create.run }] : none),
  ]);
  const selectionBar = list.chosen.length > 0 && <SelectionBar list={list}>{bulk}</SelectionBar>;
  return (
    <section className={styles['page']} data-top={top !== undefined || undefined}>
      {top}
      <header className={styles['head']}>
        {top === undefined ? <h1>{title}</h1> : <h2>{title}</h2>}
        {lead === undefined ? <ViewsBar list={list} arranged={arranged} /> : lead}
        <Totals list={list} sums={sums} />
      </header>
      <div className={styles['filters']}>
        {searches !== null && <SearchBox q={place.q} onSearch={(q) => list.change({ q })} label={t('lists.search', { what: title })} placeholder={searches} />}
        <FilterBar filters={list.filters} place={place} onChange={list.change} />
        {narrow && create && (
          <Button type="primary" className={styles['phone']!} icon={<Icon of={PlusOutlined} />} aria-label={create.label} onClick={create.run} />
        )}
      </div>
      <FilterChips chips={list.chips} onRemove={list.removeFilter} onClear={list.clearFilters} />
      {above}
      {narrow && toolsOnPhones && <div className={`${primitives['buttons']} ${styles['actions']}`}>{tools}</div>}
      {!narrow && (
        <div className={`${primitives['buttons']} ${styles['actions']}`}>
          {create && (
            <Button type="primary" icon={<Icon of={PlusOutlined} />} title={`${create.label} (N)`} onClick={create.run}>
              {create.label}
            </Button>
          )}
          {tools}
          {exportable && <ExportButton list={list} arranged={arranged} />}
          {selectionBar || <ReadAt list={list} />}
          <ColumnSettings arranged={arranged} />
        </div>
      )}
      <div className={styles['table']} {...(panel && { role: 'tabpanel', id: panel.id, 'aria-labelledby': panel.tab })}>
        <ResourceTable
          label={title}
          columns={arranged.shown}
          rows={rows}
          reading={{ error: list.error, stale: list.stale, retry: list.refetch }}
          empty={<Nothing list={list} hint={hint} create={create} />}
          sort={{ by: place.sort, change: (sort) => list.change({ sort }) }}
          selection={bulk ? list.selection : null}
          nameOf={nameOf}
          onOpen={list.open}
          keys={keys ?? none}
          card={card}
          {...(tree && { tree })}
          place={JSON.stringify([filterInput(place), place.sort, place.page, place.size])}
        />
      </div>
      {data && data.items.length > 0 && !(tree && (paged ?? 0) <= place.size && place.page === 1) && (
        <Pager
          page={place.page}
          size={place.size}
          total={paged ?? data.total}
          capped={data.total_is_capped === 1}
          onPage={(page) => list.setSearch({ page: page === 1 ? undefined : page })}
          onSize={(size) => list.setSearch({ size: size === defaultSize ? undefined : size, page: undefined })}
        />
      )}
      {narrow && selectionBar}
      <WatchedJob id={list.job} refreshes={refreshes ?? none} onRetried={list.openJob} onClose={list.closeJob} />
      {children}
    </section>
  );
};
