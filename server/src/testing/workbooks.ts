import { constants, deflateRawSync } from 'node:zlib';

interface Stored {
  name: string;
  deflated: Buffer;
  /** The uncompressed size that the archive states for this file. It may be false. */
  size: number;
}

const archiveOf = (entries: readonly Stored[]): Buffer => {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, deflated, size } of entries) {
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(8, 8);
    local.writeUInt32LE(deflated.length, 18);
    local.writeUInt32LE(size, 22);
    local.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(deflated.length, 20);
    entry.writeUInt32LE(size, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(at, 42);
    locals.push(local, Buffer.from(name), deflated);
    directory.push(entry, Buffer.from(name));
    at += 30 + name.length + deflated.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, ...directory, end]);
};

/**
 * Returns a ZIP archive. If `claimed` is given, each file in the archive states it as its
 * uncompressed size instead of the real size.
 */
export const zipOf = (entries: Record<string, Buffer>, claimed?: number): Buffer =>
  archiveOf(
    Object.entries(entries).map(([name, content]) => ({
      name,
      deflated: deflateRawSync(content),
      size: claimed ?? content.length,
    })),
  );

/**
 * Returns a block that is compressed once and then repeated. Hundreds of megabytes become a few
 * hundred kilobytes and are created very quickly.
 */
const repeated = (
  before: string,
  block: Buffer,
  times: number,
  after: string,
): { deflated: Buffer; size: number } => {
  const flush = (content: Buffer): Buffer =>
    deflateRawSync(content, { finishFlush: constants.Z_FULL_FLUSH });
  const piece = flush(block);
  const parts = [
    flush(Buffer.from(before)),
    ...Array.from({ length: times }, () => piece),
    deflateRawSync(Buffer.from(after)),
  ];
  return {
    deflated: Buffer.concat(parts),
    size: before.length + block.length * times + after.length,
  };
};

const relation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** Returns the smallest workbook that contains this sheet XML. */
export const workbookOf = (sheet: string | Buffer): Record<string, Buffer> => ({
  '[Content_Types].xml': Buffer.from(
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
  ),
  '_rels/.rels': Buffer.from(
    `<Relationships><Relationship Id="rId1" Type="${relation}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ),
  'xl/workbook.xml': Buffer.from(
    '<workbook><sheets><sheet name="a" sheetId="1" r:id="rId1"/></sheets></workbook>',
  ),
  'xl/_rels/workbook.xml.rels': Buffer.from(
    `<Relationships><Relationship Id="rId1" Type="${relation}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${relation}/sharedStrings" Target="/xl/sharedStrings.xml"/><Relationship Id="rId3" Type="${relation}/styles" Target="styles.xml"/></Relationships>`,
  ),
  'xl/worksheets/sheet1.xml': Buffer.from(sheet),
});

const withHuge = (name: string, huge: { deflated: Buffer; size: number }, sheet: string): Buffer =>
  archiveOf([
    ...Object.entries({ ...workbookOf(sheet), [name]: Buffer.alloc(0) })
      .filter(([other]) => other !== name)
      .map(([other, content]) => ({
        name: other,
        deflated: deflateRawSync(content),
        size: content.length,
      })),
    { name, ...huge },
  ]);

/**
 * Returns a workbook in which one part repeats a block many times. The file is small, but the part
 * has any chosen size when it is uncompressed.
 */
export const repeatingWorkbook = (
  name: string,
  [before, block, times, after]: readonly [string, string, number, string],
  sheet = '',
): Buffer => withHuge(name, repeated(before, Buffer.from(block), times, after), sheet);

const megabyte = 1024 * 1024;
const filled = (text: string): Buffer =>
  Buffer.alloc(Math.floor(megabyte / text.length) * text.length, text);

/**
 * Returns a workbook of a few hundred kilobytes. Its shared strings have one letter each, and need
 * 300 MB when they are uncompressed.
 */
export const tinyStringsWorkbook = (): Buffer =>
  withHuge(
    'xl/sharedStrings.xml',
    repeated('<sst>', filled('<si><t>a</t></si>'), 300, '</sst>'),
    '<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c></row></sheetData></worksheet>',
  );

/**
 * Returns a workbook whose sheet has `megabytes` megabytes when it is uncompressed. The sheet
 * consists of one long cell, many rows, or spaces between rows.
 */
export const inflatingWorkbook = (kind: 'cell' | 'rows' | 'spaces', megabytes: number): Buffer => {
  const [before, block, after] = {
    cell: [
      '<worksheet><sheetData><row><c t="inlineStr"><is><t>',
      filled('a'),
      '</t></is></c></row></sheetData></worksheet>',
    ] as const,
    rows: [
      '<worksheet><sheetData>',
      filled('<row><c><v>1</v></c></row>'),
      '</sheetData></worksheet>',
    ] as const,
    spaces: ['<worksheet><sheetData>', filled(' '), '</sheetData></worksheet>'] as const,
  }[kind];
  return withHuge('xl/worksheets/sheet1.xml', repeated(before, block, megabytes, after), '');
};
