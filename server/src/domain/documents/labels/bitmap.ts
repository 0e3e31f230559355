/**
 * A bitmap with one bit for each dot; 1 is black. Each row has whole bytes, and its first dot is in
 * the highest bit.
 */
export interface Bitmap {
  width: number;
  height: number;
  bytesPerRow: number;
  bytes: Uint8Array;
}

export const blankBitmap = (width: number, height: number): Bitmap => {
  const bytesPerRow = Math.ceil(width / 8);
  return { width, height, bytesPerRow, bytes: new Uint8Array(bytesPerRow * height) };
};

/** Sets a dot to black or white; a dot outside the bitmap is ignored. */
export const setDot = (
  { width, height, bytesPerRow, bytes }: Bitmap,
  x: number,
  y: number,
  black: boolean,
): void => {
  if (x < 0 || y < 0 || x >= width || y >= height) return;
  const at = y * bytesPerRow + (x >> 3);
  const bit = 0x80 >> (x & 7);
  if (black) bytes[at]! |= bit;
  else bytes[at]! &= ~bit;
};

export const isBlack = ({ bytesPerRow, bytes }: Bitmap, x: number, y: number): boolean =>
  (bytes[y * bytesPerRow + (x >> 3)]! & (0x80 >> (x & 7))) !== 0;

/** Fills a rectangle with black. Its edges are rounded to whole dots. */
export const fillBox = (
  bitmap: Bitmap,
  { x, y, w, h }: { x: number; y: number; w: number; h: number },
): void => {
  const [left, top] = [Math.max(0, Math.round(x)), Math.max(0, Math.round(y))];
  const [right, bottom] = [
    Math.min(bitmap.width, Math.round(x + w)),
    Math.min(bitmap.height, Math.round(y + h)),
  ];
  for (let row = top; row < bottom; row++)
    for (let column = left; column < right; column++) setDot(bitmap, column, row, true);
};
