import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import type { OfferChoice } from '@waystation/contract/network/offer-rule.ts';
import { chooseOffer, pricedParcel, ruleOf } from '#domain/offers/offers.ts';
import type { PricedOffer, StationRule, StationTerms } from '#domain/offers/offers.ts';
import { sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { hoursOfStation } from './lanes.ts';
import type { ParcelFields } from './parcel.ts';
import type { ExpressRow } from './row.ts';

const unpriced = { re_weight: null, jd_weight: null, jd_volume: null, surcharges: {} };

/**
 * Returns the explanation of why the station's rule chooses the ordered product; null if the rule
 * now chooses another product. Needs the system scope.
 */
export const choiceOfRule =
  (station: StationTerms & StationRule, fields: ParcelFields, at: Date) =>
  async (
    system: Work,
    chosen: PricedOffer,
    quotes: readonly PricedOffer[],
  ): Promise<OfferChoice | null> => {
    const products = quotes.map(({ offer }) => offer);
    const { sender_city, receive_province } = fields;
    const hoursOf =
      ruleOf(station) === 'fastest'
        ? await hoursOfStation(system, products, [fields], { at, station_id: station.id })
        : () => null;
    const { receive_code } = pricedParcel({ ...fields, ...unpriced });
    const choice = chooseOffer(quotes, station, receive_code, ({ provider, promise_id }) =>
      hoursOf({ provider, promise_id, sender_city, receive_province }),
    );
    return choice?.offer === chosen ? choice.choice : null;
  };

/**
 * True if the last pricing of a refused parcel stores why the station's rule chose the product. The
 * pricing of a changed parcel does not store this.
 */
export const wasChosenByRule = async (
  work: Work,
  { id, state_code }: Pick<ExpressRow, 'id' | 'state_code'>,
): Promise<boolean> => {
  if (state_code !== stateCode.failed) return false;
  const { rows } = await sql<{ chosen: boolean }>`select facts ? 'choice' as chosen
    from express_facts where express_id = ${id} and (price is not null or packed_price is not null)
    order by no desc limit 1`.execute(work.tx);
  return rows[0]?.chosen ?? false;
};
