import type { ImportQuote } from '@waystation/contract/imports/import.ts';
import type { OfferChoice } from '@waystation/contract/network/offer-rule.ts';
import type { Provider } from '@waystation/contract/network/provider.ts';
import type { ParcelFields } from '#domain/express/express-reads.ts';
import type { Offer, StationTerms } from '#domain/offers/offers.ts';
import { createPickups } from './pickups.ts';
import type { ImportContext } from './store.ts';

interface Sum {
  rows: number;
  post_amount: number;
}

/**
 * The figures of a priced row, in fen and grams. `choice` is null if the sheet contains the
 * product.
 */
interface SummedRow {
  no: number;
  promise_id: string;
  provider: Provider | null;
  post_amount: number | null;
  cal_weight: number | null;
  choice: OfferChoice | null;
}

const none = (): Sum => ({ rows: 0, post_amount: 0 });

const byRows = <S extends { rows: number }>(sums: ReadonlyMap<string, S>): [string, S][] =>
  [...sums].toSorted(([a, { rows }], [b, other]) => other.rows - rows || (a < b ? -1 : 1));

const addTo = (sums: Map<string, Sum>, name: string, amount: number): void => {
  const sum = sums.get(name) ?? none();
  sum.rows++;
  sum.post_amount += amount;
  sums.set(name, sum);
};

/**
 * Adds up an import's priced rows; the rows must be added in the order of the file. Pickups are
 * counted only for carriers with pickup windows. `available` is the balance in fen: the import
 * orders only the first rows whose sum it covers. `available` is null if orders are not limited.
 */
export const createSums = (
  { carrierOf }: Pick<ImportContext, 'carrierOf'>,
  available: number | null,
) => {
  const pickups = createPickups();
  const provinces = new Map<string, Sum>();
  const promises = new Map<string, Sum>();
  /** The sums of rows per product and per reason of the choice of the product. */
  const reasons = new Map<string, Map<string, Sum>>();
  const total = { rows: 0, post_amount: 0, weight: 0, covered_rows: 0, covered_amount: 0 };
  const whyOf = (promise_id: string) =>
    byRows(reasons.get(promise_id) ?? new Map<string, Sum>()).map(([why, { rows }]) => ({
      ...(JSON.parse(why) as Pick<OfferChoice, 'skipped'> & {
        because: OfferChoice['because'] | null;
      }),
      rows,
    }));
  return {
    add: (
      fields: ParcelFields,
      { no, promise_id, provider, post_amount, cal_weight, choice }: SummedRow,
    ): void => {
      const amount = post_amount ?? 0;
      addTo(provinces, fields.receive_province, amount);
      if (provider !== null && carrierOf(provider).offers_windows)
        pickups.add(no, { provider, promise_id }, fields);
      addTo(promises, promise_id, amount);
      const why = { because: choice?.because ?? null, skipped: choice?.skipped ?? null };
      const ofProduct = reasons.get(promise_id) ?? new Map<string, Sum>();
      reasons.set(promise_id, ofProduct);
      addTo(ofProduct, JSON.stringify(why), amount);
      total.rows++;
      total.post_amount += amount;
      total.weight += cal_weight ?? 0;
      if (available !== null && total.post_amount > available) return;
      total.covered_rows++;
      total.covered_amount = total.post_amount;
    },
    /** The quote: the station's balance and all sums, the sums with the most rows first. */
    quote: (station: StationTerms, offers: readonly Offer[], at: Date): ImportQuote => {
      const products = new Map(offers.map((offer) => [offer.promise_id, offer]));
      return {
        at: at.toISOString(),
        ...total,
        provinces: byRows(provinces).map(([province, sum]) => ({ province, ...sum })),
        promises: byRows(promises).map(([promise_id, sum]) => {
          const product = products.get(promise_id);
          return {
            promise_id,
            promise_name: product?.promise_name ?? promise_id,
            promise_name_en: product?.promise_name_en ?? '',
            ...(product && { provider: product.provider }),
            why: whyOf(promise_id),
            ...sum,
          };
        }),
        available: station.available,
        has_amount: station.has_amount,
        available_after: station.available - total.post_amount,
        pickups: pickups.most(),
      };
    },
  };
};
