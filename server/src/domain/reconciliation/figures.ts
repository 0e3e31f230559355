import { roundDecimal } from '@waystation/contract/base/decimal.ts';
import { visibleText } from '@waystation/contract/base/visible-text.ts';
import type { Reason } from '@waystation/contract/base/envelope.ts';
import type { BillField } from '@waystation/contract/money/reconciliation.ts';
import { waybillOf as waybillOfLabel } from '@waystation/contract/parcels/waybill-number.ts';
import { firstOf } from '@waystation/contract/base/present.ts';
import type { BillUnits } from './bill-units.ts';
import type { Mapping } from './columns.ts';

/** A line of a bill with the values that were read. Weights in grams, amounts in fen. */
export interface Understood {
  /**
   * The first result of reading the line; null if the line is not about a parcel, for example a
   * total.
   */
  bucket: 'unreadable' | 'only_theirs' | null;
  problem: Reason | null;
  delivery_id: string | null;
  customer_code: string;
  fee: string;
  their_weight: number | null;
  their_amount: number | null;
  /** The amount in the total row of the bill; null if this line is not the total row. */
  stated_amount: number | null;
}

/** Words of a row with the total of the whole bill; a subtotal is only for a part of the bill. */
const totalWords = /^(?:合计|总计|汇总|总和|(?:grand\s*)?total|sum)\s*[:：]?$/i;
const sumWords = /^(?:合计|总计|小计|本页小计|汇总|总和|(?:grand|sub)?\s*total|sum)\s*[:：]?$/i;

/**
 * An amount such as `¥1,234.50`, `１２．５元` or, for a credit, `(12.00)`, converted to fen and rounded
 * half up. Null if the text is not an amount. `places` is the number of decimals that turn a number
 * without 元 into fen.
 */
export const fenOf = (text: string, places = 2): number | null => {
  const plain = visibleText(text)
    .normalize('NFKC')
    .replaceAll(/\s+/g, '')
    .replace(/^\((.*)\)$/, '-$1')
    .replace(/(?:元|rmb|cny)$/i, '')
    .replace(/^([+-]?)(?:¥|¥|rmb|cny)([+-]?)/i, '$1$2');
  return roundDecimal(plain, /[¥元]/.test(text.normalize('NFKC')) ? 2 : places);
};

/** The units that may follow the number in a cell, and the weight of each unit in grams. */
const ownUnits: readonly [RegExp, number][] = [
  [/(?:kgs?|公斤|千克)$/, 1_000],
  [/吨$/, 1_000_000],
  [/斤$/, 500],
  [/(?:g|克)$/, 1],
];

/**
 * Converts a weight to grams, rounded half up. If the cell contains no unit, its number is
 * multiplied by `unit` grams. Null if the text is not a weight.
 */
export const gramsOf = (text: string, unit: number): number | null => {
  const plain = visibleText(text).normalize('NFKC').replaceAll(/\s+/g, '').toLowerCase();
  const [shape, grams] = ownUnits.find(([one]) => one.test(plain)) ?? [/$/, unit];
  const millionths = roundDecimal(plain.replace(shape, ''), grams === 1 ? 0 : 6);
  const found =
    millionths === null || grams === 1 ? millionths : Math.round((millionths * grams) / 1_000_000);
  return found === null || found < 0 || found > 100_000_000 ? null : found;
};

/**
 * A waybill number in capitals, without the signs that spreadsheets add. The waybill number is also
 * taken from a package number. Null if there is none, for example if it was rounded to 1.38E+10.
 */
export const waybillOf = (text: string): string | null => {
  const plain = visibleText(text)
    .normalize('NFKC')
    .replaceAll(/[\s'‘’`"]+/g, '')
    .toUpperCase();
  const labelled = waybillOfLabel(plain);
  if (labelled !== null) return labelled;
  return /^(?=.*\d)[A-Z\d][A-Z\d-]{5,39}$/.test(plain) ? plain : null;
};

/**
 * The amount in a total row: the cell in the column of amounts, or else the only amount in the row.
 */
const statedBy = (cells: readonly string[], amount: string, places: number): number | null => {
  if (!cells.some((text) => totalWords.test(text.normalize('NFKC').trim()))) return null;
  const stated = fenOf(amount, places);
  if (stated !== null) return stated;
  const sums = cells.map((cell) => fenOf(cell, places)).filter((one) => one !== null);
  return sums.length === 1 ? firstOf(sums) : null;
};

/**
 * Reads the values of a line with the mapping. If a cell cannot be read, the problem contains the
 * text of the cell.
 */
export const understand = (
  cells: readonly string[],
  mapping: Mapping,
  { grams, places }: BillUnits,
): Understood => {
  const cell = (field: BillField): string =>
    mapping[field] === undefined ? '' : (cells[mapping[field]] ?? '');
  const delivery_id = waybillOf(cell('delivery_id'));
  const their_weight = gramsOf(cell('weight'), grams);
  const their_amount = fenOf(cell('amount'), places);
  const found = {
    delivery_id,
    customer_code: cell('customer_code').normalize('NFKC').trim().slice(0, 60),
    fee: cell('fee').normalize('NFKC').trim().slice(0, 100),
    their_weight,
    their_amount,
    stated_amount: null,
  };
  if (delivery_id === null && cells.some((text) => sumWords.test(text.normalize('NFKC').trim())))
    return {
      ...found,
      bucket: null,
      problem: null,
      their_amount: null,
      their_weight: null,
      stated_amount: statedBy(cells, cell('amount'), places),
    };
  const unreadable = (code: string, text: string): Understood => ({
    ...found,
    bucket: 'unreadable',
    problem: { code, params: { text: text.slice(0, 60) } },
  });
  if (delivery_id === null)
    return unreadable(
      cell('delivery_id') === '' ? 'bill_no_waybill' : 'bill_waybill_unreadable',
      cell('delivery_id'),
    );
  if (their_amount === null) return unreadable('bill_amount_unreadable', cell('amount'));
  // A line with a separate fee has no weight, so an empty weight is allowed.
  if (their_weight === null && cell('weight') !== '' && cell('weight') !== '-')
    return unreadable('bill_weight_unreadable', cell('weight'));
  return { ...found, bucket: 'only_theirs', problem: null };
};
