import { parseYuan } from '@waystation/contract/money/money.ts';
import { listHeadRows } from '@waystation/contract/money/price-list.ts';
import type {
  PriceList,
  PriceListChoices,
  PriceListNeed,
  PriceListRole,
  PriceListSheet,
} from '@waystation/contract/money/price-list.ts';
import type { SheetFile } from '#domain/edited-sheets/edited-sheets.ts';
import type { SheetRow } from '#domain/workbook/workbook.ts';
import { failFields } from '#platform/fail.ts';
import type { Language } from './columns.ts';
import { readListFile } from './list-file.ts';
import type { ListSheet } from './list-file.ts';
import { listReader } from './list-prices.ts';
import { planOf } from './list-plan.ts';
import { rangesOf, rolesOf } from './list-titles.ts';

const shownSamples = 3;
const shownChars = 40;

interface MappedSheet {
  sheet: ListSheet;
  view: PriceListSheet;
  titles: readonly string[];
  body: readonly SheetRow[];
  roles: readonly (PriceListRole | null)[];
  isAsked: boolean;
}

const known = ({ cells }: SheetRow): number => {
  const columns = rolesOf(cells).filter(({ role, asked }) => role !== null || asked.length > 0);
  const isList = columns.some(
    ({ role, asked }) => role === 'province' || asked.includes('province'),
  );
  return columns.length + (isList ? 10 : 0);
};

/** The index of the row with the highest score; the first one if several rows have it. */
const headerOf = (rows: readonly SheetRow[]): number => {
  const counts = rows.slice(0, listHeadRows).map(known);
  return Math.max(0, counts.indexOf(Math.max(...counts, 0)));
};

/**
 * A score of a row of titles: 2 for each column with a known meaning, and 1 for each column that
 * the user must be asked about.
 */
const score = (titles: readonly string[]): number =>
  rolesOf(titles).reduce(
    (sum, { role, asked }) => sum + (role === null ? Math.sign(asked.length) : 2),
    0,
  );

/**
 * True if a row may be the row of titles: it has several cells with text, and none is a number. A
 * caption of the list has only one cell.
 */
const saysTitles = ({ cells }: SheetRow): boolean =>
  cells.filter((cell) => cell !== '').length > 1 && cells.every((cell) => parseYuan(cell) === null);

/**
 * Joins the titles of two lines. An upper title also counts for the columns to its right, up to the
 * next upper title.
 */
const joinedTitles = (upper: readonly string[], lower: readonly string[]): string[] => {
  let above = '';
  return Array.from({ length: Math.max(upper.length, lower.length) }, (_, at) => {
    const own = lower[at] ?? '';
    above = upper[at] || above;
    const top = upper[at] || (own === '' ? '' : above);
    return [top, own === top ? '' : own].filter((part) => part !== '').join('\n');
  });
};

/**
 * Returns the titles at a row, and the rows below the titles. The row above or below is joined to
 * the titles if the two rows together show more columns.
 */
const titlesAt = (
  rows: readonly SheetRow[],
  at: number,
): { titles: readonly string[]; body: readonly SheetRow[] } => {
  const own = rows[at]?.cells ?? [];
  const [above, below] = [rows[at - 1], rows[at + 1]];
  const one = { titles: own, body: rows.slice(at + 1) };
  const pairs = [
    ...(below && saysTitles(below)
      ? [{ titles: joinedTitles(own, below.cells), body: rows.slice(at + 2) }]
      : []),
    ...(above && saysTitles(above)
      ? [{ titles: joinedTitles(above.cells, own), body: one.body }]
      : []),
  ];
  const meanings = (titles: readonly string[]): string =>
    rolesOf(titles)
      .map(({ role, asked }) => role ?? asked.join('/'))
      .join();
  const saysMore = (titles: readonly string[]): boolean =>
    score(titles) > score(own) ||
    // A title 首重 may be in the row above 1kg. The lower row can be read without it, but then has
    // another meaning.
    (score(titles) === score(own) && meanings(titles) !== meanings(own));
  return pairs.find(({ titles }) => saysMore(titles)) ?? one;
};

const mapped = (sheet: ListSheet, choices: PriceListChoices | null): MappedSheet => {
  const chosen = choices?.sheets.find(({ index }) => index === sheet.index);
  const header_at = Math.min(
    chosen?.header_at ?? headerOf(sheet.rows),
    Math.max(0, sheet.rows.length - 1),
  );
  const width = Math.max(0, ...sheet.rows.slice(0, 200).map(({ cells }) => cells.length));
  const named = titlesAt(sheet.rows, header_at);
  const { body } = named;
  const titles = Array.from({ length: width }, (_, at) => named.titles[at] ?? '');
  const ranges = rangesOf(titles);
  const found = rolesOf(titles);
  const roleAt = (at: number): PriceListRole | null =>
    chosen && chosen.roles.length > 0 ? (chosen.roles[at] ?? null) : (found[at]?.role ?? null);
  const isOpen = !chosen || chosen.roles.length === 0;
  const columns = titles.map((title, at) => ({
    title,
    samples: body
      .slice(0, shownSamples)
      .map(({ cells }) => (cells[at] ?? '').slice(0, shownChars))
      .filter((text) => text !== ''),
    role: roleAt(at),
    asked: isOpen ? [...(found[at]?.asked ?? [])] : [],
    ranged: ranges[at] ? (1 as const) : (0 as const),
  }));
  const isList = columns.some(({ role }) => role === 'province') && columns.length > 1;
  return {
    sheet,
    titles,
    body,
    roles: columns.map(({ role }) => role),
    isAsked: columns.some(({ asked }) => asked.length > 0),
    view: {
      index: sheet.index,
      name: sheet.name,
      used: chosen?.used ?? (isList && !sheet.hidden ? 1 : 0),
      rows: body.length,
      header_at,
      head: sheet.rows.slice(0, listHeadRows).map(({ line, cells }) => ({
        line,
        text: cells
          .filter((cell) => cell !== '')
          .join(' · ')
          .slice(0, 200),
      })),
      columns,
    },
  };
};

/**
 * Reads a price list of any layout. Without choices, the titles decide the meanings. If columns
 * without a meaning are left, they are in `needs`, and nothing is read before a user chooses.
 * Throws a Failure for a file that cannot be read.
 */
export const readPriceList = async (
  file: SheetFile,
  choices: PriceListChoices | null,
  { language, isBusy }: { language: Language; isBusy: () => boolean },
): Promise<PriceList> => {
  const sheets = (await readListFile(file, isBusy)).filter(({ rows }) => rows.length > 0);
  if (sheets.length === 0) failFields({ file: { code: 'price_sheet_empty' } });
  const all = sheets.map((sheet) => mapped(sheet, choices));
  const weights = choices ?? { first_g: null, step_g: null, up_to_g: null };
  const used = all
    .filter(({ view }) => view.used === 1)
    .map((one) => ({ one, plan: planOf(one.titles, one.roles, weights, one.isAsked) }));
  const plans = used.map(({ plan }) => plan);
  const needs: PriceListNeed[] =
    used.length === 0 ? ['sheet'] : [...new Set(plans.flatMap((plan) => plan.needs))];
  const facts = {
    sheets: all.map(({ view }) => view),
    needs,
    first_g: weights.first_g,
    step_g: weights.step_g,
    up_to_g: weights.up_to_g,
  };
  if (needs.length > 0) return { ...facts, zones: null, rows: 0, problems: [], problems_total: 0 };
  const reader = listReader(language);
  for (const { one, plan } of used)
    for (const row of one.body)
      reader.read({ name: one.sheet.name, titles: one.titles, plan }, row);
  const found = reader.end();
  if (found.rows === 0 && found.problems_total === 0)
    failFields({ file: { code: 'price_sheet_empty' } });
  return { ...facts, ...found };
};
