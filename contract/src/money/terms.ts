export type { PercentType, ChainLink, InsuranceTier, Terms, Discounts } from './terms.schema.ts';
