import type { Provider } from './provider.ts';

/** How a station's product is chosen if no user chooses one. */
export const offerRules = ['cheapest', 'fastest', 'preferred'] as const;
export type OfferRule = (typeof offerRules)[number];

/** The names of a station's rules for choosing a product. */
export const offerRuleNames = {
  cheapest: { zh: '最低价', en: 'Cheapest' },
  fastest: { zh: '平均用时最短', en: 'Shortest average time' },
  preferred: { zh: '按省份首选承运商', en: 'Preferred carrier by province' },
} as const;

/** The preferred carrier of each province by its division code, and of all other provinces. */
export type OfferCarriers = Readonly<Record<string, Provider>>;
/**
 * The key under which `OfferCarriers` contains the carrier for all provinces that are not listed.
 */
export const otherProvinces = 'default';

/** Explains why a product was chosen. */
export interface OfferChoice {
  /** The rule that the station had at that time. */
  rule: OfferRule;
  /**
   * Why the product was chosen: by the rule itself, or for one of three other reasons. `only`:
   * there was one product. `no_times`: the cheapest, because fewer than two times are known.
   * `not_offered`: the cheapest, because the preferred carrier has no product for the parcel. If
   * `skipped` is set, the reason applies to the products of the other carriers.
   */
  because: 'cheapest' | 'fastest' | 'preferred' | 'only' | 'no_times' | 'not_offered';
  /** The number of products that could have been ordered. */
  offers: number;
  provider: Provider;
  promise_name: string;
  /** Empty if the product has no English name. */
  promise_name_en: string;
  /** The average number of hours on the lane, if it decided the choice; else null. */
  average_hours: number | null;
  /** The cheapest product of another carrier, and how many fen more it costs. */
  other: { provider: Provider; more_amount: number } | null;
  /**
   * The carrier that the rule prefers and that accepted no calls at that time; null if there is
   * none.
   */
  skipped: Provider | null;
}
