import { mostBrackets } from '@waystation/contract/money/voucher-content.ts';
import { provinces } from '@waystation/contract/parcels/provinces.ts';
import { parseKg, kgText } from '@waystation/contract/base/weight.ts';
import { saysClosed } from '@waystation/contract/money/voucher-content.ts';
import { bounds, columnsOf, setCells, withBrackets } from './grid.ts';
import type { CellChange, Grid, Range } from './grid.ts';

/**
 * The rows and cells of a text that was copied from a spreadsheet. A quoted cell may contain tabs
 * and line breaks.
 */
export const parseTable = (text: string): string[][] => {
  const rows: string[][] = [[]];
  let cell = '';
  let quoted = false;
  const plain = text.replace(/\r\n?/g, '\n').replace(/\n+$/, '');
  for (let at = 0; at < plain.length; at++) {
    const sign = plain[at]!;
    if (quoted) {
      if (sign !== '"') cell += sign;
      else if (plain[at + 1] === '"') {
        cell += '"';
        at++;
      } else quoted = false;
    } else if (sign === '"' && cell === '') quoted = true;
    else if (sign === '\t' || sign === '\n') {
      rows.at(-1)?.push(cell);
      cell = '';
      if (sign === '\n') rows.push([]);
    } else cell += sign;
  }
  rows.at(-1)?.push(cell);
  return rows;
};

const quote = (cell: string): string =>
  /[\t\n"]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
const tableText = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.map(quote).join('\t')).join('\n');

export interface Words {
  /** The name of a region, as the grid's rows show it. */
  areaName: (area: string) => string;
  /** The column titles, in the order of `columnsOf`. */
  heads: readonly string[];
  area: string;
  closed: string;
}

/**
 * The cells of a range as text that can be pasted into a spreadsheet. If a row is not served, its
 * price cells contain the word `closed`.
 */
export const copyRange = (grid: Grid, range: Range, closed: string): string => {
  const { top, bottom, left, right } = bounds(range);
  return tableText(
    grid.rows
      .slice(top, bottom + 1)
      .map((row) =>
        row.cells
          .slice(left, right + 1)
          .map((cell, index) => (row.closed && left + index > 0 ? closed : cell)),
      ),
  );
};

/** Copies the whole grid with its column titles and the names of its rows. */
export const copyAll = (grid: Grid, words: Words): string =>
  tableText([
    [words.area, ...words.heads],
    ...grid.rows.map((row) => [
      words.areaName(row.area),
      ...row.cells.map((cell, column) => (row.closed && column > 0 ? words.closed : cell)),
    ]),
  ]);

const bare = (name: string): string =>
  name
    .normalize('NFKC')
    .replace(/\s/g, '')
    .replace(/(?:壮族|回族|维吾尔)?(?:自治区|特别行政区)$|[省市]$/, '');

const provinceByName = new Map<string, string>(
  provinces.flatMap(({ code, zh, en }) => [
    [zh, code] as const,
    [en.toLowerCase().replace(/\s/g, ''), code] as const,
  ]),
);

/** Finds a region by its name. Returns null if the name is not that of a region of the grid. */
export type FindArea = (name: string) => string | null;
export const provinceNamed: FindArea = (name) =>
  provinceByName.get(bare(name)) ?? provinceByName.get(bare(name).toLowerCase()) ?? null;

const areasNamed = (cell: string, find: FindArea): { areas: string[]; unknown: string[] } => {
  const parts = cell.split(/[、,，;；/\n]+|(?<=[\u4e00-\u9fff])\s+/).map((part) => part.trim());
  const named = parts.filter((part) => part !== '').map((part) => ({ part, area: find(part) }));
  return {
    areas: named.flatMap(({ area }) => area ?? []),
    unknown: named.filter(({ area }) => area === null).map(({ part }) => part),
  };
};

/**
 * The meaning of a pasted column: the region, or a column of the grid. A title that contains a
 * number may mean a bracket that the grid does not have yet.
 */
interface Head {
  column: string | null;
  area: boolean;
  headCells: { key: string; text: string }[];
}

const price = /价|费|元|¥|price|charge|yuan|rmb/i;
const weightIn = (head: string): string | null => {
  const found = /(\d+(?:\.\d+)?)\s*(?:kg|公斤|千克)/i.exec(head);
  const grams = found ? parseKg(found[1]!) : null;
  return grams === null ? null : kgText(grams);
};

/**
 * Reads the column titles of a pasted list. Returns null if the first row contains no column
 * titles.
 */
export const readHeads = (row: readonly string[]): Head[] | null => {
  const heads: Head[] = [];
  const seen = new Set<string>();
  let known = 0;
  const at = (part: string): string => {
    for (let bracket = 0; ; bracket++)
      if (!seen.has(`brackets.${bracket}.${part}`)) return `brackets.${bracket}.${part}`;
  };
  for (const cell of row) {
    const head = cell.normalize('NFKC').trim();
    const own = weightIn(head);
    let column: string | null = null;
    const headCells: Head['headCells'] = [];
    const area =
      /省|地区|目的|区域|到达|收件|province|region|destination/i.test(head) && !/分区/.test(head);
    if (!area) {
      if (/最低|minimum|least|^min/i.test(head)) column = 'minimum';
      else if (/分区|区名|zone/i.test(head)) column = 'name';
      else if (/首|first/i.test(head)) {
        column = price.test(head) || own !== null ? 'first.price' : 'first.max_g';
        if (own !== null) headCells.push({ key: 'first.max_g', text: own });
      } else if (/至|到|上限|以下|以内|up ?to|≤/i.test(head) && !price.test(head))
        column = at('up_to_g');
      else if (/续|步|每|step|additional|each/i.test(head)) {
        const priced = price.test(head) || own !== null || /\/\s*kg/i.test(head);
        column = at(priced ? 'price' : 'step_g');
        if (priced) headCells.push({ key: column.replace('price', 'step_g'), text: own ?? '1' });
      }
    }
    if (area || column) known++;
    if (column) seen.add(column);
    heads.push({ column, area, headCells });
  }
  const needed = row.length === 1 ? 1 : 2;
  return known >= needed && !row.some((cell) => /^[\d.]+$/.test(cell.trim())) ? heads : null;
};

export interface Pasted {
  grid: Grid;
  /** The number of cells that were written. */
  written: number;
  /** Names in the paste that are not regions of the grid. */
  unknown: string[];
  /**
   * For each weight column, the first pasted value that looks like a price. The user is asked about
   * it.
   */
  doubts: Doubt[];
}

export interface Doubt {
  column: number;
  /** The text of the first cell that looks like a price. */
  text: string;
}

/**
 * If a weight column of a paste has more different values than this, the user is asked whether the
 * values are prices. The weights of different regions are usually the same.
 */
const mostWeights = 2;
const likePrice = /[¥￥元]|^\d+\.\d{2}$/;

/** The weight columns of a paste that contain values which look like prices. */
const doubtsOf = (changes: readonly CellChange[], brackets: number): Doubt[] =>
  columnsOf(brackets).flatMap(({ kind }, column) => {
    if (kind !== 'kg') return [];
    const texts = changes
      .filter((change) => change.column === column && !saysClosed(change.text))
      .map(({ text }) => text.trim())
      .filter((text) => text !== '');
    const text =
      texts.find((each) => likePrice.test(each)) ??
      (new Set(texts).size > mostWeights ? texts[0] : undefined);
    return text === undefined ? [] : [{ column, text }];
  });

const grown = (grid: Grid, needed: number): Grid =>
  needed > grid.brackets ? withBrackets(grid, Math.min(needed, mostBrackets)) : grid;

const bracketOf = (key: string): number => Number(/^brackets\.(\d+)/.exec(key)?.[1] ?? -1);

/**
 * Pastes rows with a header. The titles in the header decide the column, and the name of the region
 * decides the row. A value in the header, such as "首重 1 kg", is used for all rows if no column
 * contains it.
 */
const byNames = (
  grid: Grid,
  {
    table,
    heads,
    areaAt,
  }: { table: readonly (readonly string[])[]; heads: readonly Head[]; areaAt: number },
  find: FindArea,
): Pasted => {
  const keys = heads.map(({ column }) => column);
  const wide = grown(grid, Math.max(0, ...keys.map((key) => (key ? bracketOf(key) + 1 : 0))));
  const places = new Map(columnsOf(wide.brackets).map(({ key }, index) => [key, index]));
  const headCells = heads
    .flatMap((head) => head.headCells)
    .filter(({ key }) => !keys.includes(key));
  const changes: CellChange[] = [];
  const unknown: string[] = [];
  for (const cells of table) {
    const named = areasNamed(cells[areaAt] ?? '', find);
    unknown.push(...named.unknown);
    const closed = cells.some(
      (cell, index) => index !== areaAt && keys[index] !== 'name' && saysClosed(cell),
    );
    for (const area of named.areas) {
      const row = wide.rows.findIndex((one) => one.area === area);
      if (row < 0) {
        unknown.push(cells[areaAt]!);
        continue;
      }
      const write = (key: string | null, text: string): void => {
        const column = key === null ? undefined : places.get(key);
        if (column !== undefined && text.trim() !== '') changes.push({ row, column, text });
      };
      if (!closed) for (const { key, text } of headCells) write(key, text);
      for (const [index, text] of cells.entries())
        if (index !== areaAt) write(keys[index] ?? null, text);
    }
  }
  return {
    grid: setCells(wide, changes),
    written: changes.length,
    unknown: [...new Set(unknown)],
    doubts: doubtsOf(changes, wide.brackets),
  };
};

/**
 * The number of brackets that the grid lacks for a pasted list with this many columns. Each bracket
 * has three columns.
 */
const bracketsBeyond = (grid: Grid, columns: number): number =>
  Math.ceil(Math.max(0, columns - columnsOf(grid.brackets).length) / 3);

/**
 * The column at which a paste begins. It is the selected column, or the column after the zone names
 * if numbers would otherwise be pasted as zone names.
 */
const beginningColumn = (range: Range, body: readonly (readonly string[])[]): number => {
  const { left } = bounds(range);
  return left === 0 && body.every((cells) => /^[¥￥\d.]*$/.test(cells[1]?.trim() ?? '')) ? 1 : left;
};

/**
 * Pastes cells that have no column titles. They are placed one by one, beginning at the active
 * cell. A single pasted cell fills the whole selection.
 */
const byPlace = (grid: Grid, range: Range, table: readonly (readonly string[])[]): Pasted => {
  const { top, bottom, left, right } = bounds(range);
  const alone = table.length === 1 && table[0]?.length === 1;
  const [height, width] = alone
    ? [bottom - top + 1, right - left + 1]
    : [table.length, Math.max(...table.map((row) => row.length))];
  const wide = alone ? grid : grown(grid, grid.brackets + bracketsBeyond(grid, left + width));
  const changes: CellChange[] = [];
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      const text = alone ? table[0]?.[0] : table[row]?.[column];
      if (text !== undefined && top + row < wide.rows.length)
        changes.push({ row: top + row, column: left + column, text });
    }
  return {
    grid: setCells(wide, changes),
    written: changes.length,
    unknown: [],
    doubts: doubtsOf(changes, wide.brackets),
  };
};

/**
 * Pastes the cells of a spreadsheet into the grid: by the names of regions and columns if the cells
 * contain such names, otherwise from the selected column and row on.
 */
export const paste = (
  grid: Grid,
  range: Range,
  text: string,
  find: FindArea = provinceNamed,
): Pasted => {
  const table = parseTable(text);
  const heads = readHeads(table[0]!);
  const body = heads ? table.slice(1) : table;
  const areaAt = heads?.findIndex(({ area }) => area) ?? -1;
  if (heads && areaAt >= 0) return byNames(grid, { table: body, heads, areaAt }, find);
  const leading = body.filter(
    (cells) => cells.length > 1 && areasNamed(cells[0]!, find).areas.length > 0,
  ).length;
  if (body.length > 0 && leading > body.length / 2) {
    const width = Math.max(...body.map((cells) => cells.length));
    const from = beginningColumn(range, body);
    const wide = grown(grid, grid.brackets + bracketsBeyond(grid, from + width - 1));
    const shape = columnsOf(wide.brackets);
    const plain = Array.from({ length: width }, (_, index): Head => ({
      area: index === 0,
      column: index === 0 ? null : (shape[from + index - 1]?.key ?? null),
      headCells: [],
    }));
    return byNames(grid, { table: body, heads: plain, areaAt: 0 }, find);
  }
  return heads ? byPlace(grid, range, body) : byPlace(grid, range, table);
};
