import { inflateRawSync } from 'node:zlib';

// Reads the displayed texts of the first sheet of a workbook.

const plain = (xml: string): string =>
  xml
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

/** Reads one file of a ZIP archive. The list at the end of the archive gives its position. */
const partOf = (file: Buffer, wanted: string): string => {
  for (
    let at = file.readUInt32LE(file.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1')) + 16);
    file.readUInt32LE(at) === 0x02014b50;
  ) {
    const [method, packed] = [file.readUInt16LE(at + 10), file.readUInt32LE(at + 20)];
    const [name, extra, comment] = [
      file.readUInt16LE(at + 28),
      file.readUInt16LE(at + 30),
      file.readUInt16LE(at + 32),
    ];
    if (file.toString('utf8', at + 46, at + 46 + name) === wanted) {
      const local = file.readUInt32LE(at + 42);
      const start = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28);
      const content = file.subarray(start, start + packed);
      return (method === 8 ? inflateRawSync(content) : content).toString('utf8');
    }
    at += 46 + name + extra + comment;
  }
  throw new Error(`the workbook has no ${wanted}`);
};

const columnOf = (letters: string): number =>
  [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;

/** The rows of the workbook's first sheet. The first row contains the column titles. */
export const cellsOf = (file: Buffer): string[][] =>
  Array.from(
    partOf(file, 'xl/worksheets/sheet1.xml').matchAll(/<row [^>]*>(.*?)<\/row>/gs),
    ([, row = '']) => {
      const cells: string[] = [];
      for (const [, letters = '', text = ''] of row.matchAll(
        /<c r="([A-Z]+)\d+"[^>]*>.*?<t[^>]*>([^<]*)<\/t>/gs,
      ))
        cells[columnOf(letters)] = plain(text);
      return Array.from(cells, (cell) => cell ?? '');
    },
  );
