import { randomUUID } from 'node:crypto';
import { readXlsx } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import { readTable, writeWorkbook } from './workbook.ts';
import type { CellValue, SheetColumn, WorkbookFormat } from './workbook.ts';

async function* from(rows: readonly CellValue[][]) {
  yield* rows;
}

const made = async (
  format: WorkbookFormat,
  columns: SheetColumn[],
  rows: readonly CellValue[][],
): Promise<Buffer> => {
  const pieces: Uint8Array[] = [];
  for await (const piece of writeWorkbook(format, { name: '运单', columns, rows: from(rows) }))
    pieces.push(piece);
  return Buffer.concat(pieces);
};

const columns: SheetColumn[] = [
  { title: '运单号', kind: 'text' },
  { title: '金额', kind: 'money' },
  { title: '重量', kind: 'kg' },
  { title: '折扣', kind: 'rate' },
  { title: '件数', kind: 'number' },
  { title: '时间', kind: 'time' },
];
const row: CellValue[] = ['JDVE00000000001', 197_05, 4_300, 8_500, 2, '2026-03-02T02:30:00.000Z'];
const hostile = [
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1+1',
  '\r=1+1',
  '＝1+1',
  '=HYPERLINK("http://x","y")',
  "=cmd|'/c calc'!A1",
];

describe('writing an Excel file', () => {
  it('an Excel file stores amounts and weights as numbers, in yuan and kilograms, and times in Shanghai time', async () => {
    const { sheets } = await readXlsx(await made('xlsx', columns, [row]));
    expect(sheets[0]!.rows[0]).toEqual(columns.map(({ title }) => title));
    const [number, amount, weight, discount, pieces, time] = sheets[0]!.rows[1]!;
    expect({ number, amount, weight, discount, pieces }).toEqual({
      number: 'JDVE00000000001',
      amount: 197.05,
      weight: 4.3,
      discount: 0.85,
      pieces: 2,
    });
    expect(new Date(time as Date).toISOString()).toBe('2026-03-02T10:30:00.000Z');
  });

  it('a text that looks like a formula is written into an Excel file as plain text', async () => {
    const file = await made(
      'xlsx',
      [{ title: '=1+1', kind: 'text' }],
      hostile.map((text) => [text]),
    );
    const { sheets } = await readXlsx(file);
    expect(sheets[0]!.rows.map(([cell]) => cell)).toEqual(['=1+1', ...hostile.map((text) => text)]);
    expect(
      sheets[0]!.cells
        ? [...sheets[0]!.cells.values()].filter((cell) => 'formula' in cell && cell.formula)
        : [],
    ).toEqual([]);
  });

  it('an Excel file stores long numbers and numbers with leading zeros as text', async () => {
    const texts = ['00123', '12345678901234567890', '1.38E+10', '_x0041_', '𠮷野家 & <b>"'];
    const { sheets } = await readXlsx(
      await made(
        'xlsx',
        [{ title: 'n', kind: 'text' }],
        texts.map((text) => [text]),
      ),
    );
    expect(sheets[0]!.rows.slice(1).map(([cell]) => cell)).toEqual(texts);
  });

  it('an Excel file omits characters that no cell can contain', async () => {
    const { sheets } = await readXlsx(
      await made(
        'xlsx',
        [{ title: 'n', kind: 'text' }],
        [['a\u0000\u0008b'], ['\ud800x'], ['y'.repeat(40_000)], [null]],
      ),
    );
    expect(sheets[0]!.rows.slice(1, 4).map(([cell]) => String(cell).length)).toEqual([
      2, 2, 32_767,
    ]);
  });
});

describe('writing a CSV file', () => {
  it('a CSV file begins with the byte order mark, and its numbers have no thousands separators', async () => {
    expect((await made('csv', columns, [row])).toString()).toBe(
      '\ufeff运单号,金额,重量,折扣,件数,时间\r\nJDVE00000000001,197.05,4.3,85.00%,2,2026-03-02 10:30:00\r\n',
    );
  });

  it('a CSV file contains the same cells whatever its separator is, and a cell that looks like a formula begins with an apostrophe', async () => {
    const texts = ['a;=1+1', 'a|b', 'a,b', 'a\tb', ' =1+1', '\u00a0+1', '\ufeff@x', '－1'];
    const file = await made(
      'csv',
      [{ title: '备注;remark', kind: 'text' }],
      texts.map((text) => [text]),
    );
    expect(file.toString().slice(1).split('\r\n').slice(0, -1)).toEqual([
      '"备注;remark"',
      '"a;\'=1+1"',
      '"a|b"',
      '"a,b"',
      '"a\tb"',
      "' =1+1",
      "'\u00a0+1",
      "'\ufeff@x",
      "'－1",
    ]);
  });

  it.each([';', ',', '|', '\t', '\n', '; ', ';\u3000', ';"', ";'"])(
    'a CSV file prevents text after %j from becoming a formula in a program that separates there',
    async (mark) => {
      const text = `备注${mark}=1+1${mark}@x ${mark}-3${mark}b`;
      const columns = ['a', 'b'].map((title) => ({ title, kind: 'text' }) as const);
      const file = await made('csv', columns, [['x', text]]);
      const line = file.toString().split('\r\n')[1]!;
      expect(line.split(mark[0]!).filter((cell) => /^[\s"]*[=+\-@]/.test(cell))).toEqual([]);
      // The reader turns each sequence of line breaks, tabs and spaces into one space.
      const flat = text.replaceAll(/[\t\n\u3000 ]+/g, ' ');
      const rows = await Array.fromAsync(readTable('csv', file));
      expect(rows[1]!.map((cell) => cell.replaceAll(/[\u3000 ]+/g, ' '))).toEqual(['x', flat]);
    },
  );

  it('a CSV file has an apostrophe before a text that a spreadsheet would calculate, and no apostrophe before a negative amount', async () => {
    const text = (
      await made(
        'csv',
        [
          { title: 't', kind: 'text' },
          { title: 'm', kind: 'money' },
        ],
        hostile.map((one) => [one, -1_200]),
      )
    ).toString();
    expect(text.slice(1).split('\r\n').slice(1, -1)).toEqual([
      "'=1+1,-12.00",
      "'+1,-12.00",
      "'-1,-12.00",
      "'@SUM(A1),-12.00",
      '"\'\t\'=1+1",-12.00',
      '"\'\r\'=1+1",-12.00',
      "'＝1+1,-12.00",
      '"\'=HYPERLINK(""http://x"",""y"")",-12.00',
      "\"'=cmd|'/c calc'!A1\",-12.00",
    ]);
  });

  it('a CSV file quotes commas, quotes and line breaks', async () => {
    expect((await made('csv', [{ title: 'a', kind: 'text' }], [['x,"y"\nz']])).toString()).toBe(
      '\ufeffa\r\n"x,""y""\nz"\r\n',
    );
  });
});

describe('writing a large file', () => {
  const rowsCounted = (most: number) => {
    const count = { read: 0, ended: false };
    async function* rows() {
      try {
        for (; count.read < most; count.read++)
          yield [randomUUID(), count.read, count.read, count.read, count.read, null] as CellValue[];
      } finally {
        count.ended = true;
      }
    }
    return { count, rows: rows() };
  };

  it.each(['csv', 'xlsx'] as const)(
    'a large file as %s is sent while its rows are still being read',
    async (format) => {
      const { count, rows } = rowsCounted(30_000);
      const seen: number[] = [];
      for await (const piece of writeWorkbook(format, { name: 'x', columns, rows }))
        if (piece.byteLength > 1_000) seen.push(count.read);
      expect(seen.length).toBeGreaterThan(10);
      expect(seen[0]).toBeLessThan(15_000);
    },
  );

  it.each(['csv', 'xlsx'] as const)(
    'a large file as %s ends its rows if its reader stops early',
    async (format) => {
      const { count, rows } = rowsCounted(1_000_000);
      for await (const piece of writeWorkbook(format, { name: 'x', columns, rows }))
        if (piece.byteLength > 1_000) break;
      await expect.poll(() => count.ended).toBe(true);
      expect(count.read).toBeLessThan(100_000);
    },
  );

  it.each(['csv', 'xlsx'] as const)(
    'a large file as %s fails if reading its rows fails',
    async (format) => {
      async function* rows() {
        yield row;
        await Promise.reject(new Error('the database is away'));
      }
      const read = async (): Promise<void> => {
        for await (const _ of writeWorkbook(format, { name: 'x', columns, rows: rows() }));
      };
      await expect(read()).rejects.toThrow('the database is away');
    },
  );

  it('our reader reads an Excel file that we wrote, with the same amounts and with its texts trimmed', async () => {
    const texts = ['=1+1', '_x0041_', ' 𠮷 & <b>"', '00123'];
    const file = await made(
      'xlsx',
      [
        { title: 'n', kind: 'text' },
        { title: '金额', kind: 'money' },
      ],
      texts.map((text) => [text, 1_050]),
    );
    const rows = await Array.fromAsync(readTable('xlsx', file));
    expect(rows.slice(1)).toEqual(texts.map((text) => [text.trim(), '10.5']));
  });
});
