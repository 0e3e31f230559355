/**
 * A row of a table: its cells by column name, without spaces around their text. A cell that
 * contains `–` becomes null.
 */
export type Row = Record<string, string | null>;

const cellsOf = (line: string): string[] =>
  line
    .slice(1, line.lastIndexOf('|'))
    .split('|')
    .map((cell) => cell.trim());

const rowOf = (columns: readonly string[], line: string, name: string): Row => {
  const cells = cellsOf(line);
  if (cells.length !== columns.length)
    throw new Error(
      `table ${name}: ${cells.length} cells for ${columns.length} columns in ${line}`,
    );
  return Object.fromEntries(
    columns.map((column, index) => [column, cells[index] === '–' ? null : cells[index]!]),
  );
};

/**
 * Returns the tables of a page by name. The line above each table contains its name: `<!-- table:
 * name -->`. Throws if a table has no name, a name has no table, or a name is used twice.
 */
export const markdownTables = (markdown: string): Map<string, Row[]> => {
  const tables = new Map<string, Row[]>();
  const lines = markdown.split('\n');
  for (let at = 0; at < lines.length; at++) {
    const name = /^<!-- table: ([\w-]+) -->$/.exec(lines[at]!)?.[1];
    if (name === undefined) {
      if (lines[at]!.startsWith('|')) throw new Error(`line ${at + 1}: a table without a name`);
      continue;
    }
    if (
      tables.has(name) ||
      !lines[at + 1]?.startsWith('|') ||
      !/^\|[-|]+\|$/.test(lines[at + 2] ?? '')
    )
      throw new Error(`table ${name}: twice, or no table below it`);
    const columns = cellsOf(lines[at + 1]!);
    const rows: Row[] = [];
    for (at += 3; lines[at]?.startsWith('|'); at++) rows.push(rowOf(columns, lines[at]!, name));
    tables.set(name, rows);
  }
  return tables;
};

/**
 * Joins the tables of several pages. If a table is on several pages, its rows are joined in the
 * order of the pages.
 */
export const joinedTables = (...pages: readonly string[]): Map<string, Row[]> => {
  const joined = new Map<string, Row[]>();
  for (const page of pages)
    for (const [name, rows] of markdownTables(page))
      joined.set(name, [...(joined.get(name) ?? []), ...rows]);
  return joined;
};
