import { createHash, randomUUID } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { oneLine } from '@waystation/contract/base/visible-text.ts';
import { fail } from '#platform/fail.ts';

/**
 * The file that was sent with a form. Its bytes are in a temporary file until the response is sent.
 */
export interface SentFile {
  /** The file name that the sender gave. It is only text and never used as a path. */
  name: string;
  size: number;
  sha256: Buffer;
  read(): Promise<Buffer>;
}

export interface Form extends AsyncDisposable {
  fields: Record<string, string>;
  /** The file in the form's part `file`; null if the form has no such part. */
  file: SentFile | null;
}

/**
 * Fields that the contract does not declare are ignored, as in JSON bodies. A form is refused only
 * if it has more fields than this limit.
 */
const limits = {
  files: 1,
  fields: 1_000,
  fieldSize: 64 * 1024,
  headerPairs: 20,
  headerSize: 4_096,
};

/**
 * Lets the routes of this server instance accept forms. Any other instance refuses a multipart
 * body.
 */
export const acceptForms = async (http: FastifyInstance): Promise<void> => {
  await http.register(multipart, {
    isPartAFile: (_name, _type, fileName) => fileName !== undefined,
  });
};

/**
 * Reads the form of a request, with a file of at most `limit` bytes. Throws `too_large` if the file
 * is larger. Throws `bad_request` if the body is not a form, is incomplete, repeats a field or has
 * a second file. A refused body is read to its end first, because a client that is disconnected
 * while sending cannot read the response.
 */
export const readForm = async (request: FastifyRequest, limit: number): Promise<Form> => {
  const fields = new Map<string, string>();
  let file: StoredFile | null = null;
  try {
    if (!request.isMultipart()) fail('bad_request');
    for await (const part of request.parts({ limits: { ...limits, fileSize: limit } })) {
      if (part.type === 'file') {
        if (part.fieldname !== 'file') fail('bad_request');
        file = await store(part.file, plainName(part.filename));
      } else if (
        typeof part.value !== 'string' ||
        part.valueTruncated ||
        !part.fieldname ||
        fields.has(part.fieldname)
      )
        fail('bad_request');
      else fields.set(part.fieldname, part.value);
    }
    return {
      fields: Object.fromEntries(fields),
      file,
      [Symbol.asyncDispose]: async () => file?.close(),
    };
  } catch (error) {
    await file?.close();
    throw asRefusal(error);
  } finally {
    await drain(request.raw);
  }
};

interface StoredFile extends SentFile {
  close(): Promise<void>;
}

/**
 * Writes a part to a temporary file without a name. The operating system deletes the file when it
 * is closed or the process dies.
 */
const store = async (part: Readable, name: string): Promise<StoredFile> => {
  const handle = await openUnnamed();
  const hash = createHash('sha256');
  let size = 0;
  try {
    for await (const piece of part as AsyncIterable<Buffer>) {
      hash.update(piece);
      await handle.writeFile(piece);
      size += piece.byteLength;
    }
  } catch (error) {
    await handle.close();
    throw error;
  }
  const read = async (): Promise<Buffer> => {
    const bytes = Buffer.alloc(size);
    for (let at = 0; at < size;) at += (await handle.read(bytes, at, size - at, at)).bytesRead;
    return bytes;
  };
  return { name, size, sha256: hash.digest(), read, close: () => handle.close() };
};

const openUnnamed = async (): Promise<FileHandle> => {
  const path = join(tmpdir(), `waystation-upload-${randomUUID()}`);
  const handle = await open(path, 'wx+', 0o600);
  await unlink(path);
  return handle;
};

/**
 * Converts an error of the form parser to a 400 or 413, because the sender caused it. A file system
 * error is returned unchanged, because the server caused it.
 */
const asRefusal = (error: unknown): unknown => {
  const { name, code, syscall } = error as { name?: string; code?: string; syscall?: string };
  if (name === 'Failure' || syscall !== undefined) return error;
  return Object.assign(new Error('a form was refused', { cause: error }), {
    statusCode: code === 'FST_REQ_FILE_TOO_LARGE' ? 413 : 400,
  });
};

const drain = async (raw: IncomingMessage): Promise<void> => {
  if (raw.readableEnded || raw.destroyed) return;
  raw.unpipe();
  raw.resume();
  // A sender that has disconnected sends nothing more, so its error is ignored.
  await finished(raw).catch(() => undefined);
};

/**
 * Returns the last part of a path, without invisible characters. Browsers write quotation marks and
 * line ends in a file name as %22, %0D and %0A.
 */
const plainName = (name: string): string =>
  oneLine(name.replaceAll(/%(22|0d|0a)/gi, (escape) => decodeURIComponent(escape)))
    .replace(/^.*[/\\]/, '')
    .trim()
    .slice(-200);
