import type { Font } from 'fontkit';
import { present } from '@waystation/contract/base/present.ts';
import type { FaceName, Typefaces } from '#domain/documents/typefaces.ts';

/** The bitmap of a character. The origin is on the baseline at 0, 0, and y grows downwards. */
export interface GlyphMask {
  left: number;
  top: number;
  width: number;
  height: number;
  /** 1 for each dot that is printed. */
  dots: Uint8Array;
}

/**
 * An edge of a character's outline, in dots. `down` is its direction, which the non-zero fill rule
 * needs.
 */
interface Edge {
  x1: number;
  y1: number;
  x2: number;
  y2: number;
  down: 1 | -1;
}

/** The number of sample rows for each dot. */
const samples = 4;
/**
 * The number of straight lines that replace a curve; a few are enough because a character is at
 * most some dozens of dots high.
 */
const curveSteps = 6;
/**
 * The share of a dot that must be covered by ink to be printed. It is below 0.5, so that a thin
 * stroke is not lost between two dots.
 */
const inked: Record<FaceName, number> = { regular: 0.42, bold: 0.45, rare: 0.45 };

const edgesOf = (font: Font, codePoint: number, size: number): Edge[] => {
  const scale = size / font.unitsPerEm;
  const edges: Edge[] = [];
  let [x, y, startX, startY] = [0, 0, 0, 0];
  const lineTo = (toX: number, toY: number): void => {
    if (toX !== x || toY !== y)
      edges.push(
        toY > y
          ? { x1: x, y1: y, x2: toX, y2: toY, down: 1 }
          : { x1: toX, y1: toY, x2: x, y2: y, down: -1 },
      );
    [x, y] = [toX, toY];
  };
  const curve = (points: readonly number[]): void => {
    const from = [x, y];
    const at = (axis: 0 | 1, t: number): number => {
      // De Casteljau's algorithm, for quadratic and cubic pieces.
      let values = [from[axis]!, ...points.filter((_, no) => no % 2 === axis)];
      while (values.length > 1)
        values = values.slice(1).map((value, no) => values[no]! + (value - values[no]!) * t);
      return values[0]!;
    };
    for (let step = 1; step <= curveSteps; step++)
      lineTo(at(0, step / curveSteps), at(1, step / curveSteps));
  };
  for (const { command, args } of font.glyphForCodePoint(codePoint).path.commands) {
    const scaled = args.map((value, no) => value * scale * (no % 2 === 0 ? 1 : -1));
    if (command === 'moveTo') {
      lineTo(startX, startY);
      [x, y] = [scaled[0]!, scaled[1]!];
      [startX, startY] = [x, y];
    } else if (command === 'closePath') lineTo(startX, startY);
    else if (command === 'lineTo') lineTo(scaled[0]!, scaled[1]!);
    else curve(scaled);
  }
  lineTo(startX, startY);
  return edges;
};

/** The start and end of a part of a row that has ink. */
type Span = [from: number, to: number];

/** The parts of the line at height `y` that are inside an outline, by the non-zero fill rule. */
const insideAt = (edges: readonly Edge[], y: number): Span[] => {
  const crossings: { x: number; down: number }[] = [];
  for (const { x1, y1, x2, y2, down } of edges)
    if (y >= y1 && y < y2) crossings.push({ x: x1 + ((x2 - x1) * (y - y1)) / (y2 - y1), down });
  crossings.sort((a, b) => a.x - b.x);
  const spans: Span[] = [];
  let winding = 0;
  for (const [no, { x, down }] of crossings.entries()) {
    if (winding !== 0) spans.push([present(crossings[no - 1]).x, x]);
    winding += down;
  }
  return spans;
};

/**
 * The part of the line at height `y` that is within `radius` of an edge: two discs and the band
 * between them.
 */
const aroundAt = ({ x1, y1, x2, y2 }: Edge, radius: number, y: number): Span | null => {
  if (y < y1 - radius || y > y2 + radius) return null;
  const found: number[] = [];
  for (const [x, end] of [[x1, y - y1] as const, [x2, y - y2] as const]) {
    if (Math.abs(end) > radius) continue;
    const half = Math.sqrt(radius * radius - end * end);
    found.push(x - half, x + half);
  }
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [acrossX, acrossY] = [((y2 - y1) / length) * radius, ((x1 - x2) / length) * radius];
  for (const side of [-1, 1]) {
    const along = (y - y1 - side * acrossY) / (y2 - y1);
    if (along >= 0 && along <= 1) found.push(x1 + side * acrossX + (x2 - x1) * along);
  }
  return found.length === 0 ? null : [Math.min(...found), Math.max(...found)];
};

/** Sorts spans from left to right, and joins spans that touch. */
const united = (spans: Span[]): Span[] => {
  const apart: Span[] = [];
  for (const [from, to] of spans.toSorted((a, b) => a[0] - b[0])) {
    const last = apart.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else apart.push([from, to]);
  }
  return apart;
};

const spansAt = (edges: readonly Edge[], radius: number, y: number): Span[] => {
  const inside = insideAt(edges, y);
  if (radius === 0) return inside;
  return united([
    ...inside,
    ...edges.map((edge) => aroundAt(edge, radius, y)).filter((span) => span !== null),
  ]);
};

/** Adds the part of a row of samples between two positions to the dots in which the part lies. */
const cover = (
  shares: Float32Array,
  [from, to]: Span,
  { left, row, width }: { left: number; row: number; width: number },
): void => {
  const first = Math.max(0, Math.floor(from - left));
  const last = Math.min(width - 1, Math.floor(to - left));
  for (let column = first; column <= last; column++) {
    const share = Math.min(to - left, column + 1) - Math.max(from - left, column);
    if (share > 0) shares[row * width + column]! += share / samples;
  }
};

const draw = (
  font: Font,
  {
    codePoint,
    size,
    face,
    radius,
  }: { codePoint: number; size: number; face: FaceName; radius: number },
): GlyphMask => {
  const edges = edgesOf(font, codePoint, size);
  const all = (pick: (edge: Edge) => number[]): number[] => edges.flatMap(pick);
  if (edges.length === 0) return { left: 0, top: 0, width: 0, height: 0, dots: new Uint8Array() };
  const [xs, ys] = [all(({ x1, x2 }) => [x1, x2]), all(({ y1, y2 }) => [y1, y2])];
  const [left, top] = [Math.floor(Math.min(...xs) - radius), Math.floor(Math.min(...ys) - radius)];
  const [width, height] = [
    Math.ceil(Math.max(...xs) + radius) - left + 1,
    Math.ceil(Math.max(...ys) + radius) - top + 1,
  ];
  const shares = new Float32Array(width * height);
  for (let sample = 0; sample < height * samples; sample++)
    for (const span of spansAt(edges, radius, top + (sample + 0.5) / samples))
      cover(shares, span, { left, row: Math.floor(sample / samples), width });
  return {
    left,
    top,
    width,
    height,
    dots: Uint8Array.from(shares, (share) => (share >= inked[face] ? 1 : 0)),
  };
};

/**
 * The largest number of cached bitmaps, because there are too many Chinese characters and font
 * sizes to cache them all.
 */
const mostKept = 6_000;

/**
 * Creates and caches the bitmaps of characters as a printer prints them, in whole dots. There is
 * one bitmap for each character, font size and width of the line around the character.
 */
export const glyphMasks = (faces: Typefaces) => {
  const kept = new Map<string, GlyphMask>();
  return (face: FaceName, codePoint: number, size: number, line = 0): GlyphMask => {
    const key = `${face} ${codePoint} ${size.toFixed(1)} ${line.toFixed(2)}`;
    const known = kept.get(key);
    if (known) return known;
    if (kept.size >= mostKept) kept.clear();
    const mask = draw(faces.open(face), { codePoint, size, face, radius: line / 2 });
    kept.set(key, mask);
    return mask;
  };
};
