export type { AddressCandidate } from './address.schema.ts';

/** The longest text that can be pasted, in UTF-16 units. */
export const longestPaste = 20_000;
/** The order form marks fields below this. */
export const doubtfulBelow = 80;
export const wholeConfidence = 100;
