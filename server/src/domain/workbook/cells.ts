import { yuanText } from '@waystation/contract/money/money.ts';
import { kgText } from '@waystation/contract/base/weight.ts';

export type WorkbookFormat = 'xlsx' | 'csv';

/**
 * The kinds of cells. `money` is in fen, `kg` in grams, `rate` in basis points. `time` is ISO 8601
 * and shown in Asia/Shanghai, `date` is a day such as `2026-03-02`, and `number` is whole.
 */
export const cellKinds = ['text', 'number', 'money', 'kg', 'rate', 'time', 'date'] as const;
export type CellKind = (typeof cellKinds)[number];
export type CellValue = string | number | null;

export interface SheetColumn {
  title: string;
  kind: CellKind;
}

export const fileTypeOf: Record<WorkbookFormat, string> = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
};

/** The largest number of characters that Excel allows in a cell. */
const longest = 32_767;

const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

/**
 * Removes characters that XML or a cell cannot contain, and cuts the text at Excel's limit. An
 * unpaired surrogate becomes the replacement character.
 */
export const plainText = (value: string): string => {
  const allowed = forbidden.test(value) ? value.replaceAll(new RegExp(forbidden, 'g'), '') : value;
  return (allowed.length > longest ? allowed.slice(0, longest) : allowed).toWellFormed();
};

/**
 * Escapes the first underscore of `_x0041_` in a text, because Excel would otherwise read it as the
 * character with this number.
 */
export const excelText = (value: string): string => {
  const plain = plainText(value);
  return plain.includes('_') ? plain.replaceAll(/_(?=x[\da-f]{4}_)/gi, '_x005F_') : plain;
};

const shanghai = 8 * 3_600_000;
const dayMs = 86_400_000;
/** The number of days from Excel's day 0 to 1 January 1970. */
const excelEpoch = 25_569;

const timeOf = (value: CellValue): number | null => {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : at + shanghai;
};

/** A time as text in Asia/Shanghai time: `2026-03-02 10:00:00`. */
const timeText = (value: CellValue): string => {
  if (typeof value === 'string' && value.length === 24 && value.endsWith('Z')) {
    // A time before 16:00 UTC is on the same day in China, so that only its hour differs. Most
    // times therefore need no Date.
    const hour = Number(value.slice(11, 13)) + 8;
    if (hour < 24)
      return `${value.slice(0, 10)} ${String(hour).padStart(2, '0')}${value.slice(13, 19)}`;
  }
  const at = timeOf(value);
  return at === null ? '' : new Date(at).toISOString().slice(0, 19).replace('T', ' ');
};

/**
 * A value as a typed Excel cell. Numbers are written as numbers; everything else is written as
 * text, even if it begins like a formula.
 */
export const excelCell = (kind: CellKind, value: CellValue): string | number | null => {
  if (value === null || value === '') return null;
  if (kind === 'time') {
    const at = timeOf(value);
    return at === null ? null : at / dayMs + excelEpoch;
  }
  if (kind === 'date') {
    const at = Date.parse(`${value}T00:00:00Z`);
    return Number.isNaN(at) ? excelText(String(value)) : at / dayMs + excelEpoch;
  }
  if (kind === 'text' || typeof value !== 'number') return excelText(String(value));
  if (kind === 'money') return value / 100;
  if (kind === 'kg') return value / 1_000;
  if (kind === 'rate') return value / 10_000;
  return value;
};

export const numberFormats: Record<CellKind, string> = {
  text: '@',
  number: '0',
  money: '#,##0.00',
  kg: '0.0##',
  rate: '0.00%',
  time: 'yyyy-mm-dd hh:mm:ss',
  date: 'yyyy-mm-dd',
};
export const widths: Record<CellKind, number> = {
  text: 18,
  number: 9,
  money: 12,
  kg: 10,
  rate: 9,
  time: 20,
  date: 12,
};

/**
 * Beginnings of a text that a spreadsheet reads as a formula, also in full-width form or after
 * characters that the spreadsheet ignores.
 */
const formula = /^[\s\u200b\ufeff]*[=+\-@＝＋－＠]|^[\t\r]/;
/**
 * Matches the signs that require quotation marks around a text. A spreadsheet may expect any of
 * these separators, depending on its user's settings.
 */
const needsQuotes = /[",;|\r\n\t]/;

/**
 * True for texts that get an apostrophe: a spreadsheet would calculate them, or other programs
 * would read them as a long number.
 */
const isGuarded = (text: string): boolean => formula.test(text) || /^\d[\d-]*$/.test(text);
/**
 * The separators at which some programs split even a quoted cell. If the part after a separator
 * begins like a formula, such a program would calculate it.
 */
const separator = String.raw`([;,|\t\r\n])`;
const innerFormula = String.raw`(?='*(?:[^\S\t\r\n]|[\u200b\ufeff"])*[=+\-@＝＋－＠])`;
const unguardedInside = new RegExp(separator + innerFormula, 'g');
const guardedInside = new RegExp(`${separator}'${innerFormula}`, 'g');

const withoutApostrophes = (text: string): string => text.replace(/^'+/, '');

/**
 * The text of a CSV cell without the signs that keep it a text: an apostrophe at its start or after
 * a separator inside it, or `="…"` around it.
 */
export const withoutGuard = (written: string): string => {
  const cell = written.replace(guardedInside, '$1');
  if (cell.startsWith("'")) return isGuarded(withoutApostrophes(cell)) ? cell.slice(1) : cell;
  return cell.startsWith('="') ? (/^="([^"]*)"\s*$/.exec(cell)?.[1] ?? cell) : cell;
};

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

const csvText = (value: string): string => {
  // An apostrophe keeps a spreadsheet from calculating the text, and protects an apostrophe of the
  // text itself.
  const inert =
    formula.test(value) || (value.startsWith("'") && isGuarded(withoutApostrophes(value)))
      ? `'${value}`
      : value;
  return needsQuotes.test(inert) ? quoted(inert.replace(unguardedInside, "$1'")) : inert;
};

/** A value as the text of a CSV cell; numbers have a decimal point and no thousands separators. */
export const csvCell = (kind: CellKind, value: CellValue): string => {
  if (value === null) return '';
  if (kind === 'time') return timeText(value);
  if (kind === 'text' || typeof value !== 'number') return csvText(plainText(String(value)));
  if (kind === 'money') return yuanText(value);
  if (kind === 'kg') return kgText(value, 1);
  if (kind === 'rate') return `${yuanText(value)}%`;
  return String(value);
};
