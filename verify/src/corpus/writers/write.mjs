// Writes one file of the corpus: write.mjs CASE FILE. It reads the rows as JSON from standard
// input. It must run in a folder in which the libraries of package.json are installed.
import { createWriteStream, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';

const require = createRequire(join(process.cwd(), 'package.json'));
const [name, path] = process.argv.slice(2);
const rows = JSON.parse(await text(process.stdin));

const sheetJs = (bookType, options = {}) => {
  const sheets = require('xlsx');
  const book = sheets.utils.book_new();
  sheets.utils.book_append_sheet(book, sheets.utils.aoa_to_sheet(rows), '订单');
  sheets.writeFile(book, path, { bookType, ...options });
};

const writers = {
  'exceljs-plain': async () => {
    const { Workbook } = require('exceljs');
    const book = new Workbook();
    book.addWorksheet('订单').addRows(rows);
    await book.xlsx.writeFile(path);
  },
  'exceljs-stream': async () => {
    const { stream } = require('exceljs');
    const book = new stream.xlsx.WorkbookWriter({
      stream: createWriteStream(path),
      useSharedStrings: false,
    });
    const sheet = book.addWorksheet('订单');
    for (const cells of rows) sheet.addRow(cells).commit();
    await book.commit();
  },
  'exceljs-rich': async () => {
    const { Workbook } = require('exceljs');
    const book = new Workbook();
    book.addWorksheet('选项', { state: 'veryHidden' }).addRows([['文件']]);
    const sheet = book.addWorksheet('订单');
    sheet.addRows(rows);
    for (const at of [2, 3, 4]) {
      const cell = sheet.getCell(`F${at}`);
      const value = cell.value;
      cell.value = {
        richText: [{ text: value.slice(0, 2), font: { bold: true } }, { text: value.slice(2) }],
      };
      const number = sheet.getCell(`I${at}`);
      number.value = { text: number.value, hyperlink: 'https://example.com/' };
    }
    await book.xlsx.writeFile(path);
  },
  'exceljs-plain-csv': async () => {
    const { Workbook } = require('exceljs');
    const book = new Workbook();
    book.addWorksheet('订单').addRows(rows);
    await book.csv.writeFile(path);
  },
  'sheetjs-plain': () => sheetJs('xlsx'),
  'sheetjs-shared': () => sheetJs('xlsx', { bookSST: true, compression: true }),
  'sheetjs-macros': () => sheetJs('xlsm'),
  'sheetjs-binary': () => sheetJs('xlsb'),
  'sheetjs-excel5': () => sheetJs('biff5'),
  'sheetjs-excel2': () => sheetJs('biff2'),
  'sheetjs-web-page': () => sheetJs('html'),
  'sheetjs-unicode': () => sheetJs('txt'),
  'sheetjs-sylk': () => sheetJs('sylk'),
  'sheetjs-plain-csv': () => sheetJs('csv'),
  'excel4node-plain': async () => {
    const { Workbook } = require('excel4node');
    const book = new Workbook();
    const sheet = book.addWorksheet('订单');
    for (const [at, cells] of rows.entries())
      for (const [column, cell] of cells.entries()) sheet.cell(at + 1, column + 1).string(cell);
    writeFileSync(path, await book.writeToBuffer());
  },
  'populate-plain': async () => {
    const book = await require('xlsx-populate').fromBlankAsync();
    book.sheet(0).cell('A1').value(rows);
    await book.toFileAsync(path);
  },
  'populate-encrypted': async () => {
    const book = await require('xlsx-populate').fromBlankAsync();
    book.sheet(0).cell('A1').value(rows);
    await book.toFileAsync(path, { password: 'secret' });
  },
  'better-plain': async () => {
    const { File } = require('better-xlsx');
    const book = new File();
    const sheet = book.addSheet('订单');
    for (const cells of rows) {
      const row = sheet.addRow();
      for (const cell of cells) row.addCell().value = cell;
    }
    await pipeline(await book.saveAs(), createWriteStream(path));
  },
  'hucre-plain': async () => {
    const { writeXlsx } = await import(pathToFileURL(require.resolve('hucre/xlsx')).href);
    writeFileSync(path, await writeXlsx({ sheets: [{ name: '订单', rows }] }));
  },
};

if (name === 'versions') {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  console.log(JSON.stringify(dependencies));
} else await writers[name]();
