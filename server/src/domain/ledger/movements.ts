/**
 * Inputs of the ledger's movements (docs/ledger.md). Amounts in whole fen, rates in basis
 * points.
 */

/**
 * A parcel's price; `pre_amount` − `discount_amount` = `post_amount` (docs/pricing.md §5).
 */
export interface LedgerPrice {
  pre_amount: number;
  discount: number;
  discount_amount: number;
  guarantee_amount: number;
  post_amount: number;
}

/** The amount of one parent station's profit share in a parcel. */
export interface Share {
  station_id: number;
  amount: number;
}

interface MovementMeta {
  /** The event behind the movement, unique over all movements, such as `charge:17:2`. */
  cause: string;
  /** The time by the caller's clock. Its month in Asia/Shanghai is the accounting period. */
  at: Date;
  /** The account that posts; null if the system does. */
  by: number | null;
}

interface Attempt {
  express_id: number;
  attempt: number;
}

export interface TopUp extends MovementMeta {
  station_id: number;
  amount: number;
  description: string;
}
export type Adjustment = TopUp;

interface OfStation extends MovementMeta {
  station_id: number;
}
/** Input of a withdrawal, an adjustment or a top-up. */
export type Request = TopUp;
export interface ParcelRequest extends Request {
  express_id: number;
  delivery_id: string | null;
}
export interface PayoutRequest extends ParcelRequest {
  limit_amount: number;
}

export interface Hold extends MovementMeta, Attempt {
  station_id: number;
  /** The waybill, if it is known already. */
  delivery_id: string | null;
  order_id: string;
  price: LedgerPrice;
}

export interface HoldChange extends MovementMeta, Attempt {
  price: LedgerPrice;
}

export interface Release extends MovementMeta, Attempt {
  description?: string;
}

export interface Charge extends MovementMeta, Attempt {
  /**
   * Parent stations also see this waybill on their statement, although they may not open the
   * parcel.
   */
  delivery_id: string | null;
  price: LedgerPrice;
  shares: readonly Share[];
}

export interface Difference extends MovementMeta {
  express_id: number;
  type: 'reweigh' | 'surcharge';
  price_before: LedgerPrice;
  price_after: LedgerPrice;
  shares_before: readonly Share[];
  shares_after: readonly Share[];
}

export interface CarrierFee extends MovementMeta {
  express_id: number;
  station_id: number;
  amount_total: number;
}

/** A fee that belongs to none of the product's parcels. */
export interface CarrierCost extends MovementMeta {
  amount_total: number;
}

export interface CarrierPayment extends MovementMeta {
  amount: number;
}

export interface Refund extends MovementMeta {
  express_id: number;
  amount: number;
  description: string;
}

export interface Payout extends Refund {
  /** The maximum sum of all payouts for the parcel. */
  limit_amount: number;
}

export interface Decision extends MovementMeta {
  statement_id: number;
}

export interface Approval extends Decision {
  /** The current limit of a payout. */
  limit_amount?: number;
  /**
   * 1 if the requester decides without a second person, because no other user can (docs/ledger.md,
   * Limits).
   */
  alone?: 0 | 1;
}

/** `statement_id`: the id of the statement of the posted top-up. */
export interface TopUpReversal extends OfStation {
  statement_id: number;
  reason: string;
  /**
   * 1: reverses only the amount that the wallet still has. The rest becomes a claim on the station.
   */
  part?: 0 | 1;
}

export interface Reversal extends MovementMeta {
  express_id: number;
  reason: string;
}

export type Movement =
  | ({ movement: 'top_up' } & TopUp)
  | ({ movement: 'adjustment' } & Adjustment)
  | ({ movement: 'request'; type: 'withdrawal' | 'adjustment' | 'top_up' } & Request)
  | ({ movement: 'request'; type: 'refund' } & ParcelRequest)
  | ({ movement: 'request'; type: 'payout' } & PayoutRequest)
  | ({ movement: 'request'; type: 'reversal' } & (TopUpReversal | (Reversal & OfStation)))
  | ({ movement: 'approve' } & Approval)
  | ({ movement: 'decline'; reason: string; retract?: 1 } & Decision)
  | ({ movement: 'hold' } & Hold)
  | ({ movement: 'change_hold' } & HoldChange)
  | ({ movement: 'release' } & Release)
  | ({ movement: 'charge' } & Charge)
  | ({ movement: 'difference' } & Difference)
  | ({ movement: 'refund' } & Refund)
  | ({ movement: 'payout' } & Payout)
  | ({ movement: 'reversal' } & (Reversal | TopUpReversal))
  | ({ movement: 'carrier_fee' } & (CarrierFee | CarrierCost))
  | ({ movement: 'carrier_paid' } & CarrierPayment);

/**
 * The result of a movement that was posted, or that changed nothing and therefore has no transfer.
 * `statement_id`: the statement of the movement's own station; null if there is none.
 */
export interface Posted {
  ok: true;
  transfer_id: number | null;
  statement_id: number | null;
}

/**
 * The result of a movement that was posted or refused. A refused movement stores nothing, so its
 * cause may be used again.
 */
export type Outcome = Posted | { ok: false; missing_amount: number };
