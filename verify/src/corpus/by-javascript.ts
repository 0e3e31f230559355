import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parcels, plain, titles } from './parcels.ts';
import type { Case, Maker } from './parcels.ts';
import { inFolder, outputOf } from './programs.ts';

type Made = Case & { by: string };

const made: readonly Made[] = [
  { file: 'exceljs-plain.xlsx', by: 'exceljs', what: 'shared strings', expected: plain() },
  {
    file: 'exceljs-stream.xlsx',
    by: 'exceljs',
    what: 'written as a stream: sizes follow each entry',
    expected: plain(),
  },
  {
    file: 'exceljs-rich.xlsx',
    by: 'exceljs',
    what: 'rich text, links, a sheet that is very hidden',
    expected: { ...plain(), sheet: '订单' },
  },
  { file: 'exceljs-plain-csv.csv', by: 'exceljs', what: 'CSV', expected: plain() },
  {
    file: 'sheetjs-plain.xlsx',
    by: 'xlsx',
    what: 'texts in the cells, entries not compressed',
    expected: plain(),
  },
  { file: 'sheetjs-shared.xlsx', by: 'xlsx', what: 'shared strings', expected: plain() },
  {
    file: 'sheetjs-macros.xlsm',
    by: 'xlsx',
    what: 'a workbook that may have macros',
    expected: plain(),
  },
  {
    file: 'sheetjs-binary.xlsb',
    by: 'xlsx',
    what: 'binary workbook',
    expected: { refused: 'file_binary_workbook' },
  },
  {
    file: 'sheetjs-excel5.xls',
    by: 'xlsx',
    what: 'Excel 5',
    expected: { refused: 'file_old_xls' },
  },
  {
    file: 'sheetjs-excel2.xls',
    by: 'xlsx',
    what: 'Excel 2',
    expected: { refused: 'file_old_xls' },
  },
  {
    file: 'sheetjs-web-page.xls',
    by: 'xlsx',
    what: 'a web page under the name of a workbook',
    expected: { refused: 'file_web_page' },
  },
  {
    file: 'sheetjs-unicode.txt',
    by: 'xlsx',
    what: 'Unicode text: UTF-16, tabs',
    expected: plain(),
  },
  {
    file: 'sheetjs-sylk.slk',
    by: 'xlsx',
    what: 'SYLK',
    expected: { refused: 'file_type_unknown' },
  },
  { file: 'sheetjs-plain-csv.csv', by: 'xlsx', what: 'CSV', expected: plain() },
  { file: 'excel4node-plain.xlsx', by: 'excel4node', what: 'three parcels', expected: plain() },
  { file: 'populate-plain.xlsx', by: 'xlsx-populate', what: 'three parcels', expected: plain() },
  {
    file: 'populate-encrypted.xlsx',
    by: 'xlsx-populate',
    what: 'with a password',
    expected: { refused: 'file_encrypted' },
  },
  { file: 'better-plain.xlsx', by: 'better-xlsx', what: 'three parcels', expected: plain() },
  { file: 'hucre-plain.xlsx', by: 'hucre', what: 'three parcels', expected: plain() },
];

const here = fileURLToPath(new URL('./writers', import.meta.url));
const installed = fileURLToPath(new URL('../../../.build/corpus-writers', import.meta.url));

const write = async (name: string, path: string): Promise<string> => {
  const node = spawn(process.execPath, [join(here, 'write.mjs'), name, path], {
    cwd: installed,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  node.stdin.end(JSON.stringify([titles, ...parcels]));
  const [pieces, [code]] = await Promise.all([
    node.stdout.toArray() as Promise<Buffer[]>,
    once(node, 'exit'),
  ]);
  if (code !== 0) throw new Error(`${name}: the writer ended with ${code}`);
  return Buffer.concat(pieces).toString();
};

export const javaScript: Maker = {
  name: 'javascript',
  cases: made,
  program: async () => {
    await mkdir(installed, { recursive: true });
    await copyFile(join(here, 'package.json'), join(installed, 'package.json'));
    await outputOf(
      'npm',
      ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
      installed,
    );
    const versions = JSON.parse(await write('versions', '')) as Record<string, string>;
    return Object.entries(versions)
      .map((pair) => pair.join(' '))
      .join(', ');
  },
  make: (file) =>
    inFolder(async (folder) => {
      await write(file.replace(/\.[^.]+$/, ''), join(folder, file));
      return readFile(join(folder, file));
    }),
};
