import * as z from 'zod/mini';
import { longestPaste, wholeConfidence } from './address.ts';
import { reason, text } from '#base/fields.schema.ts';
import { regionLength } from '#base/limits.ts';

/**
 * The confidence of a field from 0 to 100. 0: nothing was found; 100: the text contains it
 * explicitly. Below `doubtfulBelow` the user should check it. An empty county with 100 is correct
 * if the city has no counties (东莞).
 */
const confidence = z.int().check(z.gte(0), z.lte(wholeConfidence));

/**
 * One person found in a pasted text, with the fields of a sender or receiver (requirements §3). A
 * field that was not found is empty.
 */
export const addressCandidate = z.object({
  name: z.string(),
  /** The phone without its extension; empty if the text contains only a masked phone. */
  phone: z.string(),
  extension: z.string(),
  /**
   * The official names. If only the county is known and several cities have a county of that name,
   * province and city are empty.
   */
  province: z.string(),
  city: z.string(),
  county: z.string(),
  /** The rest of the address, after province, city and county. */
  address: z.string(),
  /** The lines of the pasted text that belong to this person. */
  source: z.string(),
  confidence: z.object({
    name: confidence,
    phone: confidence,
    province: confidence,
    city: confidence,
    county: confidence,
    address: confidence,
  }),
});
export type AddressCandidate = z.infer<typeof addressCandidate>;

export const parseAddressInput = z.object({
  text: z.string().check(z.minLength(1, 'required'), z.maxLength(longestPaste, 'too_long')),
});
export const parseAddressOutput = z.object({ candidates: z.array(addressCandidate) });

const placeNames = { province: z.string(), city: z.string(), county: z.string() };
/** An absent name counts as empty. */
const regionText = z.optional(text(0, regionLength));
export const checkPlaceInput = z.object({
  province: regionText,
  city: regionText,
  county: regionText,
});
/**
 * `reason` is null if the names match. `places`: the possible meanings, the likeliest first; if a
 * place has no county, the user must choose one.
 */
export const checkPlaceOutput = z.object({
  reason: z.nullable(reason),
  places: z.array(z.object(placeNames)),
});
