/** A code with its parameters, as API responses contain it to give a reason. */
export interface NamedReason {
  code: string;
  params?: Record<string, string | number>;
}

/** The error codes that a program meets most often; `/openapi.json` lists all codes. */
export type WaystationErrorCode =
  | 'bad_request'
  | 'invalid_input'
  | 'not_found'
  | 'forbidden'
  | 'key_invalid'
  | 'key_forbidden'
  | 'key_address_refused'
  | 'login_throttled'
  | 'idempotency_key_required'
  | 'idempotency_key_reused'
  | 'idempotency_in_progress'
  | 'price_changed'
  | 'too_large'
  | 'too_many_requests'
  | 'unavailable'
  | 'internal'
  | (string & {});

/** Thrown if the API answered with an error and has not executed the request. */
export class WaystationError extends Error {
  /** HTTP status. */
  readonly status: number;
  /** Stable code of the failure; `http` for an answer that is not the API's, such as a proxy's. */
  readonly code: WaystationErrorCode;
  readonly params: Readonly<Record<string, string | number>>;
  /** Refused fields by their path, such as `receive_phone`, each with its reason. */
  readonly fields: Readonly<Record<string, NamedReason>>;
  /** Number of the request in the system's log; empty if the answer has none. */
  readonly requestId: string;
  /** Seconds after which the API asks for a new attempt; null if it does not ask for one. */
  readonly retryAfterSeconds: number | null;
  /** All error fields of the response. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    message: string,
    details: Record<string, unknown>,
    retryAfterSeconds: number | null,
  ) {
    super(message);
    this.name = 'WaystationError';
    this.status = status;
    this.details = details;
    this.code = typeof details['code'] === 'string' ? details['code'] : 'http';
    this.params = (details['params'] ?? {}) as Record<string, string | number>;
    this.fields = (details['fields'] ?? {}) as Record<string, NamedReason>;
    this.requestId = typeof details['request_id'] === 'string' ? details['request_id'] : '';
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * Thrown if the response did not arrive completely, so that it is unknown whether a write was done.
 * A repeated order with the same idempotency key returns the same parcel.
 */
export class WaystationConnectionError extends Error {
  readonly reason: 'timeout' | 'network';

  constructor(reason: 'timeout' | 'network', cause: unknown) {
    super(reason === 'timeout' ? 'No answer in time' : 'The connection failed', { cause });
    this.name = 'WaystationConnectionError';
    this.reason = reason;
  }
}

/** Settings of a client. */
export interface WaystationOptions {
  /** Address of the system, such as `https://waystation.example.com`. */
  baseUrl: string;
  /**
   * An API key. Keep it on a server: every visitor of a page can read a key in that page's code.
   */
  key: string;
  /** Sends a request; the global `fetch` by default. */
  fetch?: typeof globalThis.fetch | undefined;
  /** The language of error messages; `zh` by default. */
  language?: 'zh' | 'en' | undefined;
  /**
   * Milliseconds that one attempt may take until its whole response has arrived; 30,000 by default.
   */
  timeoutMs?: number | undefined;
  /** The maximum number of further attempts of a call that may be repeated; 4 by default. */
  retries?: number | undefined;
  /**
   * The longest wait before an attempt, in milliseconds; 60,000 by default. If the API asks for a
   * longer wait, the error is thrown.
   */
  maxRetryWaitMs?: number | undefined;
}

/** Settings of one call. */
export interface CallOptions {
  /** Ends the call when it is aborted, also while the call waits for its next attempt. */
  signal?: AbortSignal | undefined;
  /** Milliseconds that one attempt of this call may take, instead of the client's setting. */
  timeoutMs?: number | undefined;
}

/** Settings of a call that has its effect only once for each idempotency key. */
export interface IdempotentCallOptions extends CallOptions {
  /**
   * 8 to 100 characters, such as the shop's order number. For 30 days, a call with the same key
   * returns the same parcel.
   */
  idempotencyKey: string;
}

/** A file in an answer. */
export interface WaystationFile {
  bytes: Uint8Array;
  /** Media type, such as `application/pdf`. */
  type: string;
  /** The result for each parcel; present only if the call has `result: 1`. */
  result?: LabelResult;
}

/** The result for each parcel of a file of labels. */
export interface LabelResult {
  /** `count`: the parcels in the file. `pages`: the pages in the file. */
  count: number;
  pages: number;
  /** Parcels that could not be printed, with the reasons. */
  failures: { id: number; reason: NamedReason }[];
  /** Parcels whose labels were printed with a flaw, with the reasons. */
  warnings: { id: number; reason: NamedReason }[];
  /**
   * The ids of the parcel and of the print record for each label whose printer reports a result.
   */
  prints: [parcelId: number, printId: number][];
}

/**
 * The remaining calls of an API key, or of all keys of its account, according to the last response.
 */
export interface RateLimit {
  /** `key`, or `account` for all keys of the account together. */
  name: string;
  remaining: number;
  /** Seconds until all calls are available again. */
  resetSeconds: number;
}

interface Operation {
  method: 'GET' | 'POST';
  path: string;
  answers: 'json' | 'file';
}

interface Attempt {
  url: string;
  request: { method: string; headers: Record<string, string>; body?: string };
  timeoutMs: number;
  signal: AbortSignal | undefined;
}

interface Answer {
  status: number;
  headers: Headers;
  bytes: ArrayBuffer;
}

const retriedStatus = new Set([429, 502, 503, 504]);

const sleep = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });

/**
 * The seconds to wait according to the `Retry-After` header, which has seconds or a date; null if
 * it is missing or unreadable.
 */
const retryAfterOf = (headers: Headers): number | null => {
  const text = headers.get('retry-after');
  if (text === null) return null;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? null : Math.max(0, Math.ceil(seconds));
};

const rateLimitsOf = (headers: Headers): RateLimit[] =>
  Array.from(
    (headers.get('ratelimit') ?? '').matchAll(/"([^"]*)";r=(\d+);t=(\d+)/g),
    ([, name = '', remaining, reset]) => ({
      name,
      remaining: Number(remaining),
      resetSeconds: Number(reset),
    }),
  );

const textOf = (bytes: ArrayBuffer): string => new TextDecoder().decode(bytes);

const typeOf = (headers: Headers): string => headers.get('content-type') ?? '';

const failureOf = ({ status, headers, bytes }: Answer): WaystationError => {
  let body: { message?: unknown; data?: unknown } = {};
  try {
    body = JSON.parse(textOf(bytes)) as typeof body;
  } catch {
    // The response has no JSON, so it comes from a proxy.
  }
  return new WaystationError(
    status,
    typeof body.message === 'string' ? body.message : `HTTP ${status}`,
    typeof body.data === 'object' && body.data !== null ? { ...body.data } : {},
    retryAfterOf(headers),
  );
};

const fileOf = async ({ headers, bytes }: Answer): Promise<WaystationFile> => {
  const type = typeOf(headers);
  if (!type.startsWith('multipart/form-data')) return { bytes: new Uint8Array(bytes), type };
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData();
  const result = form.get('result');
  const file = form.get('file');
  if (result === null || file === null || typeof file === 'string')
    throw new WaystationConnectionError('network', new Error('A part of the answer is missing'));
  return {
    bytes: new Uint8Array(await file.arrayBuffer()),
    type: file.type,
    result: JSON.parse(
      typeof result === 'string' ? result : textOf(await result.arrayBuffer()),
    ) as LabelResult,
  };
};

/** Sends requests. All operations of the API share this class. */
export class Connection {
  /** The remaining calls of each rate limit, from the last response; empty at first. */
  rateLimits: readonly RateLimit[] = [];
  readonly #base: string;
  readonly #headers: Record<string, string>;
  readonly #fetch: typeof globalThis.fetch;
  readonly #timeoutMs: number;
  readonly #retries: number;
  readonly #maxRetryWaitMs: number;

  constructor(options: WaystationOptions) {
    this.#base = options.baseUrl.replace(/\/+$/, '');
    this.#headers = {
      authorization: `Bearer ${options.key}`,
      'accept-language': options.language === 'en' ? 'en-US' : 'zh-CN',
    };
    const send = options.fetch ?? globalThis.fetch;
    // A browser throws if fetch is called as a method of another object.
    this.#fetch = (...request) => send(...request);
    this.#timeoutMs = options.timeoutMs ?? 30_000;
    this.#retries = options.retries ?? 4;
    this.#maxRetryWaitMs = options.maxRetryWaitMs ?? 60_000;
  }

  /**
   * Calls an operation. Fields of `input` that are in the path are put there, and the others into
   * the query or the body.
   */
  protected async call<T>(
    operation: Operation,
    input: object,
    options: CallOptions & Partial<IdempotentCallOptions>,
  ): Promise<T> {
    const attempt = this.#attemptOf(operation, input, options);
    const isRepeatable = operation.method === 'GET' || options.idempotencyKey !== undefined;
    for (let tried = 0; ; tried++) {
      const answer = await this.#try(attempt, isRepeatable && tried < this.#retries);
      if (answer instanceof Error) {
        await this.#wait(answer, tried, options.signal);
        continue;
      }
      if (operation.answers === 'file') return (await fileOf(answer)) as T;
      return (JSON.parse(textOf(answer.bytes)) as { data: T }).data;
    }
  }

  /** Yields the items of all pages; requests a page only when its first item is needed. */
  protected async *items<T>(
    page: (cursor: string | undefined) => Promise<{ items: T[]; next_cursor: string | null }>,
    first: string | undefined,
  ): AsyncGenerator<T, void, undefined> {
    let cursor = first;
    do {
      const { items, next_cursor } = await page(cursor);
      yield* items;
      cursor = next_cursor ?? undefined;
    } while (cursor !== undefined);
  }

  #attemptOf(
    { method, path }: Operation,
    input: object,
    { signal, timeoutMs, idempotencyKey }: CallOptions & Partial<IdempotentCallOptions>,
  ): Attempt {
    const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = String(rest.get(name));
      rest.delete(name);
      return encodeURIComponent(value);
    });
    const headers = {
      ...this.#headers,
      ...(method === 'POST' && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    };
    const query = new URLSearchParams(
      method === 'GET' ? [...rest].map(([name, value]) => [name, String(value)]) : [],
    ).toString();
    const body = method === 'POST' && { body: JSON.stringify(Object.fromEntries(rest)) };
    return {
      url: `${this.#base}${filled}${query && `?${query}`}`,
      request: { method, headers, ...body },
      timeoutMs: timeoutMs ?? this.#timeoutMs,
      signal,
    };
  }

  /**
   * Returns a successful response, or the error of an attempt that may be repeated; throws any
   * other error.
   */
  async #try(
    attempt: Attempt,
    mayRepeat: boolean,
  ): Promise<Answer | WaystationError | WaystationConnectionError> {
    let answer: Answer;
    try {
      answer = await this.#send(attempt);
    } catch (error) {
      if (mayRepeat && error instanceof WaystationConnectionError) return error;
      throw error;
    }
    this.rateLimits = rateLimitsOf(answer.headers);
    if (answer.status >= 200 && answer.status < 300) return answer;
    const failure = failureOf(answer);
    const isPassing =
      retriedStatus.has(failure.status) || failure.code === 'idempotency_in_progress';
    if (mayRepeat && isPassing) return failure;
    throw failure;
  }

  async #send({ url, request, timeoutMs, signal }: Attempt): Promise<Answer> {
    signal?.throwIfAborted();
    const own = new AbortController();
    const abort = (): void => own.abort(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      own.abort();
    }, timeoutMs);
    try {
      const response = await this.#fetch(url, {
        ...request,
        signal: own.signal,
        redirect: 'error',
        credentials: 'omit',
      });
      const { status, headers } = response;
      return { status, headers, bytes: await response.arrayBuffer() };
    } catch (error) {
      signal?.throwIfAborted();
      throw new WaystationConnectionError(isLate ? 'timeout' : 'network', error);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  /**
   * Waits as long as the response asks for, or else twice as long as after the previous attempt.
   */
  async #wait(
    error: WaystationError | WaystationConnectionError,
    tried: number,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const asked = error instanceof WaystationError ? error.retryAfterSeconds : null;
    const ms = asked === null ? 500 * 2 ** tried : asked * 1_000;
    if (ms > this.#maxRetryWaitMs) throw error;
    // A random part of the wait spreads the next attempts of clients that were refused at the same
    // time.
    await sleep(ms + Math.random() * Math.min(ms, 1_000) * 0.25, signal);
  }
}
