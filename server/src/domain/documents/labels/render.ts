import PDFDocument from 'pdfkit';
import { fail, Failure } from '#platform/fail.ts';
import { cut } from './clean-text.ts';
import { drawPage } from './draw.ts';
import type { Pen } from './draw.ts';
import { composeLabel } from './label-content.ts';
import type { LabelFormat, LabelInput, LabelNote, LabelSheet } from './label-input.ts';
import { layoutLabel } from './layout.ts';
import type { Page } from './page.ts';
import type { Typefaces } from '#domain/documents/typefaces.ts';

/** The limit of pages of one PDF, for printer queues and viewers. */
export const mostPages = 5000;

/** Pages drawn before the next waiting task gets its turn. */
const turn = 20;

const failureNote = (index: number, error: unknown): LabelNote =>
  error instanceof Failure
    ? { index, code: error.code, params: error.params }
    : { index, code: 'label_failed', params: {}, detail: error instanceof Error ? (error.stack ?? error.message) : String(error) };

/** All pages of one parcel, or none: a label that cannot be drawn leaves no trace in the file. */
const pagesOf = (input: LabelInput, format: LabelFormat, faces: Typefaces): Page[] => composeLabel(input).map((content) => layoutLabel(content, format, faces));

const warningsOf = (index: number, pages: Page[]): LabelNote[] => {
  const notes: LabelNote[] = [];
  const missing = new Set(pages.flatMap((page) => [...page.missing]));
  if (missing.size > 0) notes.push({ index, code: 'label_characters_missing', params: { characters: [...missing].slice(0, 20).join(' ') } });
  for (const text of new Set(pages.flatMap((page) => page.shortened))) notes.push({ index, code: 'label_text_shortened', params: { text: cut(text, 20) } });
  if (pages.some((page) => page.qrLeftOut)) notes.push({ index, code: 'label_qr_left_out', params: {} });
  return notes;
};

/** Tells viewers and drivers not to scale, because a scaled bar code may be unreadable. */
const openDocument = (): PDFKit.PDFDocument => {
  const document = new PDFDocument({ autoFirstPage: false, font: '', margin: 0, info: { Title: '面单 Labels' } });
  const { _root } = document as unknown as { _root: { data: Record<string, unknown> } };
  _root.data.ViewerPreferences = document.ref({ PrintScaling: 'None', PickTrayByPDFSize: true });
  return document;
};

const countPages = (labels: readonly LabelInput[]): number =>
  labels.reduce((sum, { package_count }) => sum + (Number.isInteger(package_count) && package_count > 0 ? package_count : 0), 0);

/**
 * Draws labels in their order, one page per piece, into one PDF. A label that cannot be drawn is in `failures`, and the others are drawn.
 * Throws a Failure if the pages are too many for one file. Between portions it yields to other work of the thread.
 */
export const renderSheet = async (labels: readonly LabelInput[], format: LabelFormat, faces: Typefaces): Promise<LabelSheet> => {
  const wanted = countPages(labels);
  if (wanted > mostPages) fail('labels_too_many', { pages: wanted, max: mostPages });
  const document = openDocument();
  const chunks: Uint8Array[] = [];
  document.on('data', (chunk: Uint8Array) => void chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => void document.on('end', resolve).on('error', reject));
  const pen: Pen = { document, faces, registered: new Set() };
  const failures: LabelNote[] = [];
  const warnings: LabelNote[] = [];
  let drawn = 0;
  for (const [index, label] of labels.entries()) {
    try {
      const pages = pagesOf(label, format, faces);
      for (const page of pages) {
        drawPage(pen, page);
        drawn += 1;
        if (drawn % turn === 0) await new Promise((resolve) => void setImmediate(resolve));
      }
      warnings.push(...warningsOf(index, pages));
    } catch (error) {
      failures.push(failureNote(index, error));
    }
  }
  if (drawn === 0) return { pdf: null, pages: 0, failures, warnings };
  document.end();
  await ended;
  return { pdf: new Uint8Array(Buffer.concat(chunks)), pages: drawn, failures, warnings };
};
