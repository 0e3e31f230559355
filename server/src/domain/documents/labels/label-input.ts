import type { Params } from '@waystation/contract/base/envelope.ts';
import type { LabelFormat } from '@waystation/contract/parcels/print.ts';

export type { LabelFormat };
/** The paper of one label. A sheet of A4 has room for four labels of the smallest paper. */
export type LabelPaper = Exclude<LabelFormat, 'a4'>;

/**
 * A stored parcel with the data for its labels. Its facts are unchanged and in the stored units
 * (grams, fen).
 */
export interface LabelInput {
  delivery_id: string;
  provider: string;
  /** The number of packages; each package has one label page. */
  package_count: number;
  /**
   * Waybill numbers of the second and further packages. If absent or empty, all packages have the
   * parcel's waybill number.
   */
  package_ids?: readonly string[];
  order_id: string;
  thr_order_id: string | null;
  sender_name: string;
  sender_phone: string;
  sender_province: string;
  sender_city: string;
  sender_county: string;
  sender_address: string;
  receive_name: string;
  receive_phone: string;
  receive_province: string;
  receive_city: string;
  receive_county: string;
  receive_address: string;
  goods: string;
  /** The weight of all packages together, in grams. */
  weight: number;
  remark: string | null;
  /** The insured value in fen; 0 if the parcel is not insured. */
  guarantee_value_amount: number;
  promise_name: string;
  /** The means of transport: 1 road, 2 air. It is used only if `print_data` does not state one. */
  trans_type: number | null;
  /** The carrier's label data from the answer to the order, object or JSON text. */
  print_data: unknown;
  /** The carrier's sorting result; it fills the fields that are missing in `print_data`. */
  pre_sort_result: unknown;
  /** The ordinal number of this print of the label. */
  print_count: number;
  /** The time of this print, ISO 8601. */
  printed_at: string;
  /** 1 if the carrier simulator created the parcel; the label is then marked. */
  simulated: number;
  station_name: string;
}

/**
 * A problem with one label, by the label's index: an error code of the contract with its
 * parameters.
 */
export interface LabelNote {
  index: number;
  code: string;
  params: Params;
  /** The message of an unexpected error; it is only logged. */
  detail?: string;
}

/** Options for drawing labels: the language of the printer, the position on A4, and others. */
export interface SheetOptions {
  /** The kind of file; `pdf` if absent. */
  driver?: 'pdf' | 'zpl' | 'tspl' | undefined;
  /** The number of the quarter of an A4 sheet that gets the first label, from 1. */
  start?: number | undefined;
  /** True to draw one PDF for each parcel. */
  separate?: boolean | undefined;
  /** The darkness setting of a label printer, on the scale of ZPL or TSPL. */
  darkness?: number | undefined;
  /** The distance in dots by which the label is moved. */
  offset_x?: number | undefined;
  offset_y?: number | undefined;
}

export interface LabelSheet {
  /**
   * A PDF or a file for a label printer, with one page for each package, in the order of the input.
   * Null if no label could be drawn.
   */
  file: Uint8Array | null;
  /** One PDF for each parcel, in the order of the input. If there are such PDFs, `file` is null. */
  files: { index: number; file: Uint8Array }[];
  pages: number;
  /** Labels that could not be drawn. */
  failures: LabelNote[];
  /** Labels that were drawn, but with a warning. */
  warnings: LabelNote[];
}
