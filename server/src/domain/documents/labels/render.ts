import PDFDocument from 'pdfkit';
import { sheetPlaces } from '@waystation/contract/parcels/print.ts';
import { fail, Failure } from '#platform/fail.ts';
import type { Bitmap } from './bitmap.ts';
import { cut } from './clean-text.ts';
import { drawOnSheet, drawPage } from './draw.ts';
import type { Pen } from './draw.ts';
import { composeLabel } from './label-content.ts';
import type {
  LabelFormat,
  LabelInput,
  LabelNote,
  LabelSheet,
  SheetOptions,
} from './label-input.ts';
import { layoutLabel } from './layout.ts';
import type { Page } from './page.ts';
import { rasterizer } from './raster.ts';
import { tsplOf } from './tspl.ts';
import { zplOf } from './zpl.ts';
import type { Typefaces } from '#domain/documents/typefaces.ts';

/** The largest number of pages of one PDF, because printer queues and viewers have limits. */
export const mostPages = 5000;
/**
 * The largest number of pages of one file of bitmaps. A page has 32 to 44 KB as ZPL, and 79 to 144
 * KB as TSPL.
 */
export const mostBitmapPages = 500;

/** The number of pages that are drawn before the next waiting task continues. */
const turn = 20;

const failureNote = (index: number, error: unknown): LabelNote =>
  error instanceof Failure
    ? { index, code: error.code, params: error.params }
    : {
        index,
        code: 'label_failed',
        params: {},
        detail: error instanceof Error ? (error.stack ?? error.message) : String(error),
      };

/**
 * Lays out all pages of one parcel. If one of them cannot be drawn, the file contains none of them.
 */
const pagesOf = (input: LabelInput, format: LabelFormat, faces: Typefaces): Page[] =>
  composeLabel(input).map((content) => layoutLabel(content, format, faces));

const warningsOf = (index: number, pages: Page[]): LabelNote[] => {
  const notes: LabelNote[] = [];
  const missing = new Set(pages.flatMap((page) => [...page.missing]));
  if (missing.size > 0)
    notes.push({
      index,
      code: 'label_characters_missing',
      params: { characters: [...missing].slice(0, 20).join(' ') },
    });
  for (const text of new Set(pages.flatMap((page) => page.shortened)))
    notes.push({ index, code: 'label_text_shortened', params: { text: cut(text, 20) } });
  if (pages.some((page) => page.qrLeftOut))
    notes.push({ index, code: 'label_qr_left_out', params: {} });
  return notes;
};

/**
 * Opens a PDF that tells viewers and drivers not to scale it, because a scaled bar code may be
 * unreadable.
 */
const openDocument = (): PDFKit.PDFDocument => {
  const document = new PDFDocument({
    autoFirstPage: false,
    font: '',
    margin: 0,
    info: { Title: '面单 Labels' },
  });
  const { _root } = document as unknown as { _root: { data: Record<string, unknown> } };
  _root.data.ViewerPreferences = document.ref({ PrintScaling: 'None', PickTrayByPDFSize: true });
  return document;
};

const countPages = (labels: readonly LabelInput[]): number =>
  labels.reduce(
    (sum, { package_count }) =>
      sum + (Number.isInteger(package_count) && package_count > 0 ? package_count : 0),
    0,
  );

/** Writes pages one after another into a file; `end` returns the bytes of the file. */
interface PageWriter {
  add(page: Page): void;
  end(): Promise<Uint8Array>;
}

const pdfWriter = (faces: Typefaces, format: LabelFormat, start = 1): PageWriter => {
  const document = openDocument();
  const chunks: Uint8Array[] = [];
  document.on('data', (chunk: Uint8Array) => void chunks.push(chunk));
  const ended = new Promise<void>(
    (resolve, reject) => void document.on('end', resolve).on('error', reject),
  );
  const pen: Pen = { document, faces, registered: new Set() };
  let no = 0;
  const addToSheet = (page: Page): void => {
    const place = (start - 1 + no) % sheetPlaces;
    drawOnSheet(pen, page, place, no === 0 || place === 0);
    no += 1;
  };
  return {
    add: format === 'a4' ? addToSheet : (page) => drawPage(pen, page),
    end: async () => {
      document.end();
      await ended;
      return new Uint8Array(Buffer.concat(chunks));
    },
  };
};

const bitmapWriter = (
  rasterize: Rasterize,
  { driver, darkness, offset_x = 0, offset_y = 0 }: SheetOptions,
): PageWriter => {
  const labels: Uint8Array[] = [];
  const write =
    driver === 'tspl'
      ? tsplOf
      : (bitmap: Bitmap) => new TextEncoder().encode(zplOf(bitmap, darkness));
  return {
    add: (page) => void labels.push(write(rasterize(page, { x: offset_x, y: offset_y }), darkness)),
    end: async () => new Uint8Array(Buffer.concat(labels)),
  };
};

/** The state that a drawing thread keeps between tasks: opened typefaces and drawn characters. */
export interface Renderer {
  faces: Typefaces;
  rasterize: Rasterize;
}
type Rasterize = ReturnType<typeof rasterizer>;

export const openRenderer = (faces: Typefaces): Renderer => ({
  faces,
  rasterize: rasterizer(faces),
});

const assertSheet = (
  labels: readonly LabelInput[],
  format: LabelFormat,
  { driver = 'pdf', separate = false }: SheetOptions,
): void => {
  const wanted = countPages(labels);
  const most = driver === 'pdf' ? mostPages : mostBitmapPages;
  if (driver !== 'pdf' && format === 'a4') fail('label_paper_pdf');
  if (driver !== 'pdf' && separate) fail('labels_separate_pdf');
  if (wanted > most) fail('labels_too_many', { pages: wanted, max: most });
};

/**
 * Draws labels in order, one page for each package: into one PDF, into one PDF for each parcel, or
 * as ZPL or TSPL. `failures` lists labels that cannot be drawn; the others are drawn. Throws a
 * Failure if there are too many pages for one file. After each portion, other work of the thread
 * can continue.
 */
export const renderSheet = async (
  labels: readonly LabelInput[],
  format: LabelFormat,
  { faces, rasterize }: Renderer,
  options: SheetOptions = {},
): Promise<LabelSheet> => {
  assertSheet(labels, format, options);
  const { driver = 'pdf', separate = false } = options;
  const open = (): PageWriter =>
    driver === 'pdf' ? pdfWriter(faces, format, options.start) : bitmapWriter(rasterize, options);
  const whole = separate ? null : open();
  const sheet: Omit<LabelSheet, 'file'> = { files: [], pages: 0, failures: [], warnings: [] };
  for (const [index, label] of labels.entries()) {
    try {
      const pages = pagesOf(label, format, faces);
      const writer = whole ?? open();
      for (const page of pages) {
        writer.add(page);
        sheet.pages += 1;
        if (sheet.pages % turn === 0) await new Promise((resolve) => void setImmediate(resolve));
      }
      if (!whole) sheet.files.push({ index, file: await writer.end() });
      sheet.warnings.push(...warningsOf(index, pages));
    } catch (error) {
      sheet.failures.push(failureNote(index, error));
    }
  }
  return { ...sheet, file: whole && sheet.pages > 0 ? await whole.end() : null };
};
