import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CheckedEndpoint } from '@waystation/contract/base/endpoint.ts';
import { errors } from '@waystation/contract/base/errors.ts';
import { dutyErrors, openDuty } from '@waystation/contract/base/login-duties.ts';
import { accountKeyCallsInMinute, keyCallsInMinute } from '@waystation/contract/base/limits.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { isKeyLike } from '#platform/auth/api-key.ts';
import { rateLimitHeaders } from '#platform/auth/key-callers.ts';
import type { KeySlots } from '#platform/auth/key-slots.ts';
import { Failure, fail } from '#platform/fail.ts';

export interface Authorising {
  /**
   * Returns the account of the session or API key with this token; null if the token is invalid.
   * `used`: a user is present, so that the call extends the session.
   */
  authenticate(
    token: string,
    about: { used: boolean; address: string; call: string },
  ): Promise<Actor | null>;
  /** The limits of simultaneous work for API keys in this process. */
  keySlots?: KeySlots;
  /**
   * Called before the response if a logged-in caller gets a 403, or a 404. A 404 is for a row that
   * does not exist or is outside the caller's scope.
   */
  refused?(refusal: {
    action: 'call_forbidden' | 'row_not_found';
    address: string;
    account_id: number;
    /** The id of the API key of the call; 0 if the call had none. */
    key_id: number;
    call: string;
  }): Promise<void>;
}

/** The account id of each call, also of a refused call. It is needed for the log. */
const accounts = new WeakMap<FastifyRequest, number>();
export const accountOf = (request: FastifyRequest): number | undefined => accounts.get(request);

/**
 * True if a user caused the request. Automatic requests of a browser tab do not extend the session.
 */
export const isUse = ({ background }: CheckedEndpoint, request: FastifyRequest): boolean =>
  !background && request.headers['x-background'] !== '1';

export const callOf = (request: FastifyRequest): string =>
  `${request.method} ${request.url.split('?')[0]}`;

/**
 * Counts a refused call before it is answered, because it may be an attempt to find open endpoints.
 */
export const noteRefusal = async (
  options: Authorising,
  { account_id, key }: Actor,
  request: FastifyRequest,
  error: unknown,
): Promise<void> => {
  if (!(error instanceof Failure)) return;
  const action =
    error.code === 'not_found'
      ? 'row_not_found'
      : errors[error.code].status === 403
        ? 'call_forbidden'
        : null;
  if (action)
    await options.refused?.({
      action,
      address: request.ip,
      account_id,
      key_id: key?.id ?? 0,
      call: callOf(request),
    });
};

/**
 * Returns an error if the key does not have the endpoint's scope. No other code decides which
 * endpoints a key may call. The error contains the missing scope, or "–" if no key may call the
 * endpoint.
 */
const keyProblem = (
  { key }: CheckedEndpoint,
  { scopes }: NonNullable<Actor['key']>,
): Failure | null => {
  return key !== undefined && scopes.includes(key)
    ? null
    : new Failure('key_forbidden', { scope: key ?? '–' }, {});
};

/**
 * Throws `too_many_requests` if a limit of the key is exceeded. Every response to a key shows how
 * many calls are left.
 */
const limitKey = ({ key }: Actor, reply: FastifyReply): void => {
  if (!key) return;
  void reply.headers(rateLimitHeaders(key));
  const seconds = key.resets_in;
  if (key.calls > keyCallsInMinute) fail('too_many_requests', { seconds }, { retryAfter: seconds });
  const { together } = key;
  if (together && together.calls > accountKeyCallsInMinute)
    fail('too_many_requests', { seconds: together.resets_in }, { retryAfter: together.resets_in });
};

/**
 * Returns the function that marks the work as ended; throws `too_many_requests` if the work was not
 * allowed to begin.
 */
const orBusy = (end: (() => void) | null): (() => void) =>
  end ?? fail('too_many_requests', { seconds: 1 }, { retryAfter: 1 });

/**
 * Returns the caller with this token. The check of a key ends with its result and not with the
 * response, so that a client that reads slowly blocks no other check. Throws `too_many_requests`,
 * without a query, if this process already checks too many keys from the IP address.
 */
const authenticated = async (
  { authenticate, keySlots }: Authorising,
  token: string,
  about: { used: boolean; address: string; call: string },
): Promise<Actor | null> => {
  const end =
    keySlots && isKeyLike(token) ? orBusy(keySlots.check(about.address, token)) : () => {};
  try {
    return await authenticate(token, about);
  } finally {
    end();
  }
};

/**
 * Throws `too_many_requests` if this process already serves too many calls of the key or its
 * account. A call counts until its response has ended.
 */
const enterCall = (
  { keySlots }: Authorising,
  { key, account_id }: Actor,
  { raw }: FastifyReply,
): void => {
  // If the caller has already disconnected, no close event would end the call, so it is not
  // counted.
  if (!keySlots || !key || raw.destroyed) return;
  raw.once('close', orBusy(keySlots.call({ id: key.id, account_id })));
};

/**
 * Returns the caller of an endpoint that is not public. Throws if there is no valid caller, a key's
 * limit is exceeded, the scope or role is missing, or the account must first set a password or a
 * second factor.
 */
export const authorise = async (
  options: Authorising,
  endpoint: CheckedEndpoint,
  token: string | null,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<Actor> => {
  const { roles, allowWithDuty } = endpoint;
  const about = { used: isUse(endpoint, request), address: request.ip, call: callOf(request) };
  const actor = token === null ? null : await authenticated(options, token, about);
  if (!actor) return fail('not_logged_in');
  accounts.set(request, actor.account_id);
  limitKey(actor, reply);
  enterCall(options, actor, reply);
  // An endpoint whose list of roles is empty refuses every caller.
  const problem =
    (actor.key && keyProblem(endpoint, actor.key)) ??
    (roles.includes(actor.role) ? null : new Failure('forbidden', {}, {}));
  if (problem) {
    await noteRefusal(options, actor, request, problem);
    throw problem;
  }
  const duty = openDuty(actor);
  return duty && !allowWithDuty?.includes(duty) ? fail(dutyErrors[duty]) : actor;
};
