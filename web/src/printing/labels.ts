import { printLabels } from '@waystation/contract/express-calls.ts';
import type { Reason } from '@waystation/contract/envelope.ts';
import type { InputOf } from '@waystation/contract/endpoint.ts';
import { callFile } from '#base/call.ts';
import { saveFile } from '#base/save-file.ts';

export type LabelFormat = InputOf<typeof printLabels>['format'];
export const labelFormats = ['76x130', '100x150'] as const satisfies readonly LabelFormat[];

/** A parcel whose label is not among those drawn, and why. */
export interface LabelFailure {
  id: number;
  reason: Reason;
}

export interface Labels {
  blob: Blob;
  name: string;
  failures: LabelFailure[];
  /** Parcel and record of each label that the printer's program reports on; empty for a PDF. */
  prints: [expressId: number, printId: number][];
}

/** Settings of a label printer that go with its labels. */
export interface ZplSettings {
  offset_x: number;
  offset_y: number;
  darkness: number | null;
}

export const zplInput = ({ offset_x, offset_y, darkness }: ZplSettings) => ({
  driver: 'zpl' as const,
  offset_x,
  offset_y,
  ...(darkness !== null && { darkness }),
});

const isFailure = (entry: unknown): entry is LabelFailure => {
  const { id, reason } = (entry ?? {}) as Partial<LabelFailure>;
  return Number.isSafeInteger(id) && typeof reason?.code === 'string';
};

/** What the header `x-label-failures` holds; what cannot be read counts as none, since the labels themselves are there. */
export const readFailures = (header: string | null): LabelFailure[] => {
  try {
    const list: unknown = JSON.parse(decodeURIComponent(header ?? '[]'));
    return Array.isArray(list) ? list.filter(isFailure) : [];
  } catch {
    return [];
  }
};

const readPrints = (header: string | null): Labels['prints'] => (header === null ? [] : (JSON.parse(header) as Labels['prints']));

/** Labels as one PDF or as ZPL, in the order of the ids. Unless it is a preview each counts as a print. */
export const fetchLabels = async (
  ids: readonly number[],
  format: LabelFormat,
  options: { preview?: boolean; reason?: string; zpl?: ZplSettings; signal?: AbortSignal } = {},
): Promise<Labels> => {
  const { blob, name, headers } = await callFile(
    printLabels,
    {
      ids: [...ids],
      format,
      ...(options.preview && { preview: 1 as const }),
      ...(options.reason !== undefined && { reason: options.reason }),
      ...(options.zpl && zplInput(options.zpl)),
    },
    options.signal ? { signal: options.signal } : {},
  );
  return { blob, name, failures: readFailures(headers.get('x-label-failures')), prints: readPrints(headers.get('x-label-prints')) };
};

const keptFor = 120_000;

/** Hands a PDF to the browser's print dialog through a frame of its own; where no viewer is built in, the file is saved instead. */
export const printPdf = (blob: Blob, name: string): void => {
  if (!navigator.pdfViewerEnabled) {
    saveFile(blob, name);
    return;
  }
  const url = URL.createObjectURL(blob);
  const frame = document.createElement('iframe');
  frame.setAttribute('aria-hidden', 'true');
  frame.tabIndex = -1;
  // Out of sight but laid out: a frame that is not displayed prints nothing.
  Object.assign(frame.style, { position: 'fixed', right: '0', bottom: '0', width: '1px', height: '1px', border: '0', opacity: '0' });
  frame.src = url;
  frame.addEventListener('load', () => frame.contentWindow?.print(), { once: true });
  document.body.append(frame);
  setTimeout(() => {
    frame.remove();
    URL.revokeObjectURL(url);
  }, keptFor);
};
