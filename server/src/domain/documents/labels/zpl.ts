import type { Bitmap } from './bitmap.ts';

/**
 * Writes a repeat count before a digit: letters from g to z count twenties, letters from G to Y
 * count ones. The largest count is 419.
 */
const repeated = (digit: string, count: number): string => {
  if (count < 3) return digit.repeat(count);
  const [twenties, ones] = [Math.floor(count / 20), count % 20];
  return `${twenties > 0 ? String.fromCharCode(0x66 + twenties) : ''}${ones > 0 ? String.fromCharCode(0x46 + ones) : ''}${digit}`;
};
const mostRepeats = 419;

/**
 * Compresses one row of hexadecimal digits. A comma means that the rest of the row is white, and an
 * exclamation mark means that the rest is black.
 */
const compressed = (row: string): string => {
  let text = '';
  for (let at = 0; at < row.length;) {
    const digit = row[at]!;
    let end = at;
    while (end < row.length && row[end] === digit) end++;
    if (end === row.length && digit === '0') return `${text},`;
    if (end === row.length && digit === 'F') return `${text}!`;
    for (let left = end - at; left > 0; left -= mostRepeats)
      text += repeated(digit, Math.min(left, mostRepeats));
    at = end;
  }
  return text;
};

/**
 * The data of the ZPL command `^GFA`, compressed as ZPL defines. A colon means that a row equals
 * the row before it.
 */
export const graphicData = ({ height, bytesPerRow, bytes }: Bitmap): string => {
  const digits = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    .toString('hex')
    .toUpperCase();
  let before: string | null = null;
  let text = '';
  for (let y = 0; y < height; y++) {
    const row = digits.slice(y * bytesPerRow * 2, (y + 1) * bytesPerRow * 2);
    text += row === before ? ':' : compressed(row);
    before = row;
  }
  return text;
};

/**
 * A label as a ZPL II document. It is one bitmap of the whole label, because few printers have our
 * characters (requirements §10.17.26). `darkness` is 0–30; if absent, the printer's own setting
 * counts.
 */
export const zplOf = (bitmap: Bitmap, darkness?: number): string => {
  const total = bitmap.bytes.length;
  return [
    darkness === undefined ? '' : `~SD${String(darkness).padStart(2, '0')}`,
    `^XA^PW${bitmap.width}^LL${bitmap.height}^LH0,0`,
    `^FO0,0^GFA,${total},${total},${bitmap.bytesPerRow},${graphicData(bitmap)}^FS`,
    '^PQ1^XZ',
  ]
    .filter((line) => line !== '')
    .join('\n')
    .concat('\n');
};
