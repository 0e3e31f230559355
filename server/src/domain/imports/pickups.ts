import { mostImportPickups } from '@waystation/contract/base/limits.ts';
import type { ImportPickup, ImportQuote } from '@waystation/contract/imports/import.ts';
import { pickupRules } from '@waystation/contract/network/provider.ts';
import type { Provider } from '@waystation/contract/network/provider.ts';
import type { CarrierContext } from '#domain/carrier-accounts/carrier-accounts.ts';
import { isWindowShaped, windowProblem } from '#domain/express/express-reads.ts';
import type { ParcelFields } from '#domain/express/express-reads.ts';
import type { Offer } from '#domain/offers/offers.ts';
import { sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { failFields } from '#platform/fail.ts';

type Pickups = NonNullable<ImportQuote['pickups']>;

/** The largest number of pickups that are distinguished while a sheet is priced. */
const mostCounted = 1_000;

export const senderFields = [
  'sender_province',
  'sender_city',
  'sender_county',
  'sender_address',
] as const;

/** The place of a pickup as one text. */
export const placeOfPickup = (fields: Pick<ParcelFields, (typeof senderFields)[number]>): string =>
  JSON.stringify(senderFields.map((name) => fields[name]));

/**
 * For each pickup, the carrier is asked for pickup windows with the first row, and with at most
 * this number of further rows to other cities.
 */
const mostOthers = 2;

interface Found {
  pickup: Pickups[number];
  others: number[];
  cities: Set<string>;
}

const cityOf = ({ receive_province, receive_city }: ParcelFields): string =>
  `${receive_province} ${receive_city}`;

/**
 * Counts rows by carrier and pickup address, and by product if the carrier's windows depend on it.
 * The rows must be added in the order of the file.
 */
export const createPickups = () => {
  const found = new Map<string, Found>();
  return {
    add: (
      row: number,
      { provider, promise_id }: { provider: Provider; promise_id: string },
      fields: ParcelFields,
    ): void => {
      const product = pickupRules(provider).windows_by_product && { promise_id };
      const key = JSON.stringify([provider, product, placeOfPickup(fields)]);
      const known = found.get(key);
      const city = cityOf(fields);
      if (known === undefined) {
        if (found.size < mostCounted)
          found.set(key, {
            pickup: { row, provider, rows: 1, ...product },
            others: [],
            cities: new Set([city]),
          });
        return;
      }
      known.pickup.rows++;
      if (known.others.length === mostOthers || known.cities.has(city)) return;
      known.cities.add(city);
      known.others.push(row);
    },
    /** The pickups with the most rows, at most `mostImportPickups`. */
    most: (): Pickups =>
      [...found.values()]
        .map(({ pickup, others }) => ({ ...pickup, ...(others.length > 0 && { others }) }))
        .toSorted((a, b) => b.rows - a.rows || a.row - b.row)
        .slice(0, mostImportPickups),
  };
};

/** The pickups of a quote with the places of their first rows. */
export const pickupsOf = async (
  work: Work,
  import_id: number,
  quote: ImportQuote | null,
): Promise<ImportPickup[] | null> => {
  if (quote === null) return null;
  const pickups = quote.pickups ?? [];
  if (pickups.length === 0) return [];
  const { rows } = await sql<{ no: number; fields: ParcelFields }>`select no, fields
    from import_rows where import_id = ${import_id} and fields is not null
      and no = any(${pickups.flatMap(({ row, others = [] }) => [row, ...others])}::int[])`.execute(
    work.tx,
  );
  const fieldsOf = new Map(rows.map(({ no, fields }) => [no, fields]));
  return pickups.flatMap((pickup) => {
    const [places, ...other_places] = [pickup.row, ...(pickup.others ?? [])].flatMap(
      (row) => fieldsOf.get(row) ?? [],
    );
    return places === undefined
      ? []
      : [{ ...pickup, places: endsOf(places), other_places: other_places.map(endsOf) }];
  });
};

const endsOf = (fields: ParcelFields): ImportPickup['places'] => ({
  sender_province: fields.sender_province,
  sender_city: fields.sender_city,
  sender_county: fields.sender_county,
  sender_address: fields.sender_address,
  receive_province: fields.receive_province,
  receive_city: fields.receive_city,
  receive_county: fields.receive_county,
  receive_address: fields.receive_address,
  sender_phone: fields.sender_phone,
  receive_phone: fields.receive_phone,
});

/** The chosen pickup window of a pickup. `row` is the number of the pickup's first row. */
export interface ChosenPickup {
  row: number;
  pickup_from: Date;
  pickup_until: Date;
}

/**
 * Fails at the field `pickups` if two windows are for the same pickup, or if a pickup is not in the
 * quote. It also fails if a window breaks a rule that is known without asking the carrier.
 */
export const requirePickups = (
  { carrierOf }: Pick<CarrierContext, 'carrierOf'>,
  quote: ImportQuote,
  chosen: readonly ChosenPickup[],
  now: Date,
): void => {
  const isOnce = new Set(chosen.map(({ row }) => row)).size === chosen.length;
  for (const { row, ...window } of chosen) {
    const pickup = quote.pickups?.find((one) => one.row === row);
    if (!isOnce || !pickup || !isWindowShaped(window.pickup_from, window.pickup_until))
      return failFields({ pickups: { code: 'invalid' } });
    const problem = windowProblem(carrierOf(pickup.provider), window, now);
    if (problem !== null) failFields({ pickups: problem });
  }
};

/**
 * Stores the chosen windows with the prices of the waiting rows. Each window applies to the rows of
 * the same carrier and pickup address. Windows of an earlier confirmation are removed.
 */
export const choosePickups = async (
  work: Work,
  import_id: number,
  {
    quote,
    offers,
    chosen,
  }: {
    quote: ImportQuote;
    offers: readonly Offer[];
    chosen: readonly ChosenPickup[];
  },
): Promise<void> => {
  await sql`update import_prices set pickup_from = null, pickup_until = null
    where import_id = ${import_id} and pickup_from is not null`.execute(work.tx);
  for (const { row, pickup_from, pickup_until } of chosen) {
    const pickup = quote.pickups?.find((one) => one.row === row);
    const codes = offers
      .filter(
        ({ provider, promise_id }) =>
          provider === pickup?.provider && (pickup.promise_id ?? promise_id) === promise_id,
      )
      .map(({ promise_id }) => promise_id);
    const isSamePlace = sql.join(
      senderFields.map(
        (name) => sql`w.fields ->> ${sql.lit(name)} = f.fields ->> ${sql.lit(name)}`,
      ),
      sql` and `,
    );
    await sql`update import_prices p
      set pickup_from = ${pickup_from}, pickup_until = ${pickup_until}
      from import_rows f join import_rows w on w.import_id = f.import_id and w.mark = 'waiting'
        and ${isSamePlace}
      where f.import_id = ${import_id} and f.no = ${row} and p.import_id = w.import_id
        and p.no = w.no and p.promise_id = any(${codes}::text[])`.execute(work.tx);
  }
};
