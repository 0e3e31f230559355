import { errorText, isErrorCode } from './error-text.ts';
import type { Language } from '@waystation/contract/base/errors.ts';
import type { FailureData, Params, Reason } from '@waystation/contract/base/envelope.ts';

/** Codes of failures for which the server sent no envelope (requirements §8). */
type ClientCode = 'network' | 'timeout' | 'http' | 'unexpected' | 'chunk_failed';

const clientWords: Record<ClientCode, Record<Language, string>> = {
  network: {
    zh: '网络不通（Network Error），请检查网络后重试',
    en: 'Network Error: check the connection and try again',
  },
  timeout: {
    zh: '等待超时（timeout），请稍后重试',
    en: 'timeout: the server took too long to respond; try again',
  },
  http: { zh: '请求失败，状态码 {status}', en: 'Request failed with status code {status}' },
  chunk_failed: {
    zh: '页面文件已更新或网络不通，请刷新页面',
    en: 'The page was updated or the network is down. Reload the page.',
  },
  unexpected: { zh: '页面出错，请刷新重试', en: 'This page failed; reload it and try again' },
};

/**
 * The error of a failed call. `body` is the whole response, and `message` is the text of
 * requirements §8.
 */
export class ApiError extends Error {
  /**
   * The status of the envelope, or the HTTP status if the response has no envelope. 0 if there was
   * no response.
   */
  readonly status: number;
  readonly code: string;
  readonly params: Params;
  /** The reasons for the refused fields, by the paths of the fields. */
  readonly fields: Record<string, Reason>;
  readonly request_id: string;
  /** The number of seconds to wait, as given by the server; null if the server gave none. */
  readonly retryAfter: number | null;
  readonly body: unknown;

  constructor(facts: {
    status: number;
    code: string;
    message: string;
    body?: unknown;
    params?: Params;
    fields?: Record<string, Reason>;
    request_id?: string;
    retryAfter?: number | null;
  }) {
    super(facts.message);
    this.name = 'ApiError';
    this.status = facts.status;
    this.code = facts.code;
    this.params = facts.params ?? {};
    this.fields = facts.fields ?? {};
    this.request_id = facts.request_id ?? '';
    this.retryAfter = facts.retryAfter ?? null;
    this.body = facts.body;
  }
}

export const networkError = (): ApiError =>
  new ApiError({ status: 0, code: 'network', message: 'Network Error' });
export const timeoutError = (ms: number): ApiError =>
  new ApiError({ status: 0, code: 'timeout', message: `timeout of ${ms}ms exceeded` });

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/**
 * The error for a failed response. It is made from the envelope, or from the HTTP status if there
 * is no envelope.
 */
export const answerError = (
  http: { status: number; request_id: string; retryAfter: number | null },
  body: unknown,
): ApiError => {
  const fallback = `Request failed with status code ${http.status}`;
  if (!isObject(body) || typeof body['status'] !== 'number')
    return new ApiError({
      ...http,
      code: 'http',
      params: { status: http.status },
      message: fallback,
      body,
    });
  const data = (isObject(body['data']) ? body['data'] : {}) as Partial<FailureData>;
  const message =
    typeof body['message'] === 'string' && body['message'] !== '' ? body['message'] : fallback;
  return new ApiError({
    status: body['status'],
    code: typeof data.code === 'string' ? data.code : 'http',
    params: { ...(typeof data.code !== 'string' && { status: body['status'] }), ...data.params },
    fields: data.fields ?? {},
    request_id: data.request_id ?? http.request_id,
    retryAfter: http.retryAfter,
    message,
    body,
  });
};

/**
 * True if a file of the console is missing because a newer version was deployed. Only a reload of
 * the page loads the new file.
 */
export const isChunkError = (error: unknown): boolean =>
  error instanceof TypeError &&
  /dynamically imported module|importing a module script|module script failed/i.test(error.message);

const isClientCode = (code: string): code is ClientCode => Object.hasOwn(clientWords, code);

/**
 * The error text in the reader's language. If the code is unknown, it is the text that the server
 * sent.
 */
export const errorWords = (error: unknown, language: Language): string => {
  if (!(error instanceof ApiError))
    return clientWords[isChunkError(error) ? 'chunk_failed' : 'unexpected'][language];
  if (isErrorCode(error.code)) return errorText(error.code, error.params, language);
  if (
    error.code === 'http' &&
    isObject(error.body) &&
    typeof error.body['message'] === 'string' &&
    error.body['message'] !== ''
  )
    return error.body['message'];
  if (isClientCode(error.code))
    return clientWords[error.code][language].replace(
      '{status}',
      String(error.params['status'] ?? error.status),
    );
  return error.message;
};

/** The error texts of the fields of a form, by the paths of the fields. */
export const fieldWords = (error: unknown, language: Language): Record<string, string> =>
  error instanceof ApiError
    ? Object.fromEntries(
        Object.entries(error.fields).map(([path, reason]) => [
          path,
          errorText(reason.code, reason.params, language),
        ]),
      )
    : {};

/**
 * The row as another user has saved it, if the call was refused because of this change. Otherwise
 * undefined.
 */
export const rowAtConflict = <R>(error: unknown): R | undefined =>
  error instanceof ApiError && error.code === 'version_conflict'
    ? (error.body as { data?: { current?: R } }).data?.current
    : undefined;

export const requestId = (error: unknown): string =>
  error instanceof ApiError ? error.request_id : '';
/**
 * The code to show beside the message. It is the server's code, or else the client's own code or
 * the HTTP status.
 */
export const errorCode = (error: unknown): string => {
  if (error instanceof ApiError) return error.code;
  if (isChunkError(error)) return 'chunk_failed';
  return error instanceof Error ? error.name : 'unknown';
};
export const isOutage = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.code === 'network' ||
    error.code === 'timeout' ||
    error.status === 502 ||
    error.status === 503 ||
    error.status === 504);
