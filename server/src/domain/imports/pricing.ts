import { spendableOf } from '@waystation/contract/network/station.ts';
import type { ImportMark } from '@waystation/contract/imports/import.ts';
import type { OfferChoice } from '@waystation/contract/network/offer-rule.ts';
import type { Provider } from '@waystation/contract/network/provider.ts';
import type { ParcelFields } from '#domain/express/express-reads.ts';
import { offersOf } from '#domain/offers/offers.ts';
import type { Offer, StationRule, StationTerms } from '#domain/offers/offers.ts';
import { handled, jsonText, rowsAtOnce, sql } from '#platform/db/db.ts';
import type { RowOf, Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';
import { queuePricing } from './queues.ts';
import { countChanged, within } from './marks.ts';
import { createSums } from './quote-sums.ts';
import { markOf } from './repeats.ts';
import { createRowHours, rowOffer } from './row-offer.ts';
import type { RowHours } from './row-offer.ts';
import { expectVersion, lockImport, takeImport, writeImport } from './store.ts';
import type { ImportContext, StoredImport } from './store.ts';

const scope = systemScope('pricing of an import');
/** The number of rows that are read and priced together. */
const slice = 2_000;

const interrupted = 'import_pricing_interrupted';

export const stationOf = (work: Work, id: number): Promise<StationTerms & StationRule> =>
  work.tx
    .selectFrom('stations')
    .select([
      'id',
      'name',
      'status',
      'money',
      'freeze',
      'available',
      'has_amount',
      'credit_limit',
      'allow_select',
      'allow_print',
      'project_id',
      'customer_code',
      'offer_rule',
      'offer_carriers',
      'offer_fallback',
    ])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

/** The marks of rows that can be ordered. */
export const orderableMarks = [
  'ok',
  'repaired',
  'warning',
] as const satisfies readonly ImportMark[];
export const orderable = sql`mark in (${sql.join(orderableMarks.map((mark) => sql.lit(mark)))})
  and fields is not null`;
/** SQL condition for rows that can be ordered, and rows that only lack a price. */
const priceable = sql`mark in ('ok', 'repaired', 'warning', 'error') and fields is not null`;

interface PricedRow {
  no: number;
  promise_id: string;
  /** The carrier of a priced row. */
  provider: Provider | null;
  post_amount: number | null;
  cal_weight: number | null;
  choice: OfferChoice | null;
  problem: { code: string; params?: Record<string, string | number> } | null;
}

/** The product of a row with its price, or the reason why the row has no price. */
const priceRow = (
  offers: readonly Offer[],
  station: StationTerms & StationRule,
  { no, fields }: { no: number; fields: ParcelFields },
  hoursOf: RowHours,
): PricedRow => {
  const none = {
    no,
    promise_id: fields.promise_id,
    provider: null,
    post_amount: null,
    cal_weight: null,
    choice: null,
  };
  if (offers.length === 0) return { ...none, problem: { code: 'no_scheme' } };
  const { offer: chosen, choice } = rowOffer(offers, station, fields, hoursOf);
  if (!chosen?.price || chosen.selectable === 0)
    return {
      ...none,
      problem: chosen?.reason ?? {
        code: 'promise_not_offered',
        params: { promise_id: fields.promise_id },
      },
    };
  return {
    no,
    promise_id: chosen.offer.promise_id,
    provider: chosen.offer.provider,
    post_amount: chosen.price.post_amount,
    cal_weight: chosen.price.cal_weight,
    choice,
    problem: null,
  };
};

/**
 * Writes the problems of rows whose problems have changed. The only possible error of a row with
 * all its fields is an error of its last price, and the new price replaces it.
 */
const writeProblems = async (work: Work, id: number, rows: readonly PricedRow[]): Promise<void> => {
  const nos = rows.map(({ no }) => no);
  const change = sql`with priced as (
      select w.no, w.mark as was, x.problem is not null as is_wrong,
        (select coalesce(jsonb_agg(p), '[]') from jsonb_array_elements(w.problems) p
          where p ->> 'level' <> 'error')
          || case when x.problem is null then '[]'
            else jsonb_build_array(jsonb_build_object('field', 'promise_id', 'level', 'error',
            'reason', x.problem)) end as problems
      from import_rows w
        join jsonb_to_recordset(${jsonText(rows.map(({ no, problem }) => ({ no, problem })))}::jsonb) as x (no int,
        problem jsonb) on w.import_id = ${id} and w.no = x.no and ${within('w', nos)})
    update import_rows w set problems = p.problems, mark = case when p.is_wrong then 'error'
      else ${markOf(sql`p.problems`)} end,
      version = w.version + case when w.problems = p.problems then 0 else 1 end
    from priced p where w.import_id = ${id} and w.no = p.no and ${within('w', nos)}
      returning w.no, p.was, w.mark`;
  await countChanged(work, id, change);
  await sql`delete from import_prices where import_id = ${id}
    and no = any(${rows.filter(({ problem }) => problem !== null).map(({ no }) => no)}::int[])`.execute(
    work.tx,
  );
};

/**
 * Stores the prices in their own table, so that only rows whose problems have changed are
 * rewritten.
 */
const writePrices = async (
  work: Work,
  id: number,
  rows: readonly (PricedRow & { mark: ImportMark })[],
): Promise<void> => {
  const priced = rows.filter(({ problem }) => problem === null);
  await sql`insert into import_prices as p (import_id, no, promise_id, post_amount,
    cal_weight, choice)
    select ${id}, x.* from unnest(${priced.map(({ no }) => no)}::int[],
      ${priced.map(({ promise_id }) => promise_id)}::text[],
      ${priced.map(({ post_amount }) => post_amount)}::bigint[],
        ${priced.map(({ cal_weight }) => cal_weight)}::int[],
        ${priced.map(({ choice }) => (choice === null ? null : jsonText(choice)))}::jsonb[]) x
    on conflict (import_id, no) do update set promise_id = excluded.promise_id,
      post_amount = excluded.post_amount, cal_weight = excluded.cal_weight,
      choice = excluded.choice
      where (p.promise_id, p.post_amount, p.cal_weight, p.choice) is distinct from
        (excluded.promise_id, excluded.post_amount, excluded.cal_weight, excluded.choice)`.execute(
    work.tx,
  );
  const changed = rows.filter(({ problem, mark }) => problem !== null || mark === 'error');
  if (changed.length > 0) await writeProblems(work, id, changed);
};

type Priceable = RowOf<'import_rows', 'no' | 'mark'> & { fields: ParcelFields };

/**
 * The rows of a slice, selected by their numbers. If they were selected by their mark, each slice
 * would search all rows with these marks.
 */
const rowsBetween = (work: Work, id: number, least: number, most: number): Promise<Priceable[]> =>
  handled(
    rowsAtOnce(
      work,
      sql<Priceable>`select no, mark, fields from import_rows where import_id = ${id}
        and no between ${least}::int and ${most}::int and ${priceable} order by no`,
    ),
  );

/**
 * Prices every row that can be ordered by the present terms. The terms are read once, and a pure
 * function prices each row.
 */
const priceAll = async (context: ImportContext, work: Work, found: StoredImport): Promise<void> => {
  const at = context.clock.now();
  const station = await stationOf(work, found.station_id);
  const offers = await offersOf(work, station, at);
  const sums = createSums(context, spendableOf(station));
  const hoursOfRows = createRowHours(work, offers, { station, at });
  const total = found.rows_total ?? 0;
  let next = rowsBetween(work, found.id, 1, slice);
  let written: Promise<void> = Promise.resolve();
  for (let least = 1; least <= total; least += slice) {
    const rows = await next;
    // While this slice is priced, PostgreSQL writes the previous slice and reads the next slice.
    if (least + slice <= total)
      next = rowsBetween(work, found.id, least + slice, least + 2 * slice - 1);
    const hoursOf = await hoursOfRows(rows.map(({ fields }) => fields));
    const priced = rows.map(({ no, mark, fields }) => ({
      ...priceRow(offers, station, { no, fields }, hoursOf),
      mark,
      fields,
    }));
    for (const { fields, ...row } of priced) if (row.problem === null) sums.add(fields, row);
    await written;
    if (priced.length > 0) written = handled(writePrices(work, found.id, priced));
  }
  await written;
  const reason = found.reason?.code === interrupted ? null : found.reason;
  await writeImport(work, found.id, { reason, quote: sums.quote(station, offers, at) });
};

const priceableStatuses = ['ready', 'done', 'paused'] as const;

/**
 * The locked import, if its rows can be priced and confirmed. Waiting rows must be ordered or
 * abandoned before, because a price compares all rows with the balance.
 */
export const lockPriceable = async (work: Work, id: number): Promise<StoredImport> => {
  const found = await lockImport(work, id, priceableStatuses);
  const count = found.counts.waiting ?? 0;
  return count > 0 ? fail('import_rows_waiting', { count }) : found;
};

/**
 * Queues the pricing of an import. An earlier price becomes invalid. Fails if the import has
 * changed since the caller read it.
 */
export const requestPrices = async (work: Work, id: number, version: number): Promise<void> => {
  const found = await lockPriceable(work, id);
  expectVersion(found, version);
  const { rows } = await sql`select 1 from import_rows where import_id = ${id}
    and ${priceable} limit 1`.execute(work.tx);
  if (rows.length === 0) fail('import_nothing_to_order');
  const reason = found.reason?.code === interrupted ? null : found.reason;
  if (found.quote !== null || reason !== found.reason)
    await writeImport(work, id, { reason, quote: null });
  await work.asSystem('job of an import', (system) => queuePricing(system, id));
};

/**
 * Marks an import as unpriced if its pricing was abandoned. A user can then request the prices
 * again.
 */
export const abandonPricing = async (
  work: Work,
  { import_id: id }: { import_id: number },
): Promise<void> => {
  const found = await takeImport(work, id, priceableStatuses);
  if (found?.quote === null) await writeImport(work, id, { reason: { code: interrupted } });
};

/**
 * Task: prices an import. A simultaneous change of its rows waits for the transaction, and then
 * invalidates the prices.
 */
export const quoteImport = async (
  context: ImportContext,
  { import_id: id }: { import_id: number },
): Promise<void> => {
  await context.db.tx(scope, async (work) => {
    const found = await takeImport(work, id, priceableStatuses);
    if (found && (found.counts.waiting ?? 0) === 0) await priceAll(context, work, found);
  });
};
