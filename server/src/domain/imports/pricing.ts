import type { ImportMark, ImportQuote } from '@waystation/contract/import.ts';
import type { ParcelFields } from '#domain/express/express-reads.ts';
import { offersOf, pricedOffers } from '#domain/offers/offers.ts';
import type { Offer, StationTerms } from '#domain/offers/offers.ts';
import { asSystem, jsonText, oneRow, sql } from '#platform/db/db.ts';
import type { RowOf, Tx } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import type { Scope } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';
import { queuePricing } from './queues.ts';
import { countChanged, within } from './marks.ts';
import { markOf } from './repeats.ts';
import { expectVersion, lockImport, takeImport, writeImport } from './store.ts';
import type { ImportContext, StoredImport } from './store.ts';

const scope = systemScope('pricing of an import');
/** Rows read and priced together. */
const slice = 2_000;

const interrupted = 'import_pricing_interrupted';
const unpriced = { re_weight: null, jd_weight: null, jd_volume: null, surcharges: {} };

export const stationOf = (tx: Tx, id: number): Promise<StationTerms> =>
  tx
    .selectFrom('stations')
    .select(['id', 'name', 'status', 'money', 'freeze', 'available', 'has_amount', 'allow_select', 'allow_print', 'project_id', 'customer_code'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

/** Rows that can be ordered. */
export const orderableMarks = ['ok', 'repaired', 'warning'] as const satisfies readonly ImportMark[];
export const orderable = sql`mark in (${sql.join(orderableMarks.map((mark) => sql.lit(mark)))}) and fields is not null`;
/** Those, and the ones that only a price was missing for. */
const priceable = sql`mark in ('ok', 'repaired', 'warning', 'error') and fields is not null`;

interface PricedRow {
  no: number;
  promise_id: string;
  post_amount: number | null;
  cal_weight: number | null;
  problem: { code: string; params?: Record<string, string | number> } | null;
}

/** The promise of a row, else the cheapest that can be had, with its price; or why there is none. */
const priceRow = (offers: readonly Offer[], station: StationTerms, no: number, fields: ParcelFields): PricedRow => {
  const quotes = pricedOffers(offers, station, { ...fields, ...unpriced });
  const none = { no, promise_id: fields.promise_id, post_amount: null, cal_weight: null };
  if (quotes.length === 0) return { ...none, problem: { code: 'no_scheme' } };
  const chosen =
    fields.promise_id === ''
      ? (quotes.find(({ cheapest, selectable }) => cheapest === 1 && selectable === 1) ?? quotes[0]!)
      : quotes.find(({ offer }) => offer.promise_id === fields.promise_id);
  if (!chosen?.price || chosen.selectable === 0)
    return { ...none, problem: chosen?.reason ?? { code: 'promise_not_offered', params: { promise_id: fields.promise_id } } };
  return { no, promise_id: chosen.offer.promise_id, post_amount: chosen.price.post_amount, cal_weight: chosen.price.cal_weight, problem: null };
};

/** The errors of a row that has its fields are those of earlier prices: they give way to that of this one. */
const writePrices = async (tx: Tx, id: number, rows: readonly PricedRow[]): Promise<void> => {
  const nos = rows.map(({ no }) => no);
  const change = sql`with priced as (
      select w.no, w.mark as was, x.promise_id, x.post_amount, x.cal_weight, x.problem is not null as is_wrong,
        (select coalesce(jsonb_agg(p), '[]') from jsonb_array_elements(w.problems) p where p ->> 'level' <> 'error')
          || case when x.problem is null then '[]' else jsonb_build_array(jsonb_build_object('field', 'promise_id', 'level', 'error', 'reason', x.problem)) end as problems
      from import_rows w join jsonb_to_recordset(${jsonText(rows)}::jsonb) as x (no int, promise_id text, post_amount bigint, cal_weight int, problem jsonb)
        on w.import_id = ${id} and w.no = x.no and ${within('w', nos)})
    update import_rows w set promise_id = p.promise_id, post_amount = p.post_amount, cal_weight = p.cal_weight, problems = p.problems,
      mark = case when p.is_wrong then 'error' else ${markOf(sql`p.problems`)} end,
      version = w.version + case when w.problems = p.problems then 0 else 1 end
    from priced p where w.import_id = ${id} and w.no = p.no and ${within('w', nos)} returning w.no, p.was, w.mark`;
  await countChanged(tx, id, change);
};

/** How many rows, in their order, fit into the balance, and what they come to. */
const coveredBy = async (tx: Tx, id: number, available: number | null): Promise<{ rows: number; amount: number }> => {
  const { rows, amount } = await oneRow(
    tx,
    sql<{ rows: number; amount: number }>`select count(*) as rows, coalesce(sum(post_amount), 0)::bigint as amount from (
      select post_amount, sum(post_amount) over (order by no) as upto from import_rows where import_id = ${id} and ${orderable}) x
      where ${available === null ? sql`true` : sql`upto <= ${available}`}`,
  );
  return { rows, amount };
};

const sumUp = async (tx: Tx, id: number, station: StationTerms, offers: readonly Offer[], at: Date): Promise<ImportQuote> => {
  const { rows: provinces } = await sql<
    ImportQuote['provinces'][number]
  >`select fields ->> 'receive_province' as province, count(*) as rows, sum(post_amount)::bigint as post_amount
    from import_rows where import_id = ${id} and ${orderable} group by 1 order by 2 desc, 1`.execute(tx);
  const { rows: promises } = await sql<{ promise_id: string; rows: number; post_amount: number; weight: number }>`select promise_id, count(*) as rows,
    sum(post_amount)::bigint as post_amount, sum(cal_weight)::bigint as weight from import_rows where import_id = ${id} and ${orderable} group by 1 order by 2 desc, 1`.execute(
    tx,
  );
  const sum = (of: (row: (typeof promises)[number]) => number): number => promises.reduce((total, row) => total + of(row), 0);
  const post_amount = sum((row) => row.post_amount);
  const covered = await coveredBy(tx, id, station.has_amount === 0 ? null : station.available);
  const names = new Map(offers.map((offer) => [offer.promise_id, offer]));
  return {
    at: at.toISOString(),
    rows: sum((row) => row.rows),
    post_amount,
    weight: sum((row) => row.weight),
    provinces,
    promises: promises.map(({ promise_id, rows, post_amount: amount }) => ({
      promise_id,
      promise_name: names.get(promise_id)?.promise_name ?? promise_id,
      promise_name_en: names.get(promise_id)?.promise_name_en ?? '',
      rows,
      post_amount: amount,
    })),
    available: station.available,
    has_amount: station.has_amount,
    available_after: station.available - post_amount,
    covered_rows: covered.rows,
    covered_amount: covered.amount,
  };
};

type Priceable = RowOf<'import_rows', 'no'> & { fields: ParcelFields };

/** The rows of a slice by their numbers: read by its mark too, each slice would look through all rows of its marks. */
const rowsBetween = async (tx: Tx, id: number, least: number, most: number): Promise<Priceable[]> => {
  const { rows } =
    await sql<Priceable>`select no, fields from import_rows where import_id = ${id} and no between ${least}::int and ${most}::int and ${priceable} order by no`.execute(
      tx,
    );
  return rows;
};

/** Prices every row that can be ordered with the terms of now: these are read once, and each row is priced by the pure function. */
const priceAll = async (tx: Tx, found: StoredImport, at: Date): Promise<void> => {
  const station = await stationOf(tx, found.station_id);
  const offers = await offersOf(tx, station, at);
  for (let least = 1; least <= (found.rows_total ?? 0); least += slice) {
    const rows = await rowsBetween(tx, found.id, least, least + slice - 1);
    const priced = rows.map(({ no, fields }) => priceRow(offers, station, no, fields));
    if (priced.length > 0) await writePrices(tx, found.id, priced);
  }
  const reason = found.reason?.code === interrupted ? null : found.reason;
  await writeImport(tx, found.id, { reason, quote: await sumUp(tx, found.id, station, offers, at) });
};

const priceableStatuses = ['ready', 'done', 'paused'] as const;

/** The import, locked, if its rows can be priced and confirmed. Rows that wait are ordered or given up before: a price says what all of the balance covers. */
export const lockPriceable = async (tx: Tx, caller: Scope, id: number): Promise<StoredImport> => {
  const found = await lockImport(tx, caller, id, priceableStatuses);
  const count = found.counts.waiting ?? 0;
  return count > 0 ? fail('import_rows_waiting', { count }) : found;
};

/** Queues the pricing of an import whose rows are as the caller saw them; an earlier price no longer holds. */
export const requestPrices = async (tx: Tx, caller: Scope, id: number, version: number): Promise<void> => {
  const found = await lockPriceable(tx, caller, id);
  expectVersion(found, version);
  const { rows } = await sql`select 1 from import_rows where import_id = ${id} and ${priceable} limit 1`.execute(tx);
  if (rows.length === 0) fail('import_nothing_to_order');
  const reason = found.reason?.code === interrupted ? null : found.reason;
  if (found.quote !== null || reason !== found.reason) await writeImport(tx, id, { reason, quote: null });
  await asSystem(tx, caller, () => queuePricing(tx, id));
};

/** Says of an import whose pricing was given up that it has no price, so that a person asks for it again. */
export const giveUpPricing = async (tx: Tx, { import_id: id }: { import_id: number }): Promise<void> => {
  const found = await takeImport(tx, id, priceableStatuses);
  if (found?.quote === null) await writeImport(tx, id, { reason: { code: interrupted } });
};

/** Task: prices an import. A change of its rows meanwhile waits for the transaction, and takes the prices back. */
export const quoteImport = async ({ db, clock }: ImportContext, { import_id: id }: { import_id: number }): Promise<void> => {
  await db.tx(scope, async (tx) => {
    const found = await takeImport(tx, id, priceableStatuses);
    if (found && (found.counts.waiting ?? 0) === 0) await priceAll(tx, found, clock.now());
  });
};
