import { printLabels } from '@waystation/contract/parcels/express-calls.ts';
import type { LabelResult } from '@waystation/contract/parcels/express-calls.ts';
import { labelFormats, sheetPlaces } from '@waystation/contract/parcels/print.ts';
import type { LabelFormat, PrintDriver } from '@waystation/contract/parcels/print.ts';
import { ApiError } from '#base/api-error.ts';
import { callFile } from '#base/call.ts';
import { saveFile } from '#base/save-file.ts';
import type { Say } from '#base/texts.ts';

export type { LabelFormat };

/** The paper formats that a print method can use. Only PDF can use A4. */
export const papersOf = (driver: PrintDriver): readonly LabelFormat[] =>
  driver === 'pdf' ? labelFormats : labelFormats.filter((each) => each !== 'a4');

/** The displayed name of a paper format. */
export const paperWords = (format: string, t: Say): string =>
  format === 'a4'
    ? t('common.print.a4', { count: sheetPlaces })
    : t('common.print.millimetres', { size: format.replace('x', ' × ') });

/** A parcel whose label was not drawn, with the reason. */
export type LabelFailure = LabelResult['failures'][number];

export interface Labels {
  blob: Blob;
  name: string;
  failures: LabelFailure[];
  /** The number of labels. A parcel has one label for each of its packages. */
  pages: number;
  /**
   * The ids of the parcel and of the print record for each label. They are needed for printers that
   * report a result; the list is empty for a PDF.
   */
  prints: LabelResult['prints'];
}

/** A label printer and its settings, which are sent with a request for labels. */
export interface PrinterSettings {
  driver: 'zpl' | 'tspl';
  offset_x: number;
  offset_y: number;
  darkness: number | null;
}

export const printerInput = ({ driver, offset_x, offset_y, darkness }: PrinterSettings) => ({
  driver,
  offset_x,
  offset_y,
  ...(darkness !== null && { darkness }),
});

/**
 * The reasons by parcel, from an error that prevented the whole print. The list is empty for any
 * other error.
 */
export const failuresOf = (error: unknown): LabelFailure[] => {
  const { data } = ((error instanceof ApiError ? error.body : null) ?? {}) as {
    data?: { failures?: LabelFailure[] };
  };
  return data?.failures ?? [];
};

interface LabelOptions {
  preview?: boolean;
  reason?: string;
  /** Set if a scan started the print. The printed label must then be scanned for verification. */
  verify?: 1;
  printer?: PrinterSettings;
  /** The position of the first label on its A4 page. */
  start?: number;
  /**
   * If set, an archive with one PDF per parcel is requested. The files are numbered from this
   * value.
   */
  separateFrom?: number;
  signal?: AbortSignal;
}

/**
 * Fetches labels in the order of the ids: as one PDF, as an archive of PDFs, or as a file for a
 * label printer. Each label counts as a print, except in a preview.
 */
export const fetchLabels = async (
  ids: readonly number[],
  format: LabelFormat,
  options: LabelOptions = {},
): Promise<Labels> => {
  const { blob, name, result } = await callFile(
    printLabels,
    {
      ids: [...ids],
      format,
      result: 1,
      ...(options.preview && { preview: 1 as const }),
      ...(options.reason !== undefined && { reason: options.reason }),
      ...(options.verify && { verify: options.verify }),
      ...(options.printer && printerInput(options.printer)),
      ...(format === 'a4' && options.start !== undefined && { start: options.start }),
      ...(options.separateFrom !== undefined && {
        separate: 1 as const,
        first_no: options.separateFrom,
      }),
    },
    options.signal ? { signal: options.signal } : {},
  );
  const { pages, failures, prints } = result as LabelResult;
  return { blob, name, pages, failures, prints };
};

const keptFor = 120_000;

/**
 * Opens the browser's print dialog for a PDF in a hidden frame. If the browser cannot show PDFs,
 * the file is saved instead.
 */
export const printPdf = (blob: Blob, name: string): void => {
  if (!navigator.pdfViewerEnabled) {
    saveFile(blob, name);
    return;
  }
  const url = URL.createObjectURL(blob);
  const frame = document.createElement('iframe');
  frame.setAttribute('aria-hidden', 'true');
  frame.tabIndex = -1;
  // The frame is invisible but has a size, because a frame that is not displayed prints nothing.
  Object.assign(frame.style, {
    position: 'fixed',
    right: '0',
    bottom: '0',
    width: '1px',
    height: '1px',
    border: '0',
    opacity: '0',
  });
  frame.src = url;
  frame.addEventListener('load', () => frame.contentWindow?.print(), { once: true });
  document.body.append(frame);
  setTimeout(() => {
    frame.remove();
    URL.revokeObjectURL(url);
  }, keptFor);
};
