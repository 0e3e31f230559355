import { quietZone } from './barcodes.ts';
import type { Bars, Squares } from './barcodes.ts';
import { fit, shape } from './text-fit.ts';
import type { Line } from './text-fit.ts';
import type { FaceName, Typefaces, Weight } from '#domain/documents/typefaces.ts';

/** A rectangle, in dots from the upper left corner of the page. */
export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

/**
 * An item with the box in which it is drawn; nothing is drawn outside of the box. The box of a code
 * includes the white margin that must surround the code.
 */
export type Item =
  | {
      kind: 'text';
      box: Box;
      lines: (Line & { x: number; baseline: number })[];
      size: number;
      weight: Weight;
      ink: Ink;
    }
  | { kind: 'bars'; box: Box; area: Box; module: number; code: Bars; content: string }
  | { kind: 'squares'; box: Box; area: Box; module: number; code: Squares; content: string }
  | { kind: 'plate'; box: Box }
  | { kind: 'frame'; box: Box; thickness: number }
  | { kind: 'rule'; box: Box };

/**
 * `outline` means that only the outline of each character is drawn, for marks that must not look
 * like content.
 */
export type Ink = 'black' | 'white' | 'outline';

export interface Style {
  size: number;
  min: number;
  weight?: Weight;
  ink?: Ink;
  align?: 'left' | 'center' | 'right';
  valign?: 'top' | 'middle' | 'bottom';
  lines?: number;
  /** True for a text that is so important that shortening it raises a warning. */
  essential?: boolean;
}

/** A label that is being laid out. `missing` collects the characters that no typeface has. */
export interface Page {
  width: number;
  height: number;
  items: Item[];
  faces: Typefaces;
  missing: Set<string>;
  /** The important texts that had to be shortened. */
  shortened: string[];
  /** True if the carrier's square code could not be printed. */
  qrLeftOut: boolean;
}

export const rule = (page: Page, box: Box): void => void page.items.push({ kind: 'rule', box });
export const plate = (page: Page, box: Box): void => void page.items.push({ kind: 'plate', box });
export const frame = (page: Page, box: Box, thickness = 2): void =>
  void page.items.push({ kind: 'frame', box, thickness });

/** The width in dots of the white outline around each character. */
export const contour = 2;

const thickenings = { regular: 0.02, bold: 0.045 };

/**
 * The width in dots of the line that is drawn around each character of a run. The typeface for rare
 * characters is thin, and the line makes it as heavy as the other text.
 */
export const thickening = (face: FaceName, weight: Weight, size: number): number =>
  face === 'rare' ? thickenings[weight] * size : 0;

const grown = (box: Box, by: number): Box => ({
  x: box.x - by,
  y: box.y - by,
  w: box.w + 2 * by,
  h: box.h + 2 * by,
});
const shifts = { left: 0, top: 0, center: 0.5, middle: 0.5, right: 1, bottom: 1 };

/**
 * Sets a text into `room` and returns the box that it occupies. The box is empty if the text is
 * empty or no character fits.
 */
export const text = (page: Page, value: string, room: Box, style: Style): Box => {
  const {
    size,
    min,
    weight = 'regular',
    ink = 'black',
    align = 'left',
    valign = 'middle',
    lines = 1,
  } = style;
  if (value === '' || room.w < min) return { x: room.x, y: room.y, w: 0, h: 0 };
  const glyphs = shape(value, weight, page.faces, page.missing);
  if (glyphs.every(({ character }) => character === ' '))
    return { x: room.x, y: room.y, w: 0, h: 0 };
  const mark = page.faces.glyph(0x2026, weight)!;
  const fitted = fit(glyphs, mark, { width: room.w, height: room.h, size, min, lines });
  if (style.essential && fitted.shortened) page.shortened.push(value);
  const h = fitted.above + fitted.below + fitted.pitch * (fitted.lines.length - 1);
  const y = room.y + (room.h - h) * shifts[valign];
  const placed = fitted.lines.map((line, index) => ({
    ...line,
    x: room.x + (room.w - line.width) * shifts[align],
    baseline: y + fitted.above + fitted.pitch * index,
  }));
  const x = Math.min(...placed.map((line) => line.x));
  const box = grown(
    { x, y, w: Math.max(...placed.map((line) => line.x + line.width)) - x, h },
    ink === 'outline' ? contour : 0,
  );
  page.items.push({ kind: 'text', box, lines: placed, size: fitted.size, weight, ink });
  return box;
};

/**
 * Draws a bar code centred in `room`. The width of a module is the largest whole number of dots for
 * which the code and its quiet zones fit. Returns false and draws nothing if a module would be less
 * than two dots (0.25 mm).
 */
export const bars = (page: Page, content: string, code: Bars, room: Box): boolean => {
  const module = Math.floor(room.w / (code.modules + 2 * quietZone.bars));
  if (module < 2) return false;
  const white = module * quietZone.bars;
  const w = module * code.modules;
  const area = { x: room.x + Math.floor((room.w - w) / 2), y: room.y, w, h: room.h };
  page.items.push({
    kind: 'bars',
    box: { ...area, x: area.x - white, w: w + 2 * white },
    area,
    module,
    code,
    content,
  });
  return true;
};

/**
 * Draws a square code with its quiet zone into the upper right corner of `room`. Returns the box
 * that it occupies.
 */
export const squares = (
  page: Page,
  { content, code, module }: { content: string; code: Squares; module: number },
  room: Box,
): Box => {
  const white = module * quietZone.squares;
  const w = module * code.modules;
  const box = { x: room.x + room.w - w - 2 * white, y: room.y, w: w + 2 * white, h: w + 2 * white };
  page.items.push({
    kind: 'squares',
    box,
    area: { x: box.x + white, y: box.y + white, w, h: w },
    module,
    code,
    content,
  });
  return box;
};
