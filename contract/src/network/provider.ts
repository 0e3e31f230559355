import { firstOf } from '#base/present.ts';

/** How long a carrier accepts the cancellation or interception of a parcel; `none`: never. */
type CancelsUntil = 'none' | 'before_pickup' | 'until_delivered';

/** The parts of a parcel that a carrier may be able to change after the order. */
export type CarrierPart =
  | 'receiver'
  | 'product'
  | 'insured_value'
  | 'package_count'
  | 'remark'
  | 'description'
  | 'pickup';

interface CarrierFacts {
  zh: string;
  en: string;
  cancels: CancelsUntil;
  /**
   * True: to list its pickup windows, the carrier needs the phones of sender and receiver, and not
   * only their addresses.
   */
  asks_phones?: true;
  /** True: each of the carrier's products has different pickup windows. */
  windows_by_product?: true;
  /**
   * The parts of an ordered parcel that the carrier can change until the pickup; absent if it can
   * change none.
   */
  changes?: readonly CarrierPart[];
}

/**
 * Carriers by their code, as it is stored and sent, with their names and properties. A new code
 * must also be added to providers.sql.
 */
export const providers = {
  jdl: {
    zh: '京东物流',
    en: 'JD Logistics',
    cancels: 'until_delivered',
    // The description can change because the carrier never receives it.
    changes: ['receiver', 'product', 'insured_value', 'package_count', 'remark', 'description'],
  },
  sf: {
    zh: '顺丰速运',
    en: 'SF Express',
    cancels: 'before_pickup',
    asks_phones: true,
    windows_by_product: true,
    // Remark and description cannot be changed, because SF Express has one text for both.
    changes: ['receiver', 'product', 'insured_value', 'pickup'],
  },
} as const satisfies Record<string, CarrierFacts>;
export type Provider = keyof typeof providers;
/**
 * Carriers that have an adapter (`server/src/domain/carriers`); forms offer only these carriers.
 */
export const offeredProviders: readonly Provider[] = [
  // This comment makes the formatter write one carrier per line.
  'jdl',
  'sf',
];
/** The carrier that a new row has until the user chooses another carrier. */
export const firstProvider: Provider = firstOf(offeredProviders);
/** True if a text from outside is the code of a known carrier. */
export const isProvider = (code: string): code is Provider => Object.hasOwn(providers, code);

/**
 * The carriers by which lists can be filtered. They include former carriers, because old rows may
 * have them.
 */
export const knownProviders = Object.keys(providers) as Provider[];

/**
 * The properties of a carrier. For a carrier that this version does not know, they contain only its
 * code.
 */
export const pickupRules = (provider: Provider): CarrierFacts =>
  isProvider(provider) ? providers[provider] : { zh: provider, en: provider, cancels: 'none' };

/** True if the carrier can change this part of a parcel after the order. */
export const changesPart = (provider: Provider, part: CarrierPart): boolean =>
  pickupRules(provider).changes?.includes(part) === true;
