export type { Bracket, ServedZone, Zone, Origin, TemplateContent, DraftContent } from './voucher-content.schema.ts';

/** The heaviest parcel a template may price, in grams: 10 t, the most a carrier's order takes. */
export const heaviest = 10_000_000;

/** What a template's price cells hold, in fen: at most ¥100,000. */
export const dearest = 10_000_000;
