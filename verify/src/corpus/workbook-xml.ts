import type { Case } from './parcels.ts';

export type HandMade = Case & { make: () => Buffer };

export const xml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
export const letter = (column: number): string => String.fromCharCode(65 + column);
export const cell = (text: string, line: number, column: number): string =>
  `<c r="${letter(column)}${line}" t="inlineStr"><is><t>${xml(text)}</t></is></c>`;
export const number = (value: string, line: number, column: number, style = ''): string =>
  `<c r="${letter(column)}${line}"${style}><v>${value}</v></c>`;
export const line = (at: number, cells: string, attributes = ''): string =>
  `<row r="${at}"${attributes}>${cells}</row>`;
export const texts = (at: number, cells: readonly string[], attributes = ''): string =>
  line(at, cells.map((text, column) => cell(text, at, column)).join(''), attributes);
export const rowsXml = (rows: readonly (readonly string[])[], first = 1): string =>
  rows.map((cells, at) => texts(first + at, cells)).join('');
export const sheet = (rows: string, after = ''): string =>
  `<worksheet><sheetData>${rows}</sheetData>${after}</worksheet>`;

export const workbookXml = (sheets: string, before = ''): Buffer =>
  Buffer.from(`<workbook>${before}<sheets>${sheets}</sheets></workbook>`);
export const styles = Buffer.from(
  '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="49"/><xf numFmtId="11"/></cellXfs></styleSheet>',
);
