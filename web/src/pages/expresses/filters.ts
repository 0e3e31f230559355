import type { InputOf } from '@waystation/contract/endpoint.ts';
import type { listExpresses } from '@waystation/contract/express-calls.ts';
import { arrivalNames, expressGroups, expressTabs } from '@waystation/contract/express.ts';
import type { ExpressArrival, ExpressGroup, ExpressTab } from '@waystation/contract/express.ts';
import type { Search, SearchPatch } from '#base/href.ts';

type ListInput = InputOf<typeof listExpresses>;

export const defaultSort = '-created_at';
export const defaultSize = 20;
const sizes = [20, 50, 100, 200];
const sorts = new Set(['created_at', 'post_amount', 'weight', 'cal_weight', 'updated_at', 'state_code']);

/** What a link to the list says, with what makes no sense in it left out: links are edited by hand and outlive versions. */
export interface Filters {
  q: string;
  tab: ExpressTab | null;
  group: ExpressGroup | null;
  created_from: string;
  created_to: string;
  station_id: number | null;
  promise_id: string;
  receive_province: string;
  printed: 0 | 1 | null;
  need_retry: 0 | 1 | null;
  arrived: ExpressArrival | null;
  arrived_from: string;
  arrived_to: string;
  unmoved_hours: number | null;
  user_id: number | null;
  merchant_id: number | null;
  project_id: number | null;
  voucher_id: number | null;
  goods: string;
  insured: 0 | 1 | null;
  /** Fen, both included. */
  post_amount_from: number | null;
  post_amount_to: number | null;
  /** Grams. */
  weight_difference: number | null;
  sort: string;
  page: number;
  size: number;
}

const oneOf = <T extends string>(known: readonly T[], value: string | undefined): T | null => known.find((each) => each === value) ?? null;
const day = (value: string | undefined): string => (value !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : '');
const flag = (value: string | undefined): 0 | 1 | null => (value === '1' ? 1 : value === '0' ? 0 : null);
const whole = (value: string | undefined): number | null => (value !== undefined && /^[1-9]\d{0,14}$/.test(value) ? Number(value) : null);

/** Fen, as the server takes them. */
const fen = (value: string | undefined): number | null =>
  value !== undefined && /^\d{1,11}$/.test(value) && Number(value) <= 10_000_000_000 ? Number(value) : null;

/** At most a year. */
const hours = (value: string | undefined): number | null => {
  const count = whole(value);
  return count !== null && count <= 8_760 ? count : null;
};

/** At most ten tonnes, as the server takes them. */
const grams = (value: string | undefined): number | null => {
  const count = whole(value);
  return count !== null && count <= 10_000_000 ? count : null;
};

export const readFilters = (search: Search): Filters => ({
  q: (search['q'] ?? '').trim(),
  tab: oneOf(expressTabs, search['tab']),
  group: oneOf(expressGroups, search['group']),
  created_from: day(search['created_from']),
  created_to: day(search['created_to']),
  station_id: whole(search['station_id']),
  promise_id: (search['promise_id'] ?? '').slice(0, 40),
  receive_province: (search['receive_province'] ?? '').slice(0, 40),
  printed: flag(search['printed']),
  need_retry: flag(search['need_retry']),
  arrived: oneOf(arrivalNames, search['arrived']),
  arrived_from: day(search['arrived_from']),
  arrived_to: day(search['arrived_to']),
  unmoved_hours: hours(search['unmoved_hours']),
  user_id: whole(search['user_id']),
  merchant_id: whole(search['merchant_id']),
  project_id: whole(search['project_id']),
  voucher_id: whole(search['voucher_id']),
  goods: (search['goods'] ?? '').trim().slice(0, 100),
  insured: flag(search['insured']),
  post_amount_from: fen(search['post_amount_from']),
  post_amount_to: fen(search['post_amount_to']),
  weight_difference: grams(search['weight_difference']),
  sort: sorts.has((search['sort'] ?? '').replace(/^-/, '')) ? search['sort']! : defaultSort,
  page: whole(search['page']) ?? 1,
  size: sizes.find((size) => String(size) === search['size']) ?? defaultSize,
});

const plainKeys = ['user_id', 'merchant_id', 'project_id', 'voucher_id', 'insured', 'post_amount_from', 'post_amount_to', 'weight_difference'] as const;

/** Filters the server takes as they stand. */
const plain = (filters: Filters): ListInput => ({
  ...Object.fromEntries(plainKeys.flatMap((key) => (filters[key] === null ? [] : [[key, filters[key]]]))),
  ...(filters.goods !== '' && { goods: filters.goods }),
});

/** What the server is asked; filters that are not set are not named. */
export const listInput = (filters: Filters): ListInput => ({
  ...(filters.q !== '' && { q: filters.q }),
  ...(filters.tab !== null && { tab: filters.tab }),
  ...(filters.group !== null && { group: filters.group }),
  ...(filters.created_from !== '' && { created_from: filters.created_from }),
  ...(filters.created_to !== '' && { created_to: filters.created_to }),
  ...(filters.station_id !== null && { station_id: filters.station_id }),
  ...(filters.promise_id !== '' && { promise_id: filters.promise_id }),
  ...(filters.receive_province !== '' && { receive_province: filters.receive_province }),
  ...(filters.printed !== null && { printed: filters.printed }),
  ...(filters.need_retry !== null && { need_retry: filters.need_retry }),
  ...(filters.arrived !== null && {
    arrived: filters.arrived,
    ...(filters.arrived_from !== '' && { arrived_from: filters.arrived_from }),
    ...(filters.arrived_to !== '' && { arrived_to: filters.arrived_to }),
  }),
  ...(filters.unmoved_hours !== null && { unmoved_hours: filters.unmoved_hours }),
  ...plain(filters),
  ...(filters.sort !== defaultSort && { sort: filters.sort }),
  page: filters.page,
  page_size: filters.size,
});

/** The filters that stand as chips; the search box and the tabs show theirs themselves. */
export const chipKeys = [
  'group',
  'created',
  'station_id',
  'user_id',
  'promise_id',
  'receive_province',
  'goods',
  'printed',
  'insured',
  'post_amount',
  'weight_difference',
  'merchant_id',
  'project_id',
  'voucher_id',
  'need_retry',
  'arrived',
  'unmoved_hours',
] as const;
export type ChipKey = (typeof chipKeys)[number];

/** Which chips there are, in a fixed order. */
export const activeChips = (filters: Filters): ChipKey[] =>
  chipKeys.filter((key) => {
    if (key === 'created') return filters.created_from !== '' || filters.created_to !== '';
    if (key === 'post_amount') return filters.post_amount_from !== null || filters.post_amount_to !== null;
    return filters[key] !== null && filters[key] !== '';
  });

/** What taking a chip away changes in the search; a list that is narrowed otherwise starts at its first page. */
export const withoutChip = (key: ChipKey): SearchPatch => ({
  ...(key !== 'created' && key !== 'post_amount' && { [key]: undefined }),
  ...((key === 'created' || key === 'arrived' || key === 'post_amount') && { [`${key}_from`]: undefined, [`${key}_to`]: undefined }),
  page: undefined,
});

export const withoutChips: SearchPatch = Object.assign({}, ...chipKeys.map(withoutChip)) as SearchPatch;

/** Any filter at all, the search box included: then "nothing found" offers to clear them. */
export const isFiltered = (filters: Filters): boolean => filters.q !== '' || filters.tab !== null || activeChips(filters).length > 0;

/** A change of filters: the list starts again at its first page, and an opened drawer is of the list before. */
export const filterPatch = (patch: SearchPatch): SearchPatch => ({ ...patch, page: undefined });
