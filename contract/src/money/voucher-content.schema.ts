import * as z from 'zod/mini';
import { provinceCodes, provinceOf } from '#parcels/provinces.ts';
import { integer, text } from '#base/fields.schema.ts';
import { mostWeight } from '#base/limits.ts';
import {
  dearest,
  divisors,
  finestStep,
  mostAreas,
  mostBrackets,
  mostOrigins,
  mostZones,
  zoneNameLength,
} from './voucher-content.ts';

const known = new Set(provinceCodes);

const provinceCode = z.enum(provinceCodes, 'province_code');

/** A province (`440000`) or, to override its province, one of its cities (`440300`). */
const areaCode = z.string('invalid').check(
  z.regex(/^\d{4}00$/, 'area_code'),
  z.refine((code) => known.has(provinceOf(code)), { error: 'area_code' }),
);

/**
 * A weight bracket. It begins above the first weight or the bracket before, and ends at `up_to_g`,
 * which is included. Every started `step_g` adds `price` fen. A draft accepts a price below zero,
 * so that a pasted price list with falling prices can be shown with the place where they fall;
 * `checkTemplate` refuses it.
 */
const bracket = z.object({
  up_to_g: integer(1, mostWeight),
  step_g: integer(finestStep, mostWeight),
  price: integer(-dearest, dearest),
});
export type Bracket = z.infer<typeof bracket>;

const named = {
  name: text(0, zoneNameLength),
  areas: z
    .array(areaCode, 'invalid')
    .check(z.minLength(1, 'required'), z.maxLength(mostAreas, 'too_long')),
};

const servedZone = z
  .object({
    ...named,
    not_served: z.literal(0),
    /** Every weight up to `max_g` costs `price` and is billed as `max_g`. */
    first: z.object({ max_g: integer(1, mostWeight), price: integer(0, dearest) }),
    brackets: z.array(bracket, 'invalid').check(z.maxLength(mostBrackets, 'too_long')),
    /** The minimum charge in fen, before any discount. */
    minimum: integer(0, dearest),
  })
  .check((context) => {
    const { first, brackets } = context.value;
    let below = first.max_g;
    for (const [index, { up_to_g, step_g }] of brackets.entries()) {
      const issue = (field: string, message: string) =>
        context.issues.push({
          code: 'custom',
          message,
          input: context.value,
          path: ['brackets', index, field],
        });
      if (up_to_g <= below) issue('up_to_g', 'not_ascending');
      else if ((up_to_g - below) % step_g !== 0) issue('step_g', 'step_not_dividing');
      below = up_to_g;
    }
  });
export type ServedZone = z.infer<typeof servedZone>;

const closedZone = z.object({ ...named, not_served: z.literal(1) });

/** A group of receiver regions that have the same price, or that are not served at all. */
export const zone = z.discriminatedUnion('not_served', [servedZone, closedZone], 'invalid');
export type Zone = z.infer<typeof zone>;

const origin = z.object({
  /** The sender provinces; empty: every sender province that no other origin lists. */
  provinces: z.array(provinceCode, 'invalid').check(z.maxLength(provinceCodes.length, 'too_long')),
  zones: z
    .array(zone, 'invalid')
    .check(z.minLength(1, 'required'), z.maxLength(mostZones, 'too_long')),
});
export type Origin = z.infer<typeof origin>;

/** The cm³ that count as one kilogram; null: volume is ignored. */
const divisor = z.nullable(integer(divisors.min, divisors.max));

/**
 * The content of `vouchers.weight` (docs/pricing.md §2): money in fen, weight in grams, regions by
 * official division code. Every valid value can be used to price; `checkTemplate` judges whether
 * the prices make sense.
 */
export const templateContent = z.object({
  divisor,
  origins: z
    .array(origin, 'invalid')
    .check(z.minLength(1, 'required'), z.maxLength(mostOrigins, 'too_long')),
});
export type TemplateContent = z.infer<typeof templateContent>;

/** The content of a draft. It is the content of a template, but may have no price grid yet. */
export const draftContent = z.object({
  divisor,
  origins: z.array(origin, 'invalid').check(z.maxLength(mostOrigins, 'too_long')),
});
export type DraftContent = z.infer<typeof draftContent>;
