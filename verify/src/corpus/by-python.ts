import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parcels, plain, plainRows, titles } from './parcels.ts';
import type { Case, Maker } from './parcels.ts';
import { inFolder } from './programs.ts';

type Cell = string | number;
type Made = Case & { by: string; rows?: readonly (readonly Cell[])[] };

const orders: readonly (readonly string[])[] = [titles, ...parcels];
const numbers = [
  titles,
  ...parcels
    .slice(0, 2)
    .map((cells) => [
      cells[0]!,
      Number(cells[1]),
      ...cells.slice(2, 7),
      Number(cells[7]),
      cells[8]!,
    ]),
];
const dated = (rows: readonly (readonly Cell[])[]) =>
  rows.map((cells, at) => [...cells, at === 0 ? '备注' : 'MOMENT']);

const made: readonly Made[] = [
  { file: 'openpyxl-plain.xlsx', by: 'openpyxl', what: 'three parcels', expected: plain() },
  {
    file: 'openpyxl-write-only.xlsx',
    by: 'openpyxl',
    what: 'written as a stream',
    expected: plain(),
  },
  {
    file: 'openpyxl-dressed.xlsx',
    by: 'openpyxl',
    what: 'fonts, a filter, a hidden column, a list of choices, a link, a styled empty cell far below',
    expected: plain(),
  },
  {
    file: 'openpyxl-1904.xlsx',
    by: 'openpyxl',
    what: 'moments counted from 1904',
    rows: dated(orders),
    expected: { rows: plainRows(2, { remark: '2026-03-02 10:30:00' }) },
  },
  {
    file: 'openpyxl-moments.xlsx',
    by: 'openpyxl',
    what: 'moments counted from 1900',
    rows: dated(numbers),
    expected: { rows: plainRows(2, { remark: '2026-03-02 10:30:00' }).slice(0, 2) },
  },
  {
    file: 'openpyxl-macros.xlsm',
    by: 'openpyxl',
    what: 'the name of a workbook with macros',
    expected: plain(),
  },
  { file: 'xlsxwriter-shared.xlsx', by: 'xlsxwriter', what: 'shared strings', expected: plain() },
  {
    file: 'xlsxwriter-inline.xlsx',
    by: 'xlsxwriter',
    what: 'inline strings, written as a stream',
    expected: plain(),
  },
  {
    file: 'xlsxwriter-rich.xlsx',
    by: 'xlsxwriter',
    what: 'rich text, a comment, a text box',
    expected: plain(),
  },
  {
    file: 'xlsxwriter-formulas.xlsx',
    by: 'xlsxwriter',
    what: 'formulas with their values',
    expected: plain(),
  },
  {
    file: 'xlsxwriter-table.xlsx',
    by: 'xlsxwriter',
    what: 'a table with a name',
    expected: plain(),
  },
  {
    file: 'xlsxwriter-numbers.xlsx',
    by: 'xlsxwriter',
    what: 'texts written as numbers',
    rows: orders.slice(0, 3),
    expected: { rows: plainRows().slice(0, 2) },
  },
  {
    file: 'xlsxwriter-columns-apart.xlsx',
    by: 'xlsxwriter',
    what: 'blank cells far below and beside',
    expected: plain(),
  },
  { file: 'xlwt-excel97.xls', by: 'xlwt', what: 'Excel 97', expected: { refused: 'file_old_xls' } },
];

const script = fileURLToPath(new URL('./writers/write.py', import.meta.url));

const write = async (name: string, path: string, rows: Made['rows'] = orders): Promise<string> => {
  const python = spawn('/usr/bin/python3', [script, name, path], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  python.stdin.end(JSON.stringify(rows));
  const [pieces, [code]] = await Promise.all([
    python.stdout.toArray() as Promise<Buffer[]>,
    once(python, 'exit'),
  ]);
  if (code !== 0) throw new Error(`${name}: Python ended with ${code}`);
  return Buffer.concat(pieces).toString();
};

export const python: Maker = {
  name: 'python',
  cases: made,
  program: async () => {
    const versions = JSON.parse(await write('versions', '')) as Record<string, string>;
    return Object.entries(versions)
      .map((pair) => pair.join(' '))
      .join(', ');
  },
  make: (file) =>
    inFolder(async (folder) => {
      await write(
        file.replace(/\.[^.]+$/, ''),
        join(folder, file),
        made.find((one) => one.file === file)!.rows,
      );
      return readFile(join(folder, file));
    }),
};
