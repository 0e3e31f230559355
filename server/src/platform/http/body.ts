import type { FastifyInstance } from 'fastify';
import { fail } from '#platform/fail.ts';

/**
 * The limit of nesting. No valid input is nested deeper, and a deeper one could overflow the stack
 * of recursive functions.
 */
const deepest = 40;

/**
 * True if PostgreSQL can store every text in `value` (it stores no NUL character), and `value` is
 * not nested too deeply.
 */
export const isSound = (value: unknown, depth = 0): boolean => {
  if (typeof value === 'string') return !value.includes('\u0000');
  if (typeof value !== 'object' || value === null) return true;
  if (depth >= deepest) return false;
  if (Array.isArray(value)) return value.every((item) => isSound(item, depth + 1));
  return Object.entries(value).every(
    ([name, item]) => !name.includes('\u0000') && isSound(item, depth + 1),
  );
};

/**
 * Names of query parameters that contain secrets. They are refused, because proxies, browser
 * histories and logs store URLs.
 */
const credential =
  /^(access_?token|token|auth(orization)?|bearer|password|passwd|otp|api_?key|app_?key|app_?secret|secret|session(_?id)?)$/i;

/** Throws if a parameter in the URL has the name of a secret. */
export const refuseCredentials = (query: object): void => {
  if (Object.keys(query).some((name) => credential.test(name))) fail('credentials_in_query');
};

/**
 * Accepts only JSON bodies. An empty body counts as no body, whatever its content type, because
 * some clients set the JSON type on every call (requirements §7).
 */
export const acceptJsonOnly = (http: FastifyInstance): void => {
  http.removeAllContentTypeParsers();
  const parse = http.getDefaultJsonParser('error', 'error');
  http.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined);
    void parse(request, body as string, done);
  });
};
