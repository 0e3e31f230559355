/** The relation of parents and children between the rows of a table that is shown as a tree. */
export interface TreeOf<R> {
  /** The level of a row in the tree; 1 is the top level. */
  levelOf: (row: R) => number;
  /** Undefined if the row has no children. */
  expanded: (row: R) => boolean | undefined;
  toggle: (row: R) => void;
  /** The number of top-level rows on all pages. Undefined until it is read for the first time. */
  tops?: number | undefined;
}

/**
 * The index of the row to which the ← key moves from a collapsed row. It is the nearest earlier row
 * with a smaller level. −1 if there is none.
 */
export const parentIndex = <R>(
  rows: readonly R[],
  at: number,
  levelOf: (row: R) => number,
): number => {
  const row = rows[at];
  if (row === undefined) return -1;
  return rows.slice(0, at).findLastIndex((other) => levelOf(other) < levelOf(row));
};
