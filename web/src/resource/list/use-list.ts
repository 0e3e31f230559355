import { useState } from 'react';
import type { Endpoint, InputOf, OutputOf } from '@waystation/contract/base/endpoint.ts';
import type { BoundedList } from '@waystation/contract/base/bounded-lists.ts';
import { call } from '#base/call.ts';
import type { Search, SearchPatch } from '#base/href.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { usePageSearch } from '#shell/tabs/page.ts';
import type { SetSearch } from '#shell/tabs/page.ts';
import { useCall } from '#base/query.ts';
import { refreshed, useSelection } from '#resource/table/selection.ts';
import type { Selection } from '#resource/table/selection.ts';
import type { TreeOf } from '#resource/table/tree.ts';
import { cursorOfPage, useNextCursor } from './cursors.ts';
import {
  boundedPlace,
  chipsOf,
  filterInput,
  listInput,
  readPlace,
  withoutFilter,
  withoutFilters,
} from './list-filters.ts';
import type { ListFilter, ListPlace } from './list-filters.ts';
import type { ColumnLayout } from '#resource/table/column-layout.ts';
import { readLayout } from '#resource/table/column-layout.ts';
import { usePreference } from './preference.ts';
import type { ColumnPreset, KeptLayout } from './column-arrangement.ts';
import { useCounts } from './use-counts.ts';
import type { Counts } from './use-counts.ts';

/** The output of every list endpoint. */
export interface ListAnswer<R> {
  items: R[];
  total: number | null;
  total_is_capped: number;
  next_cursor: string | null;
}

/** The type of the rows that a list endpoint returns. */
export type RowOf<E extends Endpoint> = OutputOf<E> extends ListAnswer<infer R> ? R : never;

interface Spec<E extends Endpoint, C extends Endpoint> {
  /**
   * The name of the resource on the server, such as `cargos`. Columns, saved views and exports are
   * stored under this name.
   */
  name: string;
  endpoint: E;
  /**
   * The endpoint that returns the count and the sums of the rows. Absent if the list's own response
   * contains the count.
   */
  counts?: C;
  filters: readonly ListFilter[];
  /** The sort order that applies if the URL contains none. */
  sort: string;
  /**
   * The columns by which the server can sort. If the URL contains another sort column, the URL is
   * corrected.
   */
  sorts?: readonly string[];
  /** Further input of the call that does not come from the filters. */
  input?: Partial<InputOf<E>>;
  /**
   * Returns the fields that the displayed columns need. Absent if the endpoint always returns all
   * fields.
   */
  fieldsOf?: (layout: ColumnLayout, place: ListPlace) => string | undefined;
  refetchInterval?: number | false;
  /** The filters and sort orders that limit the list to a maximum number of days. */
  bounded?: BoundedList;
  /** Predefined column arrangements. */
  presets?: readonly ColumnPreset[];
  /** True if the server can export this list (`exports` of a feature). */
  exportable?: boolean;
  /**
   * True if only selected rows can be exported. The server can read the rows of this list only by
   * their ids.
   */
  exportsChosen?: boolean;
  /** Endpoints whose data contain these rows. They are read again after a job has changed rows. */
  refreshes?: readonly Endpoint[];
}

export interface List<
  R extends { id: number },
  D extends ListAnswer<R> = ListAnswer<R>,
  C = unknown,
> {
  name: string;
  presets: readonly ColumnPreset[];
  /** The column layout of this user. */
  layout: KeptLayout;
  /** The fields that are requested for the list; undefined if all fields are requested. */
  fields: string | undefined;
  exportable: boolean;
  exportsChosen: boolean;
  refreshes: readonly Endpoint[];
  filters: readonly ListFilter[];
  place: ListPlace;
  search: Search;
  setSearch: SetSearch;
  /** The whole response of the list; undefined until it is read for the first time. */
  data: D | undefined;
  counts: Counts<C>;
  bounded: BoundedList | undefined;
  /**
   * True if the filters or the sort order permit fewer days than the URL asks for. The list then
   * shows only the permitted days.
   */
  limited: boolean;
  rows: readonly R[] | undefined;
  error: unknown;
  /** True while the displayed rows belong to the previous filters. */
  stale: boolean;
  busy: boolean;
  /** The time when the rows were read. */
  at: number;
  refetch: () => unknown;
  /** True if there is any filter or search text. */
  filtered: boolean;
  chips: ReturnType<typeof chipsOf>;
  /** Changes the filters and shows the first page of the list. */
  change: (patch: SearchPatch) => void;
  removeFilter: (key: string) => void;
  /** Removes all filters and the search text. */
  clearFilters: () => void;
  /** Removes the filters that are shown as chips. */
  clearChips: () => void;
  selection: Selection<R>;
  /** The selected rows with their most recently read values. */
  chosen: readonly R[];
  /** True if all rows that match the filters are selected instead of single rows. */
  everything: boolean;
  chooseEverything: () => void;
  clearSelection: () => void;
  /** The relation of parents and children between the rows of a tree. */
  tree?: TreeOf<R>;
  /** The id of the row whose drawer is open; null if no drawer is open. */
  opened: number | null;
  openedRow: R | undefined;
  open: (row: { id: number }) => void;
  closeRow: () => void;
  /** The id of the row whose form is open, 'new' for the form of a new row, or null. */
  form: number | 'new' | null;
  openForm: (form: number | 'new') => void;
  closeForm: () => void;
  /** The id of the background job whose progress is shown. The URL contains it as `job`. */
  job: number | null;
  openJob: (id: number) => void;
  closeJob: () => void;
  /**
   * Opens the previous row of the filtered list, even if that row is on another page; null if there
   * is none.
   */
  onPrevious: (() => void) | null;
  onNext: (() => void) | null;
}

/** A list with rows of any type. It is used by parts that show only the state of the list. */
export type AnyList = Omit<List<{ id: number }>, 'selection' | 'tree'> & {
  selection: Pick<Selection<{ id: number }>, 'rows' | 'drop'>;
};

/** True if every row of the page is selected. */
export const isWholePageChosen = ({
  rows,
  selection,
}: Pick<AnyList, 'rows' | 'selection'>): boolean =>
  rows !== undefined && rows.length > 0 && rows.every(({ id }) => selection.rows.has(id));

const whole = (value: string | undefined): number | null =>
  value !== undefined && /^[1-9]\d{0,14}$/.test(value) ? Number(value) : null;

/**
 * The selection of single rows or of all rows that match the filters. `mark` identifies the
 * filters. If it changes, only the single rows stay selected.
 */
const useChoosing = <R extends { id: number }>(selection: Selection<R>, mark: string) => {
  const [everythingOf, setEverythingOf] = useState<string | null>(null);
  return {
    selection: {
      ...selection,
      toggle: (row: R) => {
        setEverythingOf(null);
        selection.toggle(row);
      },
      page: (page: readonly R[], chosen: boolean) => {
        if (!chosen) setEverythingOf(null);
        selection.page(page, chosen);
      },
    },
    everything: everythingOf === mark && selection.rows.size > 0,
    chooseEverything: () => setEverythingOf(mark),
    clearSelection: () => {
      setEverythingOf(null);
      selection.clear();
    },
  };
};

/**
 * True if there is no next page. This follows from the cursor and not from the number of rows,
 * which changes if rows are inserted or deleted meanwhile.
 */
export const isLastPage = ({ data }: Pick<AnyList, 'data'>): boolean =>
  data === undefined || data.next_cursor === null;

/**
 * Functions that open the previous and the next row, even if that row is on another page. They are
 * null at the ends of the list.
 */
const walkOf = (
  {
    opened,
    rows,
    isLast,
  }: { opened: number | null; rows: readonly { id: number }[] | undefined; isLast: boolean },
  { page }: ListPlace,
  setSearch: SetSearch,
  read: (page: number) => Promise<ListAnswer<{ id: number }>>,
): Pick<AnyList, 'onPrevious' | 'onNext'> => {
  const at = rows?.findIndex((row) => row.id === opened) ?? -1;
  if (at < 0) return { onPrevious: null, onNext: null };
  const turn = async (to: number, end: 0 | -1): Promise<void> => {
    try {
      const row = (await read(to)).items.at(end);
      if (row) setSearch({ page: to === 1 ? undefined : to, id: row.id });
    } catch (error) {
      notify.failure(error);
    }
  };
  const stepTo = (index: number): (() => void) | null => {
    const row = rows?.[index];
    return row ? () => setSearch({ id: row.id }) : null;
  };
  return {
    onPrevious:
      (at > 0 ? stepTo(at - 1) : null) ?? (page > 1 ? () => void turn(page - 1, -1) : null),
    onNext: stepTo(at + 1) ?? (isLast ? null : () => void turn(page + 1, 0)),
  };
};

/** The minimum number of milliseconds between two counts while a list is polled. */
const countsPause = 10_000;

/** The rows for the URL of the list, the state of their loading, and the filters. */
const useRows = <E extends Endpoint, C extends Endpoint>(
  {
    name,
    endpoint,
    counts: counting,
    filters,
    sort,
    sorts,
    input,
    fieldsOf,
    refetchInterval,
    bounded,
  }: Spec<E, C>,
  [stored]: KeptLayout,
  search: Search,
  setSearch: SetSearch,
) => {
  type R = RowOf<E> & { id: number };
  const wanted = readPlace(search, filters, sort, sorts);
  const place = bounded ? boundedPlace(wanted, bounded) : wanted;
  // The URL contains only texts. The fields of the contract also accept a number that is written as
  // a text of digits.
  const list = { endpoint, input: { ...input, ...listInput(place) }, place };
  const fields = fieldsOf?.(readLayout(stored), place);
  // The query depends only on the list's state, so that a page begins at the same row when it is
  // read again.
  const queryOf = (page: number): InputOf<E> =>
    ({ ...cursorOfPage(list, page), ...(fields !== undefined && { fields }) }) as InputOf<E>;
  const query = queryOf(place.page);
  const reading = useCall(endpoint, query, {
    keep: true,
    ...(refetchInterval !== undefined && { refetchInterval }),
  });
  const data = reading.data as (OutputOf<E> & ListAnswer<R>) | undefined;
  useNextCursor(list, reading.isPlaceholderData ? undefined : data?.next_cursor);
  const counts = useCounts(counting, {
    list: name,
    filters: { ...input, ...filterInput(place) },
    data,
    refetchInterval: refetchInterval && Math.max(refetchInterval, countsPause),
  });
  const chips = chipsOf(place, filters);
  const clearFilters = (): void => setSearch({ ...withoutFilters(filters), q: undefined });
  return {
    readPage: async (page: number) => (await call(endpoint, queryOf(page))) as ListAnswer<R>,
    place,
    fields,
    bounded,
    limited: place !== wanted,
    data,
    counts,
    rows: data?.items as readonly R[] | undefined,
    error: reading.error,
    stale: reading.isPlaceholderData,
    busy: reading.isFetching,
    at: reading.dataUpdatedAt,
    refetch: () => {
      void counts.refetch();
      return reading.refetch();
    },
    filtered: place.q !== '' || chips.length > 0,
    chips,
    change: (patch: SearchPatch) => setSearch({ ...patch, page: undefined }),
    removeFilter: (key: string) => setSearch(withoutFilter(filters, key)),
    clearFilters,
    clearChips: clearFilters,
  };
};

/** The row, form or job that is open in a drawer beside the rows. */
const openedOf = (search: Search, setSearch: SetSearch) => {
  const opened = whole(search['id']);
  return {
    opened,
    open: (row: { id: number }) => setSearch({ id: row.id }, { push: opened === null }),
    closeRow: () => setSearch({ id: undefined, view: undefined }),
    form: search['form'] === 'new' ? ('new' as const) : whole(search['form']),
    openForm: (form: number | 'new') => setSearch({ form }, { push: search['form'] === undefined }),
    closeForm: () => setSearch({ form: undefined }),
    job: whole(search['job']),
    openJob: (job: number) => setSearch({ job }),
    closeJob: () => setSearch({ job: undefined }),
  };
};

/**
 * The state of a list page, which is stored in its URL: filters, order, page, opened row and opened
 * form.
 */
export const useList = <E extends Endpoint, C extends Endpoint = Endpoint>(
  spec: Spec<E, C>,
): List<
  RowOf<E> & { id: number },
  OutputOf<E> & ListAnswer<RowOf<E> & { id: number }>,
  OutputOf<C>
> => {
  type R = RowOf<E> & { id: number };
  const {
    name,
    filters,
    presets = [],
    exportable = false,
    exportsChosen = false,
    refreshes = [],
  } = spec;
  const [search, setSearch] = usePageSearch();
  const layout = usePreference(`columns.${name}`);
  const { readPage, ...reading } = useRows(spec, layout, search, setSearch);
  const { rows, place, data } = reading;
  const selection = useSelection<R>();
  const choosing = useChoosing(selection, JSON.stringify(filterInput(place)));
  const beside = openedOf(search, setSearch);
  return {
    name,
    filters,
    presets,
    layout,
    exportable,
    exportsChosen,
    refreshes,
    search,
    setSearch,
    ...reading,
    ...choosing,
    chosen: refreshed(selection.state, rows ?? []),
    ...beside,
    openedRow: rows?.find((row) => row.id === beside.opened),
    ...walkOf(
      { opened: beside.opened, rows, isLast: isLastPage({ data }) },
      place,
      setSearch,
      readPage,
    ),
  };
};
