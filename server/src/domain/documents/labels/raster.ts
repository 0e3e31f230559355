import { present } from '@waystation/contract/base/present.ts';
import type { Typefaces } from '#domain/documents/typefaces.ts';
import { blankBitmap, fillBox, setDot } from './bitmap.ts';
import type { Bitmap } from './bitmap.ts';
import { glyphMasks } from './glyph-mask.ts';
import type { GlyphMask } from './glyph-mask.ts';
import { contour, thickening } from './page.ts';
import type { Box, Item, Page } from './page.ts';

/** The distance in dots by which a label is moved on its paper. */
export interface Offset {
  x: number;
  y: number;
}

type TextItem = Extract<Item, { kind: 'text' }>;

/** The typefaces of a label, and the bitmaps of their characters. */
interface Glyphs {
  faces: Typefaces;
  masks: ReturnType<typeof glyphMasks>;
}

const stamp = (
  bitmap: Bitmap,
  { left, top, width, height, dots }: GlyphMask,
  { originX, originY, black }: { originX: number; originY: number; black: boolean },
): void => {
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (dots[y * width + x] === 1) setDot(bitmap, originX + left + x, originY + top + y, black);
};

const drawText = (
  bitmap: Bitmap,
  { lines, size, weight, ink }: TextItem,
  { faces, masks }: Glyphs,
  offset: Offset,
): void => {
  for (const line of lines)
    for (const run of line.runs) {
      const font = faces.open(run.face);
      const paint = (around: number, black: boolean): void => {
        let x = line.x + run.x + offset.x;
        for (const character of run.text) {
          const codePoint = present(character.codePointAt(0));
          stamp(bitmap, masks(run.face, codePoint, size, around), {
            originX: Math.round(x),
            originY: Math.round(line.baseline + offset.y),
            black,
          });
          x += (font.glyphForCodePoint(codePoint).advanceWidth / font.unitsPerEm) * size;
        }
      };
      const thick = thickening(run.face, weight, size);
      if (ink === 'outline') {
        // The white inside of all characters is drawn last, so that no outline covers the next
        // character.
        paint(2 * contour + thick, true);
        paint(0, false);
      } else paint(thick, ink === 'black');
    }
};

const drawItem = (bitmap: Bitmap, item: Item, { faces, masks }: Glyphs, offset: Offset): void => {
  const fill = ({ x, y, w, h }: Box): void =>
    fillBox(bitmap, { x: x + offset.x, y: y + offset.y, w, h });
  const { box } = item;
  if (item.kind === 'text') drawText(bitmap, item, { faces, masks }, offset);
  else if (item.kind === 'frame') {
    const { thickness } = item;
    fill({ ...box, h: thickness });
    fill({ ...box, y: box.y + box.h - thickness, h: thickness });
    fill({ ...box, w: thickness });
    fill({ ...box, x: box.x + box.w - thickness, w: thickness });
  } else if (item.kind === 'bars') {
    const { area, module, code } = item;
    for (const [start, width] of code.bars)
      fill({ x: area.x + start * module, y: area.y, w: width * module, h: area.h });
  } else if (item.kind === 'squares') {
    const { area, module, code } = item;
    for (const [x, y, width] of code.runs)
      fill({ x: area.x + x * module, y: area.y + y * module, w: width * module, h: module });
  } else fill(box);
};

/**
 * Draws pages as a 203 dpi printer prints them: codes and lines exactly as laid out, characters by
 * their outlines. Dots that an offset moves beyond the paper's edge are cut off.
 */
export const rasterizer = (faces: Typefaces): ((page: Page, offset?: Offset) => Bitmap) => {
  const masks = glyphMasks(faces);
  return (page, offset = { x: 0, y: 0 }) => {
    const bitmap = blankBitmap(page.width, page.height);
    for (const item of page.items) drawItem(bitmap, item, { faces, masks }, offset);
    return bitmap;
  };
};
