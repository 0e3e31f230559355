import { useState } from 'react';
import type { Endpoint, InputOf, OutputOf } from '@waystation/contract/endpoint.ts';
import { call } from '#base/call.ts';
import type { Search, SearchPatch } from '#base/href.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { usePageSearch } from '#shell/tabs/page.ts';
import type { SetSearch } from '#shell/tabs/page.ts';
import { useCall } from '#base/query.ts';
import { refreshed, useSelection } from '#resource/table/selection.ts';
import type { Selection } from '#resource/table/selection.ts';
import { chipsOf, filterInput, readPlace, withoutFilter, withoutFilters } from './list-filters.ts';
import type { ListFilter, ListPlace } from './list-filters.ts';

/** What every list endpoint answers; `sums` of the whole filtered set where it has any. */
export interface ListAnswer<R> {
  items: R[];
  total: number;
  total_is_capped: number;
  next_cursor: string | null;
}

/** The rows of a list endpoint. */
export type RowOf<E extends Endpoint> = OutputOf<E> extends ListAnswer<infer R> ? R : never;

interface Spec<E extends Endpoint> {
  /** Of the resource, as the server calls it (`cargos`): names kept columns, saved views, exports. */
  name: string;
  endpoint: E;
  filters: readonly ListFilter[];
  /** The order without another one in the address. */
  sort: string;
  /** What else the server is asked, beside the filters. */
  input?: Partial<InputOf<E>>;
  refetchInterval?: number | false;
}

export interface List<R extends { id: number }, D extends ListAnswer<R> = ListAnswer<R>> {
  name: string;
  filters: readonly ListFilter[];
  place: ListPlace;
  search: Search;
  setSearch: SetSearch;
  /** The whole answer, with its sums; undefined while it is first read. */
  data: D | undefined;
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
  clearFilters: () => void;
  selection: Selection<R>;
  /** The chosen rows as last read. */
  chosen: readonly R[];
  /** Everything the filters find is meant, not the chosen rows alone. */
  everything: boolean;
  chooseEverything: () => void;
  clearSelection: () => void;
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

/** A list of whatever rows, for what only shows how it stands. */
export type AnyList = Omit<List<{ id: number }>, 'selection'> & { selection: Pick<Selection<{ id: number }>, 'rows'> };

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

/** The rows before and after the opened one, over the page's ends; null at the list's. */
const walkOf = (
  opened: number | null,
  rows: readonly { id: number }[] | undefined,
  { page, size }: ListPlace,
  data: ListAnswer<unknown> | undefined,
  setSearch: SetSearch,
  read: (page: number) => Promise<ListAnswer<{ id: number }>>,
): Pick<AnyList, 'onPrevious' | 'onNext'> => {
  const at = rows?.findIndex((row) => row.id === opened) ?? -1;
  if (at < 0 || !data) return { onPrevious: null, onNext: null };
  const last = data.total_is_capped === 1 ? Number.POSITIVE_INFINITY : Math.ceil(data.total / size);
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
    onNext: stepTo(at + 1) ?? (page < last ? () => void turn(page + 1, 0) : null),
  };
};

/** Everything a list page is made of, kept in its address: filters, order, page, the opened row and the opened form. */
export const useList = <E extends Endpoint>({
  name,
  endpoint,
  filters,
  sort,
  input,
  refetchInterval,
}: Spec<E>): List<RowOf<E> & { id: number }, OutputOf<E> & ListAnswer<RowOf<E> & { id: number }>> => {
  type R = RowOf<E> & { id: number };
  type D = OutputOf<E> & ListAnswer<R>;
  const [search, setSearch] = usePageSearch();
  const place = readPlace(search, filters, sort);
  const narrowing = filterInput(place);
  // The address holds texts; the contract's fields take numbers as digits too.
  const asked = { ...input, ...narrowing, sort: place.sort, page: place.page, page_size: place.size } as InputOf<E>;
  const reading = useCall(endpoint, asked, { keep: true, ...(refetchInterval !== undefined && { refetchInterval }) });
  const data = reading.data as D | undefined;
  const rows = data?.items;
  const selection = useSelection<R>();
  const choosing = useChoosing(selection, JSON.stringify(narrowing));
  const chips = chipsOf(place, filters);
  const opened = whole(search['id']);
  return {
    name,
    filters,
    place,
    search,
    setSearch,
    data,
    rows,
    error: reading.error,
    stale: reading.isPlaceholderData,
    busy: reading.isFetching,
    at: reading.dataUpdatedAt,
    refetch: reading.refetch,
    filtered: place.q !== '' || chips.length > 0,
    chips,
    change: (patch) => setSearch({ ...patch, page: undefined }),
    removeFilter: (key) => setSearch(withoutFilter(filters, key)),
    clearFilters: () => setSearch({ ...withoutFilters(filters), q: undefined }),
    ...choosing,
    chosen: refreshed(selection.state, rows ?? []),
    opened,
    openedRow: rows?.find((row) => row.id === opened),
    open: (row) => setSearch({ id: row.id }, { push: opened === null }),
    closeRow: () => setSearch({ id: undefined, view: undefined }),
    form: search['form'] === 'new' ? 'new' : whole(search['form']),
    openForm: (form) => setSearch({ form }, { push: search['form'] === undefined }),
    closeForm: () => setSearch({ form: undefined }),
    job: whole(search['job']),
    openJob: (job) => setSearch({ job }),
    closeJob: () => setSearch({ job: undefined }),
    ...walkOf(opened, rows, place, data, setSearch, async (page) => (await call(endpoint, { ...(asked as object), page } as InputOf<E>)) as D),
  };
};
