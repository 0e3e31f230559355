/**
 * The version of docs/pricing.md that this folder implements. It is increased when a rule changes,
 * and stored price lines keep the version they were calculated with.
 */
export const pricingVersion = 1;
