import type { Reason } from '@waystation/contract/envelope.ts';
import type { StateCode } from '@waystation/contract/express.ts';

/** The carrier by its name on the wire and in the database (docs/glossary.md). */
export type Provider = 'jdl' | 'sf';

export type SigningAlgorithm = 'md5-salt' | 'HMacMD5' | 'HMacSHA1' | 'HMacSHA256' | 'HMacSHA512';

/** A merchant's access to its carrier, secrets opened. Never logged; see redact.ts. */
export interface CarrierAccount {
  provider: Provider;
  base_url: string;
  app_key: string;
  app_secret: string;
  /** Empty for an application that works on its owner's contract alone. */
  access_token: string;
  customer_code: string;
  warehouse_code: string;
  /** md5-salt unless told. */
  algorithm?: SigningAlgorithm;
}

/** From where to where and what: enough for coverage and an estimate. Grams, cm (0 = not known), fen. */
export interface CarrierParcel {
  sender_province: string;
  sender_city: string;
  sender_county: string;
  sender_address: string;
  receive_province: string;
  receive_city: string;
  receive_county: string;
  receive_address: string;
  package_count: number;
  goods: string;
  /** The carrier's goods type, 1–9. */
  goods_type: number;
  weight: number;
  length: number;
  width: number;
  height: number;
  /** The insured value in fen, already raised to the merchant's least; 0 is not insured. */
  guarantee_value_amount: number;
  /** The carrier's product code; empty asks for coverage alone. */
  promise_id: string;
}

/** What a carrier is told of a parcel: fields of requirements §3, so that a parcel's row fits as it is. */
export interface CarrierOrder extends CarrierParcel {
  order_id: string;
  thr_order_id: string;
  sender_name: string;
  /** May carry an extension, `13800000001-1234`. */
  sender_phone: string;
  receive_name: string;
  receive_phone: string;
  remark: string;
  description: string;
}

/** Bad fields of an order: name of the field → why the carrier would not take it. Empty: nothing stands against it. */
export type Problems = Record<string, Reason>;

/** One call as it may be kept and shown: secrets cut out, phones masked, long texts shortened. */
export interface CallRecord {
  operation: string;
  /** The carrier's own number of the call, which its support asks for. */
  trace_id: string;
  /** 0 where no answer came. */
  http_status: number;
  ms: number;
  request: unknown;
  answer: unknown;
}

/** A business error in the carrier's words: it understood and said no. */
export interface Refused {
  outcome: 'refused';
  code: string;
  text: string;
  call: CallRecord;
}

/** The carrier's gateway turned the call away before any business was done. Never a refusal of an order. */
export interface GatewayFailure {
  outcome: 'gateway';
  kind: 'signature' | 'token' | 'throttled' | 'other';
  /** Calls of this merchant are pointless until an administrator looks. */
  pause: boolean;
  code: string;
  text: string;
  call: CallRecord;
}

/** Nobody can say what came of the call: timeout, broken connection, 5xx, garbage, trouble in the carrier's own system. */
export interface OutcomeUnknown {
  outcome: 'unknown';
  reason: Reason;
  call: CallRecord;
}

export type Failed = Refused | GatewayFailure | OutcomeUnknown;
export type Answered<T> = { outcome: 'ok'; value: T; call: CallRecord } | Failed;

/** Where the carrier sorts the parcel; kept as `pre_sort_result`. */
export interface PreSort {
  start_station_no: string;
  start_station_name: string;
  end_station_no: string;
  end_station_name: string;
  end_road_area: string;
  end_aoi_code: string;
}

/** What the carrier wants printed; kept as `print_data`. Absent texts are empty, flags 1/0. */
export interface LabelData {
  start_site_name: string;
  end_site_name: string;
  road: string;
  source_sort_center_name: string;
  source_cross_code: string;
  source_trolley_code: string;
  target_sort_center_name: string;
  target_cross_code: string;
  target_trolley_code: string;
  aging_name: string;
  collection_address: string;
  distribute_code: string;
  cover_code: string;
  qrcode_url: string;
  pre_sort_code: string;
  truck_spot: string;
  main_product_code: string;
  /** 1: names on the label are masked. */
  hide_name: 0 | 1;
  /** 1: phones on the label are masked. */
  hide_phone: 0 | 1;
  /** 1 road, 2 air, 3 rail; null where the carrier does not say. */
  trans_type: 1 | 2 | 3 | null;
}

export interface Accepted {
  outcome: 'accepted';
  delivery_id: string;
  carrier_order_code: string;
  /** The carrier had this order already and gave the number it has. */
  repeated: boolean;
  /** 1: sorted by hand, label not final; `seek` asks again. */
  need_retry: 0 | 1;
  /** The product the carrier confirmed; empty where it does not say. */
  promise_time_type: string;
  /** The carrier's estimate of its fee in fen. */
  estimate_amount: number | null;
  pickup_promise_at: Date | null;
  delivery_promise_at: Date | null;
  pre_sort_result: PreSort | null;
  print_data: LabelData | null;
  call: CallRecord;
}

/** The carrier holds the order but named no waybill: alarm, keep the hold, seek again or wait for a push. */
export interface StoredWithoutNumber {
  outcome: 'stored_without_number';
  code: string;
  text: string;
  call: CallRecord;
}

/** A repeat was refused though the first call was not: alarm, keep the hold (docs/architecture.md, ordering). */
export interface RepeatRefused {
  outcome: 'repeat_refused';
  code: string;
  text: string;
  call: CallRecord;
}

export type CreateAnswer = Accepted | StoredWithoutNumber | Failed;
export type SeekAnswer = Accepted | StoredWithoutNumber | RepeatRefused | GatewayFailure | OutcomeUnknown;

export interface CarrierFee {
  /** The carrier's fee code. */
  code: string;
  name: string;
  /** Surcharges pass through to the station, the others are priced by our own templates. */
  kind: 'freight' | 'insurance' | 'surcharge';
  /** Fen. */
  amount: number;
}

export interface Coverage {
  /** Both ends are reached, by the chosen product where one was chosen. */
  served: boolean;
  start_station_name: string;
  end_station_name: string;
  products: { promise_id: string; promise_name: string; amount: number | null; delivery_promise_at: Date | null; max_weight: number | null }[];
  pickup_windows: { starts_at: Date; ends_at: Date }[];
  /** Only where a product was chosen: fen, grams. */
  estimate: { amount: number; cal_weight: number | null; fees: CarrierFee[] } | null;
}

/** The carrier's own scale: grams and cm³, null while it has not measured. */
export interface Measured {
  jd_weight: number | null;
  jd_volume: number | null;
  package_count: number | null;
  /** Our order number where the carrier names it, else empty. */
  order_id: string;
}

export interface ActualFee {
  /** The whole fee in fen. */
  jd_amount: number;
  estimate_amount: number | null;
  jd_cal_weight: number | null;
  /** One per fee code, current values. */
  fees: CarrierFee[];
}

export const cancelResults = ['cancelled', 'intercepted', 'cancel_failed', 'intercept_failed', 'intercepting'] as const;
export type CancelResult = (typeof cancelResults)[number];

export interface CancelAnswer {
  result: CancelResult;
  /** The carrier's words, may be empty. */
  text: string;
}

export type CarrierEffect =
  | 'ordered'
  | 'picking_up'
  | 'picked_up'
  | 'in_transit'
  | 'delivering'
  | 'signed'
  | 'rejected'
  | 'returning'
  | 'cancelled'
  | 'intercepting'
  | 'cancel_failed'
  | 'unlisted';

/** One thing a carrier said of a parcel, carrier-neutral; the state is a fold over these by (operation_time, rank, hash). */
export interface CarrierMessage {
  delivery_id: string;
  /** Our order number where the carrier names it, else empty. */
  order_id: string;
  operation_time: Date;
  /** Order of life among messages of the same second. */
  rank: number;
  /** Hex, of the facts, so that the same message by push and by trace is one. */
  hash: string;
  category: string;
  state: string;
  /** The state it stands for by itself; null changes none. What returning or picked-up parcels make of it is the fold's. */
  our_state: StateCode | null;
  effect: CarrierEffect;
  title: string;
  remark: string;
  operator_name: string;
  place: string;
  /** A new waybill under which the parcel travels back. */
  return_delivery_id: string | null;
  cancel_reason: string;
  /** Weights and fees may have changed: read details and fee. */
  needs_facts: boolean;
  /** Something a person must look at. */
  alert: Reason | null;
  raw: unknown;
}

export interface Messages {
  messages: CarrierMessage[];
  /** Rows that could not be read, as they came. */
  unreadable: unknown[];
}

/** Which parcel a question is about. */
export interface ParcelKey {
  delivery_id: string;
}

/**
 * What the product asks of any carrier. Nothing here touches the database; every answer says how sure it is, nothing is thrown
 * but `invalid_input` by the builders of bodies, for an order whose `problemsOf` is not empty.
 */
export interface Carrier {
  provider: Provider;
  /** Characters that names and addresses may not hold. */
  forbidden: string;
  problemsOf(order: CarrierOrder): Problems;

  precheck(account: CarrierAccount, parcel: CarrierParcel): Promise<Answered<Coverage>>;
  /** Up to 500 waybill numbers for merchants that order with numbers fetched before. */
  prefetch(account: CarrierAccount, count: number): Promise<Answered<string[]>>;

  /** The exact body of the create call. The caller stores it before it calls, and hands the same text to `create` and `seek`. */
  createBody(account: CarrierAccount, order: CarrierOrder, deliveryId?: string): string;
  create(account: CarrierAccount, body: string): Promise<CreateAnswer>;
  /** What became of an order: never makes a second one. Also asks again for the label while `need_retry`. */
  seek(account: CarrierAccount, body: string): Promise<SeekAnswer>;

  /** The exact body of a modify call, null where nothing the carrier knows has changed. A repeat of it has the same effect. */
  modifyBody(account: CarrierAccount, key: ParcelKey, before: CarrierOrder, after: CarrierOrder): string | null;
  modify(account: CarrierAccount, body: string): Promise<Answered<null>>;

  cancel(account: CarrierAccount, key: ParcelKey, reason: string): Promise<Answered<CancelAnswer>>;
  /** Our own cancel's answer as a message of the fold. */
  messageOfCancel(key: ParcelKey, answer: CancelAnswer, answeredAt: Date): CarrierMessage;

  trace(account: CarrierAccount, key: ParcelKey): Promise<Answered<Messages>>;
  details(account: CarrierAccount, key: ParcelKey): Promise<Answered<Measured>>;
  actualFee(account: CarrierAccount, key: ParcelKey): Promise<Answered<ActualFee>>;
  subscribe(account: CarrierAccount, key: ParcelKey, receivePhone: string): Promise<Answered<null>>;
  /** Whether address, keys, token and customer code are right, without leaving anything behind. */
  test(account: CarrierAccount): Promise<Answered<null>>;

  /** The messages of a push's body; fails with `carrier_push_unreadable`, nothing is thrown. */
  parsePush(body: string): ({ outcome: 'ok' } & Messages) | { outcome: 'unreadable'; reason: Reason };
  /** What the carrier wants to hear; `taken` false asks it to send again. */
  pushAnswer(taken: boolean): unknown;
}
