import * as z from 'zod/mini';
import { withSchemas } from '#base/endpoint.ts';
import { flag, id, text, time } from '#base/fields.schema.ts';
import { mostScannedParcels, mostUnverifiedLabels, scannedLength } from '#base/limits.ts';
import * as endpoints from './label-scan.ts';
import { labelScanResults, verifyResults } from './label-scan.ts';
import type { LabelScanResult, VerifyResult } from './label-scan.ts';

const scanResult = z.enum(Object.keys(labelScanResults) as [LabelScanResult, ...LabelScanResult[]]);
const verifyResult = z.enum(Object.keys(verifyResults) as [VerifyResult, ...VerifyResult[]]);
const number = text(1, scannedLength);

const labelParcel = z.object({
  id: z.int(),
  /** Null until the carrier has accepted the parcel. */
  delivery_id: z.nullable(z.string()),
  order_id: z.string(),
  station_name: z.string(),
  state_code: z.int(),
  package_count: z.int(),
  print_count: z.int(),
  /** The recipient's name and city, in one text. */
  recipient: z.string(),
  /** The result for this parcel: its label may be printed immediately, or the reason why not. */
  result: scanResult,
});
export type LabelParcel = z.infer<typeof labelParcel>;

const unverified = z.object({
  /** The id of the print record. */
  id: z.int(),
  express_id: z.int(),
  delivery_id: z.string(),
  order_id: z.string(),
  print_count: z.int(),
  package_count: z.int(),
  /** The numbers of the packages whose labels were scanned as a check. */
  verified_packages: z.array(z.int()),
  recipient: z.string(),
  created_at: time,
});
export type UnverifiedLabel = z.infer<typeof unverified>;

const labelScan = z.object({
  result: scanResult,
  parcels: z.array(labelParcel).check(z.maxLength(mostScannedParcels)),
  /** 1: more parcels than the listed ones have this number. */
  more: flag,
  /**
   * The caller's print whose label has this number, if the label still waits to be scanned as a
   * check; else null.
   */
  label: z.nullable(unverified),
});
export type LabelScan = z.infer<typeof labelScan>;

const verifyAnswer = z.object({
  result: verifyResult,
  delivery_id: z.string(),
  /**
   * The number of the package whose label was scanned; null if the scanned number is not a package
   * number of the parcel.
   */
  no: z.nullable(z.int()),
  package_count: z.int(),
  verified_packages: z.array(z.int()),
  /**
   * The number of copies of this label that any user printed after this print and that did not
   * fail.
   */
  later_copies: z.int(),
});
export type VerifyAnswer = z.infer<typeof verifyAnswer>;

export const schemas = {
  scanForLabel: { input: z.object({ number }), output: labelScan },
  unverifiedLabels: {
    input: z.object({}),
    output: z.object({
      items: z.array(unverified).check(z.maxLength(mostUnverifiedLabels)),
    }),
  },
  verifyLabel: { input: z.object({ id, number }), output: verifyAnswer },
};

export const calls = withSchemas(endpoints, schemas);
