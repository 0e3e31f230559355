// Written by `npm run generate` from contract/ and client/src; docs/api.md says how to use it.
// Waystation's public API, version 1: one file without dependencies for Node 20 or newer, Deno, Bun
// and browsers. Money is whole fen, weight whole grams, rates basis points, times ISO 8601.

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
  readonly fields: Readonly<Record<string, Reason>>;
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
    this.fields = (details['fields'] ?? {}) as Record<string, Reason>;
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
  failures: { id: number; reason: Reason }[];
  /** Parcels whose labels were printed with a flaw, with the reasons. */
  warnings: { id: number; reason: Reason }[];
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
class Connection {
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

export interface Reason {
  code: string;
  params?: Record<string, string | number>;
}

export type StateCode = 0 | 10 | 20 | 90 | 100 | 200 | 210 | 220 | 300 | 400 | 410 | 420 | 500;

export type Provider = 'jdl' | 'sf';

export interface WeightReason {
  code: 'jd_weight' | 're_weight' | 'weight' | 'jd_volume' | 'volume';
  params: {
    /** Grams. */
    actual_weight: number;
    /** Grams. */
    billed_weight: number;
    rounding: 'first' | 'step';
    /** Grams. */
    from_weight?: number;
    /** Grams. */
    step_weight?: number;
    /** Grams. */
    scale_weight?: number;
    /** Cubic centimetres. */
    volume?: number;
    /** Cubic centimetres a kilogram. */
    divisor?: number;
  };
}

export type PriceLine =
  | {
      rule: 'first';
      /** The version of the rule in docs/pricing.md; a stored line keeps its version. */
      version: number;
      input: {
        voucher_id: number;
        voucher_version: number;
        voucher_name: string;
        zone_name: string;
        /** The code of the province or city for which the price was found. */
        area: string;
        /** Grams. */
        first_weight: number;
        /** Fen. */
        first_amount: number;
      };
      /** The amount in fen that this line adds to the price; it may be negative. */
      result: number;
    }
  | {
      rule: 'step';
      /** The version of the rule in docs/pricing.md; a stored line keeps its version. */
      version: number;
      input: {
        /** Grams. */
        from_weight: number;
        /** Grams. */
        step_weight: number;
        /** Fen. */
        step_amount: number;
        steps: number;
      };
      /** The amount in fen that this line adds to the price; it may be negative. */
      result: number;
    }
  | {
      rule: 'minimum';
      /** The version of the rule in docs/pricing.md; a stored line keeps its version. */
      version: number;
      input: {
        /** Fen. */
        minimum_amount: number;
        /** Fen. */
        freight_amount: number;
      };
      /** The amount in fen that this line adds to the price; it may be negative. */
      result: number;
    }
  | {
      rule: 'discount';
      /** The version of the rule in docs/pricing.md; a stored line keeps its version. */
      version: number;
      input: {
        source: 'station' | 'voucher' | 'station_northeast' | 'voucher_northeast';
        /** Basis points, 10000 = 100 %. */
        rate: number;
        /** Fen. */
        freight_amount: number;
      };
      /** The amount in fen that this line adds to the price; it may be negative. */
      result: number;
    }
  | {
      rule: 'guarantee';
      /** The version of the rule in docs/pricing.md; a stored line keeps its version. */
      version: number;
      input: {
        source: 'declared' | 'merchant';
        /** Fen. */
        value_amount: number;
        /** Fen. */
        tier_amount: number;
      };
      /** The amount in fen that this line adds to the price; it may be negative. */
      result: number;
    }
  | {
      rule: 'surcharge';
      /** The version of the rule in docs/pricing.md; a stored line keeps its version. */
      version: number;
      input: {
        code: string;
        name: string;
      };
      /** The amount in fen that this line adds to the price; it may be negative. */
      result: number;
    };

export interface Price {
  /** Grams. */
  cal_weight: number;
  weight_message: WeightReason;
  /** Fen. */
  freight_amount: number;
  /** Fen. */
  guarantee_amount: number;
  /** Fen. */
  surcharge_amount: number;
  /** Fen. */
  pre_amount: number;
  /** Basis points, 10000 = 100 %. */
  discount: number;
  /** Fen. */
  discount_amount: number;
  /** Fen. */
  post_amount: number;
  northeast: 0 | 1;
  lines: PriceLine[];
}

export interface Quote {
  promise_id: string;
  promise_name: string;
  /** Empty if the product has no English name. */
  promise_name_en: string;
  provider: Provider;
  voucher_id: number | null;
  voucher_name: string;
  voucher_no: number | null;
  /** 0: the product is shown but cannot be selected, for the reason in `reason`. */
  selectable: 0 | 1;
  reason: Reason | null;
  cheapest: 0 | 1;
  /** 1: the station's rule proposes this product if no user chose one. */
  proposed: 0 | 1;
  /** Grams. */
  cal_weight: number | null;
  /** Fen. */
  pre_amount: number | null;
  /** Basis points, 10000 = 100 %. */
  discount: number | null;
  /** Fen. */
  discount_amount: number | null;
  /** Fen. */
  guarantee_amount: number | null;
  /** Fen. */
  surcharge_amount: number | null;
  /** Fen. */
  post_amount: number | null;
  weight_reason: WeightReason | null;
  lines: PriceLine[];
  /**
   * How punctual the product was in the last thirty days, from the sender's city to the
   * receiver's province. Null if there were too few parcels, or if the parcel is being edited.
   */
  lane: {
    /**
     * `own`: calculated from the parcels of the reader's stations; `network`: from the parcels
     * of all stations, if several other stations use the lane.
     */
    of: 'own' | 'network';
    /**
     * The average number of hours from the order until the parcel is signed for; null if fewer
     * than 20 parcels were delivered.
     */
    average_hours: number | null;
    /**
     * The share of parcels that were delivered by their promised day, in basis points, among all
     * parcels whose promised day has passed. Late, returned and lost parcels are included. Null
     * if these are fewer than 20.
     */
    on_time_rate: number | null;
  } | null;
  /**
   * The customer code of the carrier account with which this product would be ordered. Only
   * super and admin get this field.
   */
  customer_code?: string;
}

export interface Parcel {
  id: number;
  station_id: number;
  station_name: string;
  /** 1: the station may print labels; 0: no label of the parcel can be printed. */
  allow_print: 0 | 1;
  user_id: number;
  user_nickname: string;
  /**
   * The nicknames of the person who cancelled the parcel and of the person who printed its
   * label last. Null if nobody, the system or the carrier did so.
   */
  cancel_nickname: string | null;
  print_nickname: string | null;
  /**
   * The names of the freight scheme and of the freight template; null until the parcel was
   * priced.
   */
  project_name: string | null;
  voucher_name: string | null;
  sender_id: number | null;
  receive_id: number | null;
  /** Only super and admin get this field. */
  customer_code?: string;
  delivery_id: string | null;
  order_id: string;
  thr_order_id: string;
  sender_name: string;
  sender_phone: string;
  sender_province: string;
  sender_city: string;
  sender_county: string;
  sender_address: string;
  receive_name: string;
  receive_phone: string;
  receive_province: string;
  receive_city: string;
  receive_county: string;
  receive_address: string;
  package_count: number;
  /** Fen. */
  guarantee_value_amount: number;
  trans_type: number;
  goods_type: number;
  promise_id: string;
  promise_name: string;
  promise_time_type: string;
  goods: string;
  remark: string;
  description: string;
  /** Grams. */
  weight: number;
  /** Grams. */
  re_weight: number | null;
  /** Grams. */
  jd_weight: number | null;
  /** Grams. */
  jd_cal_weight: number | null;
  /** Grams. */
  cal_weight: number | null;
  /** Centimetres. */
  length: number;
  /** Centimetres. */
  width: number;
  /** Centimetres. */
  height: number;
  /**
   * The start of the chosen pickup window; null: as soon as possible. Time, ISO 8601 with
   * offset.
   */
  pickup_from: string | null;
  /** Time, ISO 8601 with offset. */
  pickup_until: string | null;
  /** Fen. */
  guarantee_amount: number;
  /** Fen. */
  surcharge_amount: number;
  /** Fen. */
  pre_amount: number;
  /** Fen. */
  post_amount: number;
  /** Basis points, 10000 = 100 %. */
  discount: number | null;
  /** Fen. */
  discount_amount: number;
  /** The carrier's charge; only super and admin get this field. Fen. */
  jd_amount?: number | null;
  state_code: StateCode;
  state_txt: string;
  /** Our own text in Chinese, or the carrier's text. */
  state_remark: string;
  /**
   * The reason as one of our codes, which clients write in the reader's language. Null if the
   * text is the carrier's.
   */
  state_reason: Reason | null;
  cancel_uid: number | null;
  /** Time, ISO 8601 with offset. */
  canceled_at: string | null;
  print_uid: number | null;
  print_count: number;
  /** Time, ISO 8601 with offset. */
  printed_at: string | null;
  pre_sort_result: unknown | null;
  print_data: unknown | null;
  project_id: number | null;
  voucher_id: number | null;
  weight_message: string;
  weight_reason: WeightReason | null;
  provider: Provider;
  simulated: 0 | 1;
  /** Time, ISO 8601 with offset. */
  created_at: string;
  /** Time, ISO 8601 with offset. */
  updated_at: string;
  /** Time, ISO 8601 with offset. */
  ordered_at: string | null;
  /** Time, ISO 8601 with offset. */
  picked_up_at: string | null;
  /** Time, ISO 8601 with offset. */
  signed_at: string | null;
  /** Time, ISO 8601 with offset. */
  last_event_at: string | null;
  /** Time, ISO 8601 with offset. */
  charged_at: string | null;
  return_delivery_id: string | null;
  /**
   * The open exception (requirements §10.17.5); null if there is none. `exception_at` is the
   * time when it was reported; for `unmoved`, the time of the last movement; for `missed`, the
   * end of the pickup window.
   */
  exception:
    | 'missed'
    | 'left_behind'
    | 'refused'
    | 'stopped'
    | 'unreachable'
    | 'returning'
    | 'unmoved'
    | 'charge'
    | null;
  /** Time, ISO 8601 with offset. */
  exception_at: string | null;
  /** When the exception was handled; null while it is open. Time, ISO 8601 with offset. */
  handled_at: string | null;
  handled_note: string;
  intercepting: 0 | 1;
  need_retry: 0 | 1;
  /**
   * The state that the carrier pushed but that its tracking has not confirmed yet; null if no
   * state waits for a confirmation.
   */
  confirming: StateCode | null;
  /**
   * The waybill numbers that the carrier reported for this order, from which an administrator
   * chooses; empty if there is nothing to choose. Only super and admin get this field.
   */
  waybill_claims?: {
    delivery_id: string;
    source: 'number' | 'push' | 'answer';
  }[];
  /** 1: a change is requested and waits for the carrier. */
  modifying: 0 | 1;
  /** 1: a cancellation is requested and waits for the carrier. */
  canceling: 0 | 1;
  version: number;
  /**
   * The carrier account that was chosen for the parcel; empty: the account of its station.
   * Only super and admin get this field.
   */
  chosen_code?: string;
  /** 1: the reader sees whole phone numbers. */
  phones_shown: 0 | 1;
}

export interface ParcelRow {
  id: number;
  version: number;
  station_id: number;
  station_name: string;
  delivery_id: string | null;
  order_id: string;
  simulated: 0 | 1;
  state_code: StateCode;
  /** Our own text in Chinese, or the carrier's text. */
  state_remark: string;
  /**
   * The reason as one of our codes, which clients write in the reader's language. Null if the
   * text is the carrier's.
   */
  state_reason: Reason | null;
  intercepting: 0 | 1;
  /** 1: a cancellation is requested and waits for the carrier. */
  canceling: 0 | 1;
  need_retry: 0 | 1;
  /** 1: a change is requested and waits for the carrier. */
  modifying: 0 | 1;
  /**
   * The state that the carrier pushed but that its tracking has not confirmed yet; null if no
   * state waits for a confirmation.
   */
  confirming: StateCode | null;
  /**
   * The open exception (requirements §10.17.5); null if there is none. `exception_at` is the
   * time when it was reported; for `unmoved`, the time of the last movement; for `missed`, the
   * end of the pickup window.
   */
  exception:
    | 'missed'
    | 'left_behind'
    | 'refused'
    | 'stopped'
    | 'unreachable'
    | 'returning'
    | 'unmoved'
    | 'charge'
    | null;
  /** When the exception was handled; null while it is open. Time, ISO 8601 with offset. */
  handled_at: string | null;
  /** 1: the station may print labels; 0: no label of the parcel can be printed. */
  allow_print: 0 | 1;
  print_count: number;
  receive_name: string;
  receive_phone: string;
  /** 1: the reader sees whole phone numbers. */
  phones_shown: 0 | 1;
  /** Grams. */
  weight: number;
  /** Grams. */
  re_weight: number | null;
  /** Fen. */
  post_amount: number;
  user_id?: number;
  user_nickname?: string;
  /**
   * The nicknames of the person who cancelled the parcel and of the person who printed its
   * label last. Null if nobody, the system or the carrier did so.
   */
  cancel_nickname?: string | null;
  print_nickname?: string | null;
  /**
   * The names of the freight scheme and of the freight template; null until the parcel was
   * priced.
   */
  project_name?: string | null;
  voucher_name?: string | null;
  sender_id?: number | null;
  receive_id?: number | null;
  /** Only super and admin get this field. */
  customer_code?: string;
  thr_order_id?: string;
  sender_name?: string;
  sender_phone?: string;
  sender_province?: string;
  sender_city?: string;
  sender_county?: string;
  sender_address?: string;
  receive_province?: string;
  receive_city?: string;
  receive_county?: string;
  receive_address?: string;
  package_count?: number;
  /** Fen. */
  guarantee_value_amount?: number;
  trans_type?: number;
  goods_type?: number;
  promise_id?: string;
  promise_name?: string;
  promise_time_type?: string;
  goods?: string;
  remark?: string;
  description?: string;
  /** Grams. */
  jd_weight?: number | null;
  /** Grams. */
  jd_cal_weight?: number | null;
  /** Grams. */
  cal_weight?: number | null;
  /** Centimetres. */
  length?: number;
  /** Centimetres. */
  width?: number;
  /** Centimetres. */
  height?: number;
  /**
   * The start of the chosen pickup window; null: as soon as possible. Time, ISO 8601 with
   * offset.
   */
  pickup_from?: string | null;
  /** Time, ISO 8601 with offset. */
  pickup_until?: string | null;
  /** Fen. */
  guarantee_amount?: number;
  /** Fen. */
  surcharge_amount?: number;
  /** Fen. */
  pre_amount?: number;
  /** Basis points, 10000 = 100 %. */
  discount?: number | null;
  /** Fen. */
  discount_amount?: number;
  /** The carrier's charge; only super and admin get this field. Fen. */
  jd_amount?: number | null;
  state_txt?: string;
  cancel_uid?: number | null;
  /** Time, ISO 8601 with offset. */
  canceled_at?: string | null;
  print_uid?: number | null;
  /** Time, ISO 8601 with offset. */
  printed_at?: string | null;
  pre_sort_result?: unknown | null;
  project_id?: number | null;
  voucher_id?: number | null;
  weight_message?: string;
  weight_reason?: WeightReason | null;
  provider?: Provider;
  /** Time, ISO 8601 with offset. */
  created_at?: string;
  /** Time, ISO 8601 with offset. */
  updated_at?: string;
  /** Time, ISO 8601 with offset. */
  ordered_at?: string | null;
  /** Time, ISO 8601 with offset. */
  picked_up_at?: string | null;
  /** Time, ISO 8601 with offset. */
  signed_at?: string | null;
  /** Time, ISO 8601 with offset. */
  last_event_at?: string | null;
  /** Time, ISO 8601 with offset. */
  charged_at?: string | null;
  return_delivery_id?: string | null;
  /** Time, ISO 8601 with offset. */
  exception_at?: string | null;
  handled_note?: string;
  /**
   * The waybill numbers that the carrier reported for this order, from which an administrator
   * chooses; empty if there is nothing to choose. Only super and admin get this field.
   */
  waybill_claims?: {
    delivery_id: string;
    source: 'number' | 'push' | 'answer';
  }[];
}

export interface TraceEvent {
  /** Time, ISO 8601 with offset. */
  at: string;
  category: string;
  state: string;
  title: string;
  remark: string;
  operator_name: string;
  place: string;
  source: string;
  our_state: number | null;
}

export type StatementType =
  | 'top_up'
  | 'withdrawal'
  | 'hold'
  | 'release'
  | 'charge'
  | 'reweigh'
  | 'surcharge'
  | 'refund'
  | 'payout'
  | 'profit'
  | 'adjustment'
  | 'reversal';

export interface Statement {
  id: number;
  station_id: number;
  station_name: string;
  /**
   * The ordinal number among the station's posted transactions, from 1 without a gap; null for
   * a request.
   */
  seq: number | null;
  type: StatementType;
  status: 'pending' | 'posted' | 'declined' | 'reversed';
  /** Null if the transaction has no parcel, or if its parcel is outside the reader's scope. */
  express_id: number | null;
  delivery_id: string | null;
  /**
   * The change of the station's balance, which may be negative; 0 if money is only held or
   * released. Fen.
   */
  amount: number;
  /** The change of the held amount, negative if money is released. Fen. */
  freeze_amount: number;
  /** Fen. */
  pre_amount: number | null;
  /** Basis points, 10000 = 100 %. */
  discount: number | null;
  /** Fen. */
  discount_amount: number | null;
  /** Fen. */
  guarantee_amount: number | null;
  /** Fen. */
  post_amount: number | null;
  /**
   * The station's available amount and balance after this transaction; null for a request.
   * Fen.
   */
  available: number | null;
  /** Fen. */
  balance: number | null;
  /** The profit that the station earned with this transaction. Fen. */
  profit: number;
  description: string;
  /** The month of posting in Asia/Shanghai, `YYYY-MM`. */
  period: string | null;
  /** Time, ISO 8601 with offset. */
  created_at: string;
  /** Time, ISO 8601 with offset. */
  updated_at: string;
  /** Time, ISO 8601 with offset. */
  posted_at: string | null;
  /**
   * The person who made the request or posted the transaction; null for the system, or for an
   * account outside the reader's scope.
   */
  account_nickname: string | null;
  /**
   * The id of the account whose nickname is `account_nickname`, by which readers recognise
   * their own requests; null if the nickname is null.
   */
  account_id: number | null;
  /** 1: the request was approved by one super or admin, and a second one must approve it too. */
  first_approved: 0 | 1;
  /** The person who approved or declined the request, and the reason if it was declined. */
  decided_nickname: string | null;
  decision_reason: string;
}

export interface Station {
  id: number;
  name: string;
  province: string;
  city: string;
  county: string;
  address: string;
  /** Basis points; null if not set: then the discount of the template applies. */
  discount: number | null;
  /** Basis points, 10000 = 100 %. */
  northeast_discount: number | null;
  /** The balance in fen; only the ledger changes it. */
  money: number;
  /** Fen. */
  freeze: number;
  /** Fen. */
  available: number;
  /** Fen. */
  fixed_freeze: number;
  /**
   * In fen: if less is available, the balance counts as low. Null: the network's setting
   * `low_balance` applies. `low_limit` is the limit that applies.
   */
  low_balance: number | null;
  /**
   * If `has_amount` is 0: orders may lower the available amount to this number of fen below
   * zero. Null: no limit.
   */
  credit_limit: number | null;
  /**
   * The amount in fen that the station still owes, because top-ups were reversed after they
   * had been spent.
   */
  claim_amount: number;
  /** Fen. */
  low_limit: number;
  customer_code?: string;
  status: 0 | 1;
  allow_print: 0 | 1;
  /** 1: an order is accepted only if its amount is available; 0: the station is post-paid. */
  has_amount: 0 | 1;
  allow_select: 0 | 1;
  offer_rule: 'cheapest' | 'fastest' | 'preferred';
  /**
   * The preferred carrier for each division code of a receiver's province, and, under
   * `default`, for all other provinces.
   */
  offer_carriers: Record<string, Provider>;
  /** 1: if the rule's carrier accepts no calls, a product of another carrier is chosen. */
  offer_fallback: 0 | 1;
  /** The parent's share of a parcel's base, in basis points, if the scheme shares a percentage. */
  profit: number;
  /** The amount in fen that the parent earns per parcel, if the scheme shares fixed amounts. */
  fixed_profit: number;
  enable_profit: 0 | 1;
  /**
   * The largest values, in basis points and in fen, that the partner of this station may set
   * as `profit` and `fixed_profit` of stations below it.
   */
  profit_limit: number;
  /** Fen. */
  fixed_profit_limit: number;
  parent_id: number | null;
  parent_name: string | null;
  project_id: number | null;
  project_name: string | null;
  sender_name: string;
  sender_phone: string;
  level: number;
  /** The number of stations directly below it. */
  children: number;
  /** The number of accounts that may log in. */
  users: number;
  /**
   * The number of parcels with a waybill number that were created in the last 30 business
   * days, today included; `last_active_at` is the time when the newest parcel was created.
   */
  parcels_30d: number;
  /** Time, ISO 8601 with offset. */
  last_active_at: string | null;
  /**
   * 1: the check of the station's ledger failed, and nothing is posted until an administrator
   * has checked it.
   */
  blocked: 0 | 1;
  version: number;
  /** Time, ISO 8601 with offset. */
  created_at: string;
  /** Time, ISO 8601 with offset. */
  updated_at: string;
}

export type WebhookKind =
  | 'parcel.ordered'
  | 'parcel.refused'
  | 'parcel.on_hold'
  | 'parcel.moved'
  | 'parcel.signed'
  | 'parcel.exception'
  | 'parcel.returning'
  | 'parcel.returned'
  | 'parcel.cancelled'
  | 'parcel.reweighed'
  | 'parcel.repriced'
  | 'parcel.printed'
  | 'statement.posted'
  | 'balance.low'
  | 'request.decided'
  | 'month.closed'
  | 'import.finished';

export interface Webhook {
  id: number;
  name: string;
  /** The whole URL for the owner; for others only the host, `https://example.com/…`. */
  url: string;
  events: WebhookKind[];
  account_id: number;
  username: string;
  nickname: string;
  /** The name of the station to which the account belongs. */
  account_station_name: string | null;
  /**
   * The station whose events are sent; null: the events of all stations that the account may
   * see.
   */
  station_id: number | null;
  station_name: string | null;
  with_below: 0 | 1;
  status: 'live' | 'stopped' | 'disabled';
  /**
   * Why the webhook is disabled: by its owner, by a managing account, after three days of
   * failures, after the answer 410, or because the account lost its access.
   */
  stopped_by: 'person' | 'manager' | 'failures' | 'gone' | 'access' | null;
  /** 1: the caller may enable the webhook. */
  may_enable: 0 | 1;
  /** Time, ISO 8601 with offset. */
  failing_since: string | null;
  failures: number;
  /** The number of deliveries that wait, at most 10,000. */
  waiting: number;
  /** The number of events that were dropped because too many deliveries were already waiting. */
  dropped: number;
  /**
   * The time until which deliveries are also signed with the former secret. Time, ISO 8601
   * with offset.
   */
  previous_until: string | null;
  /** 1: the webhook belongs to the caller. */
  mine: 0 | 1;
  version: number;
  /** Time, ISO 8601 with offset. */
  created_at: string;
  /** Time, ISO 8601 with offset. */
  updated_at: string;
}

export interface WebhookDelivery {
  id: number;
  message_id: string;
  kind:
    | 'parcel.ordered'
    | 'parcel.refused'
    | 'parcel.on_hold'
    | 'parcel.moved'
    | 'parcel.signed'
    | 'parcel.exception'
    | 'parcel.returning'
    | 'parcel.returned'
    | 'parcel.cancelled'
    | 'parcel.reweighed'
    | 'parcel.repriced'
    | 'parcel.printed'
    | 'statement.posted'
    | 'balance.low'
    | 'request.decided'
    | 'month.closed'
    | 'import.finished'
    | 'webhook.test';
  subject_id: number;
  /** Time, ISO 8601 with offset. */
  at: string;
  status: 'pending' | 'delivered' | 'failed' | 'skipped';
  attempts: number;
  /** The time of the next attempt, if the delivery waits. Time, ISO 8601 with offset. */
  next_at: string | null;
  /**
   * The time of the last attempt; `ms` is how long the attempt took. Time, ISO 8601 with
   * offset.
   */
  sent_at: string | null;
  /** Milliseconds. */
  ms: number | null;
  request: string | null;
  http_status: number | null;
  /** The first 2,000 characters of the receiver's answer. */
  answer: string | null;
  error:
    | 'status'
    | 'gone'
    | 'timeout'
    | 'unreachable'
    | 'connection_lost'
    | 'too_large'
    | 'denied'
    | 'internal'
    | 'paused'
    | null;
  detail: string;
  /** The attempts before the last attempt, at most 19, the newest first. */
  earlier: {
    /** Time, ISO 8601 with offset. */
    at: string;
    /** Milliseconds. */
    ms: number;
    http_status: number | null;
    error:
      | 'status'
      | 'gone'
      | 'timeout'
      | 'unreachable'
      | 'connection_lost'
      | 'too_large'
      | 'denied'
      | 'internal'
      | 'paused'
      | null;
    /** The first 200 characters of the receiver's answer. */
    answer: string | null;
  }[];
}

/** Input of `parseAddress`. */
export interface ParseAddressInput {
  text: string;
}

/** Answer of `parseAddress`. */
export interface ParseAddressOutput {
  candidates: {
    name: string;
    /** The phone without its extension; empty if the text contains only a masked phone. */
    phone: string;
    extension: string;
    /**
     * The official names. If only the county is known and several cities have a county of that
     * name, province and city are empty.
     */
    province: string;
    city: string;
    county: string;
    /** The rest of the address, after province, city and county. */
    address: string;
    /** The lines of the pasted text that belong to this person. */
    source: string;
    confidence: {
      name: number;
      phone: number;
      province: number;
      city: number;
      county: number;
      address: number;
    };
  }[];
}

/** Input of `listParcels`. */
export interface ListParcelsInput {
  page?: number;
  page_size?: number;
  cursor?: string;
  sort?: string;
  tab?:
    | 'draft'
    | 'on_hold'
    | 'ordering'
    | 'awaiting_pickup'
    | 'in_transit'
    | 'delivering'
    | 'signed'
    | 'exception'
    | 'returned'
    | 'cancelled'
    | 'failed';
  group?: 'total' | 'awaiting_pickup' | 'in_transit' | 'signed_for';
  state_code?: number;
  station_id?: number;
  /**
   * Numbers, the last digits of phone numbers, or a part of a name. Several numbers may be
   * separated by any characters.
   */
  q?: string;
  /**
   * Used with `q`: only parcels with a lower id than this one, which is the `searched_to` of
   * an earlier answer.
   */
  searched_before?: number;
  /** Day in Asia/Shanghai, `YYYY-MM-DD`. */
  created_from?: string;
  /** Day in Asia/Shanghai, `YYYY-MM-DD`. */
  created_to?: string;
  promise_id?: string;
  receive_province?: string;
  printed?: 0 | 1;
  need_retry?: 0 | 1;
  import_id?: number;
  user_id?: number;
  /** The id of the carrier account; only super and admin may use this filter. */
  merchant_id?: number;
  project_id?: number;
  voucher_id?: number;
  goods?: string;
  /** 1: only parcels with an insurance fee or a declared value. */
  insured?: 0 | 1;
  /** The lowest and the highest price in fen, both included; only parcels with a price match. */
  post_amount_from?: number;
  /** Fen. */
  post_amount_to?: number;
  /**
   * The minimum difference in grams, in either direction, between the declared weight and the
   * carrier's weight. If the carrier has no weight, the station's weight is compared.
   */
  weight_difference?: number;
  /**
   * Only parcels that entered this state on these days, both included, whatever their state is
   * now. If no days are set, parcels that entered it at any time.
   */
  arrived?:
    | 'draft'
    | 'on_hold'
    | 'failed'
    | 'exception'
    | 'awaiting_pickup'
    | 'in_transit'
    | 'signed_for';
  /** Day in Asia/Shanghai, `YYYY-MM-DD`. */
  arrived_from?: string;
  /** Day in Asia/Shanghai, `YYYY-MM-DD`. */
  arrived_to?: string;
  /** Only parcels on their way that have not moved for this number of hours. */
  unmoved_hours?: number;
  /** Only parcels with an open exception of this kind, or of any kind. */
  exception?:
    | 'any'
    | 'missed'
    | 'left_behind'
    | 'refused'
    | 'stopped'
    | 'unreachable'
    | 'returning'
    | 'unmoved'
    | 'charge';
  /**
   * The names of further fields of a row, separated by commas. If absent, a row has the fields
   * that the default columns need.
   */
  fields?: string;
}

/** Answer of `listParcels`. */
export interface ListParcelsOutput {
  items: ParcelRow[];
  total: number | null;
  total_is_capped: 0 | 1;
  next_cursor: string | null;
  /** The searched numbers that were not found, if the search contains several numbers. */
  missing: string[];
  /**
   * Parcels with a lower id than this were not searched yet, because the search found more
   * than one page or reached its limit. `next_cursor` continues the search there. Null if the
   * search is complete.
   */
  searched_to: number | null;
}

/** Input of `createParcel`. */
export type CreateParcelInput =
  | {
      draft: 1;
      station_id?: number;
      sender_name?: string;
      sender_phone?: string;
      sender_province?: string;
      sender_city?: string;
      sender_county?: string;
      sender_address?: string;
      receive_name?: string;
      receive_phone?: string;
      receive_province?: string;
      receive_city?: string;
      receive_county?: string;
      receive_address?: string;
      sender_id?: number | null;
      receive_id?: number | null;
      thr_order_id?: string;
      package_count?: number;
      /** Fen. */
      guarantee_value_amount?: number;
      trans_type?: 1 | 2;
      goods_type?: number;
      goods?: string;
      promise_id?: string;
      remark?: string;
      description?: string;
      /** Grams. */
      weight?: number;
      /** Centimetres. */
      length?: number;
      /** Centimetres. */
      width?: number;
      /** Centimetres. */
      height?: number;
      /**
       * The start of a pickup window that the carrier offers; null: as soon as possible. Time, ISO
       * 8601 with offset.
       */
      pickup_from?: string | null;
      /** Time, ISO 8601 with offset. */
      pickup_until?: string | null;
      customer_code?: string;
    }
  | {
      draft?: 0;
      station_id?: number;
      sender_name: string;
      sender_phone: string;
      sender_province: string;
      sender_city: string;
      sender_county: string;
      sender_address: string;
      receive_name: string;
      receive_phone: string;
      receive_province: string;
      receive_city: string;
      receive_county: string;
      receive_address: string;
      sender_id?: number | null;
      receive_id?: number | null;
      thr_order_id?: string;
      package_count: number;
      /** Fen. */
      guarantee_value_amount?: number;
      trans_type?: 1 | 2;
      goods_type?: number;
      goods: string;
      promise_id: string;
      remark?: string;
      description?: string;
      /** Grams. */
      weight: number;
      /** Centimetres. */
      length?: number;
      /** Centimetres. */
      width?: number;
      /** Centimetres. */
      height?: number;
      /**
       * The start of a pickup window that the carrier offers; null: as soon as possible. Time, ISO
       * 8601 with offset.
       */
      pickup_from?: string | null;
      /** Time, ISO 8601 with offset. */
      pickup_until?: string | null;
      customer_code?: string;
      /** Fen. */
      expected_amount?: number;
      by_rule?: 1;
      /**
       * 0: the response does not wait for the carrier. It contains the stored parcel in state 20
       * or 10; the carrier's answer arrives later.
       */
      wait?: 0;
    };

/** Input of `getParcel`. */
export interface GetParcelInput {
  id: number;
}

/** Input of `cancelParcel`. */
export interface CancelParcelInput {
  id: number;
  reason: string;
}

/** Input of `orderParcel`. */
export interface OrderParcelInput {
  id: number;
  by_rule?: 1;
}

/** Input of `priceParcel`. */
export interface PriceParcelInput {
  id: number;
}

/** Answer of `priceParcel`. */
export interface PriceParcelOutput {
  pricings: {
    no: number;
    /** Time, ISO 8601 with offset. */
    at: string;
    source: string;
    reason: string;
    price: Price;
    /**
     * Why the station's rule chose the product when the parcel was ordered; absent if a person
     * chose it.
     */
    choice?: {
      rule: 'cheapest' | 'fastest' | 'preferred';
      because: 'cheapest' | 'fastest' | 'preferred' | 'only' | 'no_times' | 'not_offered';
      offers: number;
      provider: Provider;
      promise_name: string;
      /** Empty if the product has no English name. */
      promise_name_en: string;
      /** Hours. */
      average_hours: number | null;
      /** `more_amount`: the difference in fen, negative if the other product is cheaper. */
      other: {
        provider: Provider;
        /** Fen. */
        more_amount: number;
      } | null;
      skipped: Provider | null;
    };
  }[];
  voucher_name: string;
  voucher_no: number | null;
}

/** Input of `parcelStatements`. */
export interface ParcelStatementsInput {
  id: number;
}

/** Answer of `parcelStatements`. */
export interface ParcelStatementsOutput {
  items: {
    id: number;
    seq: number | null;
    type: string;
    status: string;
    /** Fen. */
    amount: number;
    /** Fen. */
    freeze_amount: number;
    /** Fen. */
    post_amount: number | null;
    /** Fen. */
    balance: number | null;
    /** Fen. */
    available: number | null;
    description: string;
    /** Time, ISO 8601 with offset. */
    created_at: string;
    station_id: number;
    station_name: string;
  }[];
  /**
   * The amounts in fen that may still be paid out for the parcel, minus the amounts of waiting
   * requests; null for roles other than super and admin.
   */
  left: {
    /**
     * The part of the price that can be refunded; 0 if the price was not charged or is reversed.
     * Fen.
     */
    refundable_amount: number;
    /** The largest sum of all payouts for the parcel, in fen; 0 until the parcel is picked up. */
    payout_limit_amount: number;
    /** Fen. */
    payout_left_amount: number;
    /**
     * The amount in fen that the reader may still pay at this station today without a second
     * person; a larger amount becomes a request.
     */
    alone_left_amount: number;
  } | null;
}

/** Input of `traceParcel`. */
export interface TraceParcelInput {
  id: number;
}

/** Answer of `traceParcel`. */
export interface TraceParcelOutput {
  items: TraceEvent[];
  /** Time, ISO 8601 with offset. */
  checked_at: string | null;
}

/** Input of `countParcels`. */
export interface CountParcelsInput {
  tab?:
    | 'draft'
    | 'on_hold'
    | 'ordering'
    | 'awaiting_pickup'
    | 'in_transit'
    | 'delivering'
    | 'signed'
    | 'exception'
    | 'returned'
    | 'cancelled'
    | 'failed';
  group?: 'total' | 'awaiting_pickup' | 'in_transit' | 'signed_for';
  state_code?: number;
  station_id?: number;
  /**
   * Numbers, the last digits of phone numbers, or a part of a name. Several numbers may be
   * separated by any characters.
   */
  q?: string;
  /**
   * Used with `q`: only parcels with a lower id than this one, which is the `searched_to` of
   * an earlier answer.
   */
  searched_before?: number;
  /** Day in Asia/Shanghai, `YYYY-MM-DD`. */
  created_from?: string;
  /** Day in Asia/Shanghai, `YYYY-MM-DD`. */
  created_to?: string;
  promise_id?: string;
  receive_province?: string;
  printed?: 0 | 1;
  need_retry?: 0 | 1;
  import_id?: number;
  user_id?: number;
  /** The id of the carrier account; only super and admin may use this filter. */
  merchant_id?: number;
  project_id?: number;
  voucher_id?: number;
  goods?: string;
  /** 1: only parcels with an insurance fee or a declared value. */
  insured?: 0 | 1;
  /** The lowest and the highest price in fen, both included; only parcels with a price match. */
  post_amount_from?: number;
  /** Fen. */
  post_amount_to?: number;
  /**
   * The minimum difference in grams, in either direction, between the declared weight and the
   * carrier's weight. If the carrier has no weight, the station's weight is compared.
   */
  weight_difference?: number;
  /**
   * Only parcels that entered this state on these days, both included, whatever their state is
   * now. If no days are set, parcels that entered it at any time.
   */
  arrived?:
    | 'draft'
    | 'on_hold'
    | 'failed'
    | 'exception'
    | 'awaiting_pickup'
    | 'in_transit'
    | 'signed_for';
  /** Day in Asia/Shanghai, `YYYY-MM-DD`. */
  arrived_from?: string;
  /** Day in Asia/Shanghai, `YYYY-MM-DD`. */
  arrived_to?: string;
  /** Only parcels on their way that have not moved for this number of hours. */
  unmoved_hours?: number;
  /** Only parcels with an open exception of this kind, or of any kind. */
  exception?:
    | 'any'
    | 'missed'
    | 'left_behind'
    | 'refused'
    | 'stopped'
    | 'unreachable'
    | 'returning'
    | 'unmoved'
    | 'charge';
  exact?: 0 | 1;
}

/** Answer of `countParcels`. */
export interface CountParcelsOutput {
  total: number;
  total_is_capped: 0 | 1;
  /** The sums over all parcels that match; null if `total` is capped. */
  sums: {
    /** Fen. */
    post_amount: number;
    /** Grams. */
    weight: number;
    package_count: number;
  } | null;
  /**
   * The number of parcels in each tab, with the same filters except the tab; null if there are
   * too many to count.
   */
  tabs: Record<string, number> | null;
}

/** Input of `parcelOptions`. */
export interface ParcelOptionsInput {
  station_id?: number;
}

/** Answer of `parcelOptions`. */
export interface ParcelOptionsOutput {
  station: {
    id: number;
    name: string;
    /** Fen. */
    available: number;
    /** Fen. */
    money: number;
    /** Fen. */
    freeze: number;
    has_amount: 0 | 1;
    allow_print: 0 | 1;
    allow_select: 0 | 1;
    sender_name: string;
    sender_phone: string;
    province: string;
    city: string;
    county: string;
    address: string;
    /**
     * 1: the check of the station's ledger, or of the whole ledger, failed, so that nothing can
     * be ordered.
     */
    blocked: 0 | 1;
  };
  /** The kinds of goods, also those that may not be shipped, with the reason. */
  cargos: {
    id: number;
    name: string;
    type: number;
    provider: Provider;
    banned: 0 | 1;
    banned_reason: string;
  }[];
  promises: {
    promise_id: string;
    promise_name: string;
    promise_name_en: string;
    cutoff_time: string;
    provider: Provider;
  }[];
  /** The enabled insurance tiers, in ascending order. */
  guarantees: {
    /** Fen. */
    money: number;
    /** Fen. */
    price: number;
  }[];
  /** The least insured value, in fen. */
  guarantee: number;
  /** The codes of the provinces where the northeast discount replaces the ordinary discount. */
  northeast: string[];
  /** Grams. */
  max_weight: number;
  /**
   * The enabled carrier accounts with which the parcel may be ordered, and the customer code
   * of the station's account. Only super and admin get this field.
   */
  accounts?: {
    customer_code: string;
    name: string;
    provider: Provider;
    is_default: 0 | 1;
  }[];
}

/** Input of `quoteParcel`. */
export interface QuoteParcelInput {
  station_id?: number;
  /**
   * The id of the edited parcel. If it awaits pickup, its frozen price terms apply, as they do
   * when the edit is saved.
   */
  express_id?: number;
  sender_province: string;
  sender_city: string;
  receive_province: string;
  receive_city: string;
  sender_county?: string;
  receive_county?: string;
  /** The number of pieces; the volume of one piece is multiplied by it. */
  package_count?: number;
  /** Grams. */
  weight: number;
  /** Centimetres. */
  length?: number;
  /** Centimetres. */
  width?: number;
  /** Centimetres. */
  height?: number;
  /** Fen. */
  guarantee_value_amount?: number;
  customer_code?: string;
}

/** Answer of `quoteParcel`. */
export interface QuoteParcelOutput {
  quotes: Quote[];
  /** Fen. */
  available: number;
  /**
   * The amount that the edited parcel holds or was charged; its new price replaces this
   * amount. Fen.
   */
  held: number;
  has_amount: number;
  northeast: number;
  /**
   * Why this product is proposed; null if no product can be ordered, or if the parcel is being
   * edited.
   */
  choice: {
    rule: 'cheapest' | 'fastest' | 'preferred';
    because: 'cheapest' | 'fastest' | 'preferred' | 'only' | 'no_times' | 'not_offered';
    offers: number;
    provider: Provider;
    promise_name: string;
    /** Empty if the product has no English name. */
    promise_name_en: string;
    /** Hours. */
    average_hours: number | null;
    /** `more_amount`: the difference in fen, negative if the other product is cheaper. */
    other: {
      provider: Provider;
      /** Fen. */
      more_amount: number;
    } | null;
    skipped: Provider | null;
  } | null;
}

/** Input of `parcelStations`. */
export interface ParcelStationsInput {
  q?: string;
}

/** Answer of `parcelStations`. */
export interface ParcelStationsOutput {
  items: {
    id: number;
    name: string;
    /** Fen. */
    available: number;
    has_amount: number;
    status: number;
  }[];
}

/** Input of `printLabels`. */
export interface PrintLabelsInput {
  ids: number[];
  format: '76x130' | '100x150' | '100x180' | 'a4';
  preview?: 0 | 1;
  reason?: string;
  /** The format of the labels: `pdf` is the default; `zpl` and `tspl` are printer languages. */
  driver?: 'pdf' | 'zpl' | 'tspl';
  /** The position of the first label on the A4 sheet. */
  start?: number;
  /** 1: the result of each parcel is in the body too, as `multipart/form-data`. */
  result?: 0 | 1;
  /** 1: the response is a ZIP archive with one PDF per parcel, for at most 200 parcels. */
  separate?: 0 | 1;
  /**
   * If the client requests the PDFs in several calls: the ordinal number of the first PDF of
   * this call among all PDFs.
   */
  first_no?: number;
  printer?: string;
  /**
   * 1: the label was printed because of a scan, so the user scans the printed label as a
   * check.
   */
  verify?: 0 | 1;
  /** The print darkness, at most 15 for TSPL; if absent, the printer keeps its own setting. */
  darkness?: number;
  /** The number of dots (1/8 mm) by which labels are moved to the right and down. */
  offset_x?: number;
  /** Dots of an eighth of a millimetre. */
  offset_y?: number;
}

/** Input of `listStatements`. */
export interface ListStatementsInput {
  page?: number;
  page_size?: number;
  cursor?: string;
  sort?: 'posted_at' | '-posted_at';
  /** Waybill numbers, separated by any characters. */
  q?: string;
  station_id?: number;
  /** 1: the transactions of the stations below this station are included. */
  with_children?: 0 | 1;
  type?: string;
  status?: 'pending' | 'posted' | 'declined' | 'reversed';
  /** The smallest and the largest change of the balance, in fen. */
  amount_from?: number;
  /** Fen. */
  amount_to?: number;
  /** Only transactions that raised the balance (`in`) or lowered it (`out`). */
  sign?: 'in' | 'out';
  /** Only profit shares from parcels of this station, and the reversals of such shares. */
  earned_from?: number;
  express_id?: number;
  delivery_id?: string;
  period?: string;
  /** 1: only transactions of closed months; 0: only transactions of open months. */
  closed?: 0 | 1;
  /**
   * 1: charges and differences of parcels that are on a carrier bill; 0: those not on a
   * carrier bill yet. Only super and admin may use this filter.
   */
  billed?: 0 | 1;
  /**
   * The first and the last day of posting, both included; for a request, the days on which it
   * was made. Day in Asia/Shanghai, `YYYY-MM-DD`.
   */
  posted_from?: string;
  /** Day in Asia/Shanghai, `YYYY-MM-DD`. */
  posted_to?: string;
}

/** Answer of `listStatements`. */
export interface ListStatementsOutput {
  items: Statement[];
  total: number | null;
  total_is_capped: 0 | 1;
  next_cursor: string | null;
}

/** Input of `countStatements`. */
export interface CountStatementsInput {
  /** Waybill numbers, separated by any characters. */
  q?: string;
  station_id?: number;
  /** 1: the transactions of the stations below this station are included. */
  with_children?: 0 | 1;
  type?: string;
  status?: 'pending' | 'posted' | 'declined' | 'reversed';
  /** The smallest and the largest change of the balance, in fen. */
  amount_from?: number;
  /** Fen. */
  amount_to?: number;
  /** Only transactions that raised the balance (`in`) or lowered it (`out`). */
  sign?: 'in' | 'out';
  /** Only profit shares from parcels of this station, and the reversals of such shares. */
  earned_from?: number;
  express_id?: number;
  delivery_id?: string;
  period?: string;
  /** 1: only transactions of closed months; 0: only transactions of open months. */
  closed?: 0 | 1;
  /**
   * 1: charges and differences of parcels that are on a carrier bill; 0: those not on a
   * carrier bill yet. Only super and admin may use this filter.
   */
  billed?: 0 | 1;
  /**
   * The first and the last day of posting, both included; for a request, the days on which it
   * was made. Day in Asia/Shanghai, `YYYY-MM-DD`.
   */
  posted_from?: string;
  /** Day in Asia/Shanghai, `YYYY-MM-DD`. */
  posted_to?: string;
  exact?: 0 | 1;
}

/** Answer of `countStatements`. */
export interface CountStatementsOutput {
  total: number;
  total_is_capped: 0 | 1;
  /**
   * Amounts in fen, for which opening + in − out = closing, over all transactions of the
   * filtered stations and days. `frozen` is the held amount at the end. Null if any other
   * filter is set.
   */
  strip: {
    /** Fen. */
    opening: number;
    /** Fen. */
    in: number;
    /** Fen. */
    out: number;
    /** Fen. */
    closing: number;
    /** Fen. */
    frozen: number;
  } | null;
  /**
   * The sums of the transactions that match the filters. Pending requests are not included.
   * Null if there are too many transactions to add up (`total_is_capped`).
   */
  sums: {
    /** Fen. */
    in: number;
    /** Fen. */
    out: number;
    /** Fen. */
    freeze_amount: number;
  } | null;
}

/** Input of `listStations`. */
export interface ListStationsInput {
  page?: number;
  page_size?: number;
  cursor?: string;
  sort?: string;
  /** A part of the name; for super and admin also a part of the carrier account's code. */
  q?: string;
  /** Only stations directly below this station. */
  parent_id?: number;
  /** 1: only stations at the top of the network that the reader sees. */
  top?: 0 | 1;
  project_id?: number;
  /** The name of the province, as the station stores it. */
  province?: string;
  status?: 0 | 1;
  /** Fen. */
  available_from?: number;
  /** Fen. */
  available_to?: number;
  /** 1: only stations with a negative available amount. */
  negative?: 0 | 1;
  /** 1: only stations with a balance check whose available amount is below `low_limit`. */
  low?: 0 | 1;
  allow_print?: 0 | 1;
  has_amount?: 0 | 1;
  allow_select?: 0 | 1;
  enable_profit?: 0 | 1;
  /** Only stations without a parcel for this number of days. */
  silent_days?: number;
  /**
   * Only stations whose available amount lasts at most this number of days, at the average
   * daily cost of their parcels.
   */
  lasts_days?: number;
  /** 1: only post-paid stations whose parcels cost more than the stations have paid. */
  owing?: 0 | 1;
}

/** Answer of `listStations`. */
export interface ListStationsOutput {
  items: Station[];
  total: number | null;
  total_is_capped: 0 | 1;
  next_cursor: string | null;
  sums: {
    /** Fen. */
    money: number;
    /** Fen. */
    freeze: number;
    /** Fen. */
    available: number;
  };
}

/** Input of `getStation`. */
export interface GetStationInput {
  id: number;
}

/** Input of `stationStatement`. */
export interface StationStatementInput {
  id: number;
  period: string;
  format: 'pdf' | 'xlsx';
  language?: 'zh' | 'en';
}

/** Input of `stationStatementSummary`. */
export interface StationStatementSummaryInput {
  id: number;
  period: string;
}

/** Answer of `stationStatementSummary`. */
export interface StationStatementSummaryOutput {
  station_id: number;
  station_name: string;
  period: string;
  /** 1: the month has ended or is closed, so that its statement can be confirmed. */
  over: 0 | 1;
  /** 1: the month is closed. */
  closed: 0 | 1;
  /** Fen. */
  opening: number;
  /** Fen. */
  in: number;
  /** Fen. */
  out: number;
  /** Fen. */
  closing: number;
  /** Fen. */
  frozen: number;
  lines: number;
  /** The types that have transactions; `in` − `out` = `amount`. */
  by_type: {
    type: StatementType;
    lines: number;
    /** Fen. */
    in: number;
    /** Fen. */
    out: number;
    /** Fen. */
    amount: number;
    /** Fen. */
    freeze_amount: number;
  }[];
  confirmation: {
    confirmed_by_name: string;
    /** Time, ISO 8601 with offset. */
    at: string;
    note: string;
    /** Fen. */
    opening: number;
    /** Fen. */
    in: number;
    /** Fen. */
    out: number;
    /** Fen. */
    closing: number;
  } | null;
  /** 1: after the month was confirmed, further transactions were posted in it. */
  changed: 0 | 1;
}

/** Input of `listWebhooks`. */
export interface ListWebhooksInput {
  page?: number;
  page_size?: number;
  cursor?: string;
  sort?: string;
  q?: string;
  status?: 'live' | 'stopped' | 'disabled';
}

/** Answer of `listWebhooks`. */
export interface ListWebhooksOutput {
  items: Webhook[];
  total: number | null;
  total_is_capped: 0 | 1;
  next_cursor: string | null;
}

/** Input of `listDeliveries`. */
export interface ListDeliveriesInput {
  id: number;
  page?: number;
  page_size?: number;
  cursor?: string;
  sort?: string;
  status?: 'pending' | 'delivered' | 'failed' | 'skipped';
}

/** Answer of `listDeliveries`. */
export interface ListDeliveriesOutput {
  items: WebhookDelivery[];
  total: number | null;
  total_is_capped: 0 | 1;
  next_cursor: string | null;
}

/** Input of `replayDelivery`. */
export interface ReplayDeliveryInput {
  id: number;
  delivery: number;
}

/** Input of `replayDeliveries`. */
export interface ReplayDeliveriesInput {
  id: number;
  /** Time, ISO 8601 with offset. */
  from: string;
  /** Time, ISO 8601 with offset. */
  to: string;
}

/** Answer of `replayDeliveries`. */
export interface ReplayDeliveriesOutput {
  replayed: number;
}

/** Input of `testWebhook`. */
export interface TestWebhookInput {
  id: number;
}

/** The public API, called with an API key. Each method is one operation. */
export class Waystation extends Connection {
  /**
   * People found in a pasted text, each field with how sure it is. Opened by the scope
   * `order`.
   */
  parseAddress(input: ParseAddressInput, options: CallOptions = {}): Promise<ParseAddressOutput> {
    return this.call(
      { method: 'POST', path: '/api/arco/address/parse', answers: 'json' },
      input,
      options,
    );
  }

  /** Parcels in scope, newest first. Opened by the scope `parcels`. */
  listParcels(input: ListParcelsInput = {}, options: CallOptions = {}): Promise<ListParcelsOutput> {
    return this.call(
      { method: 'GET', path: '/api/arco/expresses', answers: 'json' },
      input,
      options,
    );
  }

  /** Every item of `listParcels`, page by page. */
  iterateParcels(
    input: ListParcelsInput = {},
    options: CallOptions = {},
  ): AsyncGenerator<ListParcelsOutput['items'][number], void, undefined> {
    return this.items(
      (cursor) =>
        this.listParcels(
          { page_size: 200, ...input, ...(cursor !== undefined && { cursor }) },
          options,
        ),
      input.cursor,
    );
  }

  /**
   * Order a parcel (waits up to 4 s for the carrier, then answers in state 20; with wait: 0 it
   * answers at once), or keep a draft with draft: 1. Opened by the scope `order`.
   */
  createParcel(input: CreateParcelInput, options: IdempotentCallOptions): Promise<Parcel> {
    return this.call(
      { method: 'POST', path: '/api/arco/expresses', answers: 'json' },
      input,
      options,
    );
  }

  /** One parcel. Opened by the scope `parcels`. */
  getParcel(input: GetParcelInput, options: CallOptions = {}): Promise<Parcel> {
    return this.call(
      { method: 'GET', path: '/api/arco/expresses/{id}', answers: 'json' },
      input,
      options,
    );
  }

  /** Cancel before pickup, or ask for an intercept after it. Opened by the scope `cancel`. */
  cancelParcel(input: CancelParcelInput, options: CallOptions = {}): Promise<Parcel> {
    return this.call(
      { method: 'POST', path: '/api/arco/expresses/{id}/cancel', answers: 'json' },
      input,
      options,
    );
  }

  /** Order a draft, or put a parcel on hold first in its queue. Opened by the scope `order`. */
  orderParcel(input: OrderParcelInput, options: IdempotentCallOptions): Promise<Parcel> {
    return this.call(
      { method: 'POST', path: '/api/arco/expresses/{id}/order', answers: 'json' },
      input,
      options,
    );
  }

  /** The why of the price, before and after each re-weigh. Opened by the scope `parcels`. */
  priceParcel(input: PriceParcelInput, options: CallOptions = {}): Promise<PriceParcelOutput> {
    return this.call(
      { method: 'GET', path: '/api/arco/expresses/{id}/price', answers: 'json' },
      input,
      options,
    );
  }

  /** The billing lines of a parcel, in order. Opened by the scope `statements`. */
  parcelStatements(
    input: ParcelStatementsInput,
    options: CallOptions = {},
  ): Promise<ParcelStatementsOutput> {
    return this.call(
      { method: 'GET', path: '/api/arco/expresses/{id}/statements', answers: 'json' },
      input,
      options,
    );
  }

  /** What the carrier reported, oldest first. Opened by the scope `parcels`. */
  traceParcel(input: TraceParcelInput, options: CallOptions = {}): Promise<TraceParcelOutput> {
    return this.call(
      { method: 'GET', path: '/api/arco/expresses/{id}/trace', answers: 'json' },
      input,
      options,
    );
  }

  /**
   * How many parcels the filters of the list match, with their sums and the counts per tab;
   * above 10,000 “at least”, unless exact: 1. Opened by the scope `parcels`.
   */
  countParcels(
    input: CountParcelsInput = {},
    options: CallOptions = {},
  ): Promise<CountParcelsOutput> {
    return this.call(
      { method: 'GET', path: '/api/arco/expresses/counts', answers: 'json' },
      input,
      options,
    );
  }

  /**
   * What the order form of a station needs: goods, promises, insurance ladder, flags, default
   * sender; no secrets. Opened by the scope `order`.
   */
  parcelOptions(
    input: ParcelOptionsInput = {},
    options: CallOptions = {},
  ): Promise<ParcelOptionsOutput> {
    return this.call(
      { method: 'GET', path: '/api/arco/expresses/options', answers: 'json' },
      input,
      options,
    );
  }

  /**
   * Prices of every promise of the station’s scheme, each explained line by line. Opened by
   * the scope `order`.
   */
  quoteParcel(input: QuoteParcelInput, options: CallOptions = {}): Promise<QuoteParcelOutput> {
    return this.call(
      { method: 'POST', path: '/api/arco/expresses/quote', answers: 'json' },
      input,
      options,
    );
  }

  /** Stations the caller may order for, by name. Opened by the scope `order`. */
  parcelStations(
    input: ParcelStationsInput = {},
    options: CallOptions = {},
  ): Promise<ParcelStationsOutput> {
    return this.call(
      { method: 'GET', path: '/api/arco/expresses/stations', answers: 'json' },
      input,
      options,
    );
  }

  /**
   * Labels as one PDF, as a ZIP archive with one PDF a parcel, or as ZPL or TSPL for a label
   * printer, in the order given; one print record per parcel unless it is a preview. With
   * `result: 1` a multipart body that also says which parcels could not be printed and why.
   * Opened by the scope `labels`.
   */
  printLabels(input: PrintLabelsInput, options: CallOptions = {}): Promise<WaystationFile> {
    return this.call({ method: 'POST', path: '/api/arco/labels', answers: 'file' }, input, options);
  }

  /** Billing lines in scope, newest first. Opened by the scope `statements`. */
  listStatements(
    input: ListStatementsInput = {},
    options: CallOptions = {},
  ): Promise<ListStatementsOutput> {
    return this.call(
      { method: 'GET', path: '/api/arco/statements', answers: 'json' },
      input,
      options,
    );
  }

  /** Every item of `listStatements`, page by page. */
  iterateStatements(
    input: ListStatementsInput = {},
    options: CallOptions = {},
  ): AsyncGenerator<ListStatementsOutput['items'][number], void, undefined> {
    return this.items(
      (cursor) =>
        this.listStatements(
          { page_size: 200, ...input, ...(cursor !== undefined && { cursor }) },
          options,
        ),
      input.cursor,
    );
  }

  /**
   * How many billing lines the filters of the list match and what they come to, with opening
   * and closing balance; above 10,000 “at least”, unless exact: 1. Opened by the scope
   * `statements`.
   */
  countStatements(
    input: CountStatementsInput = {},
    options: CallOptions = {},
  ): Promise<CountStatementsOutput> {
    return this.call(
      { method: 'GET', path: '/api/arco/statements/counts', answers: 'json' },
      input,
      options,
    );
  }

  /**
   * Stations in scope, by name, with the sums of the whole filtered set. Opened by the scope
   * `stations`.
   */
  listStations(
    input: ListStationsInput = {},
    options: CallOptions = {},
  ): Promise<ListStationsOutput> {
    return this.call(
      { method: 'GET', path: '/api/arco/stations', answers: 'json' },
      input,
      options,
    );
  }

  /** Every item of `listStations`, page by page. */
  iterateStations(
    input: ListStationsInput = {},
    options: CallOptions = {},
  ): AsyncGenerator<ListStationsOutput['items'][number], void, undefined> {
    return this.items(
      (cursor) =>
        this.listStations(
          { page_size: 200, ...input, ...(cursor !== undefined && { cursor }) },
          options,
        ),
      input.cursor,
    );
  }

  /** One station. Opened by the scope `stations`. */
  getStation(input: GetStationInput, options: CallOptions = {}): Promise<Station> {
    return this.call(
      { method: 'GET', path: '/api/arco/stations/{id}', answers: 'json' },
      input,
      options,
    );
  }

  /**
   * The statement of a station for a month with every line, to print (PDF) or to calculate
   * with (XLSX). Opened by the scope `statements`.
   */
  stationStatement(
    input: StationStatementInput,
    options: CallOptions = {},
  ): Promise<WaystationFile> {
    return this.call(
      { method: 'GET', path: '/api/arco/stations/{id}/statement', answers: 'file' },
      input,
      options,
    );
  }

  /**
   * What a station had at the start and at the end of a month, what came and went, and whether
   * it has agreed. Opened by the scope `statements`.
   */
  stationStatementSummary(
    input: StationStatementSummaryInput,
    options: CallOptions = {},
  ): Promise<StationStatementSummaryOutput> {
    return this.call(
      { method: 'GET', path: '/api/arco/stations/{id}/statement/summary', answers: 'json' },
      input,
      options,
    );
  }

  /**
   * Webhooks of the own account and of the accounts that the caller manages; no secrets.
   * Opened by the scope `webhooks`.
   */
  listWebhooks(
    input: ListWebhooksInput = {},
    options: CallOptions = {},
  ): Promise<ListWebhooksOutput> {
    return this.call(
      { method: 'GET', path: '/api/arco/webhooks', answers: 'json' },
      input,
      options,
    );
  }

  /** Every item of `listWebhooks`, page by page. */
  iterateWebhooks(
    input: ListWebhooksInput = {},
    options: CallOptions = {},
  ): AsyncGenerator<ListWebhooksOutput['items'][number], void, undefined> {
    return this.items(
      (cursor) =>
        this.listWebhooks(
          { page_size: 200, ...input, ...(cursor !== undefined && { cursor }) },
          options,
        ),
      input.cursor,
    );
  }

  /**
   * Deliveries of a webhook with the last attempt’s request and response, newest first. Opened
   * by the scope `webhooks`.
   */
  listDeliveries(
    input: ListDeliveriesInput,
    options: CallOptions = {},
  ): Promise<ListDeliveriesOutput> {
    return this.call(
      { method: 'GET', path: '/api/arco/webhooks/{id}/deliveries', answers: 'json' },
      input,
      options,
    );
  }

  /** Every item of `listDeliveries`, page by page. */
  iterateDeliveries(
    input: ListDeliveriesInput,
    options: CallOptions = {},
  ): AsyncGenerator<ListDeliveriesOutput['items'][number], void, undefined> {
    return this.items(
      (cursor) =>
        this.listDeliveries(
          { page_size: 200, ...input, ...(cursor !== undefined && { cursor }) },
          options,
        ),
      input.cursor,
    );
  }

  /**
   * Send a delivery of an own webhook again, under the same `webhook-id`. Opened by the scope
   * `webhooks`.
   */
  replayDelivery(input: ReplayDeliveryInput, options: CallOptions = {}): Promise<WebhookDelivery> {
    return this.call(
      {
        method: 'POST',
        path: '/api/arco/webhooks/{id}/deliveries/{delivery}/replay',
        answers: 'json',
      },
      input,
      options,
    );
  }

  /**
   * Send the failed and skipped deliveries of an own webhook again whose events are of a time
   * range. Opened by the scope `webhooks`.
   */
  replayDeliveries(
    input: ReplayDeliveriesInput,
    options: CallOptions = {},
  ): Promise<ReplayDeliveriesOutput> {
    return this.call(
      { method: 'POST', path: '/api/arco/webhooks/{id}/replay', answers: 'json' },
      input,
      options,
    );
  }

  /** Send an event `webhook.test` to an own live webhook. Opened by the scope `webhooks`. */
  testWebhook(input: TestWebhookInput, options: CallOptions = {}): Promise<WebhookDelivery> {
    return this.call(
      { method: 'POST', path: '/api/arco/webhooks/{id}/test', answers: 'json' },
      input,
      options,
    );
  }
}

/** An event as a webhook sends it. It contains no personal data: read such data with an API key. */
export interface WebhookEvent {
  type: WebhookKind | 'webhook.test';
  /** Time of the event, ISO 8601. */
  timestamp: string;
  /** Details of the event, with its parcel or other object as it was when the event was sent. */
  data: {
    /** The API path that returns the subject of this event to a caller with an API key. */
    path?: string;
    parcel?: Pick<
      Parcel,
      | 'id'
      | 'station_id'
      | 'order_id'
      | 'delivery_id'
      | 'return_delivery_id'
      | 'thr_order_id'
      | 'state_code'
      | 'exception'
      | 'weight'
      | 're_weight'
      | 'cal_weight'
      | 'pre_amount'
      | 'post_amount'
      | 'print_count'
      | 'ordered_at'
      | 'picked_up_at'
      | 'signed_at'
      | 'created_at'
      | 'updated_at'
    >;
    statement?: Pick<
      Statement,
      | 'id'
      | 'station_id'
      | 'type'
      | 'status'
      | 'express_id'
      | 'delivery_id'
      | 'amount'
      | 'freeze_amount'
      | 'available'
      | 'balance'
      | 'period'
      | 'created_at'
      | 'posted_at'
    >;
    station?: Pick<Station, 'id' | 'name' | 'available' | 'updated_at'>;
    [detail: string]: unknown;
  };
}

/** A request that a webhook did not send, or sent long ago. */
export class WebhookVerificationError extends Error {
  readonly reason: 'header' | 'timestamp' | 'signature' | 'payload';

  constructor(reason: WebhookVerificationError['reason']) {
    super(`The webhook is not accepted because of its ${reason}`);
    this.name = 'WebhookVerificationError';
    this.reason = reason;
  }
}

/** A request that arrived at the URL of a webhook. */
export interface WebhookRequest {
  /** The unchanged body. A body that was parsed and written again does not match the signature. */
  payload: string | Uint8Array;
  /** The request's headers, as an object of Node or a framework, or as `Headers`. */
  headers:
    | { get(name: string): string | null }
    | Readonly<Record<string, string | readonly string[] | undefined>>;
  /**
   * The webhook's secret, `whsec_…`; while the secret is being replaced, both the old and the new
   * one.
   */
  secret: string | readonly string[];
  /**
   * The largest allowed difference between the timestamp and the current time, in seconds; 300 by
   * default.
   */
  toleranceSeconds?: number | undefined;
  /** The current time; by default that of the machine's clock. */
  now?: Date | undefined;
}

/** The maximum number of signatures of one request that are compared. */
const mostSignatures = 16;

const bytesOf = (base64: string) => {
  try {
    const binary = atob(base64);
    const bytes = new Uint8Array(binary.length);
    for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
    return bytes;
  } catch {
    return null;
  }
};

const headerOf = (headers: WebhookRequest['headers'], name: string): string => {
  const value =
    typeof headers['get'] === 'function'
      ? (headers as { get(name: string): string | null }).get(name)
      : (headers as Record<string, string | undefined>)[name];
  if (typeof value !== 'string' || value === '') throw new WebhookVerificationError('header');
  return value;
};

/**
 * Returns the event of a request that is signed with the secret according to Standard Webhooks.
 * Throws a `WebhookVerificationError` for any other request. A delivery may arrive twice with the
 * same `webhook-id`.
 */
export const verifyWebhook = async (request: WebhookRequest): Promise<WebhookEvent> => {
  const { payload, headers, secret, toleranceSeconds = 300, now = new Date() } = request;
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
    (name) => headerOf(headers, name),
  ) as [string, string, string];
  const away = Math.abs(now.getTime() / 1_000 - Number(timestamp));
  if (!/^\d{1,12}$/.test(timestamp) || away > toleranceSeconds)
    throw new WebhookVerificationError('timestamp');
  const encoder = new TextEncoder();
  const start = encoder.encode(`${id}.${timestamp}.`);
  const body = typeof payload === 'string' ? encoder.encode(payload) : payload;
  const signed = new Uint8Array(start.length + body.length);
  signed.set(start);
  signed.set(body, start.length);
  const claimed = signatures
    .split(' ')
    .filter((one) => one.startsWith('v1,'))
    .slice(0, mostSignatures)
    .flatMap((one) => bytesOf(one.slice('v1,'.length)) ?? []);
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  let isSigned = false;
  for (const one of typeof secret === 'string' ? [secret] : secret) {
    const raw = bytesOf(one.replace(/^whsec_/, ''));
    if (!raw || raw.length === 0) throw new TypeError('The secret is not one of a webhook');
    const key = await crypto.subtle.importKey('raw', raw, hmac, false, ['verify']);
    for (const signature of claimed)
      // Compares in constant time.
      isSigned = (await crypto.subtle.verify('HMAC', key, signature, signed)) || isSigned;
  }
  if (!isSigned) throw new WebhookVerificationError('signature');
  try {
    return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent;
  } catch {
    throw new WebhookVerificationError('payload');
  }
};
