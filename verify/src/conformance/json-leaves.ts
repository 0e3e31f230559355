/**
 * Changes single values in a carrier's JSON. This includes JSON that is a text inside other JSON.
 */
const nested = /^\s*[[{]/;

const map = (value: unknown, change: (leaf: string | number) => unknown): unknown => {
  if (typeof value === 'string' && nested.test(value)) {
    try {
      return JSON.stringify(map(JSON.parse(value) as unknown, change));
    } catch {
      return change(value);
    }
  }
  if (typeof value === 'string' || typeof value === 'number') return change(value);
  if (Array.isArray(value)) return value.map((item) => map(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, map(item, change)]));
};

/**
 * Changes every text and every number in a JSON text. If the text is not JSON, it is returned
 * unchanged.
 */
export const changedLeaves = (text: string, change: (leaf: string | number) => unknown): string => {
  try {
    return JSON.stringify(map(JSON.parse(text) as unknown, change));
  } catch {
    return text;
  }
};

const isFigure = (leaf: string | number): boolean =>
  typeof leaf === 'number' || /^-?\d+(?:\.\d+)?$/.test(leaf);

/** Returns how many numbers a JSON text contains. */
export const figuresIn = (text: string): number => {
  let found = 0;
  changedLeaves(text, (leaf) => {
    if (isFigure(leaf)) found += 1;
    return leaf;
  });
  return found;
};

/** Returns the JSON text in which the number with the index `at` is changed. */
export const withFigure = (
  text: string,
  at: number,
  change: (figure: string | number) => unknown,
): string => {
  let seen = -1;
  return changedLeaves(text, (leaf) => {
    if (!isFigure(leaf)) return leaf;
    seen += 1;
    return seen === at ? change(leaf) : leaf;
  });
};

/** Returns how many texts and numbers a JSON text contains. */
export const leavesIn = (text: string): number => {
  let found = 0;
  changedLeaves(text, (leaf) => {
    found += 1;
    return leaf;
  });
  return found;
};

/** Returns the JSON text in which the leaf with the index `at` is replaced by an empty text. */
export const withEmpty = (text: string, at: number): string => {
  let seen = -1;
  return changedLeaves(text, (leaf) => {
    seen += 1;
    return seen === at ? '' : leaf;
  });
};
