import { present } from '@waystation/contract/base/present.ts';
import type { SheetColumn } from '#domain/workbook/workbook.ts';

/**
 * The format in which a column of the carrier's bill is written. It has the kind of the column's
 * cells, and the function that converts the text of a cell.
 */
interface DatedColumn {
  kind: Extract<SheetColumn['kind'], 'text' | 'date' | 'time'>;
  valueOf: (cell: string) => string;
}

const asText: DatedColumn = { kind: 'text', valueOf: (cell) => cell };
const written =
  /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:[ T](\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;
const dayTitle = /日期|时间|日$|date|time/i;
const serial = /^\d{5}(?:\.\d+)?$/;
/** The spreadsheet day numbers of the years 2000 to 2100. */
const [firstSerial, lastSerial] = [36_526, 73_050];
const dayMs = 86_400_000;
const excelEpoch = 25_569;
const two = (text: string | undefined): string => (text ?? '0').padStart(2, '0');

/**
 * The text of a cell as `2026-03-02` or `2026-03-02T10:00:00`; null if it is not a date. A
 * spreadsheet's day number counts as a date if the title of the column contains a word for date.
 */
const dateOf = (cell: string, title: string): string | null => {
  const text = cell.trim();
  const found = written.exec(text);
  const day = found ? `${found[1]}-${two(found[2])}-${two(found[3])}` : '';
  const iso =
    found &&
    (found[4] === undefined ? day : `${day}T${two(found[4])}:${found[5]}:${two(found[6])}`);
  if (iso)
    return Number.isNaN(Date.parse(`${iso}${iso.includes('T') ? '' : 'T00:00:00'}Z`)) ? null : iso;
  if (
    !serial.test(text) ||
    !dayTitle.test(title) ||
    Number(text) < firstSerial ||
    Number(text) > lastSerial
  )
    return null;
  const at = new Date(
    Math.round((Number(text) - excelEpoch) * 86_400) * (dayMs / 86_400),
  ).toISOString();
  return at.endsWith('T00:00:00.000Z') ? at.slice(0, 10) : at.slice(0, 19);
};

/**
 * Returns the cells of a column as dates if every filled cell is a date. The file can then be
 * sorted and filtered like the carrier's file. Otherwise returns the original texts.
 */
export const datedColumn = (title: string, cells: readonly string[]): DatedColumn => {
  const filled = cells.filter((cell) => cell.trim() !== '');
  const dates = filled.map((cell) => dateOf(cell, title));
  if (filled.length === 0 || dates.includes(null)) return asText;
  const hasTimes = dates.some((date) => present(date).includes('T'));
  const full = (date: string): string => `${date}${date.includes('T') ? '' : 'T00:00:00'}+08:00`;
  const valueOf = (cell: string): string => {
    const date = dateOf(cell, title);
    return date === null ? '' : hasTimes ? full(date) : date;
  };
  return { kind: hasTimes ? 'time' : 'date', valueOf };
};
