import { useState } from 'react';
import type { Endpoint, InputOf, OutputOf } from '@waystation/contract/endpoint.ts';
import type { BoundedList } from '@waystation/contract/bounded-lists.ts';
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
import { boundedPlace, chipsOf, filterInput, listInput, readPlace, withoutFilter, withoutFilters } from './list-filters.ts';
import type { ListFilter, ListPlace } from './list-filters.ts';
import type { ColumnPreset } from './use-columns.ts';
import { useCounts } from './use-counts.ts';
import type { Counts } from './use-counts.ts';

/** What every list endpoint answers. */
export interface ListAnswer<R> {
  items: R[];
  total: number | null;
  total_is_capped: number;
  next_cursor: string | null;
}

/** The rows of a list endpoint. */
export type RowOf<E extends Endpoint> = OutputOf<E> extends ListAnswer<infer R> ? R : never;

interface Spec<E extends Endpoint, C extends Endpoint> {
  /** Of the resource, as the server calls it (`cargos`): names kept columns, saved views, exports. */
  name: string;
  endpoint: E;
  /** Counts the rows and adds them up, where the list itself does not. */
  counts?: C;
  filters: readonly ListFilter[];
  /** The order without another one in the address. */
  sort: string;
  /** By what the server sorts, where an address is checked for it. */
  sorts?: readonly string[];
  /** What else is sent to the server, beside the filters. */
  input?: Partial<InputOf<E>>;
  refetchInterval?: number | false;
  /** Filters and orders that are offered within some days. */
  bounded?: BoundedList;
  /** Ready arrangements of the columns. */
  presets?: readonly ColumnPreset[];
  /** The server exports it (server/src/exports.ts). */
  exportable?: boolean;
  /** Chosen rows can be exported alone: the server reads this list by ids. */
  exportsChosen?: boolean;
  /** What shows these rows, read again once a job has changed them. */
  refreshes?: readonly Endpoint[];
}

export interface List<R extends { id: number }, D extends ListAnswer<R> = ListAnswer<R>, C = unknown> {
  name: string;
  presets: readonly ColumnPreset[];
  exportable: boolean;
  exportsChosen: boolean;
  refreshes: readonly Endpoint[];
  filters: readonly ListFilter[];
  place: ListPlace;
  search: Search;
  setSearch: SetSearch;
  /** The whole answer; undefined while it is first read. */
  data: D | undefined;
  counts: Counts<C>;
  bounded: BoundedList | undefined;
  /** The days of the place are not those of the address: the filters and the order need fewer. */
  limited: boolean;
  rows: readonly R[] | undefined;
  error: unknown;
  /** The rows are those of the filters before. */
  stale: boolean;
  busy: boolean;
  /** When it was read. */
  at: number;
  refetch: () => unknown;
  /** Any filter or search at all. */
  filtered: boolean;
  chips: ReturnType<typeof chipsOf>;
  /** Narrows otherwise: the list starts at its first page. */
  change: (patch: SearchPatch) => void;
  removeFilter: (key: string) => void;
  /** Filters and search. */
  clearFilters: () => void;
  /** What the chips' own button clears. */
  clearChips: () => void;
  selection: Selection<R>;
  /** The chosen rows as last read. */
  chosen: readonly R[];
  /** Everything the filters find is meant, not the chosen rows alone. */
  everything: boolean;
  chooseEverything: () => void;
  clearSelection: () => void;
  /** The rows hang together. */
  tree?: TreeOf<R>;
  /** The row whose drawer is open. */
  opened: number | null;
  openedRow: R | undefined;
  open: (row: { id: number }) => void;
  closeRow: () => void;
  /** `id` of the row whose form is open, 'new', or null. */
  form: number | 'new' | null;
  openForm: (form: number | 'new') => void;
  closeForm: () => void;
  /** The background job that is watched: `job` in the address. */
  job: number | null;
  openJob: (id: number) => void;
  closeJob: () => void;
  /** The rows before and after the opened one in the filtered list, over the page's ends. */
  onPrevious: (() => void) | null;
  onNext: (() => void) | null;
}

/** A list of any rows, for what only shows its state. */
export type AnyList = Omit<List<{ id: number }>, 'selection' | 'tree'> & { selection: Pick<Selection<{ id: number }>, 'rows' | 'drop'> };

/** Whether each row of the page is chosen. */
export const isWholePageChosen = ({ rows, selection }: Pick<AnyList, 'rows' | 'selection'>): boolean =>
  rows !== undefined && rows.length > 0 && rows.every(({ id }) => selection.rows.has(id));

const whole = (value: string | undefined): number | null => (value !== undefined && /^[1-9]\d{0,14}$/.test(value) ? Number(value) : null);

/** The chosen rows, or everything that matches `mark`, until something else is chosen. */
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

/** Whether no page follows: by the cursor, because rows that came or went since the first page change how many there are, not what follows. */
export const isLastPage = ({ data }: Pick<AnyList, 'data'>): boolean => data === undefined || data.next_cursor === null;

/** The rows before and after the opened one, over the page's ends; null at the list's. */
const walkOf = (
  opened: number | null,
  rows: readonly { id: number }[] | undefined,
  { page }: ListPlace,
  isLast: boolean,
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
    onPrevious: (at > 0 ? stepTo(at - 1) : null) ?? (page > 1 ? () => void turn(page - 1, -1) : null),
    onNext: stepTo(at + 1) ?? (isLast ? null : () => void turn(page + 1, 0)),
  };
};

/** Milliseconds between counts of a list that is read again by itself, at least. */
const countsPause = 10_000;

/** The rows of the address: read, and what narrows them. */
const useRows = <E extends Endpoint, C extends Endpoint>(
  { name, endpoint, counts: counting, filters, sort, sorts, input, refetchInterval, bounded }: Spec<E, C>,
  search: Search,
  setSearch: SetSearch,
) => {
  type R = RowOf<E> & { id: number };
  const wanted = readPlace(search, filters, sort, sorts);
  const place = bounded ? boundedPlace(wanted, bounded) : wanted;
  // The address holds texts; the contract's fields take numbers as digits too.
  const list = { endpoint, input: { ...input, ...listInput(place) }, place };
  const query = cursorOfPage(list, place.page) as InputOf<E>;
  const reading = useCall(endpoint, query, { keep: true, ...(refetchInterval !== undefined && { refetchInterval }) });
  const data = reading.data as (OutputOf<E> & ListAnswer<R>) | undefined;
  useNextCursor(list, reading.isPlaceholderData ? undefined : data?.next_cursor);
  const counts = useCounts(name, counting, { ...input, ...filterInput(place) }, data, refetchInterval && Math.max(refetchInterval, countsPause));
  const chips = chipsOf(place, filters);
  const clearFilters = (): void => setSearch({ ...withoutFilters(filters), q: undefined });
  return {
    readPage: async (page: number) => (await call(endpoint, cursorOfPage(list, page) as InputOf<E>)) as ListAnswer<R>,
    place,
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

/** What is open beside the rows: a row, a form, a job. */
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

/** Everything a list page is made of, kept in its address: filters, order, page, the opened row and the opened form. */
export const useList = <E extends Endpoint, C extends Endpoint = Endpoint>(
  spec: Spec<E, C>,
): List<RowOf<E> & { id: number }, OutputOf<E> & ListAnswer<RowOf<E> & { id: number }>, OutputOf<C>> => {
  type R = RowOf<E> & { id: number };
  const { name, filters, presets = [], exportable = false, exportsChosen = false, refreshes = [] } = spec;
  const [search, setSearch] = usePageSearch();
  const { readPage, ...reading } = useRows(spec, search, setSearch);
  const { rows, place, data } = reading;
  const selection = useSelection<R>();
  const choosing = useChoosing(selection, JSON.stringify(filterInput(place)));
  const beside = openedOf(search, setSearch);
  return {
    name,
    filters,
    presets,
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
    ...walkOf(beside.opened, rows, place, isLastPage({ data }), setSearch, readPage),
  };
};
