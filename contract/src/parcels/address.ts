export type { AddressCandidate } from './address.schema.ts';

/** The longest text that can be pasted, in UTF-16 units. */
export const longestPaste = 20_000;
/**
 * The response repeats at most this number of characters of the pasted text for each candidate, so
 * that it is not much larger than the pasted text.
 */
export const longestSource = 1_000;
/** The order form marks a field whose recognition confidence is below this value. */
export const doubtfulBelow = 80;
export const wholeConfidence = 100;
/**
 * The maximum number of suggested places for names that do not match: one for each of the keys 1 to
 * 9.
 */
export const mostRepairs = 9;
