import type { Language } from '@waystation/contract/base/errors.ts';
import { mostAmount, mostPageSize } from '@waystation/contract/base/limits.ts';
import type { ReactNode } from 'react';
import { neededDays } from '@waystation/contract/base/bounded-lists.ts';
import type { BoundedList } from '@waystation/contract/base/bounded-lists.ts';
import type { Search, SearchPatch } from '#base/href.ts';
import { today } from '#ui/fields/days.ts';
import { yuan } from '#ui/values/amounts.ts';
import type { Chip } from './filter-chips.tsx';

interface Shared {
  /** The name of the filter, on the server and in the URL. */
  key: string;
  label: string;
  /** True if the filter is less often used and is therefore behind "more filters". */
  more?: boolean;
  /**
   * True if only a link can set the filter, because the page has no control for it. An active
   * filter is shown as a chip.
   */
  hidden?: boolean;
}

/** A filter that accepts one value from a short list. */
export interface ChoiceFilter extends Shared {
  kind: 'choice';
  options: readonly { value: string; label: string }[];
}

/**
 * A filter that accepts several values from a short list. The values are separated by commas in the
 * URL and in the call.
 */
export interface ChoicesFilter extends Shared {
  kind: 'choices';
  options: readonly { value: string; label: string }[];
}

/**
 * A filter for a range of non-negative amounts. The URL parameters `<key>_from` and `<key>_to` are
 * in fen and belong to the range. The user types yuan.
 */
export interface AmountsFilter extends Shared {
  kind: 'amounts';
}

/**
 * A filter with a range of days. The URL parameters `<key>_from` and `<key>_to` both belong to the
 * range.
 */
export interface DaysFilter extends Shared {
  kind: 'days';
}

export interface TextFilter extends Shared {
  kind: 'text';
}

/** A filter of any other kind. It draws its own picker and writes its value as text. */
export interface OwnFilter extends Shared {
  kind: 'own';
  /** Names of further URL parameters. They are read only if the filter is set. */
  also?: readonly string[];
  /**
   * True if the server accepts this value under this name. If the function is absent, every value
   * is accepted.
   */
  fits?: (value: string, name: string) => boolean;
  words: (value: string, values: ListPlace['values']) => string;
  control: (value: string, change: (value: string | undefined) => void, bare: boolean) => ReactNode;
}

/** Converts a table of texts to filter options. The labels are in the reader's language. */
export const choicesOf = (
  table: Readonly<Record<string, Readonly<Record<Language, string>>>>,
  language: Language,
): ChoiceFilter['options'] =>
  Object.entries(table).map(([value, words]) => ({ value, label: words[language] }));

export type ListFilter =
  | ChoiceFilter
  | ChoicesFilter
  | AmountsFilter
  | DaysFilter
  | TextFilter
  | OwnFilter;

/** The parts of a filter that are needed to read a URL. */
export type FilterRule =
  | Pick<ChoiceFilter, 'key' | 'kind' | 'options'>
  | Pick<ChoicesFilter, 'key' | 'kind' | 'options'>
  | Pick<AmountsFilter | DaysFilter | TextFilter, 'key' | 'kind'>
  | Pick<OwnFilter, 'key' | 'kind' | 'also' | 'fits'>;

export const defaultSize = 20;
const sizes = [20, 50, 100, mostPageSize];

/** The state of a list, as stored in its URL. */
export interface ListPlace {
  q: string;
  /**
   * The values of the filters by their names on the server. A filter that is not set is missing.
   */
  values: Readonly<Record<string, string>>;
  sort: string;
  page: number;
  size: number;
}

const isRange = (filter: FilterRule): boolean =>
  filter.kind === 'days' || filter.kind === 'amounts';
const alsoOf = (filter: FilterRule): readonly string[] =>
  filter.kind === 'own' ? (filter.also ?? []) : [];
const namesOf = (filter: FilterRule): string[] =>
  isRange(filter) ? [`${filter.key}_from`, `${filter.key}_to`] : [filter.key, ...alsoOf(filter)];

export const isDay = (value: string): boolean =>
  /^[1-9]\d{3}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value));

/**
 * True if a filter accepts a value. Links may be edited by hand or come from another version. A
 * value that is not accepted is ignored.
 */
const fits = (filter: FilterRule, value: string, name: string): boolean => {
  if (filter.kind === 'own') return filter.fits?.(value, name) ?? true;
  if (filter.kind === 'days') return isDay(value);
  if (filter.kind === 'amounts') return /^\d{1,11}$/.test(value) && Number(value) <= mostAmount;
  if (filter.kind === 'choices')
    return value.split(',').every((one) => filter.options.some((option) => option.value === one));
  // While the options are being read, every value is accepted.
  return (
    filter.kind !== 'choice' ||
    filter.options.length === 0 ||
    filter.options.some((option) => option.value === value)
  );
};

/**
 * Reads the state of a list from its URL. `sorts` lists the columns by which the server can sort;
 * if it is absent, every column name is accepted.
 */
export const readPlace = (
  search: Search,
  filters: readonly FilterRule[],
  sort: string,
  sorts?: readonly string[],
): ListPlace => {
  const values: Record<string, string> = {};
  for (const filter of filters)
    for (const name of namesOf(filter)) {
      const value = (search[name] ?? '').trim().slice(0, 100);
      const isRead = !alsoOf(filter).includes(name) || values[filter.key] !== undefined;
      if (value !== '' && isRead && fits(filter, value, name)) values[name] = value;
    }
  const wanted = search['sort'] ?? '';
  const page = Number(search['page'] ?? '');
  return {
    q: (search['q'] ?? '').trim(),
    values,
    sort:
      /^-?[a-z][a-z\d_]{0,39}$/.test(wanted) && (sorts?.includes(wanted.replace(/^-/, '')) ?? true)
        ? wanted
        : sort,
    page: Number.isInteger(page) && page > 0 && page <= 1_000_000 ? page : 1,
    size: sizes.find((size) => String(size) === search['size']) ?? defaultSize,
  };
};

/**
 * The filters as parameters of the calls that read the list, export it, or run a bulk action on all
 * matching rows.
 */
export const filterInput = ({ q, values }: ListPlace): Record<string, string> => ({
  ...(q !== '' && { q }),
  ...values,
});

/** The input of the call that reads the list. */
export const listInput = (place: ListPlace): Record<string, string | number> => ({
  ...filterInput(place),
  sort: place.sort,
  page: place.page,
  page_size: place.size,
});

/**
 * The state of a list whose filters and sort order limit it to a maximum number of days. If the URL
 * contains no days or too many days, the first permitted day is set.
 */
export const boundedPlace = (
  place: ListPlace,
  list: BoundedList,
  day = today(Date.now()),
): ListPlace => {
  const needed = neededDays(list, { ...place.values, q: place.q, sort: place.sort }, day);
  const bounded =
    needed === null
      ? place
      : { ...place, values: { ...place.values, [`${list.days}_from`]: needed.from } };
  return list.also ? boundedPlace(bounded, list.also, day) : bounded;
};

export const activeFilters = <F extends FilterRule>(place: ListPlace, filters: readonly F[]): F[] =>
  filters.filter((filter) => namesOf(filter).some((name) => place.values[name] !== undefined));

export const rangeWords = (from = '…', to = '…'): string =>
  from === to ? from : `${from} – ${to}`;

const wordsOf = (filter: ListFilter, values: ListPlace['values']): string => {
  if (isRange(filter)) {
    const [from, to] = namesOf(filter).map((name) =>
      filter.kind === 'amounts' && values[name] !== undefined
        ? yuan(Number(values[name]))
        : values[name],
    );
    return rangeWords(from, to);
  }
  const value = values[filter.key]!;
  if (filter.kind === 'choices')
    return value
      .split(',')
      .map((one) => filter.options.find((option) => option.value === one)?.label ?? one)
      .join(' · ');
  if (filter.kind === 'choice')
    return filter.options.find((option) => option.value === value)?.label ?? value;
  return filter.kind === 'own' ? filter.words(value, values) : value;
};

export const chipsOf = (place: ListPlace, filters: readonly ListFilter[]): Chip[] =>
  activeFilters(place, filters).map((filter) => ({
    key: filter.key,
    name: filter.label,
    value: wordsOf(filter, place.values),
  }));

/** The change that removes a filter and opens the first page. */
export const withoutFilter = (filters: readonly FilterRule[], key: string): SearchPatch => ({
  ...Object.fromEntries(
    filters
      .filter((filter) => filter.key === key)
      .flatMap((filter) => namesOf(filter).map((name) => [name, undefined])),
  ),
  page: undefined,
});

export const withoutFilters = (filters: readonly FilterRule[]): SearchPatch => ({
  ...Object.fromEntries(filters.flatMap(namesOf).map((name) => [name, undefined])),
  page: undefined,
});

/**
 * The part of the URL's query that a saved view stores: filters, search text, sort order, and the
 * tab if the list has tabs.
 */
export const viewSearch = (
  search: Search,
  filters: readonly FilterRule[],
): Record<string, string> => {
  const known = new Set(['q', 'sort', 'size', 'tab', ...filters.flatMap(namesOf)]);
  return Object.fromEntries(Object.entries(search).filter(([name]) => known.has(name)));
};
