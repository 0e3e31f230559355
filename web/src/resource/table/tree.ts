/** How the rows of a table hang together, for one that is a tree. */
export interface TreeOf<R> {
  /** From 1. */
  levelOf: (row: R) => number;
  /** Undefined: there is nothing below it. */
  expanded: (row: R) => boolean | undefined;
  toggle: (row: R) => void;
  /** How many rows of the first level there are on all pages; undefined while they are first read. */
  tops?: number | undefined;
}

/** Where ← leads from a row that is closed: the nearest row above it of a lower level; −1 at the top. */
export const parentIndex = <R>(rows: readonly R[], at: number, levelOf: (row: R) => number): number => {
  const row = rows[at];
  if (row === undefined) return -1;
  return rows.slice(0, at).findLastIndex((other) => levelOf(other) < levelOf(row));
};
