import * as z from 'zod/mini';
import {
  countsOf,
  day,
  fen,
  flag,
  id,
  integer,
  listInput,
  listOf,
  searchText,
  signedFen,
  text,
} from '#base/fields.schema.ts';
import { exceptionFilters } from './express-exceptions.ts';
import { arrivalNames, expressGroups, expressTabs } from './express.ts';
import {
  fieldNamesLength,
  goodsLength,
  mostStateCode,
  mostUnmovedHours,
  mostWeight,
  promiseCodeLength,
  regionLength,
} from '#base/limits.ts';
import { nullableInt, listed, expressRow } from './express.schema.ts';
import type { ListedField } from './express.schema.ts';

/**
 * Names of fields, separated by commas. The error for an unknown name has the path `fields.<name>`.
 */
export const fieldNames = z.pipe(
  z.string().check(
    z.maxLength(fieldNamesLength, 'too_long'),
    z.check<string>(({ value, issues }) => {
      const keys = value.split(',').filter((name) => !Object.hasOwn(listed.shape, name));
      if (keys.length > 0) issues.push({ code: 'unrecognized_keys', keys, input: { value } });
    }),
  ),
  z.transform((value: string): ListedField[] => value.split(',') as ListedField[]),
);

export const expressFilters = {
  ...listInput,
  tab: z.optional(z.enum(expressTabs)),
  group: z.optional(z.enum(expressGroups)),
  state_code: z.optional(integer(0, mostStateCode)),
  station_id: z.optional(id),
  /**
   * Numbers, the last digits of phone numbers, or a part of a name. Several numbers may be
   * separated by any characters.
   */
  q: z.optional(searchText),
  /**
   * Used with `q`: only parcels with a lower id than this one, which is the `searched_to` of an
   * earlier answer.
   */
  searched_before: z.optional(id),
  created_from: z.optional(day),
  created_to: z.optional(day),
  promise_id: z.optional(text(0, promiseCodeLength)),
  receive_province: z.optional(text(0, regionLength)),
  printed: z.optional(flag),
  need_retry: z.optional(flag),
  import_id: z.optional(id),
  user_id: z.optional(id),
  /** The id of the carrier account; only super and admin may use this filter. */
  merchant_id: z.optional(id),
  project_id: z.optional(id),
  voucher_id: z.optional(id),
  goods: z.optional(text(0, goodsLength)),
  /** 1: only parcels with an insurance fee or a declared value. */
  insured: z.optional(flag),
  /** The lowest and the highest price in fen, both included; only parcels with a price match. */
  post_amount_from: z.optional(fen),
  post_amount_to: z.optional(fen),
  /**
   * The minimum difference in grams, in either direction, between the declared weight and the
   * carrier's weight. If the carrier has no weight, the station's weight is compared.
   */
  weight_difference: z.optional(integer(1, mostWeight)),
  /**
   * Only parcels that entered this state on these days, both included, whatever their state is now.
   * If no days are set, parcels that entered it at any time.
   */
  arrived: z.optional(z.enum(arrivalNames)),
  arrived_from: z.optional(day),
  arrived_to: z.optional(day),
  /** Only parcels on their way that have not moved for this number of hours. */
  unmoved_hours: z.optional(integer(1, mostUnmovedHours)),
  /** Only parcels with an open exception of this kind, or of any kind. */
  exception: z.optional(z.enum(exceptionFilters)),
};

export const expressList = z.extend(listOf(expressRow), {
  /** The searched numbers that were not found, if the search contains several numbers. */
  missing: z.array(z.string()),
  /**
   * Parcels with a lower id than this were not searched yet, because the search found more than one
   * page or reached its limit. `next_cursor` continues the search there. Null if the search is
   * complete.
   */
  searched_to: nullableInt,
});

export const expressCounts = z.extend(countsOf, {
  /** The sums over all parcels that match; null if `total` is capped. */
  sums: z.nullable(z.object({ post_amount: signedFen, weight: z.int(), package_count: z.int() })),
  /**
   * The number of parcels in each tab, with the same filters except the tab; null if there are too
   * many to count.
   */
  tabs: z.nullable(z.record(z.string(), z.int())),
});
