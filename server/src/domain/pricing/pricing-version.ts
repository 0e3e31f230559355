/** The edition of docs/pricing.md that this folder follows; it rises when a rule changes, and stored lines keep the edition they were made by. */
export const pricingVersion = 1;
