import type { Params } from '@waystation/contract/envelope.ts';

/** Paper in millimetres, width × height: the carrier's standard sheet and a larger one. */
export type LabelFormat = '76x130' | '100x150';

/** A stored parcel as its labels need it: facts keep their stored spelling and units (grams, fen). */
export interface LabelInput {
  delivery_id: string;
  provider: string;
  /** Pieces; one page each. */
  package_count: number;
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
  /** Grams, of all pieces together. */
  weight: number;
  remark: string | null;
  /** Fen; 0 is not insured. */
  guarantee_value_amount: number;
  promise_name: string;
  /** 1 road, 2 air; the carrier's own word in `print_data` comes first. */
  trans_type: number | null;
  /** The carrier's label data as it answered the order, object or JSON text. */
  print_data: unknown;
  /** The carrier's sorting answer; fills what `print_data` leaves out. */
  pre_sort_result: unknown;
  /** The number of this print. */
  print_count: number;
  /** ISO 8601, the time of this print. */
  printed_at: string;
  /** 1: made by the carrier simulator, and marked so on paper. */
  simulated: number;
  station_name: string;
}

/** The result of one label, by its index: an error code of the contract with its parameters. */
export interface LabelNote {
  index: number;
  code: string;
  params: Params;
  /** The message of an unexpected error, for the log alone. */
  detail?: string;
}

/** Settings of a label printer that go with its labels; offsets in dots. */
export interface ZplOptions {
  darkness?: number | undefined;
  offset_x?: number | undefined;
  offset_y?: number | undefined;
}

export interface LabelSheet {
  /** A PDF or a text of ZPL, one page per piece, in the order of the input; null if no label could be drawn. */
  file: Uint8Array | null;
  pages: number;
  /** Labels that are not in the file. */
  failures: LabelNote[];
  /** Labels that are, but with a warning. */
  warnings: LabelNote[];
}
