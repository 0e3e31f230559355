import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fail } from '#platform/fail.ts';

/** The file of a form: its name as the sender wrote it, which is text and no path, and its bytes. */
export interface SentFile {
  name: string;
  bytes: Buffer;
}

export interface Form {
  fields: Record<string, string>;
  /** The part called `file`; null where there is none. */
  file: SentFile | null;
}

/** More than any form of ours has; each costs a little however short it is. */
const mostParts = 1_000;
const mostHeader = 4_096;
const blankLine = Buffer.from('\r\n\r\n');

/** Lets multipart bodies through to the handler unread: only who may call is read at all. Other endpoints go on refusing them. */
export const takeForms = (http: FastifyInstance): void => {
  http.addContentTypeParser('multipart/form-data', (request, payload, done) => {
    if ((request.routeOptions.config as { form?: boolean }).form) return done(null, payload);
    done(Object.assign(new Error('no form is taken here'), { statusCode: 415 }));
  });
};

/** The form of a request, whole: at most `limit` bytes. Throws `too_large`, and `bad_request` for what is no form or has two files. */
export const readForm = async (request: FastifyRequest, limit: number): Promise<Form> => {
  const boundary = /;\s*boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(request.headers['content-type'] ?? '');
  if (!/^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '') || !boundary) return fail('bad_request');
  const pieces: Buffer[] = [];
  let held = 0;
  try {
    for await (const piece of request.body as Readable) {
      held += (piece as Buffer).byteLength;
      // Heard to the end though no longer kept: who is cut off while sending never reads the answer.
      if (held <= limit) pieces.push(piece as Buffer);
      else pieces.length = 0;
    }
  } catch {
    // The sender went away in the middle.
    return fail('bad_request');
  }
  if (held > limit) return fail('too_large');
  return parseForm(Buffer.concat(pieces), boundary[1] ?? boundary[2]!);
};

/** What stands between two boundaries, one part after another. */
function* partsOf(body: Buffer, boundary: string): Generator<Buffer> {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const first = delimiter.subarray(2);
  if (!body.subarray(0, first.length).equals(first)) fail('bad_request');
  let from = first.length;
  for (let count = 0; count < mostParts; count++) {
    const end = body.subarray(from, from + 2).toString('latin1');
    if (end === '--') return;
    const to = body.indexOf(delimiter, from);
    if (end !== '\r\n' || to < 0) fail('bad_request');
    yield body.subarray(from + 2, to);
    from = to + delimiter.length;
  }
  fail('bad_request');
}

/** `name="…"` of a header; browsers write quotation marks and line ends in it as %22, %0D and %0A. */
const named = (header: string, name: string): string | undefined => {
  const found = new RegExp(`;\\s*${name}="([^"]*)"`, 'i').exec(header)?.[1];
  return found?.replaceAll(/%(22|0d|0a)/gi, (escape) => decodeURIComponent(escape));
};

export const parseForm = (body: Buffer, boundary: string): Form => {
  const fields = new Map<string, string>();
  let file: SentFile | null = null;
  for (const part of partsOf(body, boundary)) {
    const split = part.subarray(0, mostHeader).indexOf(blankLine);
    if (split < 0) return fail('bad_request');
    const header = /^content-disposition:\s*form-data(.*)$/im.exec(part.subarray(0, split).toString('utf8'))?.[1] ?? '';
    const [name, fileName] = [named(header, 'name'), named(header, 'filename')];
    const bytes = part.subarray(split + blankLine.length);
    if (name === undefined || name === '__proto__' || fields.has(name)) return fail('bad_request');
    if (fileName === undefined) fields.set(name, bytes.toString('utf8'));
    else if (name === 'file' && file === null) file = { name: plainName(fileName), bytes };
    else return fail('bad_request');
  }
  return { fields: Object.fromEntries(fields), file };
};

/** The last part of a path, without what cannot be shown. */
const plainName = (name: string): string =>
  name
    .toWellFormed()
    .replaceAll(/[\u0000-\u001f\u007f]+/g, ' ')
    .replace(/^.*[/\\]/, '')
    .trim()
    .slice(-200);
