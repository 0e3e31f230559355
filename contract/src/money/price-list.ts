export type { PriceList, PriceListChoices, PriceListSheet } from './price-list.schema.ts';

/** The meanings that a column can have in a price list made by another program or by a person. */
export const priceListRoles = [
  'province',
  /** The column contains a city of the row's province; an empty cell means the whole province. */
  'city',
  'first_weight',
  'first_price',
  'step_weight',
  'step_price',
  'up_to',
  'minimum',
  /** The cell contains one price for every weight in the title's range. */
  'range',
  /** The cell contains the price of each started step within the title's range. */
  'range_step',
] as const;
export type PriceListRole = (typeof priceListRoles)[number];

/** Choices that a user may still have to make before a price list can be read. */
export const priceListNeeds = [
  'sheet',
  'column',
  'province',
  'price',
  'ranges',
  'first_g',
  'step_g',
  'up_to_g',
] as const;
export type PriceListNeed = (typeof priceListNeeds)[number];

export const mostListSheets = 20;
export const mostListColumns = 60;
/** The largest number of characters of the user's choices as JSON. */
export const mostChoicesLength = 60_000;
/** Column titles are searched in the first rows of the sheet; this is the number of these rows. */
export const listHeadRows = 20;
