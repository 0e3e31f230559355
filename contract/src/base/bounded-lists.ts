import { boardDays } from './limits.ts';
import { office } from './roles.ts';
import type { Role } from './roles.ts';
import { searchWords } from '#shell/search.ts';

/** The input of a list: the values of its filters by their names, and its sort order. */
type Input = Readonly<Record<string, unknown>>;

/**
 * The filters and sort orders of a list for which no database index exists. They read every row of
 * the chosen days, so the number of days is limited (docs/decisions/0035).
 */
export interface BoundedList {
  /** The name of the list's filter by days; its parameters are `<days>_from` and `<days>_to`. */
  days: string;
  sorts: readonly string[];
  filters: readonly string[];
  /**
   * Filters that find few rows by an index: if one is set, no days are needed. An entry with
   * several names needs all of them.
   */
  narrow: readonly (string | readonly string[])[];
  /** The limit of days; `mostDays` by default. */
  most?: number;
  /** Filters on other days. */
  also?: BoundedList;
}

/** The default limit of days for a filter or order without an index. */
export const mostDays = 31;

export const mostDaysOf = ({ most = mostDays }: BoundedList): number => most;

/**
 * A filter by arrivals finds parcels by their moves, so it is limited by the days of the moves and
 * not of creation.
 */
const boundedArrivals: BoundedList = {
  days: 'arrived',
  sorts: [],
  filters: ['arrived'],
  narrow: ['q'],
};

export const boundedParcels: BoundedList = {
  days: 'created',
  sorts: ['post_amount', 'weight', 'cal_weight', 'state_code'],
  filters: [
    'promise_id',
    'receive_province',
    'goods',
    'project_id',
    'voucher_id',
    'insured',
    'printed',
    'post_amount_from',
    'post_amount_to',
    'weight_difference',
  ],
  narrow: ['q', 'unmoved_hours', 'need_retry', 'exception'],
  also: boundedArrivals,
};

const narrowStatements = ['q', 'delivery_id', 'express_id', 'period'];

/**
 * The board of stations links to the shares of all its days, so that this filter may read more
 * days.
 */
const boundedShares: BoundedList = {
  days: 'posted',
  sorts: [],
  filters: ['earned_from'],
  narrow: narrowStatements,
  most: boardDays.max,
};

/**
 * Types of lines have indexes; an amount, a sign or the closed flag, which few lines match, have
 * none.
 */
export const boundedStatements: BoundedList = {
  days: 'posted',
  sorts: [],
  filters: ['amount_from', 'amount_to', 'sign', 'closed', 'billed'],
  narrow: narrowStatements,
  also: boundedShares,
};

/**
 * The limits for readers of several stations. Some filters and orders have no index, while a single
 * address book may be read completely.
 */
const boundedContacts: BoundedList = {
  days: 'updated',
  sorts: ['name', 'kind', 'station_name', 'province', 'status', 'created_at'],
  filters: ['q', 'province', 'status'],
  narrow: ['station_id'],
};

/**
 * The limits for readers of all stations: the index of kinds begins with a station, so it does not
 * serve them.
 */
const boundedAllContacts: BoundedList = {
  ...boundedContacts,
  filters: [...boundedContacts.filters, 'kind'],
};

/** The limits of address books for a reader; undefined if the reader has only one station's. */
export const boundedContactsOf = (role: Role): BoundedList | undefined =>
  office.includes(role) ? boundedAllContacts : role === 'partner' ? boundedContacts : undefined;

/**
 * The database index for records is ordered by the record's type and then by its id. A filter can
 * therefore use it only if it has both.
 */
export const boundedAudit: BoundedList = {
  days: 'at',
  sorts: [],
  filters: ['q', 'account_name', 'action', 'subject', 'subject_id'],
  narrow: [['subject', 'subject_id'], 'request_id'],
};

const isSet = (value: unknown): boolean => value !== undefined && value !== '';

/** Flags that few rows have: nearly all rows have 0, so there is no index for 0. */
const flags: ReadonlySet<string> = new Set(['need_retry']);

/** A search without any word does not limit the rows. */
const isNarrow = (name: string, value: unknown): boolean => {
  if (!isSet(value)) return false;
  return flags.has(name)
    ? Number(value) === 1
    : name !== 'q' || searchWords(String(value)).length > 0;
};

export const isBoundedSort = ({ sorts }: BoundedList, sort: unknown): boolean =>
  typeof sort === 'string' && sorts.includes(sort.replace(/^-/, ''));

/** Parcels to be printed have a separate index. */
const isToPrint = ({ tab, state_code, printed }: Input): boolean =>
  Number(printed) === 0 && (tab === 'awaiting_pickup' || Number(state_code) === 100);

const needsDays = (list: BoundedList, input: Input): boolean =>
  !list.narrow.some((names) => [names].flat().every((name) => isNarrow(name, input[name]))) &&
  (isBoundedSort(list, input['sort']) ||
    list.narrow.some((name) => typeof name === 'string' && flags.has(name) && isSet(input[name])) ||
    list.filters.some((name) => isSet(input[name]) && !(name === 'printed' && isToPrint(input))));

const dayMs = 86_400_000;
const daysAfter = (day: string, count: number): string =>
  new Date(Date.parse(day) + count * dayMs).toISOString().slice(0, 10);

/** The first day that a filter or order without an index may read, if the last one is `today`. */
const earliestDay = (list: BoundedList, today: string): string =>
  daysAfter(today, 1 - mostDaysOf(list));

/**
 * Returns the days to which the input must be limited, or null if the input may stay unchanged;
 * `today` is the business day.
 */
export const neededDays = (
  list: BoundedList,
  input: Input,
  today: string,
): { from: string; to: string | undefined } | null => {
  if (!needsDays(list, input)) return null;
  const from = input[`${list.days}_from`];
  const to = input[`${list.days}_to`];
  const end = isSet(to) ? String(to) : undefined;
  const first = earliestDay(list, end ?? today);
  return isSet(from) && String(from) >= first ? null : { from: first, to: end };
};
