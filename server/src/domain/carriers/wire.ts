import { lookup } from 'node:dns';
import type { LookupAddress } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import type { Reason } from '@waystation/contract/envelope.ts';
import type { OutboundPolicy } from './outbound.ts';

export interface WireOptions {
  outbound: OutboundPolicy;
  /** From the start of a call to its last byte. */
  timeoutMs?: number;
  connectTimeoutMs?: number;
  maxAnswerBytes?: number;
}

export interface WireRequest {
  url: URL;
  headers: Record<string, string>;
  body: string;
  /** Reads ride kept connections and are sent once more when such a one turns out closed; a write always opens its own. */
  kind: 'read' | 'write';
}

/** Never rejects: an answer of whatever status, or the reason there is none. */
export type WireAnswer =
  | { got: 'answer'; http_status: number; headers: http.IncomingHttpHeaders; body: string; ms: number }
  | { got: 'nothing'; reason: Reason; ms: number };

export interface Wire {
  post(request: WireRequest): Promise<WireAnswer>;
  /** Ends idle connections; calls under way finish. */
  close(): void;
}

/** Ends a request with a reason of our own. */
class Stopped extends Error {
  readonly reason: Reason;
  constructor(reason: Reason) {
    super(reason.code);
    this.reason = reason;
  }
}

const portOf = (url: URL): number => (url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port));
const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');
const denied = (url: URL): Reason => ({ code: 'carrier_url_denied', params: { host: url.host } });

/** Resolves a name to the addresses the policy allows at this moment; the connection is made to one of these and no other. */
const guardedLookup =
  (url: URL, outbound: OutboundPolicy): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
      if (error) return callback(error, '');
      const allowed = found.filter(({ address }) => outbound.allows(hostname, portOf(url), address));
      const first = allowed[0];
      if (!first) return callback(new Stopped(denied(url)), '');
      if (options.all) return callback(null, allowed);
      callback(null, first.address, first.family);
    });
  };

/** Why nothing may be sent to `url` at all, null when it may be tried. */
export const forbidden = (url: URL, outbound: OutboundPolicy): Reason | null => {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { code: 'carrier_url' };
  if (url.protocol === 'http:' && !outbound.allowsPlain(url.hostname, portOf(url))) return denied(url);
  const host = hostOf(url);
  // An address in the URL itself is never looked up, so it is judged here.
  if (isIP(host) !== 0 && !outbound.allows(host, portOf(url), host)) return denied(url);
  return null;
};

const notConnected = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL']);

/** Only the code of an error is told on: its message may hold what was sent. */
const reasonOf = (error: unknown): Reason => {
  if (error instanceof Stopped) return error.reason;
  const code = (error as NodeJS.ErrnoException).code ?? 'error';
  const unreachable =
    notConnected.has(code) ||
    /CERT|TLS|SSL/.test(code) ||
    (error instanceof AggregateError && error.errors.every((each: NodeJS.ErrnoException) => notConnected.has(each.code ?? '')));
  return { code: unreachable ? 'carrier_unreachable' : 'carrier_connection_lost', params: { detail: code } };
};

interface Limits {
  timeoutMs: number;
  connectTimeoutMs: number;
  maxAnswerBytes: number;
}
interface Heard {
  http_status: number;
  headers: http.IncomingHttpHeaders;
  body: string;
}

const exchange = (request: WireRequest, options: https.RequestOptions, limits: Limits): { request: http.ClientRequest; heard: Promise<Heard> } => {
  const { protocol } = request.url;
  const bytes = Buffer.from(request.body, 'utf8');
  const outgoing = (protocol === 'https:' ? https : http).request(request.url, {
    ...options,
    method: 'POST',
    headers: { ...request.headers, 'content-length': bytes.length },
  });
  const heard = new Promise<Heard>((resolve, reject) => {
    // Rejects before it destroys: a destroyed request can still end an answer, emptied.
    const stop = (reason: Reason): void =>
      end(() => {
        reject(new Stopped(reason));
        outgoing.destroy();
      });
    const late = (after: number) => () => stop({ code: 'carrier_timeout', params: { seconds: Math.ceil(after / 1000) } });
    const whole = setTimeout(late(limits.timeoutMs), limits.timeoutMs);
    const connecting = setTimeout(late(limits.connectTimeoutMs), limits.connectTimeoutMs);
    const end = (finish: () => void): void => {
      clearTimeout(whole);
      clearTimeout(connecting);
      finish();
    };
    outgoing.on('socket', (socket) => {
      if (!socket.connecting) return clearTimeout(connecting);
      socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', () => clearTimeout(connecting));
    });
    outgoing.on('error', (error) => end(() => reject(error)));
    outgoing.on('response', (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > limits.maxAnswerBytes) stop({ code: 'carrier_answer_too_large' });
        else chunks.push(chunk);
      });
      response.on('error', (error) => end(() => reject(error)));
      response.on('end', () => {
        if (!response.complete) return end(() => reject(new Stopped({ code: 'carrier_connection_lost', params: { detail: 'ECONNRESET' } })));
        end(() => resolve({ http_status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks).toString('utf8') }));
      });
    });
  });
  outgoing.end(bytes);
  return { request: outgoing, heard };
};

/** Outgoing calls over plain node sockets: every address is judged when it is connected to, redirects are not followed, time and size are bounded. */
export const openWire = ({ outbound, timeoutMs = 10_000, connectTimeoutMs = 5_000, maxAnswerBytes = 2_097_152 }: WireOptions): Wire => {
  const limits = { timeoutMs, connectTimeoutMs: Math.min(connectTimeoutMs, timeoutMs), maxAnswerBytes };
  const kept = { 'http:': new http.Agent({ keepAlive: true, maxSockets: 32 }), 'https:': new https.Agent({ keepAlive: true, maxSockets: 32 }) };

  const post = async (request: WireRequest): Promise<WireAnswer> => {
    const started = performance.now();
    const ms = (): number => Math.round(performance.now() - started);
    const reason = forbidden(request.url, outbound);
    if (reason) return { got: 'nothing', reason, ms: 0 };
    const options = { lookup: guardedLookup(request.url, outbound) };
    const attempt = exchange(request, { ...options, agent: request.kind === 'read' ? kept[request.url.protocol as 'http:'] : false }, limits);
    try {
      return { got: 'answer', ...(await attempt.heard), ms: ms() };
    } catch (error) {
      const closedMeanwhile = attempt.request.reusedSocket && ['ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '');
      if (!closedMeanwhile) return { got: 'nothing', reason: reasonOf(error), ms: ms() };
    }
    try {
      return { got: 'answer', ...(await exchange(request, { ...options, agent: false }, limits).heard), ms: ms() };
    } catch (error) {
      return { got: 'nothing', reason: reasonOf(error), ms: ms() };
    }
  };

  return {
    post,
    close: () => {
      // Not destroy(): that would break calls under way.
      for (const agent of Object.values(kept)) for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
    },
  };
};
