import type { ImportField } from '@waystation/contract/imports/import.ts';
import {
  addressLength,
  mostAmount,
  mostSide,
  nameLength,
  noteLength,
  orderNumberLength,
  remarkLength,
} from '@waystation/contract/base/limits.ts';
import { phoneText, readPhone } from '@waystation/contract/parcels/phone.ts';
import { kgText } from '@waystation/contract/base/weight.ts';
import { carrierProblems } from './carrier-texts.ts';
import type { Sheet } from './row-texts.ts';
import { phonesIn, scientific, wholeNumber } from './phones.ts';
import { distinctName, productsCalled } from './product-names.ts';
import type { ProductNames } from './product-names.ts';
import { fenOf, gramsOf, sideOf, weightsIn } from './quantities.ts';
import { nearestNames } from './nearest.ts';

/** The goods, delivery times and limits against which rows are checked. */
export interface ImportReferences {
  goods: readonly { name: string; type: number; banned: 0 | 1; banned_reason: string }[];
  promises: readonly ProductNames[];
  allow_select: 0 | 1;
  /** Grams. */
  max_weight: number;
}

/**
 * Reports recipients that a shop has masked with stars, because nothing can be delivered to a
 * masked address.
 */
export const checkMasked = (sheet: Sheet): void => {
  for (const field of ['receive_name', 'receive_address'] as const)
    if (/[*＊]{2}/.test(sheet.text(field))) sheet.say(field, 'error', { code: 'import_masked' });
};

export const checkPhone = (sheet: Sheet, field: 'sender_phone' | 'receive_phone'): void => {
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

export const checkLengths = (sheet: Sheet): void => {
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
export const checkCarrier = (sheet: Sheet): void => {
  const wrong = new Set(
    sheet.problems.filter(({ level }) => level === 'error').map(({ field }) => field),
  );
  for (const side of ['sender', 'receive'] as const)
    for (const { field, reason, instead } of carrierProblems(sheet.values, side))
      if (instead !== null) sheet.repair(field, instead);
      else if (!wrong.has(field)) sheet.say(field, 'error', reason);
};

export const checkGoods = (sheet: Sheet, { goods }: ImportReferences): void => {
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

export const checkWeight = (sheet: Sheet, { max_weight }: ImportReferences): number => {
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
  /** The number that is used if the cell is empty. */
  otherwise: number;
  read: (text: string) => number | null;
}

export const checkWhole = (
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

/**
 * Length, width and height in whole centimetres; 0 if a size is missing. It is an error if only one
 * or two sizes are given.
 */
export const checkSides = (sheet: Sheet): [number, number, number] => {
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

export const checkValue = (sheet: Sheet): number => {
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

export const checkPromise = (
  sheet: Sheet,
  { promises, allow_select }: ImportReferences,
): string => {
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
