/** A template's prices as a sheet that people edit, and back (docs/pricing.md §2). */
export { writePriceSheet } from './write.ts';
export { readPriceSheet } from './read.ts';
export { readPriceList } from './list.ts';
