import { describe, expect, it } from 'vitest';
import { inflatingWorkbook, tinyStringsWorkbook, workbookOf, zipOf } from '#testing/workbooks.ts';
import {
  ReadingInterrupted,
  ReadingStarved,
  UnreadableFile,
  readBatches,
  readLimits,
  readTable,
  writeWorkbook,
} from './workbook.ts';
import type { ReadSettings } from './workbook.ts';
import type { WorkbookFormat } from './workbook.ts';

const rowsOf = async (format: WorkbookFormat, file: Buffer): Promise<(readonly string[])[]> => {
  const rows = [];
  for await (const row of readTable(format, file)) rows.push(row);
  return rows;
};
/**
 * Reads a file and returns the code and limits of the refusal, "read" if it was read, or the kind
 * of the other error.
 */
const refusal = async (
  file: Buffer,
  settings: Partial<ReadSettings> = {},
  format: WorkbookFormat = 'xlsx',
): Promise<unknown> => {
  try {
    for await (const _ of readBatches(format, file, settings));
    return 'read';
  } catch (error) {
    if (error instanceof UnreadableFile) return [error.code, ...Object.values(error.params)];
    if (error instanceof ReadingStarved) return 'starved';
    return error instanceof ReadingInterrupted ? 'interrupted' : error;
  }
};

const cell = (text: string) =>
  `<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>${text}</t></is></c></row></sheetData></worksheet>`;

describe('reading a CSV file', () => {
  const text = '运单号,金额,"备注, 说明"\r\nJD1,"1,234.50","他说""好""\n第二行"\n\nJD2,,\nJD3,5';
  const rows = [
    ['运单号', '金额', '备注, 说明'],
    ['JD1', '1,234.50', '他说"好" 第二行'],
    ['JD2'],
    ['JD3', '5'],
  ];

  it('a CSV file is read with its quotation marks, without empty rows and cells at the end', async () => {
    expect(await rowsOf('csv', Buffer.from(text))).toEqual(rows);
    expect(await rowsOf('csv', Buffer.from(`\ufeff${text}\r\n`))).toEqual(rows);
    expect(await rowsOf('csv', Buffer.from(text.replaceAll(/\r?\n/g, '\r')))).toHaveLength(
      rows.length,
    );
  });

  it('a CSV file may have semicolons or tabs between its cells', async () => {
    expect(await rowsOf('csv', Buffer.from('a;b,c;d\n1;2,5;3'))).toEqual([
      ['a', 'b,c', 'd'],
      ['1', '2,5', '3'],
    ]);
    expect(await rowsOf('csv', Buffer.from('a\tb\n1\t2'))).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ]);
  });

  it('the separator of a CSV file is the one that occurs equally often in every line, even if cells contain more of another separator', async () => {
    const address = '上海市,上海市,浦东新区,世纪大道,100 号,2 楼';
    for (const separator of ['\t', ';'])
      expect(
        await rowsOf(
          'csv',
          Buffer.from(
            [`姓名${separator}地址`, `甲${separator}${address}`, `乙${separator}${address}`].join(
              '\n',
            ),
          ),
        ),
      ).toEqual([
        ['姓名', '地址'],
        ['甲', address],
        ['乙', address],
      ]);
  });

  it('the rows after an unclosed quotation mark in a CSV file are still read as separate rows', async () => {
    expect(
      await rowsOf(
        'csv',
        Buffer.from('姓名,地址,备注\n甲,"示例路 1 号,\n乙,示例路 2 号,""\n丙,示例路 3 号,易碎'),
      ),
    ).toEqual([
      ['姓名', '地址', '备注'],
      ['甲', '"示例路 1 号'],
      ['乙', '示例路 2 号'],
      ['丙', '示例路 3 号', '易碎'],
    ]);
  });

  it('a CSV file may be written in UTF-16, with or without a byte order mark', async () => {
    const text = '运单号,金额\nJD1,"1,5"\n';
    const little = Buffer.from(text, 'utf16le');
    const marked = Buffer.from(`\ufeff${text}`, 'utf16le');
    const expected = [
      ['运单号', '金额'],
      ['JD1', '1,5'],
    ];
    for (const file of [little, marked, Buffer.from(little).swap16(), Buffer.from(marked).swap16()])
      expect(await rowsOf('csv', file)).toEqual(expected);
  });

  it('a CSV file may be written in GBK', async () => {
    const gbk = Buffer.from([
      0xd4, 0xcb, 0xb5, 0xa5, 0xba, 0xc5, 0x2c, 0xbd, 0xf0, 0xb6, 0xee, 0x0a, 0x4a, 0x44, 0x31,
      0x2c, 0x31,
    ]);
    expect(await rowsOf('csv', gbk)).toEqual([
      ['运单号', '金额'],
      ['JD1', '1'],
    ]);
  });
});

describe('reading a workbook', () => {
  it('a workbook that the product wrote is read with the same texts, and with numbers as the shortest decimals', async () => {
    async function* rows() {
      yield ['00123', 1_975, 4_305, '2026-03-02T02:30:00.000Z'];
      yield [null, 10, null, null];
    }
    const pieces = [];
    const columns = [
      { title: '运单号', kind: 'text' as const },
      { title: '金额', kind: 'money' as const },
      { title: '重量', kind: 'kg' as const },
      { title: '时间', kind: 'time' as const },
    ];
    for await (const piece of writeWorkbook('xlsx', { name: 'a', columns, rows: rows() }))
      pieces.push(piece);
    expect(await rowsOf('xlsx', Buffer.concat(pieces))).toEqual([
      ['运单号', '金额', '重量', '时间'],
      ['00123', '19.75', '4.305', '2026-03-02 10:30:00'],
      ['', '0.1'],
    ]);
  });

  it('a file that begins like a workbook but is not a workbook is refused', async () => {
    expect(await refusal(Buffer.from('PK\u0003\u0004 and no more'))).toEqual(['file_unreadable']);
    expect(await refusal(zipOf({ 'a.txt': Buffer.from('a') }))).toEqual(['file_not_workbook']);
  });

  it('a workbook that defines XML entities is read, and references to these entities remain plain text', async () => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>${cell('&b;&c;')}`;
    expect(await rowsOf('xlsx', zipOf(workbookOf(bomb)))).toEqual([['&b;&c;']]);
  });

  it('cells of a workbook are read as a spreadsheet shows them: shared strings, rich text, formulas, dates, booleans', async () => {
    const parts = {
      ...workbookOf(
        `<x:worksheet><x:sheetData><x:row r="2"><x:c r="B2" t="s"><x:v>1</x:v></x:c><x:c t="s"><x:v>0</x:v></x:c><x:c r="D2" s="1"><x:v>45292</x:v></x:c>
        <x:c r="E2" s="2"><x:v>45292.5</x:v></x:c><x:c r="F2" s="3"><x:v>45292</x:v></x:c><x:c t="b"><x:v>1</x:v></x:c><x:c t="str"><x:f>A1</x:f><x:v>a&amp;b</x:v></x:c>
        <x:c t="s"><x:v>9</x:v></x:c><x:c><x:v>1.5E-1</x:v></x:c><x:c><x:v>0.30000000000000004</x:v></x:c></x:row><x:row r="7"/></x:sheetData></x:worksheet>`,
      ),
      'xl/sharedStrings.xml': Buffer.from(
        '<sst><si><t xml:space="preserve"> 运单_x000D_号 </t></si><si><r><t>京</t></r><r><rPr/><t>东</t></r><rPh><t>jing</t></rPh></si></sst>',
      ),
      'xl/styles.xml': Buffer.from(
        `<styleSheet><numFmts><numFmt numFmtId="165" formatCode="0.00&quot;d&quot;"/><numFmt numFmtId="166" formatCode="yyyy/m/d h:mm"/></numFmts>
        <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="166"/><xf numFmtId="165"/></cellXfs></styleSheet>`,
      ),
    };
    expect(await rowsOf('xlsx', zipOf(parts))).toEqual([
      [
        '',
        '京东',
        '运单 号',
        '2024-01-01',
        '2024-01-01 12:00:00',
        '45292',
        'true',
        'a&b',
        '',
        '0.15',
        '0.3',
      ],
    ]);
  });
});

const program = (code: string): URL => new URL(`data:text/javascript,${encodeURIComponent(code)}`);

describe('reading a malicious or large file', () => {
  it('a malicious workbook or CSV file is refused with an error for the limit that it exceeds', async () => {
    const hostile = tinyStringsWorkbook();
    expect(hostile.length).toBeLessThan(1_000_000);
    expect(await refusal(hostile)).toEqual(['file_string_count', 2_000_000]);
    expect(await refusal(hostile, { sharedStringBytes: 20 * 1024 * 1024 })).toEqual([
      'file_strings',
      20,
    ]);
    expect(readLimits.inflatedBytes).toBe(400 * 1024 * 1024);
    expect(
      await refusal(inflatingWorkbook('spaces', 21), { inflatedBytes: 20 * 1024 * 1024 }),
    ).toEqual(['file_inflates', 20]);
    expect(await refusal(inflatingWorkbook('cell', 3))).toEqual(['file_cell', 32_767]);
    expect(
      await refusal(
        zipOf(
          Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`${n}`, Buffer.alloc(0)])),
        ),
      ),
    ).toEqual(['file_entries', 1_001, 1_000]);
    expect(await refusal(Buffer.from(`a,b\n1,${'x'.repeat(40_000)}`), {}, 'csv')).toEqual([
      'file_cell',
      32_767,
    ]);
    // The long text is in a column that is not read, and follows a quoted part.
    expect(await refusal(Buffer.from(`a,b\n"1"${'x'.repeat(80_000)}`), {}, 'csv')).toEqual([
      'file_cell',
      32_767,
    ]);
    expect(
      await refusal(Buffer.from(`a,b\n${'1,'.repeat(300)}${'x'.repeat(80_000)},2`), {}, 'csv'),
    ).toEqual(['file_cell', 32_767]);
    expect(await refusal(zipOf(workbookOf(`<worksheet ${'a="1" '.repeat(20_000)}`)))).toEqual([
      'file_cell',
      65_536,
    ]);
  });

  it('a row whose texts together exceed the limit is refused, and the error has the line number', async () => {
    const row = (chars: number) =>
      `a\n${'x'.repeat(2_000)},${`${'x'.repeat(chars / 5)},`.repeat(5)}`;
    expect(await refusal(Buffer.from(row(8_000)), {}, 'csv')).toBe('read');
    expect(await refusal(Buffer.from(row(8_005)), {}, 'csv')).toEqual(['file_row', 2, 10_000]);
  });

  it('a hostile workbook with very long attributes and number formats is read in time', async () => {
    const bait = `<worksheet><sheetData>${`<row ${'a'.repeat(60_000)}></row>`.repeat(40)}<row a = 'b' r="7" hidden='1'><c t="inlineStr"><is><t>x</t></is></c></row></sheetData></worksheet>`;
    const format = `<styleSheet><numFmts><numFmt numFmtId="200" formatCode="${'['.repeat(60_000)}"/></numFmts><cellXfs>${'<xf numFmtId="200"/>'.repeat(200)}</cellXfs></styleSheet>`;
    const since = performance.now();
    expect(
      await rowsOf('xlsx', zipOf({ ...workbookOf(bait), 'xl/styles.xml': Buffer.from(format) })),
    ).toEqual([['x']]);
    expect(performance.now() - since).toBeLessThan(20_000);
  });

  it('a workbook cell of 32,767 characters is read; a longer cell is refused, and the error contains the limit', async () => {
    expect(await rowsOf('xlsx', zipOf(workbookOf(cell('x'.repeat(32_767)))))).toEqual([
      ['x'.repeat(2_000)],
    ]);
    expect(await refusal(zipOf(workbookOf(cell('x'.repeat(32_768)))))).toEqual([
      'file_cell',
      32_767,
    ]);
    expect(await rowsOf('csv', Buffer.from(`${'x'.repeat(32_767)},b`))).toEqual([
      ['x'.repeat(2_000), 'b'],
    ]);
    expect(
      await refusal(
        zipOf(
          Object.fromEntries([...Object.entries(workbookOf(cell('a'))), ['b', Buffer.from('b')]]),
        ),
        { entries: 6 },
      ),
    ).toBe('read');
    const small = zipOf(workbookOf(cell('a')));
    expect(await refusal(small, { inflatedBytes: 2_000 })).toBe('read');
    expect(await refusal(small, { inflatedBytes: 200 })).toEqual(['file_inflates', 0]);
  });

  it('a file that exhausts memory or CPU time ends only the thread that reads it, not the process', async () => {
    const greedy = program(
      'const kept = []; for (;;) kept.push(new Array(1000).fill(String(Math.random())));',
    );
    expect(await refusal(Buffer.from('a'), { program: greedy, heapMb: 16 }, 'csv')).toEqual([
      'file_reader_memory',
      16,
    ]);
    expect(
      await refusal(Buffer.from('a'), { program: program('for (;;);'), cpuMs: 50 }, 'csv'),
    ).toEqual(['file_reader_time', 0]);
    expect(await refusal(Buffer.from('a'), { program: program('process.exit(0)') }, 'csv')).toBe(
      'interrupted',
    );
  });

  it('a file is read again later, not refused, if its reader gets no CPU time on a busy machine', async () => {
    const starved = (ms: number): URL =>
      program(
        `import { parentPort } from 'node:worker_threads';
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${ms});
        parentPort.postMessage({ done: true, end: { merged: [], sheets: [] } });`,
      );
    const file = Buffer.from('a');
    const limits = { cpuMs: 400, waitMs: 20_000 };
    expect(await refusal(file, { ...limits, program: starved(1_500) }, 'csv')).toBe('read');
    expect(
      await refusal(file, { cpuMs: 20_000, waitMs: 300, program: starved(60_000) }, 'csv'),
    ).toBe('starved');
  });

  it('a file reader that sends batches again and again is refused when its total CPU time exceeds the limit', async () => {
    const slow = program(
      `import { parentPort } from 'node:worker_threads';
      for (;;) {
        const used = process.threadCpuUsage().user;
        while (process.threadCpuUsage().user - used < 100_000);
        parentPort.postMessage({ rows: [] });
      }`,
    );
    expect(await refusal(Buffer.from('a'), { program: slow, cpuMs: 500 }, 'csv')).toEqual([
      'file_reader_time',
      1,
    ]);
  });

  it('a large workbook is read in batches of 1,000 rows, and the consumer can stop after the first batch', async () => {
    const pieces = readBatches('xlsx', inflatingWorkbook('rows', 390));
    const { value } = await pieces.next();
    expect(value).toHaveLength(1_000);
    await pieces.return(undefined);
  });
});

describe('counting the rows of a file', () => {
  const countOf = async (
    format: WorkbookFormat,
    file: Buffer,
    above: number,
  ): Promise<number | null> => {
    let counted: number | null = null;
    for await (const _ of readBatches(format, file, {
      count: { above, most: 5 },
      onCount: (rows) => (counted = rows),
    }))
      break;
    return counted;
  };
  const sheet = (dimension: string, rows: number): Buffer =>
    zipOf(
      workbookOf(
        `<worksheet>${dimension}<sheetData>${'<row><c><v>1</v></c></row>'.repeat(rows)}${'<row ht="20"/>'.repeat(9)}<row><c t="s"><v></v></c></row></sheetData></worksheet>`,
      ),
    );

  it('the rows of a large file are counted before any is read; lines within a cell and rows without a text do not count', async () => {
    expect(await countOf('csv', Buffer.from('a\nb\nc\n'), 2)).toBe(3);
    expect(await countOf('csv', Buffer.from('"a\nb\nc\nd",1\n\n\n,,\n'), 2)).toBe(1);
    expect(await countOf('csv', Buffer.from('a\n'.repeat(50)), 2)).toBe(5);
    expect(await countOf('xlsx', sheet('<dimension ref="A1:C13"/>', 3), 2)).toBe(3);
  });

  it('the rows of a file are not counted if the file declares too few rows or declares no number of rows', async () => {
    expect(await countOf('csv', Buffer.from('a\nb\n'), 2)).toBeNull();
    expect(await countOf('xlsx', sheet('<dimension ref="A1:C2"/>', 3), 2)).toBeNull();
    expect(await countOf('xlsx', sheet('', 3), 2)).toBeNull();
  });
});

describe('reading a large regular sheet', () => {
  it('a regular sheet of many rows with shared strings is read completely within a small heap', async () => {
    const [rows, columns] = [5_000, 15];
    const strings = Array.from(
      { length: rows * columns },
      (_, n) => `<si><t>运单 ${n} &amp; ${'x'.repeat(n % 20)}</t></si>`,
    ).join('');
    const sheet = Array.from(
      { length: rows },
      (_, row) =>
        `<row>${Array.from({ length: columns }, (__, column) => `<c t="s"><v>${row * columns + column}</v></c>`).join('')}</row>`,
    ).join('');
    const file = zipOf({
      ...workbookOf(`<worksheet><sheetData>${sheet}</sheetData></worksheet>`),
      'xl/sharedStrings.xml': Buffer.from(`<sst>${strings}</sst>`),
    });
    let count = 0;
    let last: readonly string[] = [];
    for await (const row of readTable('xlsx', file, { ...readLimits, heapMb: 48 })) {
      count++;
      last = row;
    }
    expect([count, last.length, last.at(-1)]).toEqual([
      rows,
      columns,
      `运单 74999 & ${'x'.repeat(19)}`,
    ]);
  });
});
