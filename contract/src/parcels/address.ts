export type { AddressCandidate } from './address.schema.ts';

/** The longest text that can be pasted, in UTF-16 units. */
export const longestPaste = 20_000;
/**
 * The most characters of the text of one candidate that the response repeats; the limit keeps the
 * response to the size of a few pastes.
 */
export const longestSource = 1_000;
/** The order form marks a field whose recognition confidence is below this value. */
export const doubtfulBelow = 80;
export const wholeConfidence = 100;
/** The most suggested places for names that do not match: one for each of the keys 1 to 9. */
export const mostRepairs = 9;
