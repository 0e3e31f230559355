import * as z from 'zod/mini';
import { fen, flag, id, integer, rate, text } from '#base/fields.schema.ts';
import { provinceCodes } from '#parcels/provinces.ts';
import {
  mostAmount,
  mostChainLinks,
  mostInsuranceTiers,
  mostInteger,
  merchantCodeLength,
  versionNameLength,
} from '#base/limits.ts';

/** The part of the list freight that is paid, in basis points, 8500 = 85 %; null: not set. */
const discounts = { discount: z.nullable(rate), northeast_discount: z.nullable(rate) };

/**
 * How a scheme shares profit: 1 by percentage, 2 by a fixed amount, 3 by the difference of prices.
 */
export const percentType = z.union([z.literal(1), z.literal(2), z.literal(3)]);
export type PercentType = z.infer<typeof percentType>;

/**
 * A station and its parent: the parent's earnings from the parcels of this station (docs/pricing.md
 * §7).
 */
export const chainLink = z.object({
  child_id: id,
  parent_id: id,
  enable_profit: flag,
  percent_type: percentType,
  /** The parent's share of the base, in basis points, for percent_type 1; null: not set. */
  profit: z.nullable(rate),
  /** The amount in fen per parcel, for percent_type 2. */
  fixed_profit: fen,
  child: z.object(discounts),
  parent: z.object(discounts),
});
export type ChainLink = z.infer<typeof chainLink>;

/** A tier of insurance: a parcel insured for up to `money` pays the fee `price`. */
export const insuranceTier = z.object({ money: integer(1, mostAmount), price: fen });
export type InsuranceTier = z.infer<typeof insuranceTier>;

/**
 * The terms that decide a parcel's price, besides the parcel itself and its template. They are
 * frozen when the parcel is ordered (docs/pricing.md §6) and stored with it. A later re-weigh
 * therefore uses the terms that the station agreed to.
 */
export const terms = z
  .object({
    voucher: z.object({
      id,
      version: integer(1, mostInteger),
      name: text(1, versionNameLength),
      ...discounts,
    }),
    station: z.object({ id, ...discounts }),
    /** The receiver provinces where the northeast discount replaces the ordinary discount. */
    northeast: z
      .array(z.enum(provinceCodes, 'province_code'))
      .check(z.maxLength(provinceCodes.length, 'too_long')),
    /** The enabled tiers, in ascending order. */
    tiers: z.array(insuranceTier).check(z.maxLength(mostInsuranceTiers, 'too_long')),
    /** The least insured value of the carrier account, in fen; 0: none. */
    guarantee: fen,
    /**
     * The customer code of the carrier account chosen for this parcel; absent: the station's
     * account is used. A parcel that is ordered again keeps the code.
     */
    customer_code: z.optional(text(1, merchantCodeLength)),
    /** The links to the parent stations, beginning with the parcel's station. */
    links: z.array(chainLink).check(z.maxLength(mostChainLinks, 'too_long')),
  })
  .check((context) => {
    const { tiers, links, station } = context.value;
    const issue = (path: (string | number)[], message: string) =>
      context.issues.push({ code: 'custom', message, input: context.value, path });
    for (const [index, tier] of tiers.entries()) {
      const before = tiers[index - 1];
      if (before && tier.money <= before.money) issue(['tiers', index, 'money'], 'not_ascending');
    }
    const passed = new Set([station.id]);
    let at = station.id;
    for (const [index, link] of links.entries()) {
      if (link.child_id !== at) issue(['links', index, 'child_id'], 'chain_broken');
      if (passed.has(link.parent_id)) issue(['links', index, 'parent_id'], 'chain_circular');
      passed.add(link.parent_id);
      at = link.parent_id;
    }
  });
export type Terms = z.infer<typeof terms>;

/** The two discount rates of a station or of a template: ordinary and north-east. */
export type Discounts = Pick<Terms['station'], 'discount' | 'northeast_discount'>;
