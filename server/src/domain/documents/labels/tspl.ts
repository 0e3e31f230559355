import type { Bitmap } from './bitmap.ts';
import { dotsPerMillimetre } from './formats.ts';

const millimetres = (dots: number): string => String(dots / dotsPerMillimetre);

/**
 * A label as TSPL: one bitmap of the whole label (requirements §10.17.26). Its dots are
 * uncompressed bytes in which a zero bit prints black, because not every printer has compressed
 * modes. `GAP` is left out, because the printer is calibrated for its roll. `darkness` 0–15;
 * absent: the printer's own setting.
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
