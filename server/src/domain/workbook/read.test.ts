import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { UnreadableFile, readTable, writeWorkbook } from './workbook.ts';
import type { WorkbookFormat } from './workbook.ts';

const rowsOf = async (format: WorkbookFormat, file: Buffer): Promise<(readonly string[])[]> => {
  const rows = [];
  for await (const row of readTable(format, file)) rows.push(row);
  return rows;
};
const refusal = (file: Buffer): Promise<unknown> =>
  rowsOf('xlsx', file).then(
    () => 'read',
    (error: unknown) => error instanceof UnreadableFile,
  );

/** A ZIP archive as it is written by hand: entries may lie about their size. */
const zipOf = (entries: Record<string, Buffer>, saidSize?: number): Buffer => {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, content] of Object.entries(entries)) {
    const stored = deflateRawSync(content);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(8, 8);
    local.writeUInt32LE(stored.length, 18);
    local.writeUInt32LE(saidSize ?? content.length, 22);
    local.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(stored.length, 20);
    entry.writeUInt32LE(saidSize ?? content.length, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(at, 42);
    locals.push(local, Buffer.from(name), stored);
    directory.push(entry, Buffer.from(name));
    at += 30 + name.length + stored.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(entries).length, 8);
  end.writeUInt16LE(Object.keys(entries).length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, ...directory, end]);
};
/** The smallest workbook there is, around a sheet's XML. */
const workbookOf = (sheet: string): Record<string, Buffer> => ({
  '[Content_Types].xml': Buffer.from('<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'),
  '_rels/.rels': Buffer.from(
    '<Relationships><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>',
  ),
  'xl/workbook.xml': Buffer.from('<workbook><sheets><sheet name="a" sheetId="1" r:id="rId1"/></sheets></workbook>'),
  'xl/_rels/workbook.xml.rels': Buffer.from(
    '<Relationships><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
  ),
  'xl/worksheets/sheet1.xml': Buffer.from(sheet),
});
const cell = (text: string) => `<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>${text}</t></is></c></row></sheetData></worksheet>`;

describe('a CSV file', () => {
  const text = '运单号,金额,"备注, 说明"\r\nJD1,"1,234.50","他说""好""\n第二行"\n\nJD2,,\nJD3,5';
  const rows = [['运单号', '金额', '备注, 说明'], ['JD1', '1,234.50', '他说"好" 第二行'], ['JD2'], ['JD3', '5']];

  it('is read with its quotation marks, without empty rows and cells at the end', async () => {
    expect(await rowsOf('csv', Buffer.from(text))).toEqual(rows);
    expect(await rowsOf('csv', Buffer.from(`\ufeff${text}\r\n`))).toEqual(rows);
  });

  it('may have semicolons or tabs between its cells', async () => {
    expect(await rowsOf('csv', Buffer.from('a;b,c;d\n1;2,5;3'))).toEqual([
      ['a', 'b,c', 'd'],
      ['1', '2,5', '3'],
    ]);
    expect(await rowsOf('csv', Buffer.from('a\tb\n1\t2'))).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ]);
  });

  it('may be written in GBK', async () => {
    const gbk = Buffer.from([0xd4, 0xcb, 0xb5, 0xa5, 0xba, 0xc5, 0x2c, 0xbd, 0xf0, 0xb6, 0xee, 0x0a, 0x4a, 0x44, 0x31, 0x2c, 0x31]);
    expect(await rowsOf('csv', gbk)).toEqual([
      ['运单号', '金额'],
      ['JD1', '1'],
    ]);
  });
});

describe('a workbook', () => {
  it('is read as it was written, figures as the shortest decimals that name them', async () => {
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
    for await (const piece of writeWorkbook('xlsx', { name: 'a', columns, rows: rows() })) pieces.push(piece);
    expect(await rowsOf('xlsx', Buffer.concat(pieces))).toEqual([
      ['运单号', '金额', '重量', '时间'],
      ['00123', '19.75', '4.305', '2026-03-02 10:30:00'],
      ['', '0.1'],
    ]);
  });

  it('is nothing that only says so', async () => {
    expect(await refusal(Buffer.from('PK\u0003\u0004 and no more'))).toBe(true);
    expect(await refusal(zipOf({ 'a.txt': Buffer.from('a') }))).toBe(true);
  });

  it('that inflates beyond measure is never opened, whatever size it says it has', async () => {
    expect(await rowsOf('xlsx', zipOf(workbookOf(cell('a'))))).toEqual([['a']]);
    const huge = zipOf({ ...workbookOf(cell('a')), 'xl/worksheets/sheet1.xml': Buffer.alloc(340 * 1024 * 1024, ' ') }, 10);
    expect(huge.length).toBeLessThan(1_000_000);
    expect(await refusal(huge)).toBe(true);
  });

  it('has no entities of its own', async () => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>${cell('&b;&c;')}`;
    expect(await rowsOf('xlsx', zipOf(workbookOf(bomb)))).toEqual([['&b;&c;']]);
  });
});
