import { columnLetters } from '@waystation/contract/base/column-letters.ts';
import { csvCell, excelCell, excelText, plainText, widths } from './cells.ts';
import type { CellValue, SheetColumn, WorkbookFormat } from './cells.ts';
import {
  choicesName,
  choicesPart,
  mainNamespace,
  sheetPart,
  styleOf,
  workbookParts,
  xmlDeclaration,
  xmlText,
} from './xlsx-parts.ts';
import { zipStream } from './zip-stream.ts';

export interface WorkbookSheet {
  /** The name of the sheet. */
  name: string;
  columns: readonly SheetColumn[];
  rows: AsyncIterable<readonly CellValue[]>;
  /** Lists from which the cells of a column are chosen; only for .xlsx. */
  choices?: readonly SheetChoices[];
}

export interface SheetChoices {
  column: number;
  values: readonly string[];
  /**
   * Set if the choices depend on other cells of the row. `columns` are the indexes of these cells,
   * and `texts` are the texts that they must have for each value. Values with the same texts must
   * be consecutive.
   */
  within?: { columns: readonly number[]; texts: readonly (readonly string[])[] };
}

/** The number of characters that are collected before a piece of text is written. */
const pieceChars = 65_536;
/** The largest number of rows of a sheet, including the header row; it is Excel's own limit. */
const mostRows = 1_048_576;

async function* csv({ columns, rows }: WorkbookSheet): AsyncGenerator<Uint8Array> {
  // The text begins with the byte order mark, by which spreadsheets recognise UTF-8.
  let text = `\ufeff${columns.map(({ title }) => csvCell('text', title)).join(',')}\r\n`;
  for await (const row of rows) {
    let at = 0;
    for (const { kind } of columns) {
      if (at > 0) text += ',';
      text += csvCell(kind, row[at++] ?? null);
    }
    text += '\r\n';
    if (text.length < pieceChars) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}

/**
 * A name that Excel accepts for a sheet: without the characters that Excel refuses, and shorter
 * than its limit of 31 characters.
 */
const sheetName = (name: string): string =>
  plainText(name)
    .replaceAll(/[[\]:*?/\\']/g, ' ')
    .trim()
    .slice(0, 25) || 'Sheet';

/**
 * XML keeps leading and trailing spaces and line breaks only if the cell has an attribute for that.
 */
const needsPreserve = /^\s|\s$|[\n\t]/;

const textCell = (text: string): string =>
  `<is><t${needsPreserve.test(text) ? ' xml:space="preserve"' : ''}>${xmlText(text)}</t></is></c>`;

/** The number of rows whose cells get a list of choices. */
const rowsWithChoices = 10_000;

/**
 * The columns of the hidden sheet. Each list has a column with its values and, if it depends on
 * other cells, a column with the texts that these cells must have.
 */
const choicesColumns = (choices: readonly SheetChoices[]): readonly (readonly string[])[] =>
  choices.flatMap(({ values, within }) => [
    values,
    ...(within ? [within.texts.map((texts) => texts.join('/'))] : []),
  ]);

const rangeOf = (at: number, rows: number): string =>
  `${choicesName}!$${columnLetters(at)}$1:$${columnLetters(at)}$${rows}`;

/**
 * The spreadsheet formula that gives a drop-down list its choices: all choices, or only the choices
 * that match other cells of the same row.
 */
const sourceOf = ({ values, within }: SheetChoices, at: number): string => {
  if (!within) return rangeOf(at, values.length);
  const said = within.columns.map((column) => `$${columnLetters(column)}2`).join('&"/"&');
  const texts = rangeOf(at + 1, values.length);
  return `OFFSET(${choicesName}!$${columnLetters(at)}$1,MATCH(${said},${texts},0)-1,0,COUNTIF(${texts},${said}),1)`;
};

/**
 * XML for the lists of choices. The choices are in cells of a hidden sheet, because a list inside a
 * validation rule may have only 255 characters. If the user types another text, the spreadsheet
 * asks, but does not refuse it.
 */
const choicesXml = (choices: readonly SheetChoices[]): string => {
  let at = 0;
  const lists = choices.map((list) => {
    const cells = `${columnLetters(list.column)}2:${columnLetters(list.column)}${rowsWithChoices}`;
    const source = xmlText(sourceOf(list, at));
    at += list.within ? 2 : 1;
    return `<dataValidation type="list" errorStyle="warning" allowBlank="1" showErrorMessage="1" sqref="${cells}"><formula1>${source}</formula1></dataValidation>`;
  });
  return lists.length === 0
    ? ''
    : `<dataValidations count="${lists.length}">${lists.join('')}</dataValidations>`;
};

const choicesSheet = (choices: readonly SheetChoices[]): Buffer => {
  const columns = choicesColumns(choices);
  const longest = Math.max(...columns.map((values) => values.length));
  const cell = (value: string | undefined, at: number, row: number): string =>
    value === undefined
      ? ''
      : `<c r="${columnLetters(at)}${row}" t="inlineStr">${textCell(excelText(value))}`;
  const rows = Array.from({ length: longest }, (_, index) => {
    const cells = columns.map((values, at) => cell(values[index], at, index + 1));
    return `<row r="${index + 1}">${cells.join('')}</row>`;
  });
  return Buffer.from(
    `${xmlDeclaration}<worksheet xmlns="${mainNamespace}"><sheetData>${rows.join('')}</sheetData></worksheet>`,
  );
};

async function* sheetXml({ columns, rows, choices = [] }: WorkbookSheet): AsyncGenerator<Buffer> {
  // The row number is added to the reference of each cell when the row is written.
  const cells = columns.map(({ kind }, at) => ({
    kind,
    start: `<c r="${columnLetters(at)}`,
    style: `" s="${styleOf(kind)}"`,
  }));
  const widthsXml = columns.map(
    ({ kind }, at) =>
      `<col min="${at + 1}" max="${at + 1}" width="${widths[kind]}" customWidth="1" style="${styleOf(kind)}"/>`,
  );
  let text = `${xmlDeclaration}<worksheet xmlns="${mainNamespace}"><sheetViews><sheetView workbookViewId="0">`;
  text +=
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/>';
  text += `<cols>${widthsXml.join('')}</cols><sheetData><row r="1">`;
  for (const [at, { title }] of columns.entries())
    text += `<c r="${columnLetters(at)}1" t="inlineStr">${textCell(excelText(title))}`;
  text += '</row>';
  let number = 1;
  for await (const row of rows) {
    if (++number > mostRows) throw new Error('a sheet has no more rows');
    text += `<row r="${number}">`;
    let at = 0;
    for (const { kind, start, style } of cells) {
      const value = excelCell(kind, row[at++] ?? null);
      if (value === null) continue;
      text +=
        start +
        number +
        style +
        (typeof value === 'number' ? `><v>${value}</v></c>` : ` t="inlineStr">${textCell(value)}`);
    }
    text += '</row>';
    if (text.length < pieceChars) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(`${text}</sheetData>${choicesXml(choices)}</worksheet>`);
}

const xlsx = (sheet: WorkbookSheet): AsyncGenerator<Uint8Array> => {
  const choices = (sheet.choices ?? []).filter(({ values }) => values.length > 0);
  return zipStream([
    ...workbookParts(sheetName(sheet.name), choices.length > 0).map(([name, xml]) => ({
      name,
      content: [Buffer.from(xml)],
    })),
    { name: sheetPart, content: sheetXml({ ...sheet, choices }) },
    ...(choices.length > 0 ? [{ name: choicesPart, content: [choicesSheet(choices)] }] : []),
  ]);
};

/**
 * Writes the file as a stream, row by row, so that memory does not grow with the number of rows.
 * Every text stays text, and no cell is a formula.
 */
export const writeWorkbook = (
  format: WorkbookFormat,
  sheet: WorkbookSheet,
): AsyncGenerator<Uint8Array> => (format === 'csv' ? csv(sheet) : xlsx(sheet));
