import type { Column } from './column.ts';

export interface ShownSum {
  key: string;
  title: string;
  text: string;
}

/**
 * The sum of each summed column, over the selected rows or over all rows that match the filters. A
 * column is left out if it has no value or if its total is unknown. A row that was read before the
 * column was added has an undefined value.
 */
export const sumsOf = <R>(
  columns: readonly Column<R>[],
  chosen: readonly R[],
  everything: boolean,
): ShownSum[] =>
  columns.flatMap(({ key, title, sum }) => {
    if (!sum) return [];
    const known = chosen.map(sum.of);
    const figures = known.includes(undefined)
      ? []
      : known.filter((figure) => figure !== null && figure !== undefined);
    const total = everything
      ? (sum.every ?? null)
      : figures.length > 0
        ? figures.reduce((all, figure) => all + figure, 0)
        : null;
    return total === null ? [] : [{ key, title: sum.title ?? title, text: sum.show(total) }];
  });
