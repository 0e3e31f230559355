/** Texts, tables and lines on A4 pages, shared by the documents that are drawn as PDF. */
import PDFDocument from 'pdfkit';
import { present } from '@waystation/contract/base/present.ts';
import { unshaped } from '#domain/documents/typefaces.ts';
import type { FaceName, Typefaces, Weight } from '#domain/documents/typefaces.ts';

type Document = InstanceType<typeof PDFDocument>;

// The width of A4 paper in points.
const paperWidth = 595.28;
const paperHeight = 841.89;
export const margin = 36;
export const right = paperWidth - margin;
export const bottom = paperHeight - 54;
export const rowHeight = 14;

export const ink = { strong: '#1d2129', calm: '#4e5969', line: '#c9cdd4', head: '#f2f3f5' };

export interface Pen {
  document: Document;
  faces: Typefaces;
  registered: Set<FaceName>;
}

interface Placed {
  x: number;
  baseline: number;
  width: number;
  size?: number;
  weight?: Weight;
  color?: string;
  align?: 'left' | 'right';
}

/**
 * Draws a text on a baseline within a width. A longer text ends with an ellipsis, and a character
 * that no typeface has becomes □.
 */
export const put = (
  pen: Pen,
  text: string,
  { x, baseline, width, size = 8, weight = 'regular', color = ink.strong, align = 'left' }: Placed,
): void => {
  const { document, faces, registered } = pen;
  const glyphOf = (character: string) =>
    faces.glyph(present(character.codePointAt(0)), weight) ?? faces.glyph(0x25a1, weight)!;
  const mark = glyphOf('…');
  let glyphs = Array.from(text, glyphOf);
  const widthOf = (of: typeof glyphs): number =>
    of.reduce((sum, { advance }) => sum + advance * size, 0);
  if (widthOf(glyphs) > width) {
    while (glyphs.length > 0 && widthOf(glyphs) + mark.advance * size > width)
      glyphs = glyphs.slice(0, -1);
    glyphs = [...glyphs, mark];
  }
  let at = align === 'right' ? x + width - widthOf(glyphs) : x;
  document.fontSize(size).fillColor(color);
  for (let from = 0; from < glyphs.length;) {
    const { face } = glyphs[from]!;
    let to = from;
    while (to < glyphs.length && present(glyphs[to]).face === face) to += 1;
    const run = glyphs.slice(from, to);
    if (!registered.has(face)) {
      // pdfkit also accepts an opened font, but its types declare only the bytes of a font.
      document.registerFont(face, unshaped(faces.open(face)) as unknown as Uint8Array);
      registered.add(face);
    }
    document.font(face).text(run.map(({ character }) => character).join(''), at, baseline, {
      lineBreak: false,
      baseline: 'alphabetic',
    });
    at += widthOf(run);
    from = to;
  }
};

export const rule = ({ document }: Pen, y: number, color = ink.line): void =>
  void document.moveTo(margin, y).lineTo(right, y).lineWidth(0.5).strokeColor(color).stroke();

export interface Column<R> {
  title: string;
  width: number;
  align?: 'right';
  cell: (row: R) => string;
}

export const head = <R>(pen: Pen, columns: readonly Column<R>[], y: number): number => {
  const width = columns.reduce((sum, column) => sum + column.width, 0);
  pen.document.rect(margin, y, width, rowHeight + 2).fill(ink.head);
  let x = margin;
  for (const { title, width, align } of columns) {
    put(pen, title, {
      x: x + 3,
      baseline: y + 11,
      width: width - 6,
      size: 7.5,
      weight: 'bold',
      color: ink.calm,
      ...(align && { align }),
    });
    x += width;
  }
  return y + rowHeight + 2;
};

export const row = <R>(
  pen: Pen,
  columns: readonly Column<R>[],
  of: R,
  { y, weight = 'regular' }: { y: number; weight?: Weight },
): number => {
  let x = margin;
  for (const { width, align, cell } of columns) {
    put(pen, cell(of), {
      x: x + 3,
      baseline: y + 10,
      width: width - 6,
      size: 7.5,
      weight,
      ...(align && { align }),
    });
    x += width;
  }
  return y + rowHeight;
};

export const newPage = (pen: Pen): number => {
  pen.document.addPage({ size: 'A4', margin: 0 });
  return margin;
};

/** Draws a row of figures below `y`, each under its title. */
export const putFigures = (
  pen: Pen,
  figures: readonly (readonly [title: string, text: string])[],
  y: number,
): void => {
  const across = (right - margin) / figures.length;
  figures.forEach(([title, text], at) => {
    const place = { x: margin + at * across, width: across - 8 };
    put(pen, title, { ...place, baseline: y + 16, color: ink.calm });
    put(pen, text, { ...place, baseline: y + 34, size: 13, weight: 'bold' });
  });
};

/** Draws space for a signature and a date, on a new page if this page has no room for it. */
export const signature = (pen: Pen, words: { sign: string; date: string }, from: number): void => {
  const y = from + 56 > bottom ? newPage(pen) : from;
  put(pen, words.sign, { x: margin, baseline: y + 44, width: 160, size: 9 });
  pen.document
    .moveTo(margin + 150, y + 46)
    .lineTo(margin + 310, y + 46)
    .lineWidth(0.5)
    .strokeColor(ink.calm)
    .stroke();
  put(pen, words.date, { x: margin + 330, baseline: y + 44, width: 60, size: 9 });
  pen.document
    .moveTo(margin + 380, y + 46)
    .lineTo(right, y + 46)
    .lineWidth(0.5)
    .strokeColor(ink.calm)
    .stroke();
};

/**
 * Draws a document on A4 pages. The text of `footer` and the page number are printed at the bottom
 * of every page.
 */
export const drawPages = async (
  { title, at, faces }: { title: string; at: string; faces: Typefaces },
  draw: (pen: Pen) => void,
  footer: { text: string; page: (page: number, pages: number) => string },
): Promise<Uint8Array> => {
  const document = new PDFDocument({
    autoFirstPage: false,
    bufferPages: true,
    font: '',
    margin: 0,
    info: { Title: title, CreationDate: new Date(at) },
  });
  const chunks: Uint8Array[] = [];
  document.on('data', (chunk: Uint8Array) => void chunks.push(chunk));
  const ended = new Promise<void>(
    (resolve, reject) => void document.on('end', resolve).on('error', reject),
  );
  const pen: Pen = { document, faces, registered: new Set() };
  newPage(pen);
  draw(pen);
  const { count } = document.bufferedPageRange();
  for (let page = 0; page < count; page += 1) {
    document.switchToPage(page);
    rule(pen, bottom + 8);
    put(pen, footer.text, {
      x: margin,
      baseline: bottom + 22,
      width: 360,
      size: 7.5,
      color: ink.calm,
    });
    put(pen, footer.page(page + 1, count), {
      x: margin + 360,
      baseline: bottom + 22,
      width: right - margin - 360,
      size: 7.5,
      color: ink.calm,
      align: 'right',
    });
  }
  document.end();
  await ended;
  return new Uint8Array(Buffer.concat(chunks));
};
