import bwip from 'bwip-js/node';

/** The width of the white border on each side, in modules. */
const quiet = 4;

/**
 * Returns a QR code as an SVG path of its dark modules. The code is a square of `modules` ×
 * `modules`, including its white border.
 */
export const qrPath = (text: string): { modules: number; path: string } => {
  const [code] = bwip.raw('qrcode', text, 'eclevel=M');
  if (!code || !('pixs' in code)) throw new Error('no squares were drawn');
  const { pixs, pixx } = code;
  const pieces: string[] = [];
  for (let y = 0; y * pixx < pixs.length; y++)
    for (let x = 0; x < pixx; x++) {
      if (!pixs[y * pixx + x]) continue;
      const from = x;
      while (x < pixx && pixs[y * pixx + x]) x++;
      pieces.push(`M${from + quiet} ${y + quiet}h${x - from}v1h-${x - from}z`);
    }
  return { modules: pixx + 2 * quiet, path: pieces.join('') };
};
