import type { Font } from 'fontkit';
import type { FaceName, Typefaces } from '#domain/documents/typefaces.ts';

/** The dots of a character whose origin is on the baseline at 0, 0; y grows downwards. */
export interface GlyphMask {
  left: number;
  top: number;
  width: number;
  height: number;
  /** 1: ink. */
  dots: Uint8Array;
}

/** Edge of an outline in dots; `down` is its direction, for the non-zero rule. */
interface Edge {
  x1: number;
  y1: number;
  x2: number;
  y2: number;
  down: 1 | -1;
}

/** Rows of samples a dot. */
const samples = 4;
/** Straight pieces of a curve: a character is at most some dozens of dots high. */
const curveSteps = 6;
/** Share of a dot that ink must cover to be printed. The rare face is thin: it takes less. */
const inked: Record<FaceName, number> = { regular: 0.42, bold: 0.45, rare: 0.22 };

const edgesOf = (font: Font, codePoint: number, size: number): Edge[] => {
  const scale = size / font.unitsPerEm;
  const edges: Edge[] = [];
  let [x, y, startX, startY] = [0, 0, 0, 0];
  const lineTo = (toX: number, toY: number): void => {
    if (toY !== y) edges.push(toY > y ? { x1: x, y1: y, x2: toX, y2: toY, down: 1 } : { x1: toX, y1: toY, x2: x, y2: y, down: -1 });
    [x, y] = [toX, toY];
  };
  const curve = (points: readonly number[]): void => {
    const from = [x, y];
    const at = (axis: 0 | 1, t: number): number => {
      // De Casteljau, for quadratic and cubic pieces alike.
      let values = [from[axis]!, ...points.filter((_, no) => no % 2 === axis)];
      while (values.length > 1) values = values.slice(1).map((value, no) => values[no]! + (value - values[no]!) * t);
      return values[0]!;
    };
    for (let step = 1; step <= curveSteps; step++) lineTo(at(0, step / curveSteps), at(1, step / curveSteps));
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

/** Adds the share of each dot between two positions of a row of samples. */
const cover = (shares: Float32Array, from: number, to: number, left: number, row: number, width: number): void => {
  const first = Math.max(0, Math.floor(from - left));
  const last = Math.min(width - 1, Math.floor(to - left));
  for (let column = first; column <= last; column++) {
    const share = Math.min(to - left, column + 1) - Math.max(from - left, column);
    if (share > 0) shares[row * width + column]! += share / samples;
  }
};

const draw = (font: Font, codePoint: number, size: number, face: FaceName): GlyphMask => {
  const edges = edgesOf(font, codePoint, size);
  const all = (pick: (edge: Edge) => number[]): number[] => edges.flatMap(pick);
  if (edges.length === 0) return { left: 0, top: 0, width: 0, height: 0, dots: new Uint8Array() };
  const [xs, ys] = [all(({ x1, x2 }) => [x1, x2]), all(({ y1, y2 }) => [y1, y2])];
  const [left, top] = [Math.floor(Math.min(...xs)), Math.floor(Math.min(...ys))];
  const [width, height] = [Math.ceil(Math.max(...xs)) - left + 1, Math.ceil(Math.max(...ys)) - top + 1];
  const shares = new Float32Array(width * height);
  for (let sample = 0; sample < height * samples; sample++) {
    const y = top + (sample + 0.5) / samples;
    const crossings: { x: number; down: number }[] = [];
    for (const { x1, y1, x2, y2, down } of edges) if (y >= y1 && y < y2) crossings.push({ x: x1 + ((x2 - x1) * (y - y1)) / (y2 - y1), down });
    crossings.sort((a, b) => a.x - b.x);
    let winding = 0;
    for (const [no, { x, down }] of crossings.entries()) {
      if (winding !== 0) cover(shares, crossings[no - 1]!.x, x, left, Math.floor(sample / samples), width);
      winding += down;
    }
  }
  return { left, top, width, height, dots: Uint8Array.from(shares, (share) => (share >= inked[face] ? 1 : 0)) };
};

/** More would be every character of the language in many sizes. */
const mostKept = 6_000;

/** Masks of characters as a printer of whole dots prints them, drawn once for each size. */
export const glyphMasks = (faces: Typefaces) => {
  const kept = new Map<string, GlyphMask>();
  return (face: FaceName, codePoint: number, size: number): GlyphMask => {
    const key = `${face} ${codePoint} ${size.toFixed(1)}`;
    const known = kept.get(key);
    if (known) return known;
    if (kept.size >= mostKept) kept.clear();
    const mask = draw(faces.open(face), codePoint, size, face);
    kept.set(key, mask);
    return mask;
  };
};
