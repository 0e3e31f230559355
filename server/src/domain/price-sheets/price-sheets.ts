/**
 * Writes a template's prices into a sheet that users edit, and reads the edited sheet
 * (docs/pricing.md §2).
 */
export { writePriceSheet } from './write.ts';
export { readPriceSheet } from './read.ts';
export { readPriceList } from './list.ts';
