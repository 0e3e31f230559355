import { dearest } from '@waystation/contract/money/voucher-content.ts';
import { mostWeight } from '@waystation/contract/base/limits.ts';
import { provinceCodes } from '@waystation/contract/parcels/provinces.ts';
import { yuanText } from '@waystation/contract/money/money.ts';
import { kgText } from '@waystation/contract/base/weight.ts';
import type { Origin, Zone } from '@waystation/contract/money/voucher-content.ts';
import { columnsOf, emptyGrid, valueOf, widthOf, withBrackets } from './grid.ts';
import type { Grid, GridRow } from './grid.ts';

/** Why a cell's value cannot be used for pricing. */
export type ProblemCode =
  | 'unreadable'
  | 'missing'
  | 'not_ascending'
  | 'step_not_dividing'
  | 'too_big'
  | 'too_small';
export interface Problem {
  row: number;
  column: number;
  code: ProblemCode;
}

const cellsOf = (zone: Zone, brackets: number): string[] => {
  const cells = Array.from({ length: widthOf(brackets) }, () => '');
  cells[0] = zone.name;
  if (zone.not_served) return cells;
  cells[1] = kgText(zone.first.max_g);
  cells[2] = yuanText(zone.first.price);
  for (const [index, { up_to_g, step_g, price }] of zone.brackets.entries()) {
    cells[3 + index * 3] = kgText(up_to_g);
    cells[4 + index * 3] = kgText(step_g);
    cells[5 + index * 3] = yuanText(price);
  }
  if (zone.minimum > 0) cells[cells.length - 1] = yuanText(zone.minimum);
  return cells;
};

/**
 * The grid for one group of sender provinces. If a region occurs twice in the price list, the grid
 * shows the prices of the first occurrence.
 */
export const gridOf = (origin: Pick<Origin, 'zones'> | undefined): Grid => {
  const zones = origin?.zones ?? [];
  const brackets = Math.max(
    1,
    ...zones.map((zone) => (zone.not_served ? 0 : zone.brackets.length)),
  );
  const known = new Map<string, GridRow>();
  for (const zone of zones)
    for (const area of zone.areas)
      if (!known.has(area))
        known.set(area, { area, cells: cellsOf(zone, brackets), closed: zone.not_served === 1 });
  const empty = withBrackets(emptyGrid(), brackets);
  const rows = empty.rows.flatMap((row) => {
    const cities = [...known.values()].filter(
      ({ area }) =>
        area !== row.area && area.startsWith(row.area.slice(0, 2)) && !provinceCodes.includes(area),
    );
    return [
      known.get(row.area) ?? row,
      ...cities.toSorted((one, other) => one.area.localeCompare(other.area)),
    ];
  });
  return { rows, brackets };
};

interface Read {
  zone: Omit<Extract<Zone, { not_served: 0 }>, 'areas'> | null;
  problems: Problem[];
}

const isEmpty = (row: GridRow): boolean =>
  row.cells.every((cell, column) => column === 0 || cell === '');

/**
 * Reads the prices of a row, or else the problems of its cells. An empty row has neither prices nor
 * problems.
 */
const readRow = (row: GridRow, index: number, brackets: number): Read => {
  const columns = columnsOf(brackets);
  const problems: Problem[] = [];
  const bad = (column: number, code: ProblemCode): null => {
    problems.push({ row: index, column, code });
    return null;
  };
  const read = (column: number, least: number, most: number): number | null => {
    const value = valueOf(columns[column]!.kind, row.cells[column]!);
    if (value === null) return bad(column, 'missing');
    if (Number.isNaN(value)) return bad(column, 'unreadable');
    if (value < least) return bad(column, 'too_small');
    return value > most ? bad(column, 'too_big') : value;
  };
  const max_g = read(1, 1, mostWeight);
  const price = read(2, 0, dearest);
  const found = [];
  let below = max_g ?? 0;
  for (let bracket = 0; bracket < brackets; bracket++) {
    const at = 3 + bracket * 3;
    if (row.cells.slice(at, at + 3).every((cell) => cell === '')) continue;
    const [up_to_g, step_g, step_price] = [
      read(at, 1, mostWeight),
      read(at + 1, 10, mostWeight),
      read(at + 2, -dearest, dearest),
    ];
    if (up_to_g !== null && up_to_g <= below) bad(at, 'not_ascending');
    else if (
      up_to_g !== null &&
      step_g !== null &&
      max_g !== null &&
      (up_to_g - below) % step_g !== 0
    )
      bad(at + 1, 'step_not_dividing');
    if (up_to_g !== null && step_g !== null && step_price !== null)
      found.push({ up_to_g, step_g, price: step_price });
    below = up_to_g ?? below;
  }
  const last = row.cells.length - 1;
  const minimum = row.cells[last] === '' ? 0 : read(last, 0, dearest);
  if (problems.length > 0 || max_g === null || price === null || minimum === null)
    return { zone: null, problems };
  return {
    zone: { name: row.cells[0]!, not_served: 0, first: { max_g, price }, brackets: found, minimum },
    problems,
  };
};

export interface GridContent {
  zones: Zone[];
  /** For each zone, the index of the grid row that contains the zone's first region. */
  rowOf: number[];
  problems: Problem[];
}

/** Rows with equal prices become one zone. Rows with a problem and empty rows belong to no zone. */
export const contentOf = (grid: Grid): GridContent => {
  const zones = new Map<string, { zone: Zone; row: number }>();
  const problems: Problem[] = [];
  for (const [index, row] of grid.rows.entries()) {
    if (!row.closed && isEmpty(row)) continue;
    const read = row.closed ? null : readRow(row, index, grid.brackets);
    if (read) problems.push(...read.problems);
    const shape = row.closed ? { name: row.cells[0]!, not_served: 1 as const } : read!.zone;
    if (!shape) continue;
    const key = JSON.stringify(shape);
    const known = zones.get(key);
    if (known) known.zone.areas.push(row.area);
    else zones.set(key, { row: index, zone: { ...shape, areas: [row.area] } as Zone });
  }
  const found = [...zones.values()];
  return { zones: found.map(({ zone }) => zone), rowOf: found.map(({ row }) => row), problems };
};

/**
 * The grid cell that a problem is about. It is found by the region of the problem, or else by the
 * end of the problem's path (`zones.2.brackets.1`).
 */
export const cellOfPath = (
  grid: Grid,
  content: GridContent,
  path: string,
  region?: string,
): { row: number; column: number } => {
  const named = region === undefined ? -1 : grid.rows.findIndex(({ area }) => area === region);
  const zone = /^zones\.(\d+)/.exec(path);
  const row = named >= 0 ? named : (zone && content.rowOf[Number(zone[1])]) || 0;
  const bracket = /brackets\.(\d+)/.exec(path);
  return { row, column: bracket ? 5 + Number(bracket[1]) * 3 : 2 };
};

/**
 * Returns a function that tells whether a cell differs from the published grid. Cells of the same
 * region and column are compared.
 */
export const changesFrom = (
  published: Grid,
): ((row: GridRow, column: number, brackets: number) => boolean) => {
  const rows = new Map(published.rows.map((row) => [row.area, row]));
  const places = new Map(columnsOf(published.brackets).map(({ key }, index) => [key, index]));
  return (row, column, brackets) => {
    const before = rows.get(row.area);
    if ((before?.closed ?? false) !== row.closed) return column > 0;
    if (row.closed && column > 0) return false;
    const at = places.get(columnsOf(brackets)[column]!.key);
    return (at === undefined ? '' : (before?.cells[at] ?? '')) !== row.cells[column];
  };
};
