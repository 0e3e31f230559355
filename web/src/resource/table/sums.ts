import type { Column } from './column.ts';

export interface ShownSum {
  key: string;
  title: string;
  text: string;
}

/** What the chosen rows come to in each column that is added up, or all that the filters match; a column without a figure in any of the rows, or whose whole is not known, is left out. */
export const sumsOf = <R>(columns: readonly Column<R>[], chosen: readonly R[], everything: boolean): ShownSum[] =>
  columns.flatMap(({ key, title, sum }) => {
    if (!sum) return [];
    const figures = chosen.map(sum.of).filter((figure) => figure !== null && figure !== undefined);
    const total = everything ? (sum.every ?? null) : figures.length > 0 ? figures.reduce((all, figure) => all + figure, 0) : null;
    return total === null ? [] : [{ key, title: sum.title ?? title, text: sum.show(total) }];
  });
