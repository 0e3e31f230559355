/** The numbers of the parcel states by name; the numbers are stored and sent (requirements §4). */
export const stateCode = {
  draft: 0,
  onHold: 10,
  ordering: 20,
  failed: 90,
  awaitingPickup: 100,
  pickedUp: 200,
  inTransit: 210,
  delivering: 220,
  signed: 300,
  exception: 400,
  returning: 410,
  returned: 420,
  cancelled: 500,
} as const;

/**
 * The actions on a parcel that its state can allow; other fields of the parcel may still forbid
 * them.
 */
export type StateAction = 'order' | 'retry' | 'edit' | 'weigh' | 'cancel' | 'print';
/**
 * `unsent`: the carrier does not have the parcel. `ordering`: the outcome of its order is not
 * known. `live`: the carrier has the parcel and will report more. `arrived`: it is at the receiver,
 * or back at the sender.
 */
export type StatePhase = 'unsent' | 'ordering' | 'live' | 'arrived' | 'cancelled';

const unsent = { phase: 'unsent', group: null } as const;
const live = { phase: 'live', group: 'in_transit', allows: ['cancel', 'print'] } as const;

/**
 * The only table of states: their names, their tab in the list, their group of requirements §1, and
 * the rules that server and web share.
 */
export const expressStates = {
  0: {
    zh: '草稿',
    en: 'Draft',
    tab: 'draft',
    ...unsent,
    allows: ['order', 'edit', 'weigh', 'cancel'],
  },
  10: {
    zh: '暂挂',
    en: 'Awaiting funds',
    tab: 'on_hold',
    ...unsent,
    allows: ['order', 'edit', 'weigh', 'cancel'],
  },
  20: {
    zh: '下单中',
    en: 'Ordering',
    tab: 'ordering',
    phase: 'ordering',
    group: null,
    allows: ['cancel'],
  },
  90: {
    zh: '下单失败',
    en: 'Failed',
    tab: 'failed',
    ...unsent,
    allows: ['retry', 'edit', 'weigh', 'cancel'],
  },
  100: {
    zh: '待揽收',
    en: 'Awaiting pickup',
    tab: 'awaiting_pickup',
    phase: 'live',
    group: 'awaiting_pickup',
    allows: ['edit', 'weigh', 'cancel', 'print'],
  },
  200: { zh: '已揽收', en: 'Picked up', tab: 'in_transit', ...live },
  210: { zh: '运输中', en: 'In transit', tab: 'in_transit', ...live },
  220: { zh: '派送中', en: 'Out for delivery', tab: 'delivering', ...live },
  300: {
    zh: '已签收',
    en: 'Signed for',
    tab: 'signed',
    phase: 'arrived',
    group: 'signed_for',
    allows: [],
  },
  400: { zh: '派送异常', en: 'Delivery exception', tab: 'exception', ...live },
  410: { zh: '退回中', en: 'Returning', tab: 'returned', ...live, allows: [] },
  420: { zh: '已退回', en: 'Returned', tab: 'returned', phase: 'arrived', group: null, allows: [] },
  500: {
    zh: '已取消',
    en: 'Cancelled',
    tab: 'cancelled',
    phase: 'cancelled',
    group: null,
    allows: [],
  },
} as const satisfies Record<
  number,
  {
    zh: string;
    en: string;
    tab: string;
    group: string | null;
    phase: StatePhase;
    allows: readonly StateAction[];
  }
>;
export type StateCode = keyof typeof expressStates;
export const stateCodes: readonly StateCode[] = Object.values(stateCode);

interface StateRules {
  phase: StatePhase;
  allows: readonly StateAction[];
}
/** A state that this version does not know allows no action. */
const unknownState: StateRules = { phase: 'live', allows: [] };
const rulesOf = (code: StateCode): StateRules =>
  (expressStates as Partial<Record<number, StateRules>>)[code] ?? unknownState;

export const stateAllows = (code: StateCode, action: StateAction): boolean =>
  rulesOf(code).allows.includes(action);
export const isUnsent = (code: StateCode): boolean => rulesOf(code).phase === 'unsent';
export const isLive = (code: StateCode): boolean => rulesOf(code).phase === 'live';
export const isArrived = (code: StateCode): boolean => rulesOf(code).phase === 'arrived';
/**
 * True if the parcel arrived or was cancelled: no further event is expected, though a carrier may
 * still correct its report.
 */
export const isOver = (code: StateCode): boolean => isArrived(code) || code === stateCode.cancelled;

export const liveStates: readonly StateCode[] = stateCodes.filter(isLive);
export const arrivedStates: readonly StateCode[] = stateCodes.filter(isArrived);

/**
 * A weight entered by the station needs a reason if it differs from the known weight by more than
 * this percentage.
 */
export const reweighPercent = 30;
/** True if a station's weight needs a reason; both weights are in grams. */
export const reweighNeedsReason = (before: number, after: number): boolean =>
  before > 0 && Math.abs(after - before) * 100 > before * reweighPercent;
