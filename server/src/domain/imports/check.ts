import type {
  ImportField,
  ImportMark,
  ImportProblem,
  ImportValues,
} from '@waystation/contract/imports/import.ts';
import { importFields } from '@waystation/contract/imports/import.ts';
import {
  addressLength,
  mostAmount,
  mostPackages,
  mostSide,
  nameLength,
  noteLength,
  orderNumberLength,
  remarkLength,
} from '@waystation/contract/base/limits.ts';
import { phoneText, readPhone } from '@waystation/contract/parcels/phone.ts';
import { visibleText } from '@waystation/contract/base/visible-text.ts';
import { kgText } from '@waystation/contract/base/weight.ts';
import type { ParcelFields } from '#domain/express/express-reads.ts';
import type { TextRow } from '#domain/workbook/workbook.ts';
import { carrierProblems, warnOfLabel } from './carrier-texts.ts';
import { formulaErrors, clearOptional, reportFormulaErrors } from './cell-errors.ts';
import { Sheet, cellOf, isNoValue } from './row-texts.ts';
import type { ExtraColumns } from './extra-columns.ts';
import { checkDays, checkOrderNumber } from './order-numbers.ts';
import { phonesIn, scientific, wholeNumber } from './phones.ts';
import { distinctName, productsCalled } from './product-names.ts';
import type { ProductNames } from './product-names.ts';
import { fenOf, gramsOf, sideOf, weightsIn, wholeOf } from './quantities.ts';
import { readExtra } from './row-extras.ts';
import { nearestNames } from './nearest.ts';
import { checkPlace, readSender, readText, warnOfOtherRegion } from './row-regions.ts';
import { withUnit } from './title-units.ts';
import type { TitleUnits } from './title-units.ts';

/** The data that rows are checked against. */
export interface ImportReferences {
  goods: readonly { name: string; type: number; banned: 0 | 1; banned_reason: string }[];
  promises: readonly ProductNames[];
  allow_select: 0 | 1;
  /** Grams. */
  max_weight: number;
}

export interface SheetRules {
  mapping: Partial<Record<ImportField, number>>;
  defaults: ImportValues;
  references: ImportReferences;
  /** Columns without a field of their own that complete one. */
  extra?: ExtraColumns;
  /** Units in titles, if they differ from those of the field. */
  units?: TitleUnits;
}

/**
 * A checked row. `fields` is null with an error; its `promise_id` is '' if the cheapest is to be
 * ordered.
 */
export interface CheckedRow {
  values: ImportValues;
  fields: ParcelFields | null;
  problems: ImportProblem[];
  mark: Extract<ImportMark, 'ok' | 'repaired' | 'warning' | 'error'>;
  /** The key that makes two rows the same parcel; null with an error. */
  key: string | null;
}

/**
 * The text of each field: typed, else of its column, else the default for all rows. A word for a
 * missing value counts as none, as a repair.
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

/** Refuses recipients that a shop has masked with stars: such an address cannot be delivered to. */
const checkMasked = (sheet: Sheet): void => {
  for (const field of ['receive_name', 'receive_address'] as const)
    if (/[*＊]{2}/.test(sheet.text(field))) sheet.say(field, 'error', { code: 'import_masked' });
};

const checkPhone = (sheet: Sheet, field: 'sender_phone' | 'receive_phone'): void => {
  const typed = sheet.text(field).normalize('NFKC').trim();
  if (typed === '') return sheet.say(field, 'error', { code: 'required' });
  if (scientific.test(typed)) {
    const whole = wholeNumber(typed);
    if (whole === null)
      return sheet.say(field, 'error', {
        code: 'import_phone_scientific',
        params: { text: typed },
      });
    sheet.repair(field, whole);
  }
  const plain = sheet.text(field).replace(/\.0+$/, '');
  const read = readPhone(plain);
  if (read.ok) return sheet.repair(field, phoneText(read.phone));
  sheet.say(
    field,
    'error',
    { code: read.code },
    read.code === 'phone_invalid' ? phonesIn(plain) : [],
  );
};

const lengths: Partial<Record<ImportField, { least: number; most: number }>> = {
  sender_name: { least: 1, most: nameLength },
  receive_name: { least: 1, most: nameLength },
  sender_address: { least: 2, most: addressLength },
  receive_address: { least: 2, most: addressLength },
  thr_order_id: { least: 0, most: orderNumberLength },
  remark: { least: 0, most: remarkLength },
  description: { least: 0, most: noteLength },
};

const checkLengths = (sheet: Sheet): void => {
  for (const [field, { least, most }] of Object.entries(lengths) as [
    ImportField,
    { least: number; most: number },
  ][]) {
    const { length } = [...sheet.text(field)];
    if (length === 0 && least > 0) sheet.say(field, 'error', { code: 'required' });
    else if (length < least)
      sheet.say(field, 'error', { code: 'too_short', params: { min: least } });
    else if (length > most)
      sheet.say(field, 'error', { code: 'too_long', params: { max: most } }, [
        [...sheet.text(field)].slice(0, most).join(''),
      ]);
  }
};

/**
 * Replaces characters that the carrier refuses (3#楼 → 3号楼), and reports those without a
 * replacement.
 */
const checkCarrier = (sheet: Sheet): void => {
  const wrong = new Set(
    sheet.problems.filter(({ level }) => level === 'error').map(({ field }) => field),
  );
  for (const side of ['sender', 'receive'] as const)
    for (const { field, reason, instead } of carrierProblems(sheet.values, side))
      if (instead !== null) sheet.repair(field, instead);
      else if (!wrong.has(field)) sheet.say(field, 'error', reason);
};

const checkGoods = (sheet: Sheet, { goods }: ImportReferences): void => {
  const typed = sheet.text('goods');
  const offered = goods.filter(({ banned }) => banned === 0);
  if (typed === '')
    return sheet.say(
      'goods',
      'error',
      { code: 'required' },
      offered.slice(0, 3).map(({ name }) => name),
    );
  const plain = typed.normalize('NFKC').replaceAll(/\s+/g, '').toLowerCase();
  const known =
    goods.find(({ name }) => name === typed) ??
    goods.find(({ name }) => name.normalize('NFKC').toLowerCase() === plain);
  if (known?.banned)
    return sheet.say('goods', 'error', {
      code: 'cargo_banned',
      params: { goods: known.name, text: known.banned_reason },
    });
  if (known) return sheet.repair('goods', known.name);
  sheet.say(
    'goods',
    'error',
    { code: 'goods_not_offered', params: { goods: typed } },
    nearestNames(
      plain,
      offered.map(({ name }) => name),
    ),
  );
};

const checkWeight = (sheet: Sheet, { max_weight }: ImportReferences): number => {
  const typed = sheet.text('weight');
  if (typed === '') sheet.say('weight', 'error', { code: 'required' });
  const grams = gramsOf(typed);
  if (typed === '' || grams === null || grams < 1) {
    if (typed !== '')
      sheet.say(
        'weight',
        'error',
        { code: 'import_weight_unreadable', params: { text: typed.slice(0, 40) } },
        weightsIn(typed),
      );
    return 0;
  }
  if (grams > max_weight)
    sheet.say('weight', 'error', {
      code: 'over_weight',
      params: { actual_weight: grams, limit_weight: max_weight },
    });
  else if (kgText(grams) !== typed.replace(/\.?0+$/, '') && kgText(grams) !== typed)
    sheet.repair('weight', kgText(grams));
  return grams;
};

interface WholeRule {
  least: number;
  most: number;
  /** The value of an empty cell. */
  otherwise: number;
  read: (text: string) => number | null;
}

const checkWhole = (
  sheet: Sheet,
  field: ImportField,
  { least, most, otherwise, read }: WholeRule,
): number => {
  const typed = sheet.text(field);
  if (typed === '') return otherwise;
  const value = read(typed);
  if (value === null)
    sheet.say(field, 'error', {
      code: 'import_number_unreadable',
      params: { text: typed.slice(0, 40) },
    });
  else if (value < least)
    sheet.say(field, 'error', { code: 'too_small', params: { min: least } }, [String(least)]);
  else if (value > most) sheet.say(field, 'error', { code: 'too_big', params: { max: most } });
  else sheet.repair(field, String(value));
  return value ?? otherwise;
};

const sideFields = ['length', 'width', 'height'] as const;

/** Length, width and height in whole centimetres; 0 if missing. Two of them are not a size. */
const checkSides = (sheet: Sheet): [number, number, number] => {
  const rule = { least: 0, most: mostSide, otherwise: 0, read: sideOf };
  const sides = sideFields.map((field) => checkWhole(sheet, field, rule)) as [
    number,
    number,
    number,
  ];
  const missing = sideFields.find((_, at) => sides[at] === 0);
  if (missing !== undefined && sides.some((side) => side > 0))
    sheet.say(missing, 'error', { code: 'import_size_missing' });
  return sides;
};

const checkValue = (sheet: Sheet): number => {
  const typed = sheet.text('guarantee_value_amount');
  if (typed === '') return 0;
  const fen = fenOf(typed);
  if (fen !== null && fen >= 0 && fen <= mostAmount) return fen;
  sheet.say('guarantee_value_amount', 'error', {
    code: 'import_amount_unreadable',
    params: { text: typed.slice(0, 40) },
  });
  return 0;
};

const checkPromise = (sheet: Sheet, { promises, allow_select }: ImportReferences): string => {
  const typed = sheet.text('promise_id');
  if (typed === '') return '';
  const found = productsCalled(typed, promises);
  if (allow_select === 0) {
    sheet.say('promise_id', 'warning', { code: 'import_promise_ignored' });
    return '';
  }
  if (found.length === 1) return found[0]!.promise_id;
  const text = typed.slice(0, 40);
  const isNone = found.length === 0;
  sheet.say(
    'promise_id',
    'error',
    isNone
      ? { code: 'import_promise_unknown', params: { text } }
      : { code: 'import_promise_ambiguous', params: { text, count: found.length } },
    (isNone ? promises : found).map((product) => distinctName(product, promises, 'zh')),
  );
  return '';
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
 * Warns of texts from a merged cell above: several parcels with the same recipient may be meant as
 * one.
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

/**
 * Reads the texts of a row, repairs those with only one possible meaning, and reports the problems
 * of the rest. Amounts become fen, weights grams, phones and divisions their canonical form.
 * `merged`: columns whose text comes from a cell above. Pure: the same texts give the same row.
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
  const text = (field: ImportField): string => values[field] ?? '';
  const fields: ParcelFields = {
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
    package_count,
    guarantee_value_amount,
    trans_type: 1,
    goods_type: references.goods.find(({ name }) => name === text('goods'))?.type ?? 1,
    goods: text('goods'),
    promise_id,
    remark: text('remark'),
    description: text('description'),
    weight,
    length: sides[0],
    width: sides[1],
    height: sides[2],
    pickup_from: null,
    pickup_until: null,
  };
  return { values, fields, problems, mark, key: keyOf(fields) };
};
