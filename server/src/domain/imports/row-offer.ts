import type { OfferChoice } from '@waystation/contract/network/offer-rule.ts';
import { hoursOfStation } from '#domain/express/express-reads.ts';
import type { ParcelFields } from '#domain/express/express-reads.ts';
import { chooseOffer, pricedOffers, pricedParcel, ruleOf } from '#domain/offers/offers.ts';
import type { Offer, PricedOffer, StationRule, StationTerms } from '#domain/offers/offers.ts';
import type { Work } from '#platform/db/db.ts';

const unpriced = { re_weight: null, jd_weight: null, jd_volume: null, surcharges: {} };

/**
 * Returns the average delivery time of an offer, in hours, on the lane of a row; null if it is not
 * known.
 */
export type RowHours = (fields: ParcelFields) => (offer: Offer) => number | null;

type Lane = Pick<ParcelFields, 'sender_city' | 'receive_province'>;
const laneOf = ({ sender_city, receive_province }: Lane): string =>
  JSON.stringify([sender_city, receive_province]);

/**
 * Returns a function for the average delivery times on the lanes of rows without a product, if the
 * station's rule needs them. Each lane is read only once, and the lanes of one call are read
 * together. No carrier is asked.
 */
export const createRowHours = (
  work: Work,
  offers: readonly Offer[],
  {
    station,
    at,
  }: { station: Pick<StationTerms & StationRule, 'id' | 'offer_rule' | 'allow_select'>; at: Date },
): ((rows: readonly ParcelFields[]) => Promise<RowHours>) => {
  const known = new Map<string, Awaited<ReturnType<typeof hoursOfStation>>>();
  const unknown = () => null;
  return async (rows) => {
    const lanes = new Map<string, Lane>();
    if (ruleOf(station) === 'fastest')
      for (const fields of rows)
        if (fields.promise_id === '' && !known.has(laneOf(fields)))
          lanes.set(laneOf(fields), fields);
    const hoursOf = await hoursOfStation(work, offers, [...lanes.values()], {
      at,
      station_id: station.id,
    });
    for (const lane of lanes.keys()) known.set(lane, hoursOf);
    return ({ sender_city, receive_province }) => {
      const read = known.get(laneOf({ sender_city, receive_province })) ?? unknown;
      return ({ provider, promise_id }) =>
        read({ provider, promise_id, sender_city, receive_province });
    };
  };
};

/**
 * The offer of a row. `choice`: the explanation of why the station's rule chose it; null if the
 * sheet contains the product.
 */
export interface RowOffer {
  offer: PricedOffer | undefined;
  choice: OfferChoice | null;
}

/**
 * The offer of a row with its price: for the product in the row, else for the product that the
 * station's rule chooses.
 */
export const rowOffer = (
  offers: readonly Offer[],
  station: StationTerms & StationRule,
  fields: ParcelFields,
  hoursOf: RowHours,
): RowOffer => {
  const facts = { ...fields, ...unpriced };
  const quotes = pricedOffers(offers, station, facts);
  if (fields.promise_id !== '')
    return {
      offer: quotes.find(({ offer }) => offer.promise_id === fields.promise_id),
      choice: null,
    };
  const code = pricedParcel(facts).receive_code;
  // If no product can be ordered, the first product is returned with the reason why.
  return chooseOffer(quotes, station, code, hoursOf(fields)) ?? { offer: quotes[0], choice: null };
};
