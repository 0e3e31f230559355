import {
  dearest,
  finestStep,
  mostBrackets,
  saysClosed,
  zoneNameLength,
} from '@waystation/contract/money/voucher-content.ts';
import type { Bracket, Zone } from '@waystation/contract/money/voucher-content.ts';
import type { ErrorCode } from '@waystation/contract/base/errors.ts';
import type { Params } from '@waystation/contract/base/envelope.ts';
import { mostWeight } from '@waystation/contract/base/limits.ts';
import { parseYuan } from '@waystation/contract/money/money.ts';
import { parseKg } from '@waystation/contract/base/weight.ts';

/** The problem of a cell, and the expected input. */
export interface CellReason {
  code: Extract<ErrorCode, `price_sheet_${string}` | `price_list_${string}`>;
  params: Params;
}
export type Refuse = (key: string, code: CellReason['code'], params?: Params) => null;

/** The prices in a row of the price sheet, without the regions for which they apply. */
export type RowPrices = Zone extends infer Each
  ? Each extends Zone
    ? Omit<Each, 'areas'>
    : never
  : never;

/** Returns the text of a row's cell by the key of its column. */
export type RowCells = (key: string) => string;

const priceKeys = (index: number) =>
  [`brackets.${index}.up_to_g`, `brackets.${index}.step_g`, `brackets.${index}.price`] as const;

const numbers = (cells: RowCells, refuse: Refuse) => ({
  kg: (key: string, least: number): number | null => {
    if (cells(key) === '') return refuse(key, 'price_sheet_missing');
    const grams = parseKg(cells(key));
    if (grams === null) return refuse(key, 'price_sheet_weight');
    if (grams < least || grams > mostWeight)
      return refuse(key, 'price_sheet_weight_bounds', {
        least_weight: least,
        limit_weight: mostWeight,
      });
    return grams;
  },
  yuan: (key: string, least: number): number | null => {
    if (cells(key) === '') return refuse(key, 'price_sheet_missing');
    const fen = parseYuan(cells(key));
    if (fen === null) return refuse(key, 'price_sheet_price');
    if (fen < least || fen > dearest)
      return refuse(key, 'price_sheet_price_bounds', {
        least_amount: least,
        limit_amount: dearest,
      });
    return fen;
  },
});

/**
 * The brackets above the first weight. A bracket with three empty cells is left out, as in the
 * editor's grid.
 */
const bracketsOf = (cells: RowCells, max_g: number | null, refuse: Refuse): Bracket[] => {
  const { kg, yuan } = numbers(cells, refuse);
  const found: Bracket[] = [];
  let below = max_g;
  for (let index = 0; index < mostBrackets; index++) {
    const keys = priceKeys(index);
    if (keys.every((key) => cells(key) === '')) continue;
    const [upTo, step, price] = keys;
    const [up_to_g, step_g, fen] = [kg(upTo, 1), kg(step, finestStep), yuan(price, -dearest)];
    if (up_to_g !== null && below !== null) {
      if (up_to_g <= below) refuse(upTo, 'price_sheet_not_ascending', { below_weight: below });
      else if (step_g !== null && (up_to_g - below) % step_g !== 0)
        refuse(step, 'price_sheet_step', { span_weight: up_to_g - below });
    }
    if (up_to_g !== null && step_g !== null && fen !== null)
      found.push({ up_to_g, step_g, price: fen });
    below = up_to_g ?? below;
  }
  return found;
};

/**
 * The prices of a row; null if the row has none. Calls `refuse` for every cell that cannot be read,
 * and the caller counts these.
 */
export const pricesOf = (cells: RowCells, refuse: Refuse): RowPrices | null => {
  const name = cells('name');
  if ([...name].length > zoneNameLength)
    refuse('name', 'price_sheet_name_length', { limit: zoneNameLength });
  const keys = [
    'first.max_g',
    'first.price',
    ...Array.from({ length: mostBrackets }, (_, index) => priceKeys(index)).flat(),
    'minimum',
  ];
  const filled = keys.filter((key) => cells(key) !== '');
  if (filled.length === 0) return null;
  if (filled.some((key) => saysClosed(cells(key)))) return { name, not_served: 1 };
  const { kg, yuan } = numbers(cells, refuse);
  const [max_g, price] = [kg('first.max_g', 1), yuan('first.price', 0)];
  const brackets = bracketsOf(cells, max_g, refuse);
  const minimum = cells('minimum') === '' ? 0 : yuan('minimum', 0);
  return max_g === null || price === null || minimum === null
    ? null
    : { name, not_served: 0, first: { max_g, price }, brackets, minimum };
};
