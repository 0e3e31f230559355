import type { OfferChoice } from '@waystation/contract/network/offer-rule.ts';
import { hoursOfStation } from '#domain/express/express-reads.ts';
import type { ParcelFields } from '#domain/express/express-reads.ts';
import { chooseOffer, pricedOffers, pricedParcel } from '#domain/offers/offers.ts';
import type { Offer, PricedOffer, StationRule, StationTerms } from '#domain/offers/offers.ts';
import type { Work } from '#platform/db/db.ts';

const unpriced = { re_weight: null, jd_weight: null, jd_volume: null, surcharges: {} };

/** The average hours of a product on the lane of a row; null: not known. */
export type RowHours = (fields: ParcelFields) => (offer: Offer) => number | null;

type Lane = Pick<ParcelFields, 'sender_city' | 'receive_province'>;
const laneOf = ({ sender_city, receive_province }: Lane): string =>
  `${sender_city} ${receive_province}`;

/**
 * The times on the lanes of rows that name no product, if the station's rule needs them; each lane
 * is read once. No carrier is asked.
 */
export const hoursOfRows = async (
  work: Work,
  offers: readonly Offer[],
  rows: readonly ParcelFields[],
  { station, at }: { station: Pick<StationTerms & StationRule, 'id' | 'offer_rule'>; at: Date },
): Promise<RowHours> => {
  const lanes = new Map<string, ReturnType<RowHours>>();
  if (station.offer_rule === 'fastest')
    for (const fields of rows)
      if (fields.promise_id === '' && !lanes.has(laneOf(fields)))
        lanes.set(
          laneOf(fields),
          await hoursOfStation(work, offers, fields, { at, station_id: station.id }),
        );
  return (fields) => lanes.get(laneOf(fields)) ?? (() => null);
};

/** The offer of a row; `choice` says why the station's rule chose it, null: the sheet names it. */
export interface RowOffer {
  offer: PricedOffer | undefined;
  choice: OfferChoice | null;
}

/** The product that a row names, else the one that the station's rule chooses, priced. */
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
  // Without a product that can be ordered the first one says why.
  return chooseOffer(quotes, station, code, hoursOf(fields)) ?? { offer: quotes[0], choice: null };
};
