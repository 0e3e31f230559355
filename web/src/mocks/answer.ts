import type { Envelope } from '@waystation/contract/base/envelope.ts';

export interface MockRequest {
  query: URLSearchParams;
  /** The JSON of the body; an empty object if the request has no body. */
  body: Record<string, unknown>;
  /** The token in the Authorization header; null if there is none. */
  token: string | null;
  now: Date;
}

/**
 * The response codes of requirements §8. The HTTP status of a mock is always 200, as in the
 * demonstration template.
 */
export const codes = { ok: 200, failed: 500, login: 50000, notLoggedIn: 50008 } as const;

export const succeeded = <T>(data: T): Envelope<T> => ({
  status: codes.ok,
  data,
  message: 'mock request succeeded',
});

export const failed = (message: string, status: number = codes.failed): Envelope<null> => ({
  status,
  data: null,
  message,
});
