import { roundDecimal } from '@waystation/contract/decimal.ts';
import type { Reason } from '@waystation/contract/envelope.ts';
import type { BillField } from '@waystation/contract/reconciliation.ts';
import { visibleText } from '@waystation/contract/visible-text.ts';
import { waybillOf as waybillOfLabel } from '@waystation/contract/waybill-number.ts';
import type { Mapping, WeightUnit } from './columns.ts';

/** A line of a bill as read. Grams, fen. */
export interface Understood {
  /** Null: the line of no parcel, such as the total. */
  bucket: 'unreadable' | 'only_theirs' | null;
  problem: Reason | null;
  delivery_id: string | null;
  customer_code: string;
  fee: string;
  their_weight: number | null;
  their_amount: number | null;
  /** The amount in the bill's total row. */
  stated_amount: number | null;
}

/** The row that totals the whole bill; a subtotal totals a part of it. */
const totalWords = /^(?:合计|总计|汇总|总和|(?:grand\s*)?total|sum)\s*[:：]?$/i;
const sumWords = /^(?:合计|总计|小计|本页小计|汇总|总和|(?:grand|sub)?\s*total|sum)\s*[:：]?$/i;

/** `¥1,234.50`, `１２．５元`, `(12.00)` for a credit → fen, half up; null if it is no amount. */
export const fenOf = (text: string): number | null => {
  const plain = text
    .normalize('NFKC')
    .replaceAll(/\s+/g, '')
    .replace(/^\((.*)\)$/, '-$1')
    .replace(/(?:元|rmb|cny)$/i, '')
    .replace(/^([+-]?)(?:¥|¥|rmb|cny)([+-]?)/i, '$1$2');
  return roundDecimal(plain, 2);
};

/** A weight in the unit of its cell, else of the file → grams, half up; null if it is none. */
export const gramsOf = (text: string, unit: WeightUnit): number | null => {
  const plain = text.normalize('NFKC').replaceAll(/\s+/g, '').toLowerCase();
  const [, number, ownUnit] = /^(.*?)(kg|公斤|千克|g|克)?$/.exec(plain)!;
  const kilograms = ownUnit === undefined ? unit === 'kg' : ownUnit !== 'g' && ownUnit !== '克';
  const grams = roundDecimal(number!, kilograms ? 3 : 0);
  return grams === null || grams < 0 || grams > 100_000_000 ? null : grams;
};

/** A waybill number in capitals without the signs that spreadsheets add, that of a package number too; null if it is none, such as one rounded to 1.38E+10. */
export const waybillOf = (text: string): string | null => {
  const plain = visibleText(text)
    .normalize('NFKC')
    .replaceAll(/[\s'‘’`"]+/g, '')
    .toUpperCase();
  const labelled = waybillOfLabel(plain);
  if (labelled !== null) return labelled;
  return /^(?=.*\d)[A-Z\d][A-Z\d-]{5,39}$/.test(plain) ? plain : null;
};

/** The amount of a total row: its cell in the column of amounts, or its only amount. */
const statedBy = (cells: readonly string[], amount: string): number | null => {
  if (!cells.some((text) => totalWords.test(text.normalize('NFKC').trim()))) return null;
  const stated = fenOf(amount);
  if (stated !== null) return stated;
  const sums = cells.map(fenOf).filter((one) => one !== null);
  return sums.length === 1 ? sums[0]! : null;
};

/** The figures of a line, by the mapping. An unreadable cell is named with its text. */
export const understand = (cells: readonly string[], mapping: Mapping, unit: WeightUnit): Understood => {
  const cell = (field: BillField): string => (mapping[field] === undefined ? '' : (cells[mapping[field]] ?? ''));
  const delivery_id = waybillOf(cell('delivery_id'));
  const their_weight = gramsOf(cell('weight'), unit);
  const their_amount = fenOf(cell('amount'));
  const found = {
    delivery_id,
    customer_code: cell('customer_code').normalize('NFKC').trim().slice(0, 60),
    fee: cell('fee').normalize('NFKC').trim().slice(0, 100),
    their_weight,
    their_amount,
    stated_amount: null,
  };
  if (delivery_id === null && cells.some((text) => sumWords.test(text.normalize('NFKC').trim())))
    return { ...found, bucket: null, problem: null, their_amount: null, their_weight: null, stated_amount: statedBy(cells, cell('amount')) };
  const unreadable = (code: string, text: string): Understood => ({ ...found, bucket: 'unreadable', problem: { code, params: { text: text.slice(0, 60) } } });
  if (delivery_id === null) return unreadable(cell('delivery_id') === '' ? 'bill_no_waybill' : 'bill_waybill_unreadable', cell('delivery_id'));
  if (their_amount === null) return unreadable('bill_amount_unreadable', cell('amount'));
  // A fee beside the freight has no weight of its own.
  if (their_weight === null && cell('weight') !== '' && cell('weight') !== '-') return unreadable('bill_weight_unreadable', cell('weight'));
  return { ...found, bucket: 'only_theirs', problem: null };
};
