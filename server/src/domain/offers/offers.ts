/**
 * The offers of a station and their prices: the promises of its scheme with the terms in force,
 * quotes for a parcel, and the price of a parcel by its frozen terms. Amounts come from
 * `domain/pricing`; nothing here writes.
 */
export { chooseOffer, ruleOf } from './choice.ts';
export type { StationRule } from './choice.ts';
export { quoteEdit } from './edit-quote.ts';
export { priceColumns, priceExpress, pricedParcel, priceFields } from './price.ts';
export type { PriceFacts } from './price.ts';
export { pricedOffers, quoteOffers, shownQuote } from './quotes.ts';
export type { PricedOffer } from './quotes.ts';
export { sampleFacts, sampleParcel } from './sample.ts';
export type { SampleParcel } from './sample.ts';
export { activeStationFor, stationFor } from './stations.ts';
export { merchantsFor, northeastProvinces, offersOf, templateOf, versionThen } from './terms.ts';
export type { Offer, StationTerms } from './terms.ts';
export { tiersAt } from './tiers.ts';
export type { Tier } from './tiers.ts';
