import type { AddressCandidate } from '@waystation/contract/parcels/address.ts';
import type { ImportColumn, ImportField } from '@waystation/contract/imports/import.ts';
import { importFields } from '@waystation/contract/imports/import.ts';
import { readPhone } from '@waystation/contract/parcels/phone.ts';
import { present } from '@waystation/contract/base/present.ts';
import { parseAddress } from '#domain/address/address.ts';
import { titlesHash } from '#domain/workbook/workbook.ts';
import type { TextRow } from '#domain/workbook/workbook.ts';
import { columnTitles, wholeTitles } from './column-titles.ts';
import type { ParcelField } from './column-titles.ts';
import { isOf, mapPersons, personColumns } from './person-columns.ts';
import { gramsOf } from './quantities.ts';
import { columnsOfFile, hasReasonColumn, titlesAt } from './title-rows.ts';
import { longestText } from './row-regions.ts';

export type ImportMapping = Partial<Record<ImportField, number>>;

export interface ImportLayout {
  /** The index of the row of titles, from 0; −1 if there is none. */
  header_at: number;
  columns: ImportColumn[];
  /**
   * SHA-256 of the titles. '' without titles, because two sheets without titles cannot be
   * distinguished.
   */
  fingerprint: string;
  mapping: ImportMapping;
  /**
   * True if every field that an order needs has a column that was found by its title, and no title
   * is ambiguous.
   */
  certain: boolean;
  /** The indexes of columns with equal titles that only the user can distinguish. */
  equal: number[];
}

const plain = (title: string): string =>
  title
    .slice(0, 100)
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[([【][^)\]】]{0,40}[)\]】]/g, '')
    .replaceAll(/[\s_\-.:：*#"“”]+/g, '');

/** The number of rows that are read before the columns are decided. */
export const lookAhead = 40;
/** The number of first rows among which the row of titles must be. */
export const headAhead = 20;
const shownSamples = 3;
/** The number of characters of a sample; a screen shows fewer. */
const sampleChars = 200;

interface Titled {
  mapping: ImportMapping;
  equal: number[];
  /**
   * The indexes of columns that belong to another person than the recipient, or from which the user
   * must choose.
   */
  barred: ReadonlySet<number>;
  /** The number of known titles. */
  known: number;
}

/**
 * Fields that decide a parcel's content and price. If two columns have the title of one of these
 * fields, the user chooses.
 */
const chosenFields: readonly ParcelField[] = [
  'goods',
  'weight',
  'package_count',
  'guarantee_value_amount',
];

/**
 * The columns that are found by their titles. If the sheet has few rows, `rows` contains all rows
 * below the titles. Columns with equal titles and equal cells then count as one column.
 */
const byTitles = (row: TextRow, rows: readonly TextRow[] = []): Titled => {
  const persons = personColumns(row);
  const isEqual = (one: number, other: number): boolean =>
    rows.length < headAhead && rows.every((cells) => (cells[one] ?? '') === (cells[other] ?? ''));
  const { mapping, equal } = mapPersons(persons, isEqual);
  const taken = new Set(persons.map(({ index }) => index));
  const names = row.map(plain);
  const fields = Object.entries(columnTitles) as [ParcelField, readonly string[]][];
  const take = (field: ParcelField, is: (name: string) => boolean): void => {
    if (mapping[field] !== undefined) return;
    const index = names.findIndex((name, at) => !taken.has(at) && is(name));
    if (index < 0) return;
    mapping[field] = index;
    taken.add(index);
    if (!chosenFields.includes(field)) return;
    const others = names.flatMap((name, at) =>
      !taken.has(at) && name === names[index] && !isEqual(index, at) ? [at] : [],
    );
    if (others.length > 0) equal.push(index, ...others);
  };
  for (const [field, words] of fields)
    for (const word of [...words, ...(wholeTitles[field] ?? [])])
      take(field, (name) => name === word);
  for (const [field, words] of fields)
    for (const word of words.filter(
      (one) => one.length >= 2 && (one.length >= 6 || /\p{Script=Han}/u.test(one)),
    ))
      take(field, (name) => name.includes(word));
  const barred = new Set([
    ...equal,
    ...persons.filter((column) => !isOf(column, 'receive')).map(({ index }) => index),
  ]);
  return { mapping, equal, barred, known: taken.size };
};

const share = (cells: readonly string[], is: (cell: string) => boolean): number => {
  const filled = cells.filter((cell) => cell !== '');
  return filled.length === 0 ? 0 : filled.filter(is).length / filled.length;
};

/**
 * The largest number of characters that are recognized to find columns. Otherwise a wide sheet with
 * long texts would take seconds.
 */
export const mostRecognized = 100_000;
/** The largest number of characters of a cell that is tested for a phone. */
const longestPhone = 100;

type Recognize = (cell: string) => AddressCandidate | undefined;

/**
 * Returns a function that recognizes the text of a cell as an address. The result for equal texts
 * is kept. Texts that are too long, and all texts after `mostRecognized` characters in total, are
 * not recognized.
 */
const recognizer = (): Recognize => {
  const known = new Map<string, AddressCandidate | undefined>();
  let left = mostRecognized;
  return (cell) => {
    if (cell.length > longestText || known.has(cell)) return known.get(cell);
    left -= cell.length;
    if (left < 0) return undefined;
    const found = parseAddress(cell).candidates[0];
    known.set(cell, found);
    return found;
  };
};

const isPhone = (cell: string): boolean => cell.length <= longestPhone && readPhone(cell).ok;
const isWhole = (found: AddressCandidate | undefined): boolean =>
  found !== undefined && found.phone !== '' && found.name !== '' && found.province !== '';

const weighs = /^\d/;
/** Finds columns by their cells for the fields that no column title contains. */
const byContent = (
  { rows, head, width }: { rows: readonly TextRow[]; head: TextRow; width: number },
  { mapping, barred }: Titled,
  recognize: Recognize,
): ImportMapping => {
  const added: ImportMapping = { ...mapping };
  const shapes: readonly [ImportField, (cell: string) => boolean][] = [
    ['receive_text', (cell) => isWhole(recognize(cell))],
    ['receive_phone', isPhone],
    ['receive_address', (cell) => (recognize(cell)?.city ?? '') !== '' && [...cell].length >= 6],
    ['receive_name', (cell) => /^\p{Script=Han}{2,4}$/u.test(cell)],
    [
      'weight',
      (cell) => weighs.test(cell) && (gramsOf(cell) ?? 0) > 0 && (gramsOf(cell) ?? 0) <= 60_000,
    ],
  ];
  // A column of small numbers below an unknown title is not recognized as the weight, because it
  // may contain counts or prices.
  const mayBe = (field: ImportField, index: number): boolean =>
    field !== 'weight' ||
    (head[index] ?? '') === '' ||
    rows.every((row) => (row[index] ?? '') === '' || /\D$/.test(row[index]!));
  for (const [field, is] of shapes) {
    if (added[field] !== undefined) continue;
    // A column of free text contains the name, phone and address, so none of these is searched
    // besides it.
    if (field !== 'weight' && field !== 'receive_text' && added.receive_text !== undefined)
      continue;
    if (
      field === 'receive_text' &&
      (added.receive_phone !== undefined || added.receive_address !== undefined)
    )
      continue;
    for (let index = 0; index < width; index++) {
      if (barred.has(index) || Object.values(added).includes(index) || !mayBe(field, index))
        continue;
      if (
        share(
          rows.map((row) => row[index] ?? ''),
          is,
        ) < 0.8
      )
        continue;
      added[field] = index;
      break;
    }
  }
  return withNamesAndPhones(rows, width, added, (cell, index) =>
    barred.has(index) ? undefined : recognize(cell),
  );
};

/**
 * A column with name and phone in one text is read as free text, if another column contains the
 * address.
 */
const withNamesAndPhones = (
  rows: readonly TextRow[],
  width: number,
  found: ImportMapping,
  recognize: (cell: string, index: number) => AddressCandidate | undefined,
): ImportMapping => {
  const { receive_name, ...others } = found;
  if (
    found.receive_text !== undefined ||
    found.receive_phone !== undefined ||
    found.receive_address === undefined
  )
    return found;
  const hasBoth = (cell: string, index: number): boolean => {
    const read = recognize(cell, index);
    return read !== undefined && read.name !== '' && read.phone !== '';
  };
  const used = Object.values(others);
  for (const index of receive_name === undefined
    ? Array.from({ length: width }, (_, each) => each)
    : [receive_name]) {
    const cells = rows.map((row) => row[index] ?? '');
    if (!used.includes(index) && share(cells, (cell) => hasBoth(cell, index)) >= 0.8)
      return { ...others, receive_text: index };
  }
  return found;
};

const hasRecipient = (mapping: ImportMapping): boolean =>
  mapping.receive_text !== undefined ||
  (mapping.receive_name !== undefined &&
    mapping.receive_phone !== undefined &&
    mapping.receive_address !== undefined);

/**
 * If the next row also contains only titles, that lower row is the row of titles, and the upper row
 * contains titles of groups.
 */
const belowGroups = (rows: readonly TextRow[], at: number): number => {
  const below = (rows[at + 1] ?? []).filter((cell) => cell !== '');
  return below.length >= 2 && below.every((cell) => byTitles([cell]).known > 0) ? at + 1 : at;
};

/**
 * The index of the row of titles. In a file of rows that were not ordered, this is the row with the
 * column of reasons. Otherwise it is the row with the most known titles, at least two. Otherwise it
 * is the row before the first phone or address, if it contains several titles. −1 if there is none.
 */
const headerOf = (rows: readonly TextRow[], recognize: Recognize): number => {
  const own = rows.slice(0, headAhead).findIndex(hasReasonColumn);
  if (own >= 0) return own;
  const known = rows.slice(0, headAhead).map((row) => byTitles(row).known);
  const most = Math.max(0, ...known);
  if (most >= 2) return belowGroups(rows, known.indexOf(most));
  const first = rows
    .slice(0, headAhead)
    .findIndex((row) => row.some((cell) => isPhone(cell) || isWhole(recognize(cell))));
  return first > 0 && present(rows[first - 1]).filter((cell) => cell !== '').length > 1
    ? first - 1
    : -1;
};

/**
 * A hash of the column titles of a sheet; '' if there are no titles. The column of reasons is left
 * out. Text in parentheses is included, because it is often the only part of a title that contains
 * its role or unit.
 */
export const fingerprintOf = (head: readonly string[]): string =>
  head.length === 0 ? '' : titlesHash(columnsOfFile(head));

/**
 * The columns of a sheet, found from its first rows. `chosen`: the row of titles that a user has
 * chosen.
 */
export const layoutOf = (rows: readonly TextRow[], chosen?: number): ImportLayout => {
  const recognize = recognizer();
  const header_at = chosen ?? headerOf(rows, recognize);
  const head = titlesAt(rows, header_at);
  const samples = rows.slice(header_at + 1);
  const width = Math.max(head.length, ...samples.map((row) => row.length), 0);
  const named = byTitles(head, samples);
  const mapping = byContent({ rows: samples, head, width }, named, recognize);
  const columns = Array.from({ length: width }, (_, index) => ({
    index,
    title: head[index] ?? '',
    samples: samples
      .map((row) => row[index] ?? '')
      .filter((cell) => cell !== '')
      .slice(0, shownSamples)
      .map((cell) => cell.slice(0, sampleChars)),
  }));
  return {
    header_at,
    columns,
    fingerprint: fingerprintOf(head),
    mapping,
    certain: header_at >= 0 && named.equal.length === 0 && hasRecipient(named.mapping),
    equal: named.equal,
  };
};

/**
 * The field that makes a mapping unusable, if there is one. Its column does not exist or is used
 * twice, or the recipient requires the field and no column contains it.
 */
export const mappingProblem = (
  mapping: ImportMapping,
  columns: number,
): { field: ImportField; code: 'required' | 'invalid' } | null => {
  const seen = new Set<number>();
  for (const field of importFields) {
    const index = mapping[field];
    if (index === undefined) continue;
    if (index >= columns || seen.has(index)) return { field, code: 'invalid' };
    seen.add(index);
  }
  return hasRecipient(mapping)
    ? null
    : {
        field: (['receive_name', 'receive_phone', 'receive_address'] as const).find(
          (field) => mapping[field] === undefined,
        )!,
        code: 'required',
      };
};
