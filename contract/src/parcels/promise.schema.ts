import * as z from 'zod/mini';
import { provider } from '#network/provider.schema.ts';
import {
  flag,
  id,
  integer,
  listInput,
  listOf,
  searchText,
  stored,
  text,
  version,
} from '#base/fields.schema.ts';
import { usageSchemas } from '#base/usage.schema.ts';
import { withSchemas } from '#base/endpoint.ts';
import {
  englishNameLength,
  mostPriority,
  promiseCodeLength,
  shortNameLength,
} from '#base/limits.ts';
import * as endpoints from './promise.ts';

/** The cut-off time `HH:MM` in Asia/Shanghai; empty if the carrier gives none. */
const cutoff = z.string().check(z.regex(/^(([01]\d|2[0-3]):[0-5]\d)?$/, 'invalid'));

/**
 * A delivery time that a carrier offers (requirements §3). `promise_id` is the carrier's product
 * code. A delivery time with a lower `sort` comes first in the order form.
 */
export const promise = z.object({
  id: z.int(),
  promise_id: z.string(),
  /** The Chinese name; `promise_name_en` is empty if there is no English name. */
  promise_name: z.string(),
  promise_name_en: z.string(),
  provider,
  cutoff_time: z.string(),
  sort: z.int(),
  /** The number of enabled templates that price this delivery time. */
  voucher_count: z.int(),
  /** The number of parcels of the last 30 days that were ordered with this delivery time. */
  used_count: z.int(),
  /**
   * The average number of hours from the order until the parcel was signed for, over the last 30
   * days; null if no parcel was signed for.
   */
  average_hours: z.nullable(z.int()),
  /**
   * The number of parcels whose promised day was in the last 30 days and has passed. The rate of
   * parcels delivered in time is in basis points; null if there are no such parcels.
   */
  due_count: z.int(),
  on_time_rate: z.nullable(z.int()),
  status: flag,
  ...stored,
});
export type DeliveryPromise = z.infer<typeof promise>;

const code = text(1, promiseCodeLength);
const fields = {
  promise_name: text(1, shortNameLength),
  promise_name_en: text(0, englishNameLength),
  cutoff_time: cutoff,
  sort: integer(0, mostPriority),
};

export const schemas = {
  listPromises: {
    input: z.object({
      ...listInput,
      q: z.optional(searchText),
      provider: z.optional(provider),
      status: z.optional(flag),
    }),
    output: listOf(promise),
  },
  getPromise: {
    input: z.object({ id }),
    output: promise,
  },
  createPromise: {
    input: z.object({
      promise_id: code,
      provider,
      promise_name: fields.promise_name,
      promise_name_en: z.optional(fields.promise_name_en),
      cutoff_time: z.optional(fields.cutoff_time),
      sort: z.optional(fields.sort),
      status: z.optional(flag),
    }),
    output: promise,
  },
  editPromise: {
    input: z.object({
      id,
      version,
      promise_name: z.optional(fields.promise_name),
      promise_name_en: z.optional(fields.promise_name_en),
      cutoff_time: z.optional(fields.cutoff_time),
      sort: z.optional(fields.sort),
    }),
    output: promise,
  },
  setPromiseStatus: {
    input: z.object({ id, status: flag }),
    output: promise,
  },
  promiseUsage: usageSchemas,
  promiseCoverage: {
    input: z.object({ id }),
    output: z.object({
      vouchers: z.array(
        z.object({
          id: z.int(),
          name: z.string(),
          /**
           * Province codes. `from`: the sender provinces; empty means all. `to`: the receiver
           * provinces that are served at least in part.
           */
          lanes: z.array(z.object({ from: z.array(z.string()), to: z.array(z.string()) })),
        }),
      ),
    }),
  },
};

export const calls = withSchemas(endpoints, schemas);
