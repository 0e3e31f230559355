/** The fields of a carrier's answers: their names, their types, and if they are always present. */
type FieldType = 'text' | 'number' | 'flag' | 'list' | 'object';

interface Field {
  types: FieldType[];
  /**
   * True if the field was present in every object that could have it, and never had the value null.
   */
  always: boolean;
}

/**
 * The fields of an answer by their paths. `$` is the whole answer, and `[]` is any item of a list.
 */
export type Shape = Readonly<Record<string, Field>>;

export interface Drift {
  kind: 'new' | 'missing' | 'retyped';
  path: string;
  /** The type that the field has now; empty if the field is missing. */
  now: string;
}

const nested = /^\s*[[{]/;

/**
 * Returns the value. If the value is a text that contains JSON, returns the parsed JSON instead.
 */
const unwrapped = (value: unknown): unknown => {
  if (typeof value !== 'string' || !nested.test(value)) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
};

const typeOf = (value: unknown): FieldType | null => {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'object') return 'object';
  if (typeof value === 'boolean') return 'flag';
  return typeof value === 'number' ? 'number' : 'text';
};

const parsed = (text: string): unknown => {
  try {
    return unwrapped(JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
};

interface Seen {
  types: Set<FieldType>;
  /**
   * The number of objects in which the field was present. `parent` is the path of the objects in
   * which it could be present.
   */
  times: number;
  parent: string | null;
}

const note = (
  seen: Map<string, Seen>,
  path: string,
  parent: string | null,
  given: unknown,
): void => {
  const value = unwrapped(given);
  const type = typeOf(value);
  const found = seen.get(path) ?? { types: new Set(), times: 0, parent };
  seen.set(path, found);
  if (type === null) return;
  found.times += 1;
  found.types.add(type);
  if (Array.isArray(value)) for (const item of value) note(seen, `${path}[]`, null, item);
  else if (type === 'object')
    for (const [name, item] of Object.entries(value as object))
      note(seen, `${path}.${name}`, path, item);
};

/** Derives the shape of an operation's answers from recorded answers. */
export const shapeOf = (answers: readonly string[]): Shape => {
  const seen = new Map<string, Seen>();
  const objects = new Map<string, number>();
  const count = (given: unknown, path: string): void => {
    const value = unwrapped(given);
    if (Array.isArray(value)) return value.forEach((item) => count(item, `${path}[]`));
    if (typeOf(value) !== 'object') return;
    objects.set(path, (objects.get(path) ?? 0) + 1);
    for (const [name, item] of Object.entries(value as object)) count(item, `${path}.${name}`);
  };
  for (const text of answers) {
    note(seen, '$', null, parsed(text));
    count(parsed(text), '$');
  }
  return Object.fromEntries(
    [...seen]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([path, { types, times, parent }]) => [
        path,
        {
          types: [...types].toSorted(),
          always: parent === null || times === objects.get(parent),
        },
      ]),
  );
};

const childrenOf = (shape: Shape, path: string): string[] =>
  Object.keys(shape).filter(
    (other) => other.startsWith(`${path}.`) && !/[.[]/.test(other.slice(path.length + 1)),
  );

/**
 * Lists the differences between an answer and a shape. Each kind of difference is listed once for
 * each path.
 */
export const driftOf = (shape: Shape, answer: string): Drift[] => {
  const found = new Map<string, Drift>();
  const add = (kind: Drift['kind'], path: string, now = ''): void =>
    void found.set(`${kind} ${path}`, { kind, path, now });
  const compare = (given: unknown, path: string): void => {
    const value = unwrapped(given);
    const type = typeOf(value);
    const field = shape[path];
    if (field === undefined) return add('new', path, type ?? 'null');
    if (type === null) return field.always ? add('missing', path) : undefined;
    // A field that was null in all recorded answers may have any type.
    if (field.types.length > 0 && !field.types.includes(type)) return add('retyped', path, type);
    if (Array.isArray(value)) {
      const isKnown = shape[`${path}[]`] !== undefined;
      return value.forEach((item) => isKnown && compare(item, `${path}[]`));
    }
    if (type !== 'object') return;
    const fields = value as Record<string, unknown>;
    const known = childrenOf(shape, path);
    if (known.length === 0) return;
    for (const [name, item] of Object.entries(fields)) compare(item, `${path}.${name}`);
    for (const child of known)
      if (shape[child]?.always && !Object.hasOwn(fields, child.slice(path.length + 1)))
        add('missing', child);
  };
  compare(parsed(answer), '$');
  return [...found.values()];
};
