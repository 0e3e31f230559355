import type { Provider } from '@waystation/contract/network/provider.ts';
import { lookOver } from '@waystation/contract/money/voucher-sanity.ts';
import type { AnyFinding } from '@waystation/contract/money/voucher-sanity.ts';
import type { TemplateState } from '@waystation/contract/money/voucher-diff.ts';
import type { TemplateContent } from '@waystation/contract/money/voucher-content.ts';
import type { Voucher } from '@waystation/contract/money/voucher.ts';
import type * as calls from '@waystation/contract/money/voucher.ts';
import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import { provinceOf } from '@waystation/contract/parcels/provinces.ts';
import type { Terms } from '@waystation/contract/money/terms.ts';
import type { App } from '#app.ts';
import { northeastProvinces, pricedParcel, tiersAt } from '#domain/offers/offers.ts';
import type { PriceFacts } from '#domain/offers/offers.ts';
import { compileTemplate, priceOf } from '#domain/pricing/pricing.ts';
import type { CompiledTemplate, Priced } from '#domain/pricing/pricing.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { daysBefore } from '#platform/clock.ts';
import { callerOf, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { getRow } from '#platform/db/rows.ts';
import { versionOf } from './versions.ts';
import { readVoucher } from './vouchers.ts';

/** A draft that can be priced, with the number of its next version. */
export interface OpenDraft {
  template: CompiledTemplate;
  voucher: Terms['voucher'];
}

export const openDraft = (
  { id, name, latest_no }: Pick<Voucher, 'id' | 'name' | 'latest_no'>,
  state: TemplateState,
  no?: number,
): OpenDraft => ({
  template: compileTemplate(state.weight as TemplateContent),
  voucher: {
    id,
    name,
    version: no ?? (latest_no ?? 0) + 1,
    discount: state.discount,
    northeast_discount: state.northeast_discount,
  },
});

/**
 * The price of a real parcel with a draft template. Its own facts and all other terms stored with
 * it are unchanged.
 */
export const priceByDraft = (
  { template, voucher }: OpenDraft,
  parcel: PriceFacts,
  terms: Terms,
): Priced => priceOf(pricedParcel(parcel), template, { ...terms, voucher });

interface Rates {
  discount: number | null;
  northeast_discount: number | null;
}

const termsNow = async (
  work: Work,
  {
    voucher,
    provider,
    station_id,
  }: { voucher: Terms['voucher']; provider: Provider; station_id: number | undefined },
  at: Date,
): Promise<Terms> => {
  const station =
    station_id === undefined
      ? { id: 0, discount: null, northeast_discount: null }
      : await getRow<Rates & { id: number }>(work, sql`stations`, station_id);
  const tiers = await tiersAt(work, at);
  const row = await work.tx
    .selectFrom('merchants')
    .select('guarantee')
    .where('provider', '=', provider)
    .where('is_default', '=', 1)
    .executeTakeFirst();
  return {
    voucher,
    station: {
      id: station.id,
      discount: station.discount,
      northeast_discount: station.northeast_discount,
    },
    northeast: [...(await northeastProvinces(work))],
    tiers,
    guarantee: row?.guarantee ?? 0,
    links: [],
  };
};

/** Explains the price of a parcel; changes nothing. */
export const quote = (
  app: App,
  actor: Actor,
  input: ParsedOf<typeof calls.quoteVoucher>,
): Promise<OutputOf<typeof calls.quoteVoucher>> =>
  app.db.tx(callerOf(actor), async (work) => {
    const voucher = await readVoucher(app, work, input.id);
    const state: TemplateState =
      input.draft ?? (input.no === undefined ? voucher : await versionOf(work, input.id, input.no));
    const opened = openDraft(voucher, state, input.draft ? undefined : input.no);
    const parcel = {
      sender_code: input.sender_code,
      receive_code: input.receive_code,
      weight: input.weight,
      re_weight: null,
      jd_weight: null,
      jd_volume: null,
      length: input.length ?? 0,
      width: input.width ?? 0,
      height: input.height ?? 0,
      package_count: input.package_count ?? 1,
      guarantee_value_amount: input.guarantee_value_amount ?? 0,
      surcharges: [],
    };
    const priced = priceOf(
      parcel,
      opened.template,
      await termsNow(
        work,
        { voucher: opened.voucher, provider: voucher.provider, station_id: input.station_id },
        app.clock.now(),
      ),
    );
    return priced.price
      ? { price: priced.price, reason: null }
      : { price: null, reason: priced.error! };
  });

/**
 * The limits of a comparison with the carrier's cost: the newest parcels that are read, the minimum
 * of parcels per region for a finding, and the days.
 */
const sample = { parcels: 2_000, fewest: 3, days: 90 };

type Costed = PriceFacts & { terms: Terms; jd_amount: number };

/**
 * Finds provinces of recipients for which the draft's price is below the carrier's cost, from real
 * parcels of the same delivery time.
 */
const belowCost = async (
  app: App,
  work: Work,
  voucher: Voucher,
  state: TemplateState,
): Promise<AnyFinding[]> => {
  const since = daysBefore(app.clock.now(), sample.days);
  const { rows } = await sql<Costed>`select e.sender_province, e.sender_city, e.sender_county,
      e.receive_province, e.receive_city, e.receive_county, e.weight, e.re_weight,
      e.jd_weight, e.jd_volume, e.length, e.width, e.height, e.package_count,
        e.guarantee_value_amount, e.surcharges, e.terms, e.jd_amount
    from vouchers v cross join lateral (select * from expresses e where e.voucher_id = v.id
      and e.created_at >= ${since} and e.jd_amount is not null and e.terms is not null
      order by e.created_at desc limit ${sample.parcels}) e
    where v.provider = ${voucher.provider} and v.promise_id = ${voucher.promise_id}
      limit ${sample.parcels}`.execute(work.tx);
  const draft = openDraft(voucher, state);
  const byProvince = new Map<
    string,
    { parcels: number; cost_amount: number; draft_amount: number }
  >();
  for (const row of rows) {
    const { price } = priceByDraft(draft, row, row.terms);
    if (!price) continue;
    const province = provinceOf(pricedParcel(row).receive_code);
    const sums = byProvince.get(province) ?? { parcels: 0, cost_amount: 0, draft_amount: 0 };
    byProvince.set(province, {
      parcels: sums.parcels + 1,
      cost_amount: sums.cost_amount + row.jd_amount,
      draft_amount: sums.draft_amount + price.post_amount,
    });
  }
  return [...byProvince]
    .filter(
      ([, { parcels, cost_amount, draft_amount }]) =>
        parcels >= sample.fewest && draft_amount < cost_amount,
    )
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([region, params]) => ({
      severity: 'warning',
      code: 'below_cost',
      path: pathOf(state, region),
      params: { region, ...params },
    }));
};

/** The path of the first zone that prices a province. */
const pathOf = ({ weight }: TemplateState, province: string): string => {
  for (const [o, { zones }] of weight.origins.entries())
    for (const [z, { areas }] of zones.entries())
      if (areas.includes(province)) return `origins.${o}.zones.${z}`;
  return 'origins';
};

export const check = (
  app: App,
  actor: Actor,
  { id, draft }: ParsedOf<typeof calls.checkVoucher>,
): Promise<OutputOf<typeof calls.checkVoucher>> =>
  app.db.tx(callerOf(actor), async (work) => {
    const voucher = await readVoucher(app, work, id);
    const state: TemplateState = draft ?? voucher;
    if (state.weight.origins.length === 0) return { findings: [] };
    return {
      findings: [
        ...lookOver(state.weight as TemplateContent),
        ...(await belowCost(app, work, voucher, state)),
      ],
    };
  });
