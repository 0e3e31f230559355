import { dutyFlags } from '@waystation/contract/base/login-duties.ts';
import type { DutyFlag } from '@waystation/contract/base/login-duties.ts';
import { pathNames } from '@waystation/contract/base/endpoint.ts';
import type { Endpoint, InputOf, OutputOf } from '@waystation/contract/base/endpoint.ts';
import { ApiError, answerError, networkError, timeoutError } from './api-error.ts';
import { takePreloaded } from './preload.ts';
import { plainHeaders } from './headers.ts';
import { isAway } from './presence.ts';
import { besidesPath, requestUrl } from './request-url.ts';

export interface CallOptions {
  /**
   * The idempotency key, generated once per form by `newIdempotencyKey`. A repeated call with the
   * same key has no second effect.
   */
  idempotencyKey?: string;
  signal?: AbortSignal;
  /** The time limit in milliseconds. 0 means no limit, which is the default (requirements §9). */
  timeout?: number;
  /** Headers that replace the default headers of requirements §7. */
  headers?: Record<string, string>;
  /**
   * True if the call does not extend the session. By default it is true if the user has not been
   * active recently.
   */
  background?: boolean;
  /** True if `stopCalls` does not stop this call. */
  afterStop?: boolean;
}

export interface CalledFile {
  blob: Blob;
  /** The file name from the Content-Disposition header. */
  name: string;
  /**
   * The result that the response contains beside the file; null if the response contains only the
   * file.
   */
  result: unknown;
}

interface Listeners {
  /** Called after HTTP 401, because the session has ended (requirements §4). */
  onUnauthorised: () => void;
  /**
   * Called if the user must first do the duty that this flag identifies. Until then the API refuses
   * every other call.
   */
  onDuty: (flag: DutyFlag) => void;
  /**
   * Called after the response to a call that the user caused. The response shows that the token is
   * valid.
   */
  onAnswered: () => void;
}
const listeners: Listeners = {
  onUnauthorised: () => {},
  onDuty: () => {},
  onAnswered: () => {},
};
/**
 * Registers functions that calls run, for example after HTTP 401. The session registers its
 * functions here, because this module must not depend on the session.
 */
export const listenToCalls = (added: Partial<Listeners>): void =>
  void Object.assign(listeners, added);

const stop = new AbortController();
/**
 * Stops all calls of this window; running and later calls neither resolve nor reject. Called at a
 * logout, because the server answers 401 to all later calls.
 */
export const stopCalls = (): void => stop.abort();

export const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');

/**
 * Sets every header of requirements §7. A header in `options` replaces the header of the same name.
 */
const headersFor = (body: BodyInit | undefined, options: CallOptions): Headers => {
  const headers = new Headers(options.headers);
  const add = (name: string, value: string): void => {
    if (!headers.has(name)) headers.set(name, value);
  };
  for (const [name, value] of Object.entries(plainHeaders()))
    // The content type of form data contains a boundary that only the browser knows. It is
    // therefore not set here.
    if (name !== 'Content-Type' || !(body instanceof FormData)) add(name, value);
  if (options.idempotencyKey !== undefined) add('Idempotency-Key', options.idempotencyKey);
  if (options.background) add('X-Background', '1');
  return headers;
};

const requestOf = (
  endpoint: Endpoint,
  input: Record<string, unknown> | FormData,
): { url: string; body: BodyInit | undefined } => {
  if (input instanceof FormData) {
    const inPath = Object.fromEntries(
      pathNames(endpoint.path).map((name) => [name, input.get(name)]),
    );
    for (const name of Object.keys(inPath)) input.delete(name);
    return { url: requestUrl(endpoint, inPath), body: input };
  }
  return {
    url: requestUrl(endpoint, input),
    body: endpoint.method === 'GET' ? undefined : JSON.stringify(besidesPath(endpoint, input)),
  };
};

const retryAfter = (headers: Headers): number | null => {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : null;
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/**
 * Waits for the answer of a call that is already running. Rejects if the waiting call is aborted
 * first.
 */
const orAborted = (answer: Promise<Response>, signals: AbortSignal[]): Promise<Response> => {
  const any = AbortSignal.any(signals);
  any.throwIfAborted();
  return Promise.race([
    answer,
    new Promise<never>((_, reject) =>
      any.addEventListener('abort', () => reject(any.reason), { once: true }),
    ),
  ]);
};

const send = async (
  endpoint: Endpoint,
  input: Record<string, unknown> | FormData,
  options: CallOptions,
): Promise<Response> => {
  const { url, body } = requestOf(endpoint, input);
  const limit = options.timeout ? AbortSignal.timeout(options.timeout) : null;
  const signals = [options.signal, limit, options.afterStop ? null : stop.signal].filter(
    (signal) => signal !== undefined && signal !== null,
  );
  const preloaded = endpoint.method === 'GET' ? takePreloaded(url) : null;
  try {
    if (preloaded) return await orAborted(preloaded, signals);
    return await fetch(url, {
      method: endpoint.method,
      headers: headersFor(body, options),
      body: body ?? null,
      credentials: 'same-origin',
      signal: AbortSignal.any(signals),
    });
  } catch (error) {
    return rejectUnlessStopped(error, options, limit);
  }
};

/**
 * The error to throw for a failed call. If the caller aborted the call, it is the AbortError. Any
 * other failure has a message of requirements §8.
 */
const failureOf = (error: unknown, options: CallOptions, limit: AbortSignal | null): unknown => {
  if (limit?.aborted && !options.signal?.aborted) return timeoutError(options.timeout!);
  return options.signal?.aborted || error instanceof ApiError ? error : networkError();
};

/** Rejects with the error of a failed call. A call that `stopCalls` stopped never settles. */
const rejectUnlessStopped = (
  error: unknown,
  options: CallOptions,
  limit: AbortSignal | null,
): Promise<never> =>
  stop.signal.aborted && !options.afterStop
    ? new Promise(() => {})
    : Promise.reject(failureOf(error, options, limit));

const failed = (response: Response, body: unknown): ApiError => {
  if (response.status === 401) listeners.onUnauthorised();
  const error = answerError(
    {
      status: response.status,
      request_id: response.headers.get('x-request-id') ?? '',
      retryAfter: retryAfter(response.headers),
    },
    body,
  );
  const flag = dutyFlags[error.code];
  if (flag) listeners.onDuty(flag);
  return error;
};

const textOf = async (response: Response, options: CallOptions): Promise<string> => {
  try {
    return await response.text();
  } catch (error) {
    return rejectUnlessStopped(error, options, null);
  }
};

/**
 * Makes one call of the contract and returns the data of the envelope (requirements §7). Throws an
 * ApiError for a body status other than 200, for every other HTTP status, for a network error and
 * for a timeout. On HTTP 401 the user is logged out first.
 */
export const call = async <E extends Endpoint>(
  endpoint: E,
  input: InputOf<E> | FormData,
  callOptions: CallOptions = {},
): Promise<OutputOf<E>> => {
  const options = { background: isAway(), ...callOptions };
  const response = await send(endpoint, input as Record<string, unknown>, options);
  const body = parsed(await textOf(response, options));
  if (!response.ok || (body as { status?: unknown } | null)?.status !== 200)
    throw failed(response, body);
  if (!options.background) listeners.onAnswered();
  return (body as { data: OutputOf<E> }).data;
};

const fileName = (headers: Headers): string => {
  const disposition = headers.get('content-disposition') ?? '';
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  return encoded === undefined
    ? (/filename="?([^";]+)/i.exec(disposition)?.[1] ?? 'file')
    : decodeURIComponent(encoded);
};

/** The file in a response. If the body also contains a result, the result is returned too. */
const calledFile = async (response: Response): Promise<CalledFile> => {
  const type = response.headers.get('content-type') ?? '';
  if (!type.startsWith('multipart/form-data'))
    return { blob: await response.blob(), name: fileName(response.headers), result: null };
  const form = await response.formData();
  const file = form.get('file') as File;
  return { blob: file, name: file.name, result: JSON.parse(form.get('result') as string) };
};

/**
 * Makes one call that returns a file, with the bearer token in its header. A failure is reported in
 * the same way as for every other call.
 */
export const callFile = async <E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  callOptions: CallOptions = {},
): Promise<CalledFile> => {
  const options = { background: isAway(), ...callOptions };
  const response = await send(endpoint, input as Record<string, unknown>, options);
  const isEnvelope = (response.headers.get('content-type') ?? '').startsWith('application/json');
  if (!response.ok || isEnvelope) throw failed(response, parsed(await textOf(response, options)));
  try {
    const called = await calledFile(response);
    if (!options.background) listeners.onAnswered();
    return called;
  } catch (error) {
    return rejectUnlessStopped(error, options, null);
  }
};
