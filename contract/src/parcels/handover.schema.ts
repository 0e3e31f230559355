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
import {
  mostHandoverPackages,
  mostMissingNamed,
  mostPageSize,
  mostParcelHandovers,
  mostScansAtOnce,
  noteLength,
  scannedLength,
  shortNameLength,
  urlLength,
} from '#base/limits.ts';
import { provider } from '#network/provider.schema.ts';
import * as endpoints from './handover.ts';
import { handoverStatuses, scanResults } from './handover.ts';
import type { HandoverStatus, ScanResult } from './handover.ts';

const status = z.enum(Object.keys(handoverStatuses) as [HandoverStatus, ...HandoverStatus[]]);
const result = z.enum(Object.keys(scanResults) as [ScanResult, ...ScanResult[]]);
const uuid = z
  .string()
  .check(z.regex(/^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/, 'invalid'));

const handover = z.object({
  id: z.int(),
  station_id: z.int(),
  station_name: z.string(),
  provider,
  status,
  user_id: z.int(),
  /**
   * Null if the caller may not see this person. The same applies to every other nickname of a
   * hand-over.
   */
  user_nickname: z.nullable(z.string()),
  /**
   * 1: the hand-over of a clerk, which expects only this clerk's parcels; 0: it expects all parcels
   * of the station.
   */
  own: flag,
  opened_at: time,
  ended_at: z.nullable(time),
  ended_by_nickname: z.nullable(z.string()),
  /** The number of parcels, and of packages, that were handed over so far. */
  parcels: z.int(),
  packages: z.int(),
  /**
   * The number of packages that were missing when the hand-over was closed; null while it is open.
   */
  missing: z.nullable(z.int()),
  courier_name: z.string(),
  note: z.string(),
});
export type Handover = z.infer<typeof handover>;

const summary = z.object({
  handover,
  /**
   * The number of all packages that the hand-over expects, including those that were already handed
   * over.
   */
  expected: z.int(),
  missing: z.int(),
  missing_parcels: z.int(),
  /** The number of refused scans that were not undone. */
  others: z.int(),
  /**
   * The number of packages in the hand-over whose parcel was cancelled afterwards or is being
   * cancelled; 0 after the hand-over has ended.
   */
  cancelled_packages: z.int(),
  /** 1: more parcels await pickup than were read; only the newest were read. */
  is_capped: flag,
});
export type HandoverSummary = z.infer<typeof summary>;

const answer = z.object({
  scan_id: z.string(),
  /** The number as it was scanned. */
  number: z.string(),
  result,
  at: time,
  express_id: z.nullable(z.int()),
  delivery_id: z.nullable(z.string()),
  package_no: z.nullable(z.int()),
  package_count: z.nullable(z.int()),
  /** The number of this parcel's packages that are in this hand-over after the scan. */
  given: z.int(),
  /** The values for the texts of the result; fields that do not apply are absent. */
  detail: z.object({
    provider: z.optional(provider),
    station_name: z.optional(z.string()),
    state_code: z.optional(z.int()),
    handover_id: z.optional(z.int()),
    /** 1: the package may be handed over again, because the other hand-over is closed. */
    again: z.optional(flag),
  }),
});
export type ScanAnswer = z.infer<typeof answer>;

const scan = z.extend(answer, {
  id: z.int(),
  scanned_by: z.int(),
  scanned_by_nickname: z.nullable(z.string()),
  /** The present state of the parcel; null if the scan found no parcel. */
  state_code: z.nullable(z.int()),
});
export type HandoverScan = z.infer<typeof scan>;

const missingParcel = z.object({
  /** Null if the caller may not see the parcel any more. */
  express_id: z.nullable(z.int()),
  delivery_id: z.string(),
  /**
   * The number of packages that were not handed over; `package_count` is the number of all packages
   * of the parcel.
   */
  missing: z.int(),
  package_count: z.int(),
});
export type MissingParcel = z.infer<typeof missingParcel>;

const parcelHandover = z.object({
  handover_id: z.int(),
  status,
  provider,
  station_name: z.string(),
  /** The numbers of the packages that were handed over. */
  package_nos: z.array(z.int()),
  package_count: z.int(),
  /**
   * The time of the last scan of these packages; `scanned_by_nickname` is the person who scanned.
   */
  at: time,
  scanned_by_nickname: z.nullable(z.string()),
  ended_at: z.nullable(time),
  courier_name: z.string(),
  /** 1: the caller may open the hand-over. */
  visible: flag,
});
export type ParcelHandover = z.infer<typeof parcelHandover>;

const filters = {
  ...listInput,
  sort: z.optional(z.enum(['opened_at', '-opened_at'], 'invalid')),
  /** The numbers of one or more waybills that were handed over. */
  q: z.optional(searchText),
  station_id: z.optional(id),
  user_id: z.optional(id),
  provider: z.optional(provider),
  status: z.optional(status),
  /** The first and the last day in Asia/Shanghai, both included. */
  opened_from: z.optional(day),
  opened_to: z.optional(day),
};

export const schemas = {
  listHandovers: { input: z.object(filters), output: listOf(handover) },
  countHandovers: {
    input: countsInput(filters),
    output: z.extend(countsOf, {
      /**
       * The number of packages that were handed over; null if more hand-overs match than the
       * counting limit.
       */
      packages: z.nullable(z.int()),
    }),
  },
  openHandover: {
    input: z.object({ station_id: z.optional(id), provider }),
    output: handover,
  },
  getHandover: { input: z.object({ id }), output: summary },
  handoverScans: {
    input: z.object({
      id,
      part: z.enum(['given', 'others'], 'invalid'),
      cursor: z.optional(id),
      page_size: z.optional(integer(1, mostPageSize)),
    }),
    output: z.object({
      items: z.array(scan),
      next_cursor: z.nullable(z.string()),
    }),
  },
  handoverMissing: {
    input: z.object({ id }),
    output: z.object({
      items: z.array(missingParcel).check(z.maxLength(mostMissingNamed)),
      /** The number of all missing parcels, including those that are not listed. */
      parcels: z.int(),
    }),
  },
  scanHandover: {
    input: z.object({
      id,
      scans: z
        .array(
          z.object({
            scan_id: uuid,
            number: text(1, scannedLength),
            /**
             * 1: the package was handed over in an earlier, closed hand-over, and the courier has
             * brought it back.
             */
            again: z.optional(flag),
          }),
        )
        .check(z.minLength(1, 'required'), z.maxLength(mostScansAtOnce, 'too_long')),
    }),
    output: z.object({
      answers: z.array(answer),
      parcels: z.int(),
      packages: z.int(),
    }),
  },
  takeBackScan: { input: z.object({ id, scan_id: uuid }), output: handover },
  closeHandover: {
    input: z.object({
      id,
      packages: integer(0, mostHandoverPackages),
      /** 1: the hand-over may be closed although it contains packages of cancelled parcels. */
      with_cancelled: z.optional(flag),
      courier_name: z.optional(text(0, shortNameLength)),
      note: z.optional(text(0, noteLength)),
    }),
    output: handover,
  },
  discardHandover: { input: z.object({ id }), output: handover },
  printHandover: {
    input: z.object({
      id,
      language: z.optional(z.enum(['zh', 'en'], 'invalid')),
      origin: text(1, urlLength).check(z.regex(/^https?:\/\/[A-Za-z0-9.:[\]-]{1,190}$/, 'invalid')),
    }),
    output: z.unknown(),
  },
  parcelHandovers: {
    input: z.object({ id }),
    output: z.object({
      items: z.array(parcelHandover).check(z.maxLength(mostParcelHandovers)),
    }),
  },
};

export const calls = withSchemas(endpoints, schemas);
