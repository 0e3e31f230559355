import bwip from 'bwip-js/node';
import { present } from '@waystation/contract/base/present.ts';

/** The bars of a one-dimensional code, each with its start and width in modules. */
export interface Bars {
  modules: number;
  bars: [start: number, width: number][];
}

/**
 * A square code such as a QR code. It consists of dark horizontal bars, row by row, measured in
 * modules.
 */
export interface Squares {
  modules: number;
  runs: [x: number, y: number, width: number][];
}

/**
 * The width of the white zone around a code, in modules: `bars` for Code 128, `squares` for QR
 * codes.
 */
export const quietZone = { bars: 10, squares: 4 };

/**
 * Caches the last few codes, because the packages of a parcel share codes, and many parcels share a
 * URL.
 */
const remember = <T>(make: (text: string) => T): ((text: string) => T) => {
  const known = new Map<string, { made: T }>();
  return (text) => {
    const found = known.get(text);
    // `made` may be null, because some texts cannot be encoded.
    if (found !== undefined) return found.made;
    if (known.size >= 64) known.delete(present(known.keys().next().value));
    const made = make(text);
    known.set(text, { made });
    return made;
  };
};

/** The bars of an ASCII text as Code 128, with the character sets that give the shortest code. */
export const code128 = remember((text: string): Bars => {
  const [encoded] = bwip.raw('code128', text, '');
  const widths: number[] = encoded && 'sbs' in encoded ? encoded.sbs : [];
  const bars: Bars['bars'] = [];
  let at = 0;
  for (const [index, width] of widths.entries()) {
    if (index % 2 === 0) bars.push([at, width]);
    at += width;
  }
  return { modules: at, bars };
});

/** The sorting code of SF Express, which only machines read. */
const sortingCode = /^MMM=\{[ -~]{1,300}\}$/;

/**
 * A QR code. Null if the text is not a carrier's sorting code and not an http or https URL that is
 * short enough to print. A sorting code is long, so it gets the lowest error correction.
 */
export const qrcode = remember((url: string): Squares | null => {
  const isSorting = sortingCode.test(url);
  if (!isSorting && !/^https?:\/\/[!-~]{1,300}$/.test(url)) return null;
  const [encoded] = bwip.raw('qrcode', url, `eclevel=${isSorting ? 'L' : 'M'}`);
  if (!encoded || !('pixs' in encoded)) return null;
  const { pixs, pixx } = encoded;
  const runs: Squares['runs'] = [];
  for (let y = 0; y < pixx; y += 1) {
    for (let x = 0; x < pixx; x += 1) {
      if (!pixs[y * pixx + x]) continue;
      const start = x;
      while (x + 1 < pixx && pixs[y * pixx + x + 1]) x += 1;
      runs.push([start, y, x - start + 1]);
    }
  }
  return { modules: pixx, runs };
});
