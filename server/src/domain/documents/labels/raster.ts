import type { Typefaces } from '#domain/documents/typefaces.ts';
import { blankBitmap, fillBox, setDot } from './bitmap.ts';
import type { Bitmap } from './bitmap.ts';
import { glyphMasks } from './glyph-mask.ts';
import type { GlyphMask } from './glyph-mask.ts';
import { contour } from './page.ts';
import type { Box, Ink, Item, Page } from './page.ts';

/** Dots by which a label is moved on its paper. */
export interface Offset {
  x: number;
  y: number;
}

type TextItem = Extract<Item, { kind: 'text' }>;
type Masks = ReturnType<typeof glyphMasks>;

/** Positions of a disc with the contour's radius. */
const around = Array.from(
  { length: (2 * contour + 1) ** 2 },
  (_, no) => [(no % (2 * contour + 1)) - contour, Math.floor(no / (2 * contour + 1)) - contour] as const,
).filter(([x, y]) => x * x + y * y <= contour * contour + 1);

const stamp = (bitmap: Bitmap, mask: GlyphMask, originX: number, originY: number, ink: Ink): void => {
  const [x0, y0] = [originX + mask.left, originY + mask.top];
  const each = (paint: (x: number, y: number) => void): void => {
    for (const [at, dot] of mask.dots.entries()) if (dot === 1) paint(x0 + (at % mask.width), y0 + Math.floor(at / mask.width));
  };
  if (ink === 'outline') {
    each((x, y) => {
      for (const [dx, dy] of around) setDot(bitmap, x + dx, y + dy, true);
    });
    each((x, y) => setDot(bitmap, x, y, false));
  } else each((x, y) => setDot(bitmap, x, y, ink === 'black'));
};

const drawText = (bitmap: Bitmap, item: TextItem, faces: Typefaces, masks: Masks, offset: Offset): void => {
  for (const line of item.lines)
    for (const run of line.runs) {
      const font = faces.open(run.face);
      let x = line.x + run.x + offset.x;
      for (const character of run.text) {
        const codePoint = character.codePointAt(0)!;
        stamp(bitmap, masks(run.face, codePoint, item.size), Math.round(x), Math.round(line.baseline + offset.y), item.ink);
        x += (font.glyphForCodePoint(codePoint).advanceWidth / font.unitsPerEm) * item.size;
      }
    }
};

const drawItem = (bitmap: Bitmap, item: Item, faces: Typefaces, masks: Masks, offset: Offset): void => {
  const fill = ({ x, y, w, h }: Box): void => fillBox(bitmap, x + offset.x, y + offset.y, w, h);
  const { box } = item;
  if (item.kind === 'text') drawText(bitmap, item, faces, masks, offset);
  else if (item.kind === 'frame') {
    const { thickness } = item;
    fill({ ...box, h: thickness });
    fill({ ...box, y: box.y + box.h - thickness, h: thickness });
    fill({ ...box, w: thickness });
    fill({ ...box, x: box.x + box.w - thickness, w: thickness });
  } else if (item.kind === 'bars') {
    const { area, module, code } = item;
    for (const [start, width] of code.bars) fill({ x: area.x + start * module, y: area.y, w: width * module, h: area.h });
  } else if (item.kind === 'squares') {
    const { area, module, code } = item;
    for (const [x, y, width] of code.runs) fill({ x: area.x + x * module, y: area.y + y * module, w: width * module, h: module });
  } else fill(box);
};

/**
 * Draws pages as a 203 dpi printer of whole dots prints them: codes and lines exactly, as the layout places them, characters by their outlines.
 * What an offset moves over the paper's edge is cut off.
 */
export const rasterizer = (faces: Typefaces): ((page: Page, offset?: Offset) => Bitmap) => {
  const masks = glyphMasks(faces);
  return (page, offset = { x: 0, y: 0 }) => {
    const bitmap = blankBitmap(page.width, page.height);
    for (const item of page.items) drawItem(bitmap, item, faces, masks, offset);
    return bitmap;
  };
};
