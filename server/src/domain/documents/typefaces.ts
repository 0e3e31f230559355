import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { create } from 'fontkit';
import type { Font } from 'fontkit';
import { present } from '@waystation/contract/base/present.ts';

export type Weight = 'regular' | 'bold';
/**
 * `rare` is the typeface Waystation Rare Han, for Chinese characters that Noto Sans SC does not
 * have (fonts/README.md).
 */
export type FaceName = Weight | 'rare';

export interface Glyph {
  character: string;
  face: FaceName;
  /**
   * The width of the glyph, as a multiple of the font size; `above` and `below` are its printed
   * height above and below the baseline.
   */
  advance: number;
  above: number;
  below: number;
}

export interface Typefaces {
  /** The glyph of a character; null if no typeface has it. */
  glyph(codePoint: number, weight: Weight): Glyph | null;
  /** Opens the font file of a typeface. */
  open(face: FaceName): Font;
}

const fontFiles: Record<FaceName, string> = {
  regular: './fonts/noto-sans-sc-regular.ttf.br',
  bold: './fonts/noto-sans-sc-bold.ttf.br',
  rare: './fonts/rare-han.ttf.br',
};

const read = (face: FaceName): Uint8Array =>
  brotliDecompressSync(readFileSync(new URL(fontFiles[face], import.meta.url)));

/**
 * True for the Unicode planes 2 and 3, which contain only ideographs. The typeface for rare
 * characters is opened only for these.
 */
const isRareIdeograph = (codePoint: number): boolean => codePoint >= 0x20000 && codePoint < 0x40000;

/**
 * The code point that Unicode defines as the same character: the Korean variant 精 is 精. Null if
 * there is none.
 */
const equivalentOf = (codePoint: number): number | null => {
  const same = present(String.fromCodePoint(codePoint).normalize('NFC').codePointAt(0));
  return same === codePoint ? null : same;
};

/**
 * Opens the typefaces of labels. Each font file is read when first needed and stays in memory: 10
 * MB each, 28 MB for the rare characters.
 */
export const openTypefaces = (): Typefaces => {
  const fonts = new Map<FaceName, Font>();
  const open = (face: FaceName): Font => {
    const opened = fonts.get(face);
    if (opened) return opened;
    const font = create(read(face) as Buffer) as Font;
    fonts.set(face, font);
    return font;
  };
  const find = (codePoint: number, face: FaceName): Glyph | null => {
    const font = open(face);
    if (!font.hasGlyphForCodePoint(codePoint)) return null;
    const { advanceWidth, cbox } = font.glyphForCodePoint(codePoint);
    const inked = Number.isFinite(cbox.maxY) && Number.isFinite(cbox.minY);
    const [above, below] = inked ? [cbox.maxY, -cbox.minY] : [0, 0];
    return {
      character: String.fromCodePoint(codePoint),
      face,
      advance: advanceWidth / font.unitsPerEm,
      above: above / font.unitsPerEm,
      below: below / font.unitsPerEm,
    };
  };
  const known = { regular: new Map<number, Glyph | null>(), bold: new Map<number, Glyph | null>() };
  const glyph: Typefaces['glyph'] = (codePoint, weight) => {
    const cached = known[weight].get(codePoint);
    if (cached !== undefined) return cached;
    const own =
      find(codePoint, weight) ?? (isRareIdeograph(codePoint) ? find(codePoint, 'rare') : null);
    const same = own === null ? equivalentOf(codePoint) : null;
    const found: Glyph | null = same === null ? own : glyph(same, weight);
    known[weight].set(codePoint, found);
    return found;
  };
  return { glyph, open };
};

/**
 * The font without shaping (ligatures and kerning): glyphs are looked up one by one. Our scripts
 * need no shaping, the drawn width equals the measured width, and a line takes much less time.
 */
export const unshaped = (font: Font): Font => {
  const layout = (text: string) => {
    const glyphs = Array.from(text, (character) =>
      font.glyphForCodePoint(present(character.codePointAt(0))),
    );
    const positions = glyphs.map((glyph) => ({
      xAdvance: glyph.advanceWidth,
      yAdvance: 0,
      xOffset: 0,
      yOffset: 0,
    }));
    return {
      glyphs,
      positions,
      advanceWidth: glyphs.reduce((sum, glyph) => sum + glyph.advanceWidth, 0),
    };
  };
  return Object.create(font, { layout: { value: layout } }) as Font;
};
