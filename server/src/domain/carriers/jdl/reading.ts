import { kgToGrams } from '@waystation/contract/weight.ts';
import { yuanToFen } from '@waystation/contract/money.ts';

/** Careful readers of a carrier's JSON: every one takes anything and never throws. */
export type Fields = Record<string, unknown>;

export const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);
/** The object itself, or an empty one. */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Text or a number as text, trimmed, without control characters, at most `max` characters; anything else is empty. */
export const textOf = (value: unknown, max = 500): string => {
  if (typeof value !== 'string' && typeof value !== 'number') return '';
  const clean = String(value)
    .replace(/[\u0000-\u001f\u007f]+/g, ' ')
    .trim();
  return clean.length <= max ? clean : [...clean].slice(0, max).join('');
};

const figure = (value: unknown): string | number | null => {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.trim() !== '' ? value : null;
};

/** Yuan → fen, half up; null where there is no sum of zero or more. */
export const fenOf = (value: unknown): number | null => {
  const given = figure(value);
  const fen = given === null ? null : yuanToFen(given);
  return fen !== null && fen >= 0 ? fen : null;
};

/** Kilograms → grams, half up; null where there is no weight above zero (a carrier that has not weighed says 0 or nothing). */
export const gramsOf = (value: unknown): number | null => {
  const given = figure(value);
  const grams = given === null ? null : kgToGrams(given);
  return grams !== null && grams > 0 ? grams : null;
};

/** A whole number of `min` or more given as number or text, else null. */
export const wholeOf = (value: unknown, min = 0): number | null => {
  const given = figure(value);
  if (given === null || !/^\d{1,15}(?:\.0*)?$/.test(String(given).trim())) return null;
  const whole = Number(given);
  return whole >= min ? whole : null;
};

/** cm³, fractions of one up; null where there is none above zero. */
export const volumeOf = (value: unknown): number | null => {
  const match = /^(\d{1,15})(?:\.(\d*))?$/.exec(String(figure(value) ?? '').trim());
  if (!match) return null;
  const volume = Number(match[1]) + (/[1-9]/.test(match[2] ?? '') ? 1 : 0);
  return volume > 0 ? volume : null;
};

/** JSON, which may stand in a string inside JSON; undefined where it is none. */
export const parseJson = (text: string): unknown => {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'string' ? parseJson(value) : value;
  } catch {
    return undefined;
  }
};

/** A value that some answers carry as JSON text. */
export const unwrapJson = (value: unknown): unknown => (typeof value === 'string' && /^\s*[[{]/.test(value) ? parseJson(value) : value);
