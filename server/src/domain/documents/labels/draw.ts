import type PDFDocument from 'pdfkit';
import { dotsPerMillimetre, sheet } from './formats.ts';
import { contour, thickening } from './page.ts';
import type { Item, Page } from './page.ts';
import { unshaped } from '#domain/documents/typefaces.ts';
import type { FaceName, Typefaces } from '#domain/documents/typefaces.ts';

type Document = InstanceType<typeof PDFDocument>;

/** The number of PDF points in one printer dot. */
export const dot = 72 / 25.4 / dotsPerMillimetre;

type TextItem = Extract<Item, { kind: 'text' }>;

/** A PDF document that is being drawn, and the typefaces that were registered with it. */
export interface Pen {
  document: Document;
  faces: Typefaces;
  registered: Set<FaceName>;
}

const useFace = ({ document, faces, registered }: Pen, face: FaceName): void => {
  if (!registered.has(face)) {
    // pdfkit also accepts an opened font, but its types declare only the bytes of a font.
    document.registerFont(face, unshaped(faces.open(face)) as unknown as Uint8Array);
    registered.add(face);
  }
  document.font(face);
};

const drawText = (pen: Pen, item: TextItem): void => {
  const { document } = pen;
  const { ink, size, weight } = item;
  const colour = ink === 'white' ? 'white' : 'black';
  document.fontSize(size * dot);
  for (const line of item.lines) {
    for (const run of line.runs) {
      useFace(pen, run.face);
      const set = (options: { stroke?: boolean; fill?: boolean }): void =>
        void document.text(run.text, (line.x + run.x) * dot, line.baseline * dot, {
          lineBreak: false,
          baseline: 'alphabetic',
          ...options,
        });
      const thick = thickening(run.face, weight, size);
      if (thick > 0 || ink === 'outline') document.strokeColor(colour);
      if (ink === 'outline') {
        // The lines around the parts of one character overlap. White text is drawn over them, so
        // that only the outer half of each line stays visible.
        document.lineWidth((2 * contour + thick) * dot);
        set({ stroke: true, fill: false });
        document.fillColor('white');
        set({});
      } else if (thick > 0) {
        document.lineWidth(thick * dot).fillColor(colour);
        set({ stroke: true, fill: true });
      } else {
        document.fillColor(colour);
        set({});
      }
    }
  }
};

const drawItem = (pen: Pen, item: Item): void => {
  const { document } = pen;
  const { box } = item;
  if (item.kind === 'text') {
    drawText(pen, item);
    return;
  }
  if (item.kind === 'frame') {
    const { thickness } = item;
    document.lineWidth(thickness * dot).strokeColor('black');
    document
      .rect(
        (box.x + thickness / 2) * dot,
        (box.y + thickness / 2) * dot,
        (box.w - thickness) * dot,
        (box.h - thickness) * dot,
      )
      .stroke();
    return;
  }
  if (item.kind === 'bars') {
    const { area, module, code } = item;
    for (const [start, width] of code.bars)
      document.rect(
        (area.x + start * module) * dot,
        area.y * dot,
        width * module * dot,
        area.h * dot,
      );
  } else if (item.kind === 'squares') {
    const { area, module, code } = item;
    for (const [x, y, width] of code.runs) {
      document.rect(
        (area.x + x * module) * dot,
        (area.y + y * module) * dot,
        width * module * dot,
        module * dot,
      );
    }
  } else document.rect(box.x * dot, box.y * dot, box.w * dot, box.h * dot);
  document.fillColor('black').fill();
};

const addPaper = ({ document }: Pen, { width, height }: { width: number; height: number }): void =>
  void document.addPage({ size: [width * dot, height * dot], margin: 0 });

/** Adds a page of the paper's exact size and draws on it. */
export const drawPage = (pen: Pen, page: Page): void => {
  addPaper(pen, page);
  for (const item of page.items) drawItem(pen, item);
};

/**
 * Draws a label into a quarter of an A4 sheet. Quarters are numbered from 0, row by row. If `isNew`
 * is true, a sheet is added first.
 */
export const drawOnSheet = (pen: Pen, page: Page, place: number, isNew: boolean): void => {
  if (isNew) addPaper(pen, sheet);
  const [cellWidth, cellHeight] = [sheet.width / sheet.columns, sheet.height / sheet.rows];
  const { document } = pen;
  document.save();
  document.translate(
    ((place % sheet.columns) * cellWidth + (cellWidth - page.width) / 2) * dot,
    (Math.floor(place / sheet.columns) * cellHeight + (cellHeight - page.height) / 2) * dot,
  );
  for (const item of page.items) drawItem(pen, item);
  document.restore();
};
