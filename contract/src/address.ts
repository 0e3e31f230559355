export type { AddressCandidate } from './address.schema.ts';

/** The longest text that can be pasted, in UTF-16 units. */
export const longestPaste = 20_000;
/** Fields below this stand out on the order form. */
export const doubtfulBelow = 80;
