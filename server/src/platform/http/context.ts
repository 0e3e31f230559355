import type { Log } from '#platform/log.ts';
import type { SentFile } from './form.ts';

/** What a handler may know of the request beside its input. */
export interface RequestContext {
  request_id: string;
  /** The caller's address, as the nearest trusted proxy saw it. */
  address: string;
  user_agent: string;
  /** Empty where the endpoint takes none, or the caller sends none to one that does not require it. */
  idempotency_key: string;
  /** SHA-256 of method, path and body: what a repeated key must match. */
  bodyHash(): Buffer;
  /** The id in the cookie of a browser that has logged in before, or null; it opens nothing. */
  browser: string | null;
  /** Gives the browser another id. */
  nameBrowser(id: string): void;
  /** Method and path, without the query. */
  call: string;
  /** The bearer token, or null. */
  token: string | null;
  /** Of a form; null where there is none. */
  file: SentFile | null;
  /** Aborted when the caller goes away. */
  signal: AbortSignal;
  /** The caller accepts server-sent events, and the endpoint answers them; `after` is its Last-Event-ID. Else null. */
  stream: { after: string | null } | null;
  log: Log;
}

/** Where a change or a search came from, as the audit log keeps it. */
export type Origin = Pick<RequestContext, 'address' | 'request_id'>;

/** A file of known size that is read piece by piece while it is sent. */
export interface FilePieces {
  bytes: number;
  pieces: AsyncIterable<Uint8Array>;
}

/** Bytes instead of an envelope. */
export interface FileAnswer {
  body: Uint8Array | FilePieces;
  type: string;
  name: string;
  /** Further headers, such as counts beside a file. */
  headers?: Record<string, string>;
}
