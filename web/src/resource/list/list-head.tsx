import { PlusOutlined } from '@ant-design/icons-svg';
import type { ReactNode } from 'react';
import { useTexts } from '#base/texts.ts';
import { useNarrow } from '#base/viewport.ts';
import { Button } from '#ui/button.tsx';
import { FilterChips } from './filter-chips.tsx';
import { Icon } from '#ui/icon.tsx';
import { SearchBox } from '#ui/fields/search-box.tsx';
import primitives from '#ui/primitives.module.css';
import { ColumnSettings } from './column-settings.tsx';
import { CalculateButton, useCountText } from './count-words.tsx';
import { FilterBar } from './filter-bar.tsx';
import styles from './list.module.css';
import { limitNote } from './limit-note.ts';
import type { Arranged } from './column-arrangement.ts';
import type { AnyList } from './use-list.ts';
import { ViewsBar } from './views-bar.tsx';

export interface Create {
  label: string;
  run: () => void;
}

/** Parts that a list shows in addition to its usual parts, or instead of them. */
export interface ListSlots {
  /**
   * Content above the list that has the `h1` of the page; the list's title is then a lower-level
   * heading.
   */
  top?: ReactNode;
  /** Replaces the bar of saved views. */
  views?: ReactNode;
  /** Replaces the text "N in all" above the list. */
  totals?: ReactNode;
  /** Sums over all rows that match the filters, as text after "N in all". */
  sums?: ReactNode;
  /** Tabs above the filters. Each tab shows different rows. */
  tabs?: ReactNode;
  /** The ids of the panel with the rows and of the selected tab; absent if the list has no tabs. */
  panel?: { id: string; tab: string };
  /** Replaces the search box. */
  search?: ReactNode;
  /** Content about all matching rows. It is shown between the filters and the rows. */
  above?: ReactNode;
  /** Buttons beside the button "new". */
  tools?: ReactNode;
  /**
   * A notice that rows have changed since they were read. Nothing on the page moves when the notice
   * appears.
   */
  news?: ReactNode;
  /** Buttons above the rows on a phone. */
  phoneTools?: ReactNode;
  /** An element beside the button "new". It is shown if the list is empty. */
  begin?: ReactNode;
  /** Replaces the bulk action bar. */
  selection?: ReactNode;
  /**
   * The text about the number of selected rows that the list does not show. It replaces the default
   * text.
   */
  away?: (count: string) => string;
  /** The button on a row that failed in a background job. It opens the row for correction. */
  mend?: { label: string; run: (id: number) => void };
}

const Totals = ({ list, sums }: { list: AnyList; sums: ReactNode }) => {
  const { t } = useTexts();
  const count = useCountText(list.counts);
  const { total, busy, calculate } = list.counts;
  // If a list is not counted, no total is shown. If a count failed, the user can request it again.
  if (!list.data || (total === null && !busy && calculate === null)) return null;
  return (
    <p className={styles['totals']}>
      {t('lists.total', { count })}
      {sums !== undefined && <> · {sums}</>}
      <CalculateButton counts={list.counts} />
    </p>
  );
};

interface HeadProps<R extends { id: number }> {
  /** The name of the screen. It is the only `h1` element of the page. */
  title: string;
  /**
   * The names of the fields in which the quick search looks, such as "名称". Null if this list cannot
   * be searched by words.
   */
  searches: string | null;
  create?: Create;
  list: AnyList;
  arranged: Arranged<R>;
  slots: ListSlots;
}

/**
 * True if a phone shows a line of buttons above the rows. If not, the column settings are beside
 * the search box.
 */
export const hasPhoneTools = (list: AnyList, slots: ListSlots): boolean =>
  slots.phoneTools !== undefined || list.exportable;

/**
 * The upper part of a list: title, saved views, totals, tabs, search box, filters and the chips of
 * the active filters.
 */
export const Head = <R extends { id: number }>({
  list,
  title,
  searches,
  create,
  arranged,
  slots,
}: HeadProps<R>) => {
  const { t } = useTexts();
  const narrow = useNarrow();
  const { place } = list;
  return (
    <>
      <header className={`${primitives['pageHead']} ${styles['head']}`}>
        {slots.top === undefined ? <h1>{title}</h1> : <h2>{title}</h2>}
        {slots.views === undefined ? <ViewsBar list={list} arranged={arranged} /> : slots.views}
        {slots.totals === undefined ? <Totals list={list} sums={slots.sums} /> : slots.totals}
      </header>
      {slots.tabs !== undefined && <div className={styles['tabs']}>{slots.tabs}</div>}
      <div className={styles['filters']}>
        {slots.search}
        {slots.search === undefined && searches !== null && (
          <SearchBox
            q={place.q}
            onSearch={(q) => list.change({ q })}
            label={t('lists.search', { what: title })}
            placeholder={searches}
          />
        )}
        <FilterBar filters={list.filters} place={place} onChange={list.change} />
        {narrow && create && (
          <Button
            type="primary"
            className={styles['phone']}
            icon={<Icon of={PlusOutlined} />}
            aria-label={create.label}
            onClick={create.run}
          />
        )}
        {narrow && !hasPhoneTools(list, slots) && (
          <span className={styles['end']}>
            <ColumnSettings arranged={arranged} />
          </span>
        )}
      </div>
      <FilterChips
        chips={list.chips}
        note={
          list.bounded && list.limited ? limitNote({ ...list, bounded: list.bounded }, t) : null
        }
        onRemove={list.removeFilter}
        onClear={list.clearChips}
      />
    </>
  );
};
