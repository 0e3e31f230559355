import { arrivalNames, expressGroups, expressTabs } from '@waystation/contract/parcels/express.ts';
import { exceptionFilters } from '@waystation/contract/parcels/express-exceptions.ts';
import { boundedParcels } from '@waystation/contract/base/bounded-lists.ts';
import type { Search } from '#base/href.ts';
import {
  boundedPlace,
  filterInput,
  isDay,
  listInput,
  readPlace,
} from '#resource/list/list-filters.ts';
import type { FilterRule, ListPlace } from '#resource/list/list-filters.ts';
import { lastFields } from './last-fields.ts';

export const defaultSort = '-created_at';
export const sorts = ['created_at', 'post_amount', 'weight', 'cal_weight', 'state_code'];

type Fits = (value: string) => boolean;

const oneOf =
  (known: readonly string[]): Fits =>
  (value) =>
    known.includes(value);
const isFlag = oneOf(['0', '1']);
const upTo =
  (most: number): Fits =>
  (value) =>
    /^[1-9]\d{0,14}$/.test(value) && Number(value) <= most;
const isId = upTo(Number.MAX_SAFE_INTEGER);
const shorterThan =
  (most: number): Fits =>
  (value) =>
    value.length <= most;

const own = <K extends string>(key: K, fits: Fits) => ({ key, kind: 'own' as const, fits });

/**
 * The parameters of a link to the list, with the bounds that the server accepts. A value outside
 * the bounds is ignored, because people edit links and use links of older versions. This file
 * contains no controls, because index.html requests the list before the console is loaded
 * (start/first-reads.ts).
 */
export const filterRules = {
  tab: own('tab', oneOf(expressTabs)),
  created: { key: 'created', kind: 'days' },
  station_id: own('station_id', isId),
  promise_id: own('promise_id', shorterThan(40)),
  receive_province: own('receive_province', shorterThan(40)),
  goods: own('goods', shorterThan(100)),
  user_id: own('user_id', isId),
  merchant_id: own('merchant_id', isId),
  project_id: own('project_id', isId),
  voucher_id: own('voucher_id', isId),
  post_amount: { key: 'post_amount', kind: 'amounts' },
  // grams: at most ten tonnes
  weight_difference: own('weight_difference', upTo(10_000_000)),
  insured: own('insured', isFlag),
  printed: own('printed', isFlag),
  // at most a year
  unmoved_hours: own('unmoved_hours', upTo(8_760)),
  exception: own('exception', oneOf(exceptionFilters)),
  need_retry: own('need_retry', isFlag),
  group: own('group', oneOf(expressGroups)),
  import_id: own('import_id', isId),
  searched_before: own('searched_before', isId),
  arrived: {
    key: 'arrived',
    kind: 'own',
    also: ['arrived_from', 'arrived_to'],
    fits: (value, name) => (name === 'arrived' ? oneOf(arrivalNames)(value) : isDay(value)),
  },
} as const satisfies Readonly<Record<string, FilterRule>>;

export const readParcelPlace = (search: Search): ListPlace =>
  boundedPlace(readPlace(search, Object.values(filterRules), defaultSort, sorts), boundedParcels);

/**
 * The input of the list endpoint. It contains the parameters of a link and the fields that were
 * requested last.
 */
export const parcelInput = (search: Search): Record<string, string | number> => {
  const fields = lastFields();
  return { ...listInput(readParcelPlace(search)), ...(fields !== undefined && { fields }) };
};

/** The input of the count endpoint for the parameters of a link to the list. */
export const parcelCountsInput = (search: Search): Record<string, string> =>
  filterInput(readParcelPlace(search));
