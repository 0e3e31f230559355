import type {
  PriceList,
  PriceListChoices,
  PriceListRole,
  PriceListSheet,
} from '@waystation/contract/money/price-list.ts';
import type { TemplateState } from '@waystation/contract/money/voucher-diff.ts';
import type { Origin, Zone } from '@waystation/contract/money/voucher-content.ts';

/**
 * The user's choice of the meaning of a column. Null if the server is not sure of the meaning and
 * the user has not chosen one yet.
 */
export type ColumnChoice = PriceListRole | 'none' | null;

export interface SheetChoice {
  index: number;
  used: 0 | 1;
  header_at: number;
  /** The meaning of each column; empty if the server should detect the meanings from the titles. */
  roles: readonly ColumnChoice[];
}

export interface ListChoices extends Pick<PriceListChoices, 'first_g' | 'step_g' | 'up_to_g'> {
  sheets: readonly SheetChoice[];
}

const sheetChoice = (
  { index, used, header_at, columns }: PriceListSheet,
  isAlone: boolean,
): SheetChoice => ({
  index,
  // If the file has only one sheet, that sheet is read in any case, even if no column has a known
  // meaning.
  used: isAlone ? 1 : used,
  header_at,
  roles: columns.map(({ role, asked }) => role ?? (asked.length > 0 ? null : 'none')),
});

/** The initial choices, which the server made when it read the price list. */
export const choicesOf = ({ sheets, first_g, step_g, up_to_g }: PriceList): ListChoices => ({
  sheets: sheets.map((sheet) => sheetChoice(sheet, sheets.length === 1)),
  first_g,
  step_g,
  up_to_g,
});

/**
 * True if a sheet that will be read has a column with several possible meanings, and the user has
 * not chosen one.
 */
export const isOpen = ({ sheets }: ListChoices): boolean =>
  sheets.some(({ used, roles }) => used === 1 && roles.includes(null));

/**
 * The choices as the text to send. If a column of a sheet is still undecided, the server detects
 * all columns of that sheet again.
 */
export const choicesText = ({ sheets, ...weights }: ListChoices): string =>
  JSON.stringify({
    ...weights,
    sheets: sheets.map((sheet) => ({
      ...sheet,
      roles: sheet.roles.includes(null)
        ? []
        : sheet.roles.map((role) => (role === 'none' ? null : role)),
    })),
  } satisfies PriceListChoices);

type Prices = Zone extends infer Each ? (Each extends Zone ? Omit<Each, 'areas'> : never) : never;

const pricesByArea = (zones: readonly Zone[]): Map<string, Prices> => {
  const found = new Map<string, Prices>();
  for (const { areas, ...prices } of zones)
    for (const area of areas) if (!found.has(area)) found.set(area, prices);
  return found;
};

/**
 * Puts the prices of an uploaded list into one group of sender provinces. Provinces that are not in
 * the list keep their prices. The names of zones stay the same. The minimum charge changes only if
 * the list contains one.
 */
export const withList = (origin: Origin, zones: NonNullable<PriceList['zones']>): Origin => {
  const prices = pricesByArea(origin.zones);
  for (const { has_minimum, zone } of zones) {
    const { areas, ...next } = zone;
    for (const area of areas) {
      const before = prices.get(area);
      const name = before?.name ?? '';
      const minimum = before?.not_served === 0 ? before.minimum : 0;
      prices.set(
        area,
        next.not_served === 0
          ? { ...next, name, minimum: has_minimum === 1 ? next.minimum : minimum }
          : { ...next, name },
      );
    }
  }
  const grouped = new Map<string, Zone>();
  for (const [area, each] of prices) {
    const key = JSON.stringify([
      each.name,
      each.not_served,
      ...(each.not_served === 0 ? [each.first, each.brackets, each.minimum] : []),
    ]);
    const zone = grouped.get(key);
    if (zone) zone.areas.push(area);
    else grouped.set(key, { ...each, areas: [area] });
  }
  return { provinces: origin.provinces, zones: [...grouped.values()] };
};

/**
 * The template with this price list added. If the template already has a price list for the same
 * senders, that list is replaced.
 */
export const withOrigin = (state: TemplateState, origin: Origin): TemplateState => {
  const key = origin.provinces.join();
  const { origins } = state.weight;
  const at = origins.findIndex(({ provinces }) => provinces.join() === key);
  return {
    ...state,
    weight: {
      ...state.weight,
      origins: at < 0 ? [...origins, origin] : origins.with(at, origin),
    },
  };
};
