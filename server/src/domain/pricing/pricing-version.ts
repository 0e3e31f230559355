/**
 * The edition of docs/pricing.md that this folder implements; it is increased when a rule
 * changes, and stored lines keep their edition.
 */
export const pricingVersion = 1;
