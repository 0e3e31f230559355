import type {
  ImportField,
  ImportMark,
  ImportProblem,
  ImportValues,
} from '@waystation/contract/imports/import.ts';
import { importFields } from '@waystation/contract/imports/import.ts';
import { mostPackages } from '@waystation/contract/base/limits.ts';
import { visibleText } from '@waystation/contract/base/visible-text.ts';
import type { ParcelFields } from '#domain/express/express-reads.ts';
import type { TextRow } from '#domain/workbook/workbook.ts';
import { warnOfLabel } from './carrier-texts.ts';
import { formulaErrors, clearOptional, reportFormulaErrors } from './cell-errors.ts';
import { Sheet, cellOf, isNoValue } from './row-texts.ts';
import type { ExtraColumns } from './extra-columns.ts';
import { checkDays, checkOrderNumber } from './order-numbers.ts';
import { wholeOf } from './quantities.ts';
import { readExtra } from './row-extras.ts';
import { checkPlace, readSender, readText, warnOfOtherRegion } from './row-regions.ts';
import { withUnit } from './title-units.ts';
import type { TitleUnits } from './title-units.ts';
import {
  checkMasked,
  checkPhone,
  checkLengths,
  checkCarrier,
  checkGoods,
  checkWeight,
  checkWhole,
  checkSides,
  checkValue,
  checkPromise,
} from './row-checks.ts';
import type { ImportReferences } from './row-checks.ts';

export interface SheetRules {
  mapping: Partial<Record<ImportField, number>>;
  defaults: ImportValues;
  references: ImportReferences;
  /** Columns that have no field of their own but complete another field. */
  extra?: ExtraColumns;
  /** The units in the titles of columns, if they differ from the units of the fields. */
  units?: TitleUnits;
}

/**
 * A checked row. `fields` is null if the row has an error. `fields.promise_id` is '' if the
 * cheapest delivery time is to be ordered.
 */
export interface CheckedRow {
  values: ImportValues;
  fields: ParcelFields | null;
  problems: ImportProblem[];
  mark: Extract<ImportMark, 'ok' | 'repaired' | 'warning' | 'error'>;
  /** A key that is equal for two rows with the same parcel; null if the row has an error. */
  key: string | null;
}

/**
 * The text of each field: the typed text, else the text of its column, else the default for all
 * rows. A word for a missing value counts as no text, which is a repair.
 */
const sheetOf = (
  cells: TextRow,
  { mapping, defaults, units = {} }: SheetRules,
  edits: ImportValues,
): Sheet => {
  const sheet = new Sheet({});
  for (const field of importFields) {
    const index = mapping[field];
    const written = visibleText(
      edits[field] ?? (index === undefined ? '' : (cells[index] ?? '')),
    ).trim();
    const cell = isNoValue(written)
      ? ''
      : edits[field] === undefined
        ? withUnit(written, units[field])
        : written;
    const text = cell !== '' || edits[field] === '' ? cell : (defaults[field] ?? '').trim();
    if (text !== '' || index !== undefined || edits[field] !== undefined)
      sheet.values[field] = text;
    if (written !== '' && cell === '')
      sheet.say(field, 'repaired', { code: 'import_repaired', params: { was: written } });
  }
  return sheet;
};

const keyOf = (fields: ParcelFields): string =>
  JSON.stringify([
    fields.receive_phone,
    fields.receive_name,
    fields.receive_address,
    fields.goods,
    fields.weight,
    fields.thr_order_id,
  ]);

const worst = (problems: readonly ImportProblem[]): CheckedRow['mark'] => {
  for (const level of ['error', 'warning', 'repaired'] as const)
    if (problems.some((problem) => problem.level === level)) return level;
  return 'ok';
};

/**
 * Warns of texts from a merged cell above the row, because the user may mean one parcel for several
 * rows with the same recipient.
 */
const checkMerged = (
  sheet: Sheet,
  { mapping }: SheetRules,
  edits: ImportValues,
  merged: readonly number[],
): void => {
  for (const field of importFields)
    if (
      mapping[field] !== undefined &&
      merged.includes(mapping[field]) &&
      edits[field] === undefined
    )
      sheet.say(field, 'warning', { code: 'import_merged_cell' });
};

type ReadFields = Pick<
  ParcelFields,
  | 'package_count'
  | 'guarantee_value_amount'
  | 'promise_id'
  | 'weight'
  | 'length'
  | 'width'
  | 'height'
>;

/**
 * The parcel of a row without errors. It is made from the row's texts, and from `read`, the values
 * that were calculated from these texts.
 */
const parcelOf = (
  values: ImportValues,
  goods: ImportReferences['goods'],
  read: ReadFields,
): ParcelFields => {
  const text = (field: ImportField): string => values[field] ?? '';
  return {
    sender_id: null,
    receive_id: null,
    thr_order_id: text('thr_order_id'),
    sender_name: text('sender_name'),
    sender_phone: text('sender_phone'),
    sender_province: text('sender_province'),
    sender_city: text('sender_city'),
    sender_county: text('sender_county'),
    sender_address: text('sender_address'),
    receive_name: text('receive_name'),
    receive_phone: text('receive_phone'),
    receive_province: text('receive_province'),
    receive_city: text('receive_city'),
    receive_county: text('receive_county'),
    receive_address: text('receive_address'),
    trans_type: 1,
    goods_type: goods.find(({ name }) => name === text('goods'))?.type ?? 1,
    goods: text('goods'),
    remark: text('remark'),
    description: text('description'),
    ...read,
    pickup_from: null,
    pickup_until: null,
  };
};

/**
 * Reads the texts of a row, repairs texts with only one possible meaning, and reports the other
 * problems. Amounts are converted to fen, weights to grams, and phones and divisions to their
 * standard form. `merged`: columns whose text comes from a cell above. The same texts always give
 * the same row, because nothing else is read.
 */
export const checkRow = (
  cells: TextRow,
  rules: SheetRules,
  edits: ImportValues = {},
  merged: readonly number[] = [],
): CheckedRow => {
  const { references } = rules;
  const sheet = sheetOf(cells, rules, edits);
  const isOwn = (field: ImportField): boolean =>
    (edits[field]?.trim() ?? cellOf(cells, rules.mapping[field])) !== '';
  const failed = formulaErrors(sheet);
  checkMerged(sheet, rules, edits, merged);
  clearOptional(sheet, failed);
  readText(sheet);
  readSender(sheet, isOwn);
  if (rules.extra) readExtra(sheet, cells, rules.extra, edits);
  checkMasked(sheet);
  for (const side of ['sender', 'receive'] as const) {
    checkPhone(sheet, `${side}_phone`);
    checkPlace(sheet, side, side === 'sender' ? isOwn : () => true);
  }
  warnOfOtherRegion(sheet);
  checkLengths(sheet);
  checkOrderNumber(sheet);
  checkDays(sheet);
  checkCarrier(sheet);
  warnOfLabel(sheet);
  checkGoods(sheet, references);
  const weight = checkWeight(sheet, references);
  const package_count = checkWhole(sheet, 'package_count', {
    least: 1,
    most: mostPackages,
    otherwise: 1,
    read: wholeOf,
  });
  const sides = checkSides(sheet);
  const guarantee_value_amount = checkValue(sheet);
  const promise_id = checkPromise(sheet, references);
  reportFormulaErrors(sheet, failed);
  const { values, problems } = sheet;
  const mark = worst(problems);
  if (sheet.isWrong) return { values, fields: null, problems, mark, key: null };
  const fields = parcelOf(values, references.goods, {
    package_count,
    guarantee_value_amount,
    promise_id,
    weight,
    length: sides[0],
    width: sides[1],
    height: sides[2],
  });
  return { values, fields, problems, mark, key: keyOf(fields) };
};
