import type { Log } from '#platform/log.ts';
import type { SentFile } from './form.ts';

/** Facts about a request that a handler may read in addition to its input. */
export interface RequestContext {
  request_id: string;
  /** The caller's address, as seen by the nearest trusted proxy. */
  address: string;
  user_agent: string;
  /**
   * The idempotency key; empty if the endpoint takes no such key, or if the key is optional and the
   * caller omits it.
   */
  idempotency_key: string;
  /**
   * Returns the SHA-256 of method, path and body. A repeated request with the same idempotency key
   * must have the same hash.
   */
  bodyHash(): Buffer;
  /**
   * The id in the cookie of a browser that has logged in before; null if there is none. It gives no
   * access.
   */
  browser: string | null;
  /** Gives the browser a new id. */
  nameBrowser(id: string): void;
  /** Method and path, without the query. */
  call: string;
  /** The bearer token; null if the request has none. */
  token: string | null;
  /** The file that was sent with a form; null if the request has none. */
  file: SentFile | null;
  /** Aborted when the caller disconnects. */
  signal: AbortSignal;
  /**
   * Null unless the caller accepts server-sent events and the endpoint sends them. `after` is the
   * caller's Last-Event-ID.
   */
  stream: { after: string | null } | null;
  log: Log;
}

/** The IP address and the request id of a change or a search, which the audit log stores. */
export type Origin = Pick<RequestContext, 'address' | 'request_id'>;

/** The content of a file whose size is known, which is read piece by piece while it is sent. */
export interface FilePieces {
  bytes: number;
  pieces: AsyncIterable<Uint8Array>;
}

/** A response that is a file instead of a JSON envelope. */
export interface FileAnswer {
  body: Uint8Array | FilePieces;
  type: string;
  name: string;
  /** Additional headers, such as the counts for a file. */
  headers?: Record<string, string>;
}
