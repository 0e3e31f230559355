import { useState } from 'react';

interface Identified {
  id: number;
}

/**
 * The selected rows of all pages by id, in the order of selection. `anchor` is the id of the row
 * where a range selection begins.
 */
export interface Selected<R> {
  rows: ReadonlyMap<number, R>;
  anchor: number | null;
}

export const nothingSelected = { rows: new Map<number, never>(), anchor: null };

export const toggled = <R extends Identified>({ rows }: Selected<R>, row: R): Selected<R> => {
  const next = new Map(rows);
  if (!next.delete(row.id)) next.set(row.id, row);
  return { rows: next, anchor: row.id };
};

/** Selects or clears every row of `page`. */
export const withPage = <R extends Identified>(
  { rows }: Selected<R>,
  page: readonly R[],
  chosen: boolean,
): Selected<R> => {
  const next = new Map(rows);
  for (const row of page) {
    if (chosen) next.set(row.id, row);
    else next.delete(row.id);
  }
  return { rows: next, anchor: page[0]?.id ?? null };
};

/**
 * Selects the rows from the anchor to `row`, including both, in the order of the page. If the
 * anchor is on another page, it selects or deselects only `row`.
 */
export const withRange = <R extends Identified>(
  selected: Selected<R>,
  page: readonly R[],
  row: R,
): Selected<R> => {
  const from = page.findIndex(({ id }) => id === selected.anchor);
  const to = page.findIndex(({ id }) => id === row.id);
  if (from < 0 || to < 0) return toggled(selected, row);
  return {
    ...withPage(selected, page.slice(Math.min(from, to), Math.max(from, to) + 1), true),
    anchor: selected.anchor,
  };
};

/** The selected rows. A row on the displayed page has the values that were read last. */
export const refreshed = <R extends Identified>({ rows }: Selected<R>, page: readonly R[]): R[] => {
  const now = new Map(page.map((row) => [row.id, row]));
  return [...rows.values()].map((row) => now.get(row.id) ?? row);
};

/**
 * The rows in the order of a list that is sorted by `sort`, for example `-created_at`. Rows with
 * equal values are sorted by id, as on the server.
 */
export const inListOrder = <R extends Identified>(rows: readonly R[], sort: string): R[] => {
  const down = sort.startsWith('-') ? -1 : 1;
  const key = sort.replace(/^-/, '') as keyof R;
  return rows.toSorted((a, b) => {
    const [left, right] = [a[key], b[key]];
    if (left === right) return (a.id - b.id) * down;
    // The database sorts missing values after all others in ascending order.
    if (left === null || left === undefined) return down;
    if (right === null || right === undefined) return -down;
    return (left < right ? -1 : 1) * down;
  });
};

export interface Selection<R> {
  rows: ReadonlyMap<number, R>;
  toggle: (row: R) => void;
  range: (page: readonly R[], row: R) => void;
  page: (page: readonly R[], chosen: boolean) => void;
  drop: (ids: readonly number[]) => void;
  clear: () => void;
  replace: (rows: readonly R[]) => void;
}

export const useSelection = <R extends Identified>(): Selection<R> & { state: Selected<R> } => {
  const [state, setState] = useState<Selected<R>>(nothingSelected);
  return {
    state,
    rows: state.rows,
    toggle: (row) => setState((now) => toggled(now, row)),
    range: (page, row) => setState((now) => withRange(now, page, row)),
    page: (page, chosen) => setState((now) => withPage(now, page, chosen)),
    drop: (ids) =>
      setState(({ rows }) => ({
        rows: new Map([...rows].filter(([id]) => !ids.includes(id))),
        anchor: null,
      })),
    clear: () => setState(nothingSelected),
    replace: (rows) => setState({ rows: new Map(rows.map((row) => [row.id, row])), anchor: null }),
  };
};
