import type { Provider } from '@waystation/contract/network/provider.ts';
import type { TemplateContent } from '@waystation/contract/money/voucher-content.ts';
import type { ChainLink, Terms } from '@waystation/contract/money/terms.ts';
import { firstOf, present } from '@waystation/contract/base/present.ts';
import { compileTemplate } from '#domain/pricing/pricing.ts';
import type { CompiledTemplate } from '#domain/pricing/pricing.ts';
import { rowsAtOnce, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { readSetting } from '#platform/settings.ts';
import { tiersAt } from './tiers.ts';

/** A delivery-time option of the station's scheme, with its current template version. */
export interface Offer {
  promise_id: string;
  promise_name: string;
  promise_name_en: string;
  provider: Provider;
  voucher_id: number;
  voucher_name: string;
  voucher_no: number;
  template: CompiledTemplate;
  terms: Terms;
  merchant: MerchantChoice | null;
}

/** The carrier account with which a station's parcel is ordered. */
export interface MerchantChoice {
  id: number;
  provider: Provider;
  customer_code: string;
  guarantee: number;
  simulated: 0 | 1;
  /** The warehouse code, which is sent to the carrier with every order. */
  warehouse_code: string;
  /**
   * True if the next order of the account can be sent immediately, because the account is not
   * paused and needs no fetched waybill number.
   */
  sends_at_once: boolean;
  /**
   * True if the carrier can be called now, because the account is not paused and no outage has
   * begun.
   */
  takes_calls: boolean;
}

export interface StationTerms {
  id: number;
  name: string;
  status: 0 | 1;
  money: number;
  freeze: number;
  available: number;
  has_amount: 0 | 1;
  credit_limit: number | null;
  allow_select: 0 | 1;
  allow_print: 0 | 1;
  project_id: number | null;
  customer_code: string;
  /**
   * The customer code of the carrier account that was chosen for this parcel; it replaces the
   * station's customer code.
   */
  chosen_code?: string;
  /**
   * True if the user who orders the parcel may know which account was chosen; this is so only for
   * admins and super admins.
   */
  knows_chosen?: boolean;
}

/**
 * The compiled templates; each published version is compiled once, because a version never changes.
 */
const compiled = new Map<string, CompiledTemplate>();
const compiledLimit = 500;

/**
 * Deletes the compiled templates, because another database may have different templates with the
 * same ids and versions.
 */
export const forgetTemplates = (): void => compiled.clear();

/** The compiled template of a published version. */
export const compiledVersion = (
  voucher_id: number,
  no: number,
  content: () => TemplateContent,
): CompiledTemplate => {
  const key = `${voucher_id}:${no}`;
  const known = compiled.get(key);
  if (known) return known;
  if (compiled.size >= compiledLimit) compiled.clear();
  const made = compileTemplate(content());
  compiled.set(key, made);
  return made;
};

export const northeastProvinces = (work: Work): Promise<readonly string[]> =>
  readSetting(work, 'northeast_provinces');

interface ChainRow {
  id: number;
  parent_id: number | null;
  discount: number | null;
  northeast_discount: number | null;
  enable_profit: 0 | 1;
  profit: number;
  fixed_profit: number;
}

/**
 * Reads the chain of stations from this one upwards. The profit shares of a parcel that is ordered
 * now are calculated from this chain.
 */
const chainOf = (work: Work, station_id: number): Promise<ChainRow[]> =>
  rowsAtOnce(
    work,
    sql<ChainRow>`
    with recursive chain as (
      select id, parent_id, discount, northeast_discount, enable_profit, profit, fixed_profit,
        0 as depth from stations where id = ${station_id}
      union all
      select s.id, s.parent_id, s.discount, s.northeast_discount, s.enable_profit, s.profit,
        s.fixed_profit, c.depth + 1
        from stations s join chain c on s.id = c.parent_id where c.depth < 100)
    select id, parent_id, discount, northeast_discount, enable_profit, profit, fixed_profit
      from chain order by depth`,
  );

const rates = ({
  discount,
  northeast_discount,
}: Pick<ChainRow, 'discount' | 'northeast_discount'>) => ({ discount, northeast_discount });

const linksOf = (chain: ChainRow[], percent_type: ChainLink['percent_type']): ChainLink[] =>
  chain.slice(0, -1).map((child, index) => ({
    child_id: child.id,
    parent_id: present(chain[index + 1]).id,
    enable_profit: child.enable_profit,
    percent_type,
    profit: child.profit,
    fixed_profit: child.fixed_profit,
    child: rates(child),
    parent: rates(present(chain[index + 1])),
  }));

/**
 * The carrier account for a station's parcels, by provider: the account with the station's
 * `customer_code`, else the provider's default account. A provider without an enabled account has
 * no entry.
 */
export const merchantsFor = async (
  work: Work,
  customer_code: string,
): Promise<Map<string, MerchantChoice>> => {
  const rows = await rowsAtOnce(
    work,
    sql<MerchantChoice>`
    select distinct on (provider) id, provider, customer_code, guarantee, simulated,
      warehouse_code,
      paused_at is null and prefetch_numbers = 0 as sends_at_once,
      paused_at is null and down_since is null as takes_calls
    from merchants
    where status = 1 and (is_default = 1 or (customer_code = ${customer_code}
      and ${customer_code} <> ''))
    order by provider, (customer_code = ${customer_code}) desc, is_default desc`,
  );
  return new Map(rows.map((row) => [row.provider, row]));
};

interface OfferRow {
  promise_id: string;
  promise_name: string;
  promise_name_en: string;
  provider: Provider;
  percent_type: ChainLink['percent_type'];
  voucher_id: number;
  voucher_name: string;
  voucher_no: number;
  discount: number | null;
  northeast_discount: number | null;
  weight: TemplateContent;
}

/**
 * All delivery-time options that a station may order now, with the pricing terms that an order
 * would store (docs/pricing.md §6). Runs with a system scope, because it reads the parent stations.
 */
export const offersOf = async (work: Work, station: StationTerms, at: Date): Promise<Offer[]> => {
  if (station.project_id === null) return [];
  const offered = rowsAtOnce(
    work,
    sql<OfferRow>`
    select p.promise_id, p.promise_name, p.promise_name_en, p.provider, s.percent_type,
      v.id as voucher_id, v.name as voucher_name,
      n.no as voucher_no, n.discount, n.northeast_discount, n.weight
    from projects s join project_vouchers b on b.project_id = s.id
      join promises p on (p.provider, p.promise_id) = (b.provider, b.promise_id)
      join vouchers v on v.id = b.voucher_id
      cross join lateral (select x.no, x.discount, x.northeast_discount, x.weight
        from voucher_versions x where x.voucher_id = v.id and x.valid_from <= ${at}
        order by x.valid_from desc, x.no desc limit 1) n
    where s.id = ${station.project_id} and s.status = 1 and p.status = 1 and v.status = 1
    order by p.sort, p.id`,
  );
  // These queries are sent together, in one round trip.
  const [rows, chain, merchants, provinces, tiers] = await Promise.all([
    offered,
    chainOf(work, station.id),
    merchantsFor(work, station.chosen_code ?? station.customer_code),
    northeastProvinces(work),
    tiersAt(work, at),
  ]);
  const northeast = [...provinces];
  return rows.map((row) => {
    const merchant = merchants.get(row.provider) ?? null;
    return {
      promise_id: row.promise_id,
      promise_name: row.promise_name,
      promise_name_en: row.promise_name_en,
      provider: row.provider,
      voucher_id: row.voucher_id,
      voucher_name: row.voucher_name,
      voucher_no: row.voucher_no,
      template: compiledVersion(row.voucher_id, row.voucher_no, () => row.weight),
      merchant,
      terms: {
        voucher: {
          id: row.voucher_id,
          version: row.voucher_no,
          name: row.voucher_name,
          discount: row.discount,
          northeast_discount: row.northeast_discount,
        },
        station: { id: station.id, ...rates(firstOf(chain)) },
        northeast,
        tiers,
        guarantee: merchant?.guarantee ?? 0,
        ...(station.chosen_code !== undefined && { customer_code: station.chosen_code }),
        links: linksOf(chain, row.percent_type),
      },
    };
  });
};

export interface VersionThen {
  voucher_id: number;
  voucher_no: number;
  name: string;
  discount: number | null;
  northeast_discount: number | null;
}

/**
 * The template version that a parcel's scheme had for another delivery-time option of its carrier
 * at the time when its terms were stored; undefined if there was none.
 */
export const versionThen = async (
  work: Work,
  {
    id,
    project_id,
    provider,
    ordered_at,
  }: { id: number; project_id: number | null; provider: Provider; ordered_at: Date | null },
  promise_id: string,
): Promise<VersionThen | undefined> => {
  const { rows } = await sql<VersionThen>`select v.id as voucher_id, n.no as voucher_no,
    v.name, n.discount, n.northeast_discount
    from project_vouchers b join vouchers v on v.id = b.voucher_id
      join promises p on (p.provider, p.promise_id) = (b.provider, b.promise_id)
      cross join lateral (select x.no, x.discount, x.northeast_discount
        from voucher_versions x where x.voucher_id = v.id
        and x.valid_from <= (select max(f.at) from express_facts f where f.express_id = ${id}
          and (f.source = 'order' or (f.source = 'edit' and f.at < ${ordered_at})))
            order by x.valid_from desc, x.no desc limit 1) n
    where b.project_id = ${project_id} and b.provider = ${provider}
      and b.promise_id = ${promise_id} and p.status = 1`.execute(work.tx);
  return rows[0];
};

/** The compiled template version with which a parcel was ordered. */
export const templateOf = async (work: Work, terms: Terms): Promise<CompiledTemplate> => {
  const { id, version } = terms.voucher;
  const cached = compiled.get(`${id}:${version}`);
  if (cached) return cached;
  const rows = await work.tx
    .selectFrom('voucher_versions')
    .select('weight')
    .where('voucher_id', '=', id)
    .where('no', '=', version)
    .execute();
  const row = rows[0];
  if (!row) throw new Error(`template ${id} version ${version} is gone`);
  return compiledVersion(id, version, () => row.weight);
};
