import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { brotliDecompressSync } from 'node:zlib';
import { create } from 'fontkit';
import type { Font } from 'fontkit';

export type Weight = 'regular' | 'bold';
/** `rare` is Waystation Rare Han, for ideographs that Noto Sans SC lacks (fonts/README.md). */
export type FaceName = Weight | 'rare';

export interface Glyph {
  character: string;
  face: FaceName;
  /** Ems: its width, and its ink above and below the baseline. */
  advance: number;
  above: number;
  below: number;
}

export interface Typefaces {
  /** The glyph of a code point; null: no face has one. */
  glyph(codePoint: number, weight: Weight): Glyph | null;
  /** The opened font file of a face. */
  open(face: FaceName): Font;
}

const require = createRequire(import.meta.url);
const noto = '@expo-google-fonts/noto-sans-sc';

const read: Record<FaceName, () => Uint8Array> = {
  regular: () => readFileSync(require.resolve(`${noto}/400Regular/NotoSansSC_400Regular.ttf`)),
  bold: () => readFileSync(require.resolve(`${noto}/700Bold/NotoSansSC_700Bold.ttf`)),
  rare: () => brotliDecompressSync(readFileSync(new URL('./fonts/rare-han.ttf.br', import.meta.url))),
};

/** Planes 2 and 3 hold ideographs only; the rare face is not opened for anything else. */
const isRareIdeograph = (codePoint: number): boolean => codePoint >= 0x20000 && codePoint < 0x40000;

/** The code point that Unicode calls the same character: 精 of Korean sources is 精. Null where there is none. */
const equivalentOf = (codePoint: number): number | null => {
  const same = String.fromCodePoint(codePoint).normalize('NFC').codePointAt(0)!;
  return same === codePoint ? null : same;
};

/** The label's fonts. Each file is read when first needed and stays in memory (10 MB each, the rare face 28 MB). */
export const openTypefaces = (): Typefaces => {
  const fonts = new Map<FaceName, Font>();
  const open = (face: FaceName): Font => {
    const opened = fonts.get(face);
    if (opened) return opened;
    const font = create(read[face]() as Buffer) as Font;
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
    const own = find(codePoint, weight) ?? (isRareIdeograph(codePoint) ? find(codePoint, 'rare') : null);
    const same = own === null ? equivalentOf(codePoint) : null;
    const found: Glyph | null = same === null ? own : glyph(same, weight);
    known[weight].set(codePoint, found);
    return found;
  };
  return { glyph, open };
};

/**
 * The font with glyphs looked up one by one, without shaping (no ligatures, no kerning), which our scripts do not need: drawn widths equal
 * the measured ones, and a line is much cheaper.
 */
export const unshaped = (font: Font): Font => {
  const layout = (text: string) => {
    const glyphs = Array.from(text, (character) => font.glyphForCodePoint(character.codePointAt(0)!));
    const positions = glyphs.map((glyph) => ({ xAdvance: glyph.advanceWidth, yAdvance: 0, xOffset: 0, yOffset: 0 }));
    return { glyphs, positions, advanceWidth: glyphs.reduce((sum, glyph) => sum + glyph.advanceWidth, 0) };
  };
  return Object.create(font, { layout: { value: layout } }) as Font;
};
