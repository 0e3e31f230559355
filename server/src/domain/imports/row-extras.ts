import type { ImportField, ImportValues } from '@waystation/contract/imports/import.ts';
import type { TextRow } from '#domain/workbook/workbook.ts';
import { cellOf } from './row-texts.ts';
import type { AddressPart, ExtraColumns } from './extra-columns.ts';
import type { Sheet } from './row-texts.ts';

const compact = (text: string): string => text.replaceAll(/\s+/g, '').toLowerCase();
/**
 * Only the letters and digits of a text, because one column may contain punctuation that another
 * column lacks.
 */
const lettersOf = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]+/gu, '').toLowerCase();
const isWordChar = (char: string | undefined): boolean =>
  char !== undefined && /[\da-z]/i.test(char);
/**
 * True if the part of a text is not joined to further letters or digits: in "11号", "1号" is not a
 * separate part.
 */
const isApart = (before: string | undefined, after: string | undefined): boolean =>
  !(isWordChar(before) && isWordChar(after));

/**
 * A part of an address with at least this number of characters is found anywhere in the address. A
 * shorter part, such as 2号, is found only at the end of the address.
 */
const longPart = 4;

/** True if an address already contains a part. */
const says = (address: string, part: string, place: AddressPart['place']): boolean => {
  const [whole, piece] = [compact(address), compact(part)];
  for (let at = whole.indexOf(piece); at >= 0; at = whole.indexOf(piece, at + 1)) {
    const end = at + piece.length;
    if (!isApart(whole[at - 1], piece[0]) || !isApart(piece.at(-1), whole[end])) continue;
    if (place === 'before' || piece.length >= longPart || end === whole.length) return true;
  }
  return false;
};

/**
 * Adds the unit to a text that is only a short number or code. A unit that ends with a space is put
 * in front.
 */
const withUnit = (text: string, unit: string): string =>
  unit === '' || !/^[\da-z-]{1,6}$/i.test(text)
    ? text
    : unit.endsWith(' ')
      ? unit + text
      : text + unit;

const joined = (first: string, second: string): string =>
  isApart(first.at(-1), second[0]) ? first + second : `${first} ${second}`;

const addressOf = (address: string, cells: TextRow, parts: readonly AddressPart[]): string => {
  const missing = (wanted: AddressPart['place']): string[] =>
    parts.flatMap(({ index, place, unit }) => {
      const text = cellOf(cells, index);
      return place !== wanted || text === '' || says(address, text, place)
        ? []
        : [withUnit(text, unit)];
    });
  const before = missing('before').join('');
  return missing('after').reduce(joined, before === '' ? address : joined(before, address));
};

const nameOf = (given: string, family: string): string =>
  /\p{Script=Han}/u.test(family + given) ? family + given : `${given} ${family}`;

/**
 * Adds the texts of columns without a field to empty fields. If an address becomes too long for
 * every field, the row gets a warning.
 */
export const readExtra = (
  sheet: Sheet,
  cells: TextRow,
  extra: ExtraColumns,
  edits: ImportValues,
): void => {
  const isFree = (field: ImportField): boolean =>
    edits[field] === undefined && sheet.text(field) !== '';
  const phone = cellOf(cells, extra.phone);
  if (phone !== '' && sheet.text('receive_phone') === '' && edits.receive_phone === undefined)
    sheet.values['receive_phone'] = phone;
  const family = cellOf(cells, extra.surname);
  if (family !== '' && isFree('receive_name') && !sheet.text('receive_name').includes(family))
    sheet.repair('receive_name', nameOf(sheet.text('receive_name'), family));
  for (const side of ['receive', 'sender'] as const) {
    const field = `${side}_address` as const;
    if (isFree(field)) sheet.repair(field, addressOf(sheet.text(field), cells, extra.parts[side]));
  }
  for (const { index, title } of edits.receive_address === undefined ? extra.unused : []) {
    const text = cellOf(cells, index);
    const [other, own] = [lettersOf(text), lettersOf(sheet.text('receive_address'))];
    if (text !== '' && !own.includes(other) && !other.includes(own))
      sheet.say('receive_address', 'warning', {
        code: 'import_column_unused',
        params: { title: title.slice(0, 40), text: text.slice(0, 60) },
      });
  }
};
