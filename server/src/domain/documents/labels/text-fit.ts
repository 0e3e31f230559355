import { lastOf, present } from '@waystation/contract/base/present.ts';
import type { FaceName, Glyph, Typefaces, Weight } from '#domain/documents/typefaces.ts';

/** A part of a line in one typeface; `x` and `width` are in dots from the start of the line. */
export interface Run {
  face: FaceName;
  text: string;
  x: number;
  width: number;
}

export interface Line {
  runs: Run[];
  width: number;
}

export interface Fitted {
  /** The font size in dots. */
  size: number;
  lines: Line[];
  /** The distance in dots from one baseline to the next. */
  pitch: number;
  /**
   * The height in dots of the printed parts above the first baseline; `below` is the height below
   * the last baseline.
   */
  above: number;
  below: number;
  /** True if the end of the text was cut off. */
  shortened: boolean;
}

export interface Room {
  width: number;
  height: number;
  /** The preferred font size in dots; `min` is the smallest one. */
  size: number;
  min: number;
  lines: number;
}

interface Piece {
  glyphs: Glyph[];
  width: number;
  space: boolean;
}

/** The distance between two baselines, as a multiple of the font size. */
const leading = 1.18;

interface Ink {
  above: number;
  below: number;
}

/**
 * The printed height above and below a baseline, as a multiple of the font size. `low` is for
 * digits and capitals only, `full` for all but the tallest characters.
 */
const low: Ink = { above: 0.755, below: 0.02 };
const full: Ink = { above: 0.88, below: 0.26 };

/**
 * The printed height above and below the baseline of a text. It is the same for all texts with
 * usual letters, so that texts side by side share a baseline. Only texts with taller letters get
 * more height.
 */
const inkOf = (glyphs: Glyph[]): Ink => {
  let above = 0;
  let below = 0;
  for (const glyph of glyphs) {
    above = Math.max(above, glyph.above);
    below = Math.max(below, glyph.below);
  }
  if (above <= low.above && below <= low.below) return low;
  return above <= full.above && below <= full.below
    ? full
    : { above: Math.max(above, full.above), below: Math.max(below, full.below) };
};

const latin = /[!-~\u00c0-\u024f]/;
const closing = /[，。、；：？！）》」』】〉”’…·%℃]/;
const opening = /[（《「『【〈“‘]/;

/**
 * The glyphs of a text. A character that no typeface has is left out and added to `missing`. The
 * order form has already warned about such characters (contract/src/parcels/printable.ts).
 */
export const shape = (
  text: string,
  weight: Weight,
  faces: Typefaces,
  missing: Set<string>,
): Glyph[] => {
  const glyphs: Glyph[] = [];
  for (const character of text) {
    const glyph = faces.glyph(present(character.codePointAt(0)), weight);
    if (!glyph) missing.add(character);
    // Once a character was omitted, a space is also omitted at the start of the text or after
    // another space.
    else if (character !== ' ' || missing.size === 0 || (glyphs.at(-1)?.character ?? ' ') !== ' ')
      glyphs.push(glyph);
  }
  return glyphs;
};

const joins = (piece: Piece, before: Glyph, next: Glyph): boolean => {
  if (piece.space || next.character === ' ') return piece.space && next.character === ' ';
  if (closing.test(next.character) || opening.test(before.character)) return true;
  return latin.test(before.character) && latin.test(next.character);
};

/** The parts of a line that must not be broken, and the spaces between them. */
const piecesOf = (glyphs: Glyph[]): Piece[] => {
  const pieces: Piece[] = [];
  let before: Glyph | undefined;
  for (const glyph of glyphs) {
    const last = pieces.at(-1);
    if (last && before && joins(last, before, glyph)) {
      last.glyphs.push(glyph);
      last.width += glyph.advance;
    } else pieces.push({ glyphs: [glyph], width: glyph.advance, space: glyph.character === ' ' });
    before = glyph;
  }
  return pieces;
};

const trimmed = (line: Glyph[]): Glyph[] => {
  let end = line.length;
  while (end > 0 && present(line[end - 1]).character === ' ') end -= 1;
  return end === line.length ? line : line.slice(0, end);
};

/**
 * Breaks a text into lines of at most `width`, in multiples of the font size. A part that is wider
 * than a line is broken anywhere.
 */
const wrap = (pieces: Piece[], width: number): Glyph[][] => {
  const lines: Glyph[][] = [];
  let line: Glyph[] = [];
  let used = 0;
  const end = (): void => {
    lines.push(trimmed(line));
    line = [];
    used = 0;
  };
  for (const piece of pieces) {
    if (used + piece.width <= width) {
      line.push(...piece.glyphs);
      used += piece.width;
      continue;
    }
    if (piece.space) continue;
    if (piece.width <= width) {
      end();
      line.push(...piece.glyphs);
      used = piece.width;
      continue;
    }
    for (const glyph of piece.glyphs) {
      if (used + glyph.advance > width && line.length > 0) end();
      line.push(glyph);
      used += glyph.advance;
    }
  }
  if (line.length > 0) lines.push(trimmed(line));
  return lines;
};

const widthOf = (line: Glyph[]): number => line.reduce((sum, glyph) => sum + glyph.advance, 0);

const ellipsis = (line: Glyph[], mark: Glyph, width: number): Glyph[] => {
  const kept = [...line];
  let used = widthOf(kept) + mark.advance;
  while (kept.length > 0 && used > width) used -= present(kept.pop()).advance;
  return [...kept, mark];
};

const runsOf = (glyphs: Glyph[], size: number): Line => {
  const runs: Run[] = [];
  let x = 0;
  for (const { character, face, advance } of glyphs) {
    const last = runs.at(-1);
    if (last?.face === face) {
      last.text += character;
      last.width += advance * size;
    } else runs.push({ face, text: character, x, width: advance * size });
    x += advance * size;
  }
  return { runs, width: x };
};

const within = 1e-9;

/**
 * A last line that is shorter than this share of the width is avoided if a slightly smaller font
 * size is enough for that.
 */
const widow = 0.2;
const slightly = 0.85;

/**
 * Breaks a text into lines at `size`, or at a slightly smaller size if that avoids a last line of
 * one or two characters.
 */
const settled = (
  pieces: Piece[],
  { width, size, min }: { width: number; size: number; min: number },
  lines: Glyph[][],
): { size: number; lines: Glyph[][] } => {
  if (lines.length < 2 || widthOf(lastOf(lines)) * size > widow * width) return { size, lines };
  for (let smaller = size - 1; smaller >= Math.max(min, slightly * size); smaller -= 1) {
    const fewer = wrap(pieces, width / smaller + within);
    if (fewer.length < lines.length) return { size: smaller, lines: fewer };
  }
  return { size, lines };
};

/**
 * Sets a text as large as possible in its space. The text is first wrapped into at most `lines`
 * lines. Then its font size is reduced from `size` to `min`. Only then it is shortened with an
 * ellipsis. The result never exceeds the width or height of the space, if one line of size `min`
 * fits its height.
 */
export const fit = (glyphs: Glyph[], mark: Glyph, room: Room): Fitted => {
  const ink = inkOf(glyphs);
  const { width, min } = room;
  const total = widthOf(glyphs);
  const pieces = piecesOf(glyphs);
  const roomFor = (size: number): number =>
    Math.max(
      1,
      Math.min(
        room.lines,
        Math.floor((room.height - (ink.above + ink.below) * size) / (leading * size) + within) + 1,
      ),
    );
  const set = (size: number, lines: Glyph[][], shortened: boolean): Fitted => ({
    size,
    lines: lines.map((line) => runsOf(line, size)),
    pitch: leading * size,
    above: ink.above * size,
    below: ink.below * size,
    shortened,
  });
  const tallest = Math.floor(room.height / (ink.above + ink.below) + within);
  const widest = total === 0 ? room.size : Math.ceil((room.lines * width) / total);
  const first = Math.max(min, Math.min(room.size, tallest, widest));
  for (let size = first; size >= min; size -= 1) {
    const lines = wrap(pieces, width / size + within);
    if (lines.length > roomFor(size)) continue;
    const chosen = settled(pieces, { width, size, min }, lines);
    return set(chosen.size, chosen.lines, false);
  }
  const kept = wrap(pieces, width / min + within).slice(0, roomFor(min));
  kept.push(ellipsis(kept.pop() ?? [], mark, width / min + within));
  return set(min, kept, true);
};
