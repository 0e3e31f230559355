import { createHash } from 'node:crypto';
import type { AddressCandidate } from '@waystation/contract/address.ts';
import type { ImportColumn, ImportField } from '@waystation/contract/import.ts';
import { importFields } from '@waystation/contract/import.ts';
import { readPhone } from '@waystation/contract/phone.ts';
import { parseAddress } from '#domain/address/address.ts';
import type { TextRow } from '#domain/workbook/workbook.ts';
import type { ExtraColumns } from './check.ts';
import { columnTitles, regionTitles } from './column-titles.ts';
import { gramsOf } from './quantities.ts';
import { columnsOfFile, hasReasonColumn } from './reason-column.ts';
import { longestText } from './row-regions.ts';
import { titlesAt } from './title-rows.ts';

export type ImportMapping = Partial<Record<ImportField, number>>;

export interface ImportLayout {
  /** The row of titles (from 0); −1: none. */
  header_at: number;
  columns: ImportColumn[];
  /** SHA-256 of the titles; '' without titles: two such sheets cannot be distinguished. */
  fingerprint: string;
  mapping: ImportMapping;
  /** Whether every field that an order needs has a column, found by its title. */
  certain: boolean;
}

/** Columns that are found by a part of a title where none is called exactly so; the sender's first, since their titles contain the recipient's words. */
const byPart: readonly ImportField[] = [
  ...importFields.filter((field) => field.startsWith('sender_')),
  ...importFields.filter((field) => !field.startsWith('sender_')),
];

const plain = (title: string): string =>
  title
    .slice(0, 100)
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[([【][^)\]】]{0,40}[)\]】]/g, '')
    .replaceAll(/[\s_\-.:：*#"“”]+/g, '');

/** Rows that are looked at before the columns are decided. */
export const lookAhead = 40;
/** Rows among which the titles are. */
export const headAhead = 20;
const shownSamples = 3;
/** Characters of a sample: a screen shows fewer. */
const sampleChars = 200;

const byTitles = (row: TextRow): ImportMapping => {
  const names = row.map(plain);
  const found: ImportMapping = {};
  const taken = new Set<number>();
  const take = (field: ImportField, index: number): void => {
    if (index < 0 || taken.has(index) || found[field] !== undefined) return;
    found[field] = index;
    taken.add(index);
  };
  for (const field of importFields)
    for (const word of columnTitles[field])
      take(
        field,
        names.findIndex((name, index) => name === word && !taken.has(index)),
      );
  for (const word of regionTitles) take('receive_province', names.indexOf(word));
  for (const field of byPart)
    for (const word of columnTitles[field].filter((one) => one.length >= 2 && (one.length >= 6 || /\p{Script=Han}/u.test(one))))
      take(
        field,
        names.findIndex((name, index) => name.includes(word) && !taken.has(index)),
      );
  return found;
};

const share = (cells: readonly string[], is: (cell: string) => boolean): number => {
  const filled = cells.filter((cell) => cell !== '');
  return filled.length === 0 ? 0 : filled.filter(is).length / filled.length;
};

/** Characters of cells that are recognized to find columns: reading a wide sheet of long texts would take seconds, each time that its columns are looked at. */
export const mostRecognized = 100_000;
/** Characters of a cell that may be a phone. */
const longestPhone = 100;

type Recognize = (cell: string) => AddressCandidate | undefined;

/** Recognizes a cell, each text once; nothing of a text that is too long, and nothing more after `mostRecognized` characters. */
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
const isWhole = (found: AddressCandidate | undefined): boolean => found !== undefined && found.phone !== '' && found.name !== '' && found.province !== '';

const weighs = /^\d/;
/** What the cells of a column look like, for fields that no title named. */
const byContent = (rows: readonly TextRow[], head: TextRow, width: number, found: ImportMapping, recognize: Recognize): ImportMapping => {
  const added: ImportMapping = { ...found };
  const shapes: readonly [ImportField, (cell: string) => boolean][] = [
    ['receive_text', (cell) => isWhole(recognize(cell))],
    ['receive_phone', isPhone],
    ['receive_address', (cell) => (recognize(cell)?.city ?? '') !== '' && [...cell].length >= 6],
    ['receive_name', (cell) => /^\p{Script=Han}{2,4}$/u.test(cell)],
    ['weight', (cell) => weighs.test(cell) && (gramsOf(cell) ?? 0) > 0 && (gramsOf(cell) ?? 0) <= 60_000],
  ];
  // A small figure below a title of its own may be a count or a price.
  const mayBe = (field: ImportField, index: number): boolean =>
    field !== 'weight' || (head[index] ?? '') === '' || rows.every((row) => (row[index] ?? '') === '' || /\D$/.test(row[index]!));
  for (const [field, is] of shapes) {
    if (added[field] !== undefined) continue;
    // One text with everything says name, phone and address already.
    if (field !== 'weight' && field !== 'receive_text' && added.receive_text !== undefined) continue;
    if (field === 'receive_text' && (added.receive_phone !== undefined || added.receive_address !== undefined)) continue;
    for (let index = 0; index < width; index++) {
      if (Object.values(added).includes(index) || !mayBe(field, index)) continue;
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
  return withNamesAndPhones(rows, width, added, recognize);
};

/** A column with name and phone in one text, beside one of addresses: it is read as a free text. */
const withNamesAndPhones = (rows: readonly TextRow[], width: number, found: ImportMapping, recognize: Recognize): ImportMapping => {
  const { receive_name, ...others } = found;
  if (found.receive_text !== undefined || found.receive_phone !== undefined || found.receive_address === undefined) return found;
  const hasBoth = (cell: string): boolean => {
    const read = recognize(cell);
    return read !== undefined && read.name !== '' && read.phone !== '';
  };
  const used = Object.values(others);
  for (const index of receive_name === undefined ? Array.from({ length: width }, (_, each) => each) : [receive_name]) {
    const cells = rows.map((row) => row[index] ?? '');
    if (!used.includes(index) && share(cells, hasBoth) >= 0.8) return { ...others, receive_text: index };
  }
  return found;
};

const hasRecipient = (mapping: ImportMapping): boolean =>
  mapping.receive_text !== undefined || (mapping.receive_name !== undefined && mapping.receive_phone !== undefined && mapping.receive_address !== undefined);

/** Below the row with the most known titles, one that has nothing else has the titles: the upper one then names groups of them. */
const belowGroups = (rows: readonly TextRow[], at: number): number => {
  const below = (rows[at + 1] ?? []).filter((cell) => cell !== '');
  return below.length >= 2 && below.every((cell) => Object.keys(byTitles([cell])).length > 0) ? at + 1 : at;
};

/**
 * The titles of a file of rows that were not ordered; else the row with the most known titles, at least two of them; else the one before the first phone, if it
 * names several columns; −1: there is none.
 */
const headerOf = (rows: readonly TextRow[], recognize: Recognize): number => {
  const own = rows.slice(0, headAhead).findIndex(hasReasonColumn);
  if (own >= 0) return own;
  const known = rows.slice(0, headAhead).map((row) => Object.keys(byTitles(row)).length);
  const most = Math.max(0, ...known);
  if (most >= 2) return belowGroups(rows, known.indexOf(most));
  const first = rows.slice(0, headAhead).findIndex((row) => row.some((cell) => isPhone(cell) || isWhole(recognize(cell))));
  return first > 0 && rows[first - 1]!.filter((cell) => cell !== '').length > 1 ? first - 1 : -1;
};

/** Sheets whose titles are the same but for a column of reasons have the same one; '' without titles. */
export const fingerprintOf = (head: readonly string[]): string =>
  head.length === 0
    ? ''
    : createHash('sha256')
        .update(JSON.stringify(columnsOfFile(head).map(plain)))
        .digest('hex');

/** The columns of a sheet as its first rows show them; `chosen`, where a user has said which row has the titles. */
export const layoutOf = (rows: readonly TextRow[], chosen?: number): ImportLayout => {
  const recognize = recognizer();
  const header_at = chosen ?? headerOf(rows, recognize);
  const head = titlesAt(rows, header_at);
  const samples = rows.slice(header_at + 1);
  const width = Math.max(head.length, ...samples.map((row) => row.length), 0);
  const named = byTitles(head);
  const mapping = byContent(samples, head, width, named, recognize);
  const columns = Array.from({ length: width }, (_, index) => ({
    index,
    title: head[index] ?? '',
    samples: samples
      .map((row) => row[index] ?? '')
      .filter((cell) => cell !== '')
      .slice(0, shownSamples)
      .map((cell) => cell.slice(0, sampleChars)),
  }));
  return { header_at, columns, fingerprint: fingerprintOf(head), mapping, certain: header_at >= 0 && hasRecipient(named) };
};

const extraTitles: Readonly<Record<keyof ExtraColumns, RegExp>> = {
  town: /^(?:(?:收件|收货)人?)?(?:街道|乡镇|镇街|街道乡镇|乡镇街道|街道\/乡镇|乡镇\/街道|town|subdistrict)$/,
  phone:
    /^(?:(?:收件|收货|买家|客户)人?)?(?:手机|电话|手机号|联系电话|固定电话|固话|座机|备用电话|备用手机|其他电话|第二电话|手机2|电话2|mobile2?|phone2?|telephone2?|alternatephone)$/,
};

/** Columns without a field that complete one, by their titles. */
export const extraColumns = (columns: readonly Pick<ImportColumn, 'index' | 'title'>[], mapping: ImportMapping): ExtraColumns => {
  const used = new Set(Object.values(mapping));
  const free = columns.filter(({ index }) => !used.has(index));
  const found = Object.entries(extraTitles).flatMap(([name, pattern]) => {
    const column = free.find(({ title }) => pattern.test(plain(title)));
    return column === undefined ? [] : [[name, column.index] as const];
  });
  return Object.fromEntries(found);
};

/** The field that keeps a mapping from being used: one without an existing column of its own, or a recipient that no column names. */
export const mappingProblem = (mapping: ImportMapping, columns: number): { field: ImportField; code: 'required' | 'invalid' } | null => {
  const seen = new Set<number>();
  for (const field of importFields) {
    const index = mapping[field];
    if (index === undefined) continue;
    if (index >= columns || seen.has(index)) return { field, code: 'invalid' };
    seen.add(index);
  }
  return hasRecipient(mapping)
    ? null
    : { field: (['receive_name', 'receive_phone', 'receive_address'] as const).find((field) => mapping[field] === undefined)!, code: 'required' };
};
