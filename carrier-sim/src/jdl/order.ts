/**
 * The sender or the receiver. `mobile` has 11 digits, and `phone` is a landline number. Phone
 * extensions and text in parentheses stay in the name or the address.
 */
export type Contact = { name: string; mobile: string; phone: string; address: string };

/** The steps of a parcel. The steps on the second line are not pushed. */
export const stepCodes = [
  'placed',
  'assigned',
  'pickup_ended',
  'picked_up',
  'departed',
  'sorted',
  'departed_sort',
  'at_station',
  'out',
  'attempted',
  'delivered',
  'refused',
  'relabelled',
  'returning',
  'return_departed',
  'return_at_station',
  'return_out',
  'returned',
  'cancelled',
  'told',
] as const;
export const silentCodes = ['presorted', 'corrected', 'intercept_won', 'intercept_lost'] as const;
export type ToldCode = (typeof stepCodes)[number];
export type StepCode = ToldCode | (typeof silentCodes)[number];

/** A trace node that was added through the control API. It is sent unchanged. */
export type ToldNode = {
  category?: number;
  category_name?: string;
  state?: string;
  title?: string;
  remark?: string;
  cancel_reason?: string;
};

/**
 * One step of a parcel's journey at an instant of simulated time (epoch ms, whole seconds).
 */
export type Step = { code: StepCode; at: number; node?: ToldNode };

export type CancelResult = 0 | 1 | 2 | 3 | 4;

/** A parcel of the carrier. Grams, cm³, fen; instants are simulated epoch ms. */
export type Order = {
  number: number;
  app_key: string;
  seller_id: string;
  customer_code: string;
  order_id: string;
  order_code: string;
  waybill_code: string;
  origin: number;
  settle_type: number;
  product_code: string;
  services: string[];
  insured: number;
  cash_on_delivery: number;
  pieces: number;
  weight: number;
  volume: number;
  goods: string;
  remark: string;
  channel_order_code: string;
  sender: Contact;
  receiver: Contact;
  /**
   * The earlier addresses of the receiver, each with the number of steps that were sent while it
   * was valid.
   */
  moved_from?: { steps: number; address: string }[];
  /**
   * The fingerprint of the content of the request that created the order; null if the order was
   * loaded.
   */
  fingerprint: string | null;
  created_at: number;
  pickup_from?: number;
  presorted: boolean;
  subscribed: boolean;
  steps: Step[];
  /** The number of steps that have happened so far. */
  done: number;
  /** Steps whose message the merchant has not accepted yet. */
  unpushed?: number[];
  weighed?: { weight: number; volume: number };
  /** The weight and volume that the scale will measure, if they were set by hand. */
  weigh_as?: { weight?: number; volume?: number };
  /** Fees set through the control API per code: an amount, or null to remove a fee. */
  fees?: Record<string, number | null>;
  /** Charges in fen, per code, that arise while the parcel is weighed or delivered. */
  surcharges?: Record<string, number>;
  cancel?: { result: CancelResult; asked_at: number };
  return_of?: string;
  return_waybill?: string;
};

/**
 * Returns the steps that have happened, without those that are not reported, sorted by time.
 * `index` is a step's position in `steps`.
 */
export const toldSteps = (order: Order): { step: Step; index: number }[] =>
  order.steps
    .slice(0, order.done)
    .map((step, index) => ({ step, index }))
    .filter(({ step }) => !(silentCodes as readonly string[]).includes(step.code))
    .toSorted((a, b) => a.step.at - b.step.at || a.index - b.index);

const happened = (order: Order, codes: readonly StepCode[]): boolean =>
  order.steps.some((step, index) => index < order.done && codes.includes(step.code));

export const isPickedUp = (order: Order): boolean => order.weighed !== undefined;
export const isDelivered = (order: Order): boolean => happened(order, ['delivered']);
export const isReturning = (order: Order): boolean =>
  happened(order, ['returning', 'relabelled', 'returned']);
/** True if the order ended without a pickup. */
export const isClosed = (order: Order): boolean => happened(order, ['cancelled', 'pickup_ended']);

/** Returns the receiver's address at the time when the step with this index was sent. */
export const addressAt = (order: Order, index: number): string =>
  order.moved_from?.find(({ steps }) => index < steps)?.address ?? order.receiver.address;
