import { boardDays } from './limits.ts';
import { office } from './roles.ts';
import type { Role } from './roles.ts';
import { searchWords } from './search.ts';

/** What a list takes: its filters by name, and its order. */
type Input = Readonly<Record<string, unknown>>;

/** Filters and orders of a list that no index serves: they read every row of the days that are chosen, so that these are limited (docs/decisions/0035). */
export interface BoundedList {
  /** The filter of days: `<days>_from` and `<days>_to`. */
  days: string;
  sorts: readonly string[];
  filters: readonly string[];
  /** Filters that find few rows by an index; beside one of them no days are needed. Of several together an index needs each. */
  narrow: readonly (string | readonly string[])[];
  /** Days that may be read at most; `mostDays` by default. */
  most?: number;
  /** Filters with other days. */
  also?: BoundedList;
}

/** Days that such a filter or order may read at most. */
export const mostDays = 31;

export const mostDaysOf = ({ most = mostDays }: BoundedList): number => most;

/** Parcels that came into a state are found by their moves, whose days are others than those of creation. */
const boundedArrivals: BoundedList = { days: 'arrived', sorts: [], filters: ['arrived'], narrow: ['q'] };

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

/** The station board leads to the shares of all its days. */
const boundedShares: BoundedList = { days: 'posted', sorts: [], filters: ['earned_from'], narrow: narrowStatements, most: boardDays.max };

/** Types of lines have indexes; an amount, a sign or a state of the books that few lines have has none. */
export const boundedStatements: BoundedList = {
  days: 'posted',
  sorts: [],
  filters: ['amount_from', 'amount_to', 'sign', 'closed', 'billed'],
  narrow: narrowStatements,
  also: boundedShares,
};

/** For readers of several stations: the book of one is read whole. By kind of each of them and newest first it has indexes. */
const boundedContacts: BoundedList = {
  days: 'updated',
  sorts: ['name', 'kind', 'station_name', 'province', 'status', 'created_at'],
  filters: ['q', 'province', 'status'],
  narrow: ['station_id'],
};

/** For readers of all stations: the index of kinds begins with a station. */
const boundedAllContacts: BoundedList = { ...boundedContacts, filters: [...boundedContacts.filters, 'kind'] };

/** How the address books of this reader are bounded; undefined: they are the book of one station. */
export const boundedContactsOf = (role: Role): BoundedList | undefined =>
  office.includes(role) ? boundedAllContacts : role === 'partner' ? boundedContacts : undefined;

/** The index of a record begins with its type, and its order within a type is by record. */
export const boundedAudit: BoundedList = {
  days: 'at',
  sorts: [],
  filters: ['q', 'account_name', 'action', 'subject', 'subject_id'],
  narrow: [['subject', 'subject_id'], 'request_id'],
};

const isSet = (value: unknown): boolean => value !== undefined && value !== '';

/** Flags of few rows: 0 is what nearly all rows have, and no index is for them. */
const flags: ReadonlySet<string> = new Set(['need_retry']);

/** A search without a word looks for nothing. */
const isNarrow = (name: string, value: unknown): boolean => {
  if (!isSet(value)) return false;
  return flags.has(name) ? Number(value) === 1 : name !== 'q' || searchWords(String(value)).length > 0;
};

export const isBoundedSort = ({ sorts }: BoundedList, sort: unknown): boolean => typeof sort === 'string' && sorts.includes(sort.replace(/^-/, ''));

/** Parcels to be printed have an index of their own. */
const isToPrint = ({ tab, state_code, printed }: Input): boolean => Number(printed) === 0 && (tab === 'awaiting_pickup' || Number(state_code) === 100);

const needsDays = (list: BoundedList, input: Input): boolean =>
  !list.narrow.some((names) => [names].flat().every((name) => isNarrow(name, input[name]))) &&
  (isBoundedSort(list, input['sort']) ||
    list.narrow.some((name) => typeof name === 'string' && flags.has(name) && isSet(input[name])) ||
    list.filters.some((name) => isSet(input[name]) && !(name === 'printed' && isToPrint(input))));

const dayMs = 86_400_000;
const daysAfter = (day: string, count: number): string => new Date(Date.parse(day) + count * dayMs).toISOString().slice(0, 10);

/** The first of the days up to `today` that such a filter or order may read. */
const earliestDay = (list: BoundedList, today: string): string => daysAfter(today, 1 - mostDaysOf(list));

/** The days that an input has to be limited to, or null where it may stay as it is; `today` is the business day. */
export const neededDays = (list: BoundedList, input: Input, today: string): { from: string; to: string | undefined } | null => {
  if (!needsDays(list, input)) return null;
  const from = input[`${list.days}_from`];
  const to = input[`${list.days}_to`];
  const end = isSet(to) ? String(to) : undefined;
  const first = earliestDay(list, end ?? today);
  return isSet(from) && String(from) >= first ? null : { from: first, to: end };
};
