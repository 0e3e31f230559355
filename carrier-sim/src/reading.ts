/**
 * Thrown for an invalid value: `field` is its path in the body, and `reason` is one English
 * sentence.
 */
export class Unreadable extends Error {
  readonly field: string;
  readonly reason: string;
  constructor(field: string, reason: string) {
    super(`${field}: ${reason}`);
    this.field = field;
    this.reason = reason;
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Reads fields of one JSON object by their names. Every read throws Unreadable with the field's
 * full path if the value is wrong. A `maybe…` read returns undefined if the field is absent or
 * null.
 */
export type Fields = {
  readonly path: string;
  has(name: string): boolean;
  names(): string[];
  raw(name: string): unknown;
  text(name: string, least: number, most: number): string;
  maybeText(name: string, most: number): string | undefined;
  whole(name: string, least: number, most: number): number;
  maybeWhole(name: string, least: number, most: number): number | undefined;
  number(name: string, least: number, most: number): number;
  maybeNumber(name: string, least: number, most: number): number | undefined;
  maybeFlag(name: string): boolean | undefined;
  choice<T extends string | number>(name: string, allowed: readonly T[]): T;
  maybeChoice<T extends string | number>(name: string, allowed: readonly T[]): T | undefined;
  inside(name: string): Fields;
  maybeInside(name: string): Fields | undefined;
  list(name: string, least: number, most: number): Fields[];
  maybeList(name: string, most: number): Fields[];
  /** Reads a point in time, written as epoch milliseconds or as an ISO 8601 text with an offset. */
  maybeInstant(name: string): number | undefined;
};

const readInstant = (value: unknown, at: string): number => {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  if (
    typeof value === 'string' &&
    /^\d{4}-\d{2}-\d{2}T[\d:.]{5,16}(?:Z|[+-]\d{2}:\d{2})$/.test(value)
  ) {
    const instant = Date.parse(value);
    if (!Number.isNaN(instant)) return instant;
  }
  throw new Unreadable(at, 'must be epoch milliseconds or an ISO 8601 time with offset');
};

const readText = (value: unknown, at: string, least: number, most: number): string => {
  if (typeof value !== 'string') throw new Unreadable(at, 'must be a text');
  const length = [...value].length;
  if (length < least || (least > 0 && value.trim() === ''))
    throw new Unreadable(at, 'must not be empty');
  if (length > most) throw new Unreadable(at, `must have at most ${most} characters`);
  return value;
};

const readNumber = (value: unknown, at: string, least: number, most: number): number => {
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw new Unreadable(at, 'must be a number');
  if (value < least || value > most)
    throw new Unreadable(at, `must be between ${least} and ${most}`);
  return value;
};

const readWhole = (value: unknown, at: string, least: number, most: number): number => {
  const number = readNumber(value, at, least, most);
  if (!Number.isSafeInteger(number)) throw new Unreadable(at, 'must be a whole number');
  return number;
};

const readChoice = <T extends string | number>(
  value: unknown,
  at: string,
  allowed: readonly T[],
): T => {
  if (!allowed.includes(value as T))
    throw new Unreadable(at, `must be one of ${allowed.join(', ')}`);
  return value as T;
};

/** Reads a JSON value that must be an object; `path` is its name in errors. */
export const fieldsOf = (value: unknown, path: string): Fields => {
  if (!isObject(value)) throw new Unreadable(path, 'must be an object');
  const at = (name: string): string => (path === '' ? name : `${path}.${name}`);
  const has = (name: string): boolean => value[name] !== undefined && value[name] !== null;
  const maybe = <T>(name: string, read: (found: unknown) => T): T | undefined =>
    has(name) ? read(value[name]) : undefined;
  const list = (name: string, least: number, most: number): Fields[] => {
    const found = value[name];
    if (!Array.isArray(found)) throw new Unreadable(at(name), 'must be a list');
    if (found.length < least || found.length > most)
      throw new Unreadable(at(name), `must have ${least} to ${most} items`);
    return found.map((item, i) => fieldsOf(item, `${at(name)}[${i}]`));
  };
  return {
    path,
    has,
    names: () => Object.keys(value),
    raw: (name) => value[name],
    text: (name, least, most) => readText(value[name], at(name), least, most),
    maybeText: (name, most) => maybe(name, (found) => readText(found, at(name), 0, most)),
    whole: (name, least, most) => readWhole(value[name], at(name), least, most),
    maybeWhole: (name, least, most) =>
      maybe(name, (found) => readWhole(found, at(name), least, most)),
    number: (name, least, most) => readNumber(value[name], at(name), least, most),
    maybeNumber: (name, least, most) =>
      maybe(name, (found) => readNumber(found, at(name), least, most)),
    maybeFlag: (name) =>
      maybe(name, (found) => {
        if (typeof found !== 'boolean') throw new Unreadable(at(name), 'must be true or false');
        return found;
      }),
    choice: (name, allowed) => readChoice(value[name], at(name), allowed),
    maybeChoice: (name, allowed) => maybe(name, (found) => readChoice(found, at(name), allowed)),
    inside: (name) => fieldsOf(value[name], at(name)),
    maybeInside: (name) => maybe(name, (found) => fieldsOf(found, at(name))),
    list,
    maybeList: (name, most) => (has(name) ? list(name, 0, most) : []),
    maybeInstant: (name) => maybe(name, (found) => readInstant(found, at(name))),
  };
};
