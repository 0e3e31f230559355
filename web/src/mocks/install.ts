import { failed } from './answer.ts';
import type { MockRequest } from './answer.ts';
import { createMocks } from './mocks.ts';
import type { Mock } from './mocks.ts';

export interface MockOptions {
  /** Returns a random number from 0 up to, but not including, 1. */
  random?: () => number;
  /** Waits `ms` milliseconds. Rejects with the signal's reason if the signal is aborted before. */
  wait?: (ms: number, signal: AbortSignal) => Promise<void>;
  now?: () => Date;
}

/** The minimum delay of a mock in milliseconds, followed by the maximum delay (requirements §9). */
const soonest = 600;
const latest = 1000;

const waitFor = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });

const bodyOf = (text: string): Record<string, unknown> | null => {
  if (text.trim() === '') return {};
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null && !Array.isArray(body)
      ? (body as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
};

const answerOf = async (mock: Mock, request: Request, now: Date): Promise<Response> => {
  const body = bodyOf(await request.text());
  const token = /^Bearer (\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? null;
  const mockRequest: MockRequest | null = body && {
    query: new URL(request.url).searchParams,
    body,
    token,
    now,
  };
  return Response.json(mockRequest ? mock(mockRequest) : failed('the body is not a JSON object'));
};

/**
 * Installs the mocks in place of `window.fetch`. A request that is not mocked reaches the server.
 * Used only in builds with `VITE_DEBUG_MOCKS=1` (requirements §1). Returns the function that
 * removes the mocks.
 */
export const installMocks = ({
  random = Math.random,
  wait = waitFor,
  now = () => new Date(),
}: MockOptions = {}): (() => void) => {
  const server = globalThis.fetch;
  const mocks = createMocks();
  const here = globalThis.location?.href ?? 'http://localhost/';
  const mockFor = (method: string, url: string): Mock | undefined => {
    // The server may be at a base path (requirements §7), so only the end of the path is compared.
    const path = /\/api\/.*$/.exec(new URL(url, here).pathname)?.[0];
    return path === undefined ? undefined : mocks.get(`${method} ${path}`);
  };
  const intercept: typeof fetch = async (input, init) => {
    const asRequest = input instanceof Request ? input : null;
    const url = asRequest?.url ?? String(input);
    const mock = mockFor((init?.method ?? asRequest?.method ?? 'GET').toUpperCase(), url);
    if (!mock) return server(input, init);
    const request = new Request(asRequest ?? new URL(url, here), init);
    request.signal.throwIfAborted();
    await wait(soonest + random() * (latest - soonest), request.signal);
    return answerOf(mock, request, now());
  };
  globalThis.fetch = intercept;
  return () => {
    if (globalThis.fetch === intercept) globalThis.fetch = server;
  };
};
