/** The sender or the recipient of a parcel. */
export type Contact = {
  name: string;
  phone: string;
  province: string;
  city: string;
  county: string;
  address: string;
};

/**
 * A row of a parcel's route. `at` is the simulated time in epoch milliseconds, in whole seconds.
 */
export type Step = {
  op: string;
  at: number;
  remark: string;
  place: string;
  reason?: string;
  /**
   * Set for a step of the order itself, which is pushed as the order's state. Any other step is
   * pushed as a route row.
   */
  order_state?: string;
};

/** A fee in pushes and responses; `amount` is in fen. */
export type FeeLine = { type: string; name: string; amount: number };

/**
 * A parcel of SF. Weights are in grams, amounts in fen, and times in epoch milliseconds of the
 * simulated clock.
 */
export type SfOrder = {
  waybill: string;
  children: string[];
  order_id: string;
  partner: string;
  card: string;
  product: number;
  weight: number;
  pieces: number;
  insured: number;
  goods: string;
  remark: string;
  sender: Contact;
  receiver: Contact;
  /** The content of the request that created the order. */
  content: string;
  created_at: number;
  /** The time at which a person has sorted the order; absent if no manual sorting is needed. */
  sorted_at?: number;
  /** The pickup window; absent if the courier comes as soon as possible. */
  pickup?: { from: number; until: number };
  cancelled_at?: number;
  steps: Step[];
  /** The number of steps that have happened so far. */
  done: number;
  weighed?: number;
  fee_version: number;
  /** The fees, if they were set by hand. */
  fees?: FeeLine[];
  return_waybill?: string;
  return_of?: string;
  intercept?: { id: string; kind: number; amount: number };
};

/** Returns the steps that have happened, sorted by time. */
export const happened = (order: SfOrder): Step[] =>
  order.steps.slice(0, order.done).toSorted((a, b) => a.at - b.at);

const pickups = new Set(['50', '51', '54']);
export const isPickedUp = (order: SfOrder): boolean =>
  order.weighed !== undefined || happened(order).some(({ op }) => pickups.has(op));
export const isClosed = (order: SfOrder): boolean =>
  happened(order).some(({ op }) => op === '80' || op === '8000');

/** Words in the remark or the receiver's address that decide a parcel's fate. */
export const keywords = {
  unreachable: '超区',
  by_hand: '人工筛单',
  /** Sorted by hand, with the result that SF does not deliver to the address. */
  turned_away: '人工拒收派',
  locker: '放丰巢',
  failed: '派送不成功',
  returned: '退回',
  lost: '遗失',
  same_weight: '称重一致',
} as const;

export const says = (
  { remark, receiver }: Pick<SfOrder, 'remark' | 'receiver'>,
  word: keyof typeof keywords,
): boolean => `${remark} ${receiver.address}`.includes(keywords[word]);
