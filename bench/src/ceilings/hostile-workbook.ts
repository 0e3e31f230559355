import { constants, crc32, createDeflateRaw } from 'node:zlib';

export interface Part {
  name: string;
  crc: number;
  size: number;
  packed: Buffer;
}

/** Compresses a long repeated text piece by piece, so that the complete text is never in memory. */
const repeated = async (
  name: string,
  { before, text, times, after }: { before: string; text: string; times: number; after: string },
): Promise<Part> => {
  const deflate = createDeflateRaw({ level: constants.Z_BEST_COMPRESSION });
  const packed: Buffer[] = [];
  const done = new Promise<void>((resolve, reject) =>
    deflate
      .on('data', (chunk: Buffer) => packed.push(chunk))
      .on('end', resolve)
      .on('error', reject),
  );
  const perChunk = Math.min(times, 20_000);
  const chunk = Buffer.from(text.repeat(perChunk));
  let crc = 0;
  let size = 0;
  const write = async (bytes: Buffer): Promise<void> => {
    crc = crc32(bytes, crc);
    size += bytes.length;
    if (!deflate.write(bytes)) await new Promise((resume) => deflate.once('drain', resume));
  };
  await write(Buffer.from(before));
  for (let made = 0; made < times; made += perChunk) await write(chunk);
  await write(Buffer.from(after));
  deflate.end();
  await done;
  return { name, crc, size, packed: Buffer.concat(packed) };
};

const zipOf = (parts: readonly Part[]): Buffer => {
  const entries: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, crc, size, packed } of parts) {
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc, 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(size, 18);
    fields.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([
      Buffer.from('PK\u0003\u0004', 'latin1'),
      fields,
      Buffer.from(name),
      packed,
    ]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(at, 10);
    directory.push(
      Buffer.concat([
        Buffer.from('PK\u0001\u0002', 'latin1'),
        Buffer.from([20, 0]),
        fields,
        rest,
        Buffer.from(name),
      ]),
    );
    entries.push(local);
    at += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(parts.length, 4);
  end.writeUInt16LE(parts.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...entries, central, Buffer.from('PK\u0005\u0006', 'latin1'), end]);
};

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const plain = (name: string, text: string): Promise<Part> =>
  repeated(name, { before: xml + text, text: '', times: 1, after: '' });

/** Returns about 300 MB of very short strings. They are compressed only once. */
export const tinyStrings = (): Promise<Part> =>
  repeated('xl/sharedStrings.xml', {
    before: `${xml}<sst ${main}>`,
    text: '<si><t>a</t></si>',
    times: 17_000_000,
    after: '</sst>',
  });

/**
 * Returns a workbook of less than a megabyte. When it is decompressed, its short shared strings
 * need about 300 MB. Each `mark` results in a different file.
 */
export const hostileWorkbook = async (strings: Part, mark: number): Promise<Buffer> =>
  zipOf([
    await plain(
      '[Content_Types].xml',
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/></Types>',
    ),
    await plain(
      '_rels/.rels',
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ),
    await plain(
      'xl/workbook.xml',
      `<workbook ${main} xmlns:r="${office}"><sheets><sheet name="s${mark}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ),
    await plain(
      'xl/_rels/workbook.xml.rels',
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${office}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    ),
    strings,
    await plain(
      'xl/worksheets/sheet1.xml',
      `<worksheet ${main}><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c></row></sheetData></worksheet>`,
    ),
  ]);
