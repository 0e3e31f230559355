import type { ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type { LabelResult, printLabels } from '@waystation/contract/parcels/express-calls.ts';
import type { LabelSheet } from '#domain/documents/documents.ts';
import { zipStream } from '#domain/workbook/workbook.ts';
import type { FileAnswer } from '#platform/http/context.ts';
import { fileWithResult } from '#platform/http/file-with-result.ts';

const fileTypes = {
  pdf: 'application/pdf',
  zpl: 'text/plain; charset=us-ascii',
  tspl: 'application/octet-stream',
  zip: 'application/zip',
};

/** The content type and the file name of a file of labels. */
export const labelFile = (
  name: string,
  kind: keyof typeof fileTypes = 'pdf',
): Pick<FileAnswer, 'type' | 'name'> => ({
  type: fileTypes[kind],
  name: `${name}.${kind}`,
});

/**
 * Returns one archive with a PDF for each label. File names begin with the position and contain the
 * waybill, so that folders and programs keep the order.
 */
export const archiveOf = async (
  files: LabelSheet['files'],
  rows: readonly { id: number; delivery_id: string }[],
  ids: readonly number[],
  first: number,
): Promise<Uint8Array> => {
  const places = new Map(ids.map((id, place) => [id, place + first]));
  const entries = files.map(({ index, file }) => {
    const { id, delivery_id } = rows[index]!;
    return {
      name: `${String(places.get(id)).padStart(4, '0')}-${delivery_id.replaceAll(/[^\w-]/g, '_')}.pdf`,
      content: [Buffer.from(file)],
    };
  });
  const pieces: Buffer[] = [];
  for await (const piece of zipStream(entries)) pieces.push(piece);
  return new Uint8Array(Buffer.concat(pieces));
};

/**
 * The limit of bytes in one header, because proxies and browsers accept only some kilobytes of
 * headers.
 */
const mostHeaderBytes = 2_048;

const shortHeader = (name: string, value: string): Record<string, string> =>
  value.length <= mostHeaderBytes ? { [name]: value } : {};

/**
 * The response with the labels. If the caller requests it, the body also contains the result of
 * each parcel.
 */
export const answerOf = (
  { result }: Pick<ParsedOf<typeof printLabels>, 'result'>,
  file: FileAnswer & { body: Uint8Array },
  { count, pages, failures, warnings, prints }: LabelResult,
): FileAnswer => {
  const headers = {
    'x-label-count': String(count),
    'x-label-pages': String(pages),
    'x-label-failed': String(failures.length),
  };
  if (result === 1)
    return fileWithResult({ ...file, headers }, {
      count,
      pages,
      failures,
      warnings,
      prints,
    } satisfies LabelResult);
  return {
    ...file,
    headers: {
      ...headers,
      ...shortHeader('x-label-failures', encodeURIComponent(JSON.stringify(failures))),
      ...shortHeader('x-label-warnings', encodeURIComponent(JSON.stringify(warnings))),
      ...(prints.length > 0 && shortHeader('x-label-prints', JSON.stringify(prints))),
    },
  };
};
