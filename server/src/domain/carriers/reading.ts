import { mostInteger } from '@waystation/contract/base/limits.ts';
import { oneLine } from '@waystation/contract/base/visible-text.ts';
import { kgToGrams } from '@waystation/contract/base/weight.ts';
import { yuanToFen } from '@waystation/contract/money/money.ts';

/**
 * These functions read JSON from a carrier; each accepts any value and never throws. This type is
 * the content of a JSON object.
 */
export type Fields = Record<string, unknown>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** The value if it is an object, otherwise an empty object. */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/**
 * A text or number as text, without outer spaces and control characters, and with at most `max`
 * characters. Empty for any other value.
 */
export const textOf = (value: unknown, max = 500): string => {
  if (typeof value !== 'string' && typeof value !== 'number') return '';
  const clean = oneLine(String(value));
  return clean.length <= max ? clean : [...clean].slice(0, max).join('');
};

const figure = (value: unknown): string | number | null => {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.trim() !== '' ? value : null;
};

/** The text of a failure whose answer has only a code, or nothing. */
export const wordsOfCode = (code: string): string =>
  `承运商未说明原因${code === '' ? '' : `（代码 ${code}）`}，请联系承运商客服 · no reason given, contact the carrier`;

/**
 * An amount in yuan, converted to fen and rounded half up. Null if the value is not an amount of
 * zero or more.
 */
export const fenOf = (value: unknown): number | null => {
  const read = figure(value);
  const fen = read === null ? null : yuanToFen(read);
  return fen !== null && fen >= 0 ? fen : null;
};

/**
 * A weight in kilograms, converted to grams and rounded half up. Null unless it is above zero and
 * fits its column; before weighing, the carrier sends 0 or nothing.
 */
export const gramsOf = (value: unknown): number | null => {
  const read = figure(value);
  const grams = read === null ? null : kgToGrams(read);
  return grams !== null && grams > 0 && grams <= mostInteger ? grams : null;
};

/** A whole number of `min` or more, as number or text, else null. */
export const wholeOf = (value: unknown, min = 0): number | null => {
  const read = figure(value);
  if (read === null || !/^\d{1,15}(?:\.0*)?$/.test(String(read).trim())) return null;
  const whole = Number(read);
  return whole >= min ? whole : null;
};

/** A volume in cm³, rounded up; null if the value is not a number above zero. */
export const volumeOf = (value: unknown): number | null => {
  const match = /^(\d{1,15})(?:\.(\d*))?$/.exec(String(figure(value) ?? '').trim());
  if (!match) return null;
  const volume = Number(match[1]) + (/[1-9]/.test(match[2] ?? '') ? 1 : 0);
  return volume > 0 ? volume : null;
};

/** Parses JSON that may be a string inside JSON; undefined if the text is not JSON. */
export const parseJson = (text: string): unknown => {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'string' ? parseJson(value) : value;
  } catch {
    return undefined;
  }
};

/** Parses a value that some answers contain as JSON text. */
export const unwrapJson = (value: unknown): unknown =>
  typeof value === 'string' && /^\s*[[{]/.test(value) ? parseJson(value) : value;

const raw = { depth: 8, entries: 60, text: 2_000 };

/**
 * A carrier's value as it is stored. Levels, entries and texts beyond a limit are cut off, so that
 * the database can read every stored answer.
 */
export const shortened = (value: unknown, depth = 0): unknown => {
  if (typeof value === 'string') return value.slice(0, raw.text);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === raw.depth) return '…';
  if (Array.isArray(value))
    return value.slice(0, raw.entries).map((item) => shortened(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, raw.entries)
      .map(([name, item]) => [name.slice(0, raw.text), shortened(item, depth + 1)]),
  );
};
