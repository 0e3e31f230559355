import * as z from 'zod/mini';
import { withSchemas } from '#base/endpoint.ts';
import {
  countsInput,
  countsOf,
  day,
  flag,
  id,
  integer,
  listInput,
  listOf,
  searchText,
  text,
  time,
} from '#base/fields.schema.ts';
import { mostPrintCount, noteLength, printerNameLength } from '#base/limits.ts';
import * as endpoints from './print.ts';
import { mostPrinters, printDrivers, printResults } from './print.ts';
import type { PrintDriver, PrintResult } from './print.ts';

const driver = z.enum(Object.keys(printDrivers) as [PrintDriver, ...PrintDriver[]]);
const result = z.enum(Object.keys(printResults) as [PrintResult, ...PrintResult[]]);

/** A record of one printed label (requirements §3, print record). */
export const printRecord = z.object({
  id: z.int(),
  created_at: time,
  express_id: z.int(),
  delivery_id: z.string(),
  /** The parcel's present state; a label can be printed only in some states. */
  state_code: z.int(),
  /** The recipient's name, city and county, in one text. */
  recipient: z.string(),
  station_id: z.int(),
  station_name: z.string(),
  user_id: z.int(),
  /** Null if the caller may not see this person. */
  user_nickname: z.nullable(z.string()),
  /** The API key that was used to print the label; null if none was used. */
  key_id: z.nullable(z.int()),
  /** The name of the API key; null if the key was removed, or if the caller may not see it. */
  key_name: z.nullable(z.string()),
  /** The ordinal number of this print among all prints of the same waybill. */
  print_count: z.int(),
  /** 1: the label has not been printed again since this print. */
  latest: flag,
  reason: z.string(),
  format: z.string(),
  driver,
  printer: z.string(),
  result,
  /** Why the print failed. */
  note: z.string(),
  /**
   * The id of the batch of labels that were printed together; null for a label that was printed
   * separately.
   */
  batch_id: z.nullable(z.int()),
  finished_at: z.nullable(time),
  /**
   * `to_verify` 1: the label was printed because of a scan, so it must be scanned as a check.
   * `verified_at`: when the labels of all packages had been scanned as a check.
   */
  to_verify: flag,
  verified_at: z.nullable(time),
  /** Milliseconds from the request to the result. */
  duration_ms: z.nullable(z.int()),
});
export type PrintRecord = z.infer<typeof printRecord>;

const filters = {
  ...listInput,
  sort: z.optional(z.enum(['created_at', '-created_at'], 'invalid')),
  /** One or more waybill numbers. */
  q: z.optional(searchText),
  station_id: z.optional(id),
  user_id: z.optional(id),
  /** The first and the last day in Asia/Shanghai, both included. */
  created_from: z.optional(day),
  created_to: z.optional(day),
  result: z.optional(result),
  driver: z.optional(driver),
  /** 1: only prints of labels that had been printed before. */
  reprint: z.optional(flag),
  /** Only prints whose ordinal number among the prints of their waybill is at least this. */
  count_from: z.optional(integer(1, mostPrintCount)),
  batch_id: z.optional(id),
};

export const schemas = {
  listPrints: {
    input: z.object(filters),
    output: listOf(printRecord),
  },
  countPrints: {
    input: countsInput(filters),
    output: z.extend(countsOf, {
      /**
       * The number of repeated prints; null if more prints match than are counted. The same applies
       * to `failed`.
       */
      reprints: z.nullable(z.int()),
      failed: z.nullable(z.int()),
      /**
       * The number of labels without a reported result that were not printed again. They are
       * counted only within the days that the filter by result may read.
       */
      unreported: z.int(),
      /**
       * The printers of the failed prints among the matching prints: at most five, the printer with
       * the most failed prints first.
       */
      failing: z.array(z.object({ driver, printer: z.string(), total: z.int(), failed: z.int() })),
      /**
       * Null if `unreported` and `failing` count every matching print; else the time of the oldest
       * print that was counted.
       */
      counted_from: z.nullable(time),
    }),
  },
  printerFigures: {
    input: z.object({ station_id: z.optional(id) }),
    output: z.object({
      /** Days in Asia/Shanghai, the oldest first. */
      days: z.array(z.string()),
      today: z.object({ total: z.int(), reprints: z.int(), failed: z.int(), unreported: z.int() }),
      /** The printers; the printer that printed the most labels is first. */
      printers: z
        .array(
          z.object({
            driver,
            printer: z.string(),
            total: z.int(),
            reprints: z.int(),
            failed: z.int(),
            /** The counts for each day; null for a day without prints. */
            by_day: z.array(z.nullable(z.object({ total: z.int(), failed: z.int() }))),
          }),
        )
        .check(z.maxLength(mostPrinters)),
      /**
       * The time of the oldest print that was counted; null if every print of these days was
       * counted.
       */
      counted_from: z.nullable(time),
    }),
  },
  reportPrint: {
    input: z.object({
      id,
      result: z.enum(['ok', 'failed']),
      printer: z.optional(text(0, printerNameLength)),
      note: z.optional(text(0, noteLength)),
    }),
    output: z.object({ id: z.int(), result }),
  },
};

export const calls = withSchemas(endpoints, schemas);
