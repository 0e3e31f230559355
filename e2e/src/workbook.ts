import { crc32, deflateRawSync } from 'node:zlib';

// Creates a minimal valid .xlsx file: one sheet of texts and numbers, as a carrier's program would
// write it.

type Cell = string | number;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const sheetOf = (rows: readonly (readonly Cell[])[], hidden: readonly number[]): string => {
  const cells = (row: readonly Cell[]): string =>
    row
      .map((cell) =>
        typeof cell === 'number'
          ? `<c><v>${cell}</v></c>`
          : `<c t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`,
      )
      .join('');
  return `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows.map((row, at) => `<row r="${at + 1}"${hidden.includes(at + 1) ? ' hidden="1"' : ''}>${cells(row)}</row>`).join('')}</sheetData></worksheet>`;
};

const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packaged = 'http://schemas.openxmlformats.org/package/2006';
const sheetTypes = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const partsOf = (
  rows: readonly (readonly Cell[])[],
  hidden: readonly number[],
): [string, string][] => [
  [
    '[Content_Types].xml',
    `<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${sheetTypes}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${sheetTypes}.worksheet+xml"/></Types>`,
  ],
  [
    '_rels/.rels',
    `<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${relationships}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ],
  [
    'xl/workbook.xml',
    `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${relationships}"><sheets><sheet name="账单" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  ],
  [
    'xl/_rels/workbook.xml.rels',
    `<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${relationships}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
  ],
  ['xl/worksheets/sheet1.xml', sheetOf(rows, hidden)],
];

/**
 * The header fields of a file in a ZIP. The header before the file and the list at the end of the
 * ZIP both contain them.
 */
const factsOf = (name: Buffer, packed: Buffer, content: Buffer): Buffer => {
  const facts = Buffer.alloc(26);
  facts.writeUInt16LE(20, 0);
  // The flag for names in UTF-8; the next field says that the content is compressed with deflate.
  facts.writeUInt16LE(0x0800, 2);
  facts.writeUInt16LE(8, 4);
  // The date 1 January 1980. It is the earliest date that the format permits.
  facts.writeUInt16LE(0x21, 8);
  facts.writeUInt32LE(crc32(content), 10);
  facts.writeUInt32LE(packed.length, 14);
  facts.writeUInt32LE(content.length, 18);
  facts.writeUInt16LE(name.length, 22);
  return facts;
};

const mark = (number: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(number);
  return bytes;
};

/** An .xlsx with one sheet. */
export const workbookOf = (
  rows: readonly (readonly Cell[])[],
  hidden: readonly number[] = [],
): Buffer => {
  const files: Buffer[] = [];
  const list: Buffer[] = [];
  let at = 0;
  for (const [path, text] of partsOf(rows, hidden)) {
    const [name, content] = [
      Buffer.from(path),
      Buffer.from(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>${text}`),
    ];
    const packed = deflateRawSync(content);
    const facts = factsOf(name, packed, content);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    files.push(mark(0x04034b50), facts, name, packed);
    list.push(mark(0x02014b50), Buffer.from([20, 0]), facts, place, name);
    at += 30 + name.length + packed.length;
  }
  const listed = Buffer.concat(list);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length / 4, 4);
  end.writeUInt16LE(files.length / 4, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...files, listed, mark(0x06054b50), end]);
};
