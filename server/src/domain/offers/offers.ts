/**
 * The delivery-time options of a station and their prices. It lists the options of the station's
 * scheme with the current terms, prices them for a parcel, and prices an ordered parcel with its
 * stored terms. Amounts come from `domain/pricing`; nothing is written here.
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
