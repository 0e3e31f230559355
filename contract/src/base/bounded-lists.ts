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
   * Filters that use a database index and find only few rows: if such a filter is set, days are not
   * required. If an item is a list of names, all these filters must be set.
   */
  narrow: readonly (string | readonly string[])[];
  /** The maximum number of days that are allowed; `mostDays` by default. */
  most?: number;
  /** Further filters with a different maximum number of days. */
  also?: BoundedList;
}

/** The default number of days to which a filter or sort order without an index is limited. */
export const mostDays = 31;

export const mostDaysOf = ({ most = mostDays }: BoundedList): number => most;

/**
 * A filter by arrival finds parcels by their moves. It is therefore limited by the days of the
 * moves, not by the days of creation.
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
 * This filter may read more days than others, because the station board links to the profit shares
 * of all days that it shows.
 */
const boundedShares: BoundedList = {
  days: 'posted',
  sorts: [],
  filters: ['earned_from'],
  narrow: narrowStatements,
  most: boardDays.max,
};

/**
 * The limits of the list of transactions. Filters by type have indexes. Filters by amount, sign or
 * closed month, which match only few transactions, have none.
 */
export const boundedStatements: BoundedList = {
  days: 'posted',
  sorts: [],
  filters: ['amount_from', 'amount_to', 'sign', 'closed', 'billed'],
  narrow: narrowStatements,
  also: boundedShares,
};

/**
 * The limits for readers who see several stations: some filters and sort orders have no database
 * index. A reader of a single address book has no limit, because one book can be read completely.
 */
const boundedContacts: BoundedList = {
  days: 'updated',
  sorts: ['name', 'kind', 'station_name', 'province', 'status', 'created_at'],
  filters: ['q', 'province', 'status'],
  narrow: ['station_id'],
};

/**
 * The limits for readers of all stations. They cannot filter by kind quickly, because the database
 * index for kinds begins with the station.
 */
const boundedAllContacts: BoundedList = {
  ...boundedContacts,
  filters: [...boundedContacts.filters, 'kind'],
};

/**
 * The limits of the address books for a reader with this role; undefined if the reader sees only
 * one station's book.
 */
export const boundedContactsOf = (role: Role): BoundedList | undefined =>
  office.includes(role) ? boundedAllContacts : role === 'partner' ? boundedContacts : undefined;

/**
 * The database index for records is ordered by the record's type and then by its id. A filter can
 * therefore use the index only if it contains both the type and the id.
 */
export const boundedAudit: BoundedList = {
  days: 'at',
  sorts: [],
  filters: ['q', 'account_name', 'action', 'subject', 'subject_id'],
  narrow: [['subject', 'subject_id'], 'request_id'],
};

const isSet = (value: unknown): boolean => value !== undefined && value !== '';

/** Flags for which only the value 1 has a database index, because nearly all rows have 0. */
const flags: ReadonlySet<string> = new Set(['need_retry']);

/** True if the filter limits the rows. A search text without any word does not. */
const isNarrow = (name: string, value: unknown): boolean => {
  if (!isSet(value)) return false;
  return flags.has(name)
    ? Number(value) === 1
    : name !== 'q' || searchWords(String(value)).length > 0;
};

export const isBoundedSort = ({ sorts }: BoundedList, sort: unknown): boolean =>
  typeof sort === 'string' && sorts.includes(sort.replace(/^-/, ''));

/** True if the list shows parcels to be printed, for which a separate index exists. */
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

/**
 * The first day that a filter or sort order without an index may read, if the last day is `today`.
 */
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
