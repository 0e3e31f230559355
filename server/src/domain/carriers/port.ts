import type { LabelFormat } from '@waystation/contract/parcels/print.ts';
import type { Reason } from '@waystation/contract/base/envelope.ts';
import type { Provider } from '@waystation/contract/network/provider.ts';
import type { StateCode } from '@waystation/contract/parcels/express.ts';

export type SigningAlgorithm = 'md5-salt' | 'HMacMD5' | 'HMacSHA1' | 'HMacSHA256' | 'HMacSHA512';

/**
 * The data with which the carrier of an account is called, secrets decrypted. Never logged; see
 * redact.ts.
 */
export interface CarrierAccount {
  provider: Provider;
  base_url: string;
  app_key: string;
  app_secret: string;
  /** The access token; empty if the application uses only the contract of its own owner. */
  access_token: string;
  customer_code: string;
  warehouse_code: string;
  /** The algorithm of the signature; md5-salt by default. */
  algorithm?: SigningAlgorithm;
}

/** The account fields that the body of an order contains. None of them is secret. */
export type OrderingAccount = Pick<CarrierAccount, 'customer_code' | 'warehouse_code'>;

/**
 * Sender, receiver and goods, which are enough for coverage and an estimate. Weights in grams,
 * sizes in cm (0 is unknown), money in fen.
 */
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
  /**
   * The insured value in fen, which is at least the account's minimum; 0 if the parcel is not
   * insured.
   */
  guarantee_value_amount: number;
  /** The carrier's product code; if it is empty, only coverage is requested. */
  promise_id: string;
  /**
   * The sender's phone. Some carriers offer pickup windows only if they get both phones; absent if
   * not known yet.
   */
  sender_phone?: string;
  receive_phone?: string;
  /**
   * The product for which pickup windows are requested; if absent or empty, `promise_id` is used.
   */
  windows_of?: string | undefined;
  /**
   * The start of the chosen pickup window, from which delivery times are counted; null for as soon
   * as possible.
   */
  pickup_from?: Date | null;
}

/**
 * An order as it is sent to a carrier, with the fields of requirements §3, so that a parcel's row
 * can be passed unchanged.
 */
export interface CarrierOrder extends CarrierParcel {
  order_id: string;
  thr_order_id: string;
  sender_name: string;
  /** The phone; it may have an extension, `13800000001-1234`. */
  sender_phone: string;
  receive_name: string;
  receive_phone: string;
  remark: string;
  description: string;
  /** The end of the chosen window. */
  pickup_until?: Date | null;
}

/**
 * The invalid fields of an order, each with the reason why the carrier would refuse it; empty if
 * the order is valid.
 */
export type Problems = Record<string, Reason>;

/**
 * One call as it may be stored and shown: without secrets, with masked phones and shortened texts.
 */
export interface CallRecord {
  /**
   * The name of the operation. `create` is used only for the call that orders, because only that
   * call can show that the carrier has not stored the order.
   */
  operation: string;
  /** The number that the carrier gave to the call; the carrier's support asks for it. */
  trace_id: string;
  /** The HTTP status; 0 if there was no answer. */
  http_status: number;
  ms: number;
  request: unknown;
  answer: unknown;
}

/** The carrier understood the call and refused it for a business reason, with its own text. */
export interface Refused {
  outcome: 'refused';
  code: string;
  text: string;
  call: CallRecord;
}

/**
 * The carrier's gateway rejected the call before it was processed. This never means that the order
 * was refused.
 */
export interface GatewayFailure {
  outcome: 'gateway';
  kind: 'signature' | 'token' | 'throttled' | 'other';
  /** True if calls of this account will fail until an administrator acts. */
  pause: boolean;
  code: string;
  text: string;
  call: CallRecord;
}

/**
 * The outcome of the call is unknown: a timeout, a broken connection, HTTP 5xx, an answer that
 * cannot be read, or a failure of the carrier's own system.
 */
export interface OutcomeUnknown {
  outcome: 'unknown';
  reason: Reason;
  /**
   * True if no connection was opened, so that the carrier has received nothing of this call. If
   * absent, a part of it may have arrived.
   */
  not_sent?: true;
  call: CallRecord;
}

export type Failed = Refused | GatewayFailure | OutcomeUnknown;
export type Answered<T> = { outcome: 'ok'; value: T; call: CallRecord } | Failed;

/** The carrier's sorting result for the parcel; it is stored as `pre_sort_result`. */
export interface PreSort {
  start_station_no: string;
  start_station_name: string;
  end_station_no: string;
  end_station_name: string;
  end_road_area: string;
  end_aoi_code: string;
}

/**
 * The carrier's data for the label, which are stored as `print_data`. A missing text is empty;
 * flags are 1 or 0.
 */
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
  /** 1 if the names on the label are masked. */
  hide_name: 0 | 1;
  /** 1 if the phones on the label are masked. */
  hide_phone: 0 | 1;
  /** The means of transport: 1 road, 2 air, 3 rail; null if the carrier does not state it. */
  trans_type: 1 | 2 | 3 | null;
  /** 1 if the label of a package shows only the package's own number, without "1/3" after it. */
  own_numbers?: 1;
}

export interface Accepted {
  outcome: 'accepted';
  delivery_id: string;
  carrier_order_code: string;
  /** True if the carrier already had this order and returned its waybill number. */
  repeated: boolean;
  /**
   * Waybill numbers of the single packages in addition to `delivery_id`, in order. If absent, all
   * packages have `delivery_id`.
   */
  package_ids?: readonly string[];
  /**
   * 1 if the carrier sorts the parcel manually, so that the label is not final and the order must
   * be searched again.
   */
  need_retry: 0 | 1;
  /**
   * The carrier's reason why it does not serve a place of the order although it gave a waybill;
   * absent if it serves both places.
   */
  unreachable?: string;
  /** The product that the carrier confirmed; empty if the carrier does not state it. */
  promise_time_type: string;
  /** The carrier's estimate of its fee in fen. */
  estimate_amount: number | null;
  pickup_promise_at: Date | null;
  delivery_promise_at: Date | null;
  pre_sort_result: PreSort | null;
  print_data: LabelData | null;
  call: CallRecord;
}

/**
 * The carrier has the order but returned no waybill number. An alert is raised, the money stays
 * held, and the order is searched again.
 */
export interface StoredWithoutNumber {
  outcome: 'stored_without_number';
  /** True if the carrier has cancelled the order. */
  cancelled?: true;
  code: string;
  text: string;
  call: CallRecord;
}

/** The search was answered, and the carrier has no such order. */
export interface NotStored {
  outcome: 'not_stored';
  code: string;
  text: string;
  call: CallRecord;
}

export type CreateAnswer = Accepted | StoredWithoutNumber | Failed;
export type SeekAnswer =
  | Accepted
  | StoredWithoutNumber
  | NotStored
  | GatewayFailure
  | OutcomeUnknown;

/** The numbers with which an order is searched. */
export interface SoughtOrder {
  order_id: string;
  /**
   * The order's waybill number, or the number that was fetched for the order; empty if there is
   * none.
   */
  delivery_id: string;
}

/**
 * The way in which the outcome of an order is found if the answer to its create call is missing. A
 * create call is repeated only if this type allows it (docs/decisions/0138).
 */
export type Recovery =
  /**
   * The order is recovered by sending the same bytes to `create` again; the carrier then returns
   * the stored order.
   */
  | { recovers_by: 'repeat' }
  | {
      /**
       * `seek_by_fetched_number` means that every order is sent with a waybill number that was
       * fetched before.
       */
      recovers_by: 'seek_by_our_number' | 'seek_by_fetched_number';
      /**
       * Searches an order by its numbers. If `need_retry` is 1, the search also fetches the label.
       * Any refusal other than "no such order" means that the outcome is `unknown`.
       */
      seek(account: CarrierAccount, order: SoughtOrder): Promise<SeekAnswer>;
      /**
       * The next step after two searches, 30 seconds apart, found nothing. `create` sends the same
       * bytes again; `person` leaves the order to an admin.
       */
      not_found: 'create' | 'person';
    }
  /** The carrier offers no search: an admin decides the outcome. */
  | { recovers_by: 'person' };

/**
 * The sum of two amounts of a carrier. It is at most the largest whole number that JSON can contain
 * exactly; larger sums exceed every limit anyway.
 */
export const safeSum = (a: number, b: number): number => Math.min(a + b, Number.MAX_SAFE_INTEGER);

/** The service of a fee; `unknown` if the adapter does not know its code. */
export type FeeService =
  | 'carriage'
  | 'insurance'
  | 'packaging'
  | 'oversize'
  | 'cash_on_delivery'
  | 'receipt'
  | 'unknown';

export interface CarrierFee {
  /** The carrier's fee code. */
  code: string;
  name: string;
  /**
   * A surcharge is charged to the station unchanged; the other kinds are priced by our own freight
   * templates.
   */
  kind: 'freight' | 'insurance' | 'surcharge';
  service: FeeService;
  /** The amount in fen. */
  amount: number;
}

export interface Coverage {
  /** True if both places are served and, if a product was chosen, also by that product. */
  served: boolean;
  start_station_name: string;
  end_station_name: string;
  products: {
    promise_id: string;
    promise_name: string;
    amount: number | null;
    delivery_promise_at: Date | null;
    max_weight: number | null;
  }[];
  pickup_windows: { starts_at: Date; ends_at: Date }[];
  /** The carrier's estimate, in fen and grams; null if no product was chosen. */
  estimate: { amount: number; cal_weight: number | null; fees: CarrierFee[] } | null;
}

/**
 * The weight and volume that the carrier measured, in grams and cm³; null until it has measured
 * them.
 */
export interface Measured {
  jd_weight: number | null;
  jd_volume: number | null;
  package_count: number | null;
  /** Our order number; empty if the carrier does not send it. */
  order_id: string;
  /** Values that are negative, too large to store, or cannot be read. */
  unreadable: string[];
}

export interface ActualFee {
  /** The whole fee in fen; 0 if it cannot be read. */
  jd_amount: number;
  estimate_amount: number | null;
  jd_cal_weight: number | null;
  /** The current amount of each fee code. Rows that could not be read are left out. */
  fees: CarrierFee[];
  /**
   * Rows and numbers that are negative or cannot be read; if there are any, the other values are
   * incomplete.
   */
  unreadable: string[];
}

/** The paper sizes of labels. */
export type LabelPaper = LabelFormat;

export interface LabelKey {
  order_id: string;
  delivery_id: string;
}

/** The largest number of waybills whose label data one call can request. */
export const mostLabelWaybills = 10;

/**
 * The carrier's encrypted label data of a waybill, one text for each package, or the reason why
 * there is none.
 */
export type ComponentLabel = { delivery_id: string } & ({ data: string[] } | { refused: string });

export const cancelResults = [
  'cancelled',
  'intercepted',
  'cancel_failed',
  'intercept_failed',
  'intercepting',
] as const;
export type CancelResult = (typeof cancelResults)[number];

export interface CancelAnswer {
  result: CancelResult;
  /** The carrier's text; may be empty. */
  text: string;
}

export type CarrierEffect =
  | 'ordered'
  | 'picking_up'
  | 'picked_up'
  | 'in_transit'
  | 'delivering'
  | 'undelivered'
  | 'stopped'
  | 'signed'
  | 'rejected'
  | 'returning'
  | 'cancelled'
  | 'intercepting'
  | 'cancel_failed'
  | 'unlisted';

/**
 * One message from a carrier about a parcel, with the same fields for all carriers. The state of a
 * parcel results from all its messages in the order of (operation_time, rank, hash).
 */
export interface CarrierMessage {
  delivery_id: string;
  /** Our order number; empty if the carrier does not send it. */
  order_id: string;
  operation_time: Date;
  /**
   * The rank of the event in a parcel's life. Messages of the same second are ordered by their
   * rank.
   */
  rank: number;
  /** A hash of the facts in hex: a message has the same hash in a push and in a trace. */
  hash: string;
  category: string;
  state: string;
  /**
   * The state that the message means without any other message; null if none. The state of a parcel
   * that is picked up or returning also depends on the messages before it.
   */
  our_state: StateCode | null;
  effect: CarrierEffect;
  title: string;
  remark: string;
  operator_name: string;
  place: string;
  /** The new waybill number for the parcel's return; null if there is none. */
  return_delivery_id: string | null;
  cancel_reason: string;
  /**
   * True if weight and fee may have changed, so that the carrier must be asked for details and fee.
   */
  needs_facts: boolean;
  /** An alert for admins; null if there is none. */
  alert: Reason | null;
  raw: unknown;
}

export interface Messages {
  messages: CarrierMessage[];
  /** The rows that could not be read, unchanged. */
  unreadable: unknown[];
}

/** A fee that a push reports. It is only a hint, after which `actualFee` is called. */
export interface PushedFee {
  delivery_id: string;
  /** Our order number; empty if the carrier does not send it. */
  order_id: string;
  /**
   * The version of the fee. If two pushes have the same version and different contents, an alert is
   * raised.
   */
  version: number;
  fee: ActualFee;
}

/** The parcel to which a call refers. */
export interface ParcelKey {
  delivery_id: string;
}

/**
 * The interface that every carrier's adapter implements. No function uses the database, and every
 * answer has an outcome. Only the functions that build bodies throw: `invalid_input` for an order
 * for which `problemsOf` is not empty.
 */
export type Carrier = Operations & Recovery;

interface Operations {
  provider: Provider;
  /** True if the answer to `precheck` contains pickup windows among which an order can choose. */
  offers_windows: boolean;
  /** The largest number of calls that one `precheck` makes; 1 if absent. */
  coverage_calls?: number;
  problemsOf(order: CarrierOrder): Problems;

  precheck(account: CarrierAccount, parcel: CarrierParcel): Promise<Answered<Coverage>>;
  /**
   * Reads from the text of a refused `precheck` why the places are not served; `refused` if its
   * words are unknown.
   */
  refusedCoverage(text: string): 'out_of_area' | 'suspended' | 'refused';
  /** Fetches up to 500 waybill numbers, for accounts whose orders need a number in advance. */
  prefetch(account: CarrierAccount, count: number): Promise<Answered<string[]>>;

  /**
   * The exact body of the create call. The caller stores it before the call, and passes the same
   * text to `create`.
   */
  createBody(account: OrderingAccount, order: CarrierOrder, deliveryId?: string): string;
  /**
   * Sends the create call. The outcome is `accepted`, never `refused`, if the carrier answers that
   * it already has the order.
   */
  create(account: CarrierAccount, body: string): Promise<CreateAnswer>;

  /**
   * The exact body of a modify call; null if no field changed that the carrier can change. Sending
   * it twice has the same effect as sending it once.
   */
  modifyBody(
    account: CarrierAccount,
    key: ParcelKey,
    before: CarrierOrder,
    after: CarrierOrder,
  ): string | null;
  modify(account: CarrierAccount, body: string): Promise<Answered<null>>;

  cancel(
    account: CarrierAccount,
    key: SoughtOrder,
    reason: string,
  ): Promise<Answered<CancelAnswer>>;

  /**
   * The URL of the print component's template for a paper size; null if the carrier has none for
   * this size.
   */
  labelTemplate(format: LabelPaper): string | null;
  /**
   * The data with which the print component prints the labels of at most `mostLabelWaybills`
   * parcels, in the order of the parcels. A parcel without data has the carrier's text instead.
   */
  labels(
    account: CarrierAccount,
    parcels: readonly LabelKey[],
  ): Promise<Answered<ComponentLabel[]>>;

  /** Turns the answer to our own cancel into a message like those of the carrier. */
  messageOfCancel(key: ParcelKey, answer: CancelAnswer, answeredAt: Date): CarrierMessage;

  trace(account: CarrierAccount, key: ParcelKey): Promise<Answered<Messages>>;
  details(account: CarrierAccount, key: ParcelKey): Promise<Answered<Measured>>;
  actualFee(account: CarrierAccount, key: ParcelKey): Promise<Answered<ActualFee>>;
  subscribe(account: CarrierAccount, key: ParcelKey, receivePhone: string): Promise<Answered<null>>;
  /** Tests address, keys, token and customer code without side effects. */
  test(account: CarrierAccount): Promise<Answered<null>>;

  /** Reads the messages and fees of a push, or returns `carrier_push_unreadable`. Never throws. */
  parsePush(
    body: string,
  ):
    | ({ outcome: 'ok'; fees?: readonly PushedFee[] } & Messages)
    | { outcome: 'unreadable'; reason: Reason };
  /**
   * The answer to a push with the carrier's field names. If `accepted` is false, the carrier sends
   * the push again.
   */
  pushAnswer(accepted: boolean): unknown;
}
