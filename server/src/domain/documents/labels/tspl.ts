import type { Bitmap } from './bitmap.ts';
import { dotsPerMillimetre } from './formats.ts';

const millimetres = (dots: number): string => String(dots / dotsPerMillimetre);

/**
 * A label as TSPL: one bitmap of the whole label (requirements §10.17.26). The bitmap is not
 * compressed, because some printers cannot decompress, and a zero bit prints a black dot. `GAP` is
 * left out, because the printer is calibrated for its paper roll. `darkness` is 0–15; if absent,
 * the printer's own setting counts.
 */
export const tsplOf = (
  { width, height, bytesPerRow, bytes }: Bitmap,
  darkness?: number,
): Uint8Array => {
  const head = [
    `SIZE ${millimetres(width)} mm,${millimetres(height)} mm`,
    ...(darkness === undefined ? [] : [`DENSITY ${darkness}`]),
    'DIRECTION 0',
    'REFERENCE 0,0',
    'CLS',
    `BITMAP 0,0,${bytesPerRow},${height},0,`,
  ].join('\r\n');
  return Buffer.concat([
    Buffer.from(head, 'latin1'),
    bytes.map((byte) => byte ^ 0xff),
    Buffer.from('\r\nPRINT 1,1\r\n', 'latin1'),
  ]);
};
