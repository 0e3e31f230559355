import { lookup } from 'node:dns';
import type { LookupAddress } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import type { Reason } from '@waystation/contract/base/envelope.ts';
import { carrierText } from './charset.ts';
import type { OutboundPolicy } from './outbound.ts';

export interface WireOptions {
  outbound: OutboundPolicy;
  /** The longest time from the start of a call to the last byte of its answer. */
  timeoutMs?: number;
  connectTimeoutMs?: number;
  maxAnswerBytes?: number;
  /**
   * Returns the IP addresses of a host name; if absent, the operating system resolves host names.
   */
  resolve?: (hostname: string) => Promise<LookupAddress[]>;
}

export interface WireRequest {
  url: URL;
  headers: Record<string, string>;
  body: string;
  /**
   * A read uses a kept-alive connection, and is sent once more if that connection was closed. A
   * write always opens a new connection.
   */
  kind: 'read' | 'write';
}

/** An answer with any HTTP status, or the reason why there is none. The promise never rejects. */
export type WireAnswer =
  | {
      got: 'answer';
      http_status: number;
      headers: http.IncomingHttpHeaders;
      body: string;
      ms: number;
    }
  /**
   * No answer. `sent` is true if a connection was open, so that a byte may have reached the
   * carrier.
   */
  | { got: 'nothing'; reason: Reason; ms: number; sent: boolean };

export interface Wire {
  post(request: WireRequest): Promise<WireAnswer>;
  /** Closes idle connections; calls that are in progress finish. */
  close(): void;
}

/** The error with which we end a request ourselves. */
class Stopped extends Error {
  readonly reason: Reason;
  constructor(reason: Reason) {
    super(reason.code);
    this.reason = reason;
  }
}

const portOf = (url: URL): number =>
  url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');
const denied = (url: URL): Reason => ({ code: 'carrier_url_denied', params: { host: url.host } });

/**
 * Resolves a host name and returns only the IP addresses that the policy allows, so that the
 * connection can use no other address.
 */
const guardedLookup =
  (url: URL, outbound: OutboundPolicy, resolve?: WireOptions['resolve']): LookupFunction =>
  (hostname, options, callback) => {
    const take = (error: NodeJS.ErrnoException | null, found: LookupAddress[]): void => {
      if (error) return callback(error, '');
      const allowed = found.filter(({ address }) =>
        outbound.allows(hostname, portOf(url), address),
      );
      const first = allowed[0];
      if (!first) return callback(new Stopped(denied(url)), '');
      if (options.all) return callback(null, allowed);
      callback(null, first.address, first.family);
    };
    // The operator trusts the allowed hosts, and may have written their IP addresses into the hosts
    // file, which this look-up reads.
    if (!resolve || outbound.allowsPlain(hostname, portOf(url)))
      return lookup(hostname, { ...options, all: true }, take);
    resolve(hostname).then(
      (found) => take(null, found),
      (error: NodeJS.ErrnoException) => take(error, []),
    );
  };

/** The reason why no call to `url` is allowed; null if a call may be tried. */
export const forbidden = (url: URL, outbound: OutboundPolicy): Reason | null => {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { code: 'carrier_url' };
  if (url.protocol === 'http:' && !outbound.allowsPlain(url.hostname, portOf(url)))
    return denied(url);
  const host = hostOf(url);
  // An IP address in the URL is never resolved, so it is checked here.
  if (isIP(host) !== 0 && !outbound.allows(host, portOf(url), host)) return denied(url);
  return null;
};

const notConnected = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
]);

/**
 * The reason contains only the code of the error, because the message of the error may contain data
 * that were sent.
 */
const reasonOf = (error: unknown): Reason => {
  if (error instanceof Stopped) return error.reason;
  const code = (error as NodeJS.ErrnoException).code ?? 'error';
  const unreachable =
    notConnected.has(code) ||
    /CERT|TLS|SSL/.test(code) ||
    (error instanceof AggregateError &&
      error.errors.every((each: NodeJS.ErrnoException) => notConnected.has(each.code ?? '')));
  return {
    code: unreachable ? 'carrier_unreachable' : 'carrier_connection_lost',
    params: { detail: code },
  };
};

interface Limits {
  timeoutMs: number;
  connectTimeoutMs: number;
  maxAnswerBytes: number;
}
interface Received {
  http_status: number;
  headers: http.IncomingHttpHeaders;
  body: string;
}

interface Exchange {
  request: http.ClientRequest;
  response: Promise<Received>;
  /**
   * True if the connection was opened. Nothing is written before that; over TLS, nothing is written
   * before the handshake has ended.
   */
  isOpened(): boolean;
}

const exchange = (
  request: WireRequest,
  options: https.RequestOptions,
  limits: Limits,
): Exchange => {
  const { protocol } = request.url;
  const bytes = Buffer.from(request.body, 'utf8');
  const outgoing = (protocol === 'https:' ? https : http).request(request.url, {
    ...options,
    method: 'POST',
    headers: { ...request.headers, 'content-length': bytes.length },
  });
  let opened = false;
  const response = new Promise<Received>((resolve, reject) => {
    // Rejects first and then destroys the request, because a destroyed request can still end its
    // answer with an empty body.
    const stop = (reason: Reason): void =>
      end(() => {
        reject(new Stopped(reason));
        outgoing.destroy();
      });
    const late = (after: number) => () =>
      stop({ code: 'carrier_timeout', params: { seconds: Math.ceil(after / 1000) } });
    const whole = setTimeout(late(limits.timeoutMs), limits.timeoutMs);
    const connecting = setTimeout(late(limits.connectTimeoutMs), limits.connectTimeoutMs);
    const end = (finish: () => void): void => {
      clearTimeout(whole);
      clearTimeout(connecting);
      finish();
    };
    outgoing.on('socket', (socket) => {
      const open = (): void => {
        opened = true;
        clearTimeout(connecting);
      };
      if (!socket.connecting) return open();
      socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', open);
    });
    outgoing.on('error', (error) => end(() => reject(error)));
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = [];
      let size = 0;
      incoming.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > limits.maxAnswerBytes) stop({ code: 'carrier_answer_too_large' });
        else chunks.push(chunk);
      });
      incoming.on('error', (error) => end(() => reject(error)));
      incoming.on('end', () => {
        if (!incoming.complete)
          return end(() =>
            reject(
              new Stopped({ code: 'carrier_connection_lost', params: { detail: 'ECONNRESET' } }),
            ),
          );
        const body = carrierText(Buffer.concat(chunks), incoming.headers['content-type']);
        end(() =>
          resolve({ http_status: incoming.statusCode ?? 0, headers: incoming.headers, body }),
        );
      });
    });
  });
  outgoing.end(bytes);
  return { request: outgoing, response, isOpened: () => opened };
};

/**
 * Opens the client for outgoing calls over node's sockets. The IP address is checked on every
 * connection, redirects are not followed, and time and size are limited.
 */
export const openWire = ({
  outbound,
  timeoutMs = 10_000,
  connectTimeoutMs = 5_000,
  maxAnswerBytes = 2_097_152,
  resolve,
}: WireOptions): Wire => {
  const limits = {
    timeoutMs,
    connectTimeoutMs: Math.min(connectTimeoutMs, timeoutMs),
    maxAnswerBytes,
  };
  const agents = {
    'http:': new http.Agent({ keepAlive: true, maxSockets: 32 }),
    'https:': new https.Agent({ keepAlive: true, maxSockets: 32 }),
  };

  const post = async (request: WireRequest): Promise<WireAnswer> => {
    const started = performance.now();
    const ms = (): number => Math.round(performance.now() - started);
    const reason = forbidden(request.url, outbound);
    if (reason) return { got: 'nothing', reason, ms: 0, sent: false };
    const options = { lookup: guardedLookup(request.url, outbound, resolve) };
    const attempt = exchange(
      request,
      {
        ...options,
        agent: request.kind === 'read' ? agents[request.url.protocol as 'http:'] : false,
      },
      limits,
    );
    try {
      return { got: 'answer', ...(await attempt.response), ms: ms() };
    } catch (error) {
      const wasClosed =
        attempt.request.reusedSocket &&
        ['ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '');
      if (!wasClosed)
        return { got: 'nothing', reason: reasonOf(error), ms: ms(), sent: attempt.isOpened() };
    }
    try {
      return {
        got: 'answer',
        ...(await exchange(request, { ...options, agent: false }, limits).response),
        ms: ms(),
      };
    } catch (error) {
      // The first connection was open, so a part of the request may have been sent.
      return { got: 'nothing', reason: reasonOf(error), ms: ms(), sent: true };
    }
  };

  return {
    post,
    close: () => {
      // Only idle sockets are destroyed, because `agent.destroy()` would also break calls that are
      // in progress.
      for (const agent of Object.values(agents))
        for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
    },
  };
};
