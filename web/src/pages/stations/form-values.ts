import type { OfferCarriers, OfferRule } from '@waystation/contract/network/offer-rule.ts';
import type { Station } from '@waystation/contract/network/station.ts';

/** The values of a station's form, without balances. */
export interface StationValues {
  name: string;
  /** The parent of a new station. If the station exists, another dialog changes its parent. */
  parent_id: number | null;
  province: string;
  city: string;
  county: string;
  address: string;
  sender_name: string;
  sender_phone: string;
  project_id: number | null;
  discount: number | null;
  northeast_discount: number | null;
  allow_select: 0 | 1;
  offer_rule: OfferRule;
  offer_carriers: OfferCarriers;
  offer_fallback: 0 | 1;
  customer_code: string;
  has_amount: 0 | 1;
  /** The reason to give if the balance check is switched off. */
  reason: string;
  fixed_freeze: number | null;
  /** Null if the network's limit applies. */
  low_balance: number | null;
  /** Null if there is no limit. */
  credit_limit: number | null;
  enable_profit: 0 | 1;
  profit: number | null;
  fixed_profit: number | null;
  /** The highest profit share that a partner may set for the stations below this station. */
  profit_limit: number | null;
  fixed_profit_limit: number | null;
  allow_print: 0 | 1;
}

/**
 * The initial values of the form. A new station gets the freight scheme and carrier account of its
 * parent.
 */
export const valuesOf = (
  row: Station | null,
  parent: Pick<Station, 'id' | 'project_id' | 'customer_code'> | null,
): StationValues => ({
  name: row?.name ?? '',
  parent_id: row ? row.parent_id : (parent?.id ?? null),
  province: row?.province ?? '',
  city: row?.city ?? '',
  county: row?.county ?? '',
  address: row?.address ?? '',
  sender_name: row?.sender_name ?? '',
  sender_phone: row?.sender_phone ?? '',
  project_id: row ? row.project_id : (parent?.project_id ?? null),
  discount: row?.discount ?? null,
  northeast_discount: row?.northeast_discount ?? null,
  allow_select: row?.allow_select === 0 ? 0 : 1,
  offer_rule: row?.offer_rule ?? 'cheapest',
  offer_carriers: row?.offer_carriers ?? {},
  offer_fallback: row?.offer_fallback === 1 ? 1 : 0,
  customer_code: row ? (row.customer_code ?? '') : (parent?.customer_code ?? ''),
  has_amount: row?.has_amount === 0 ? 0 : 1,
  reason: '',
  fixed_freeze: row?.fixed_freeze ?? 0,
  low_balance: row?.low_balance ?? null,
  credit_limit: row?.credit_limit ?? null,
  enable_profit: row?.enable_profit === 1 ? 1 : 0,
  profit: row?.profit ?? 0,
  fixed_profit: row?.fixed_profit ?? 0,
  profit_limit: row?.profit_limit ?? 0,
  fixed_profit_limit: row?.fixed_profit_limit ?? 0,
  allow_print: row?.allow_print === 0 ? 0 : 1,
});

const officeOnly: ReadonlySet<string> = new Set([
  'project_id',
  'customer_code',
  'has_amount',
  'fixed_freeze',
  'low_balance',
  'credit_limit',
  'reason',
  'profit_limit',
  'fixed_profit_limit',
]);

const sums = [
  'fixed_freeze',
  'profit',
  'fixed_profit',
  'profit_limit',
  'fixed_profit_limit',
] as const;
type Sums = (typeof sums)[number];
/** The values in the form that the requests need. An empty sum becomes 0. */
export type SentValues = Omit<StationValues, Sums> & Record<Sums, number>;

/**
 * The values to send, limited to those that the user may set. An empty sum becomes 0. An empty
 * discount means that the template's discount applies.
 */
export const sent = (values: Partial<StationValues>, office: boolean): Partial<SentValues> =>
  Object.fromEntries(
    Object.entries(values)
      .filter(
        ([key, value]) =>
          value !== undefined &&
          (office || !officeOnly.has(key)) &&
          (key !== 'reason' || value !== ''),
      )
      .map(([key, value]) => [
        key,
        value === null && sums.some((name) => name === key) ? 0 : value,
      ]),
  );
