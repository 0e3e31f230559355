import type { FastifyInstance } from 'fastify';
import { fail } from '#platform/fail.ts';

/** No valid input is deeper; a deeper one would overflow recursive readers. */
const deepest = 40;

/** Whether every text in `value` can be stored (PostgreSQL holds no NUL) and nothing is nested beyond any use. */
export const isSound = (value: unknown, depth = 0): boolean => {
  if (typeof value === 'string') return !value.includes('\u0000');
  if (typeof value !== 'object' || value === null) return true;
  if (depth >= deepest) return false;
  if (Array.isArray(value)) return value.every((item) => isSound(item, depth + 1));
  return Object.entries(value).every(([name, item]) => !name.includes('\u0000') && isSound(item, depth + 1));
};

/** Names under which secrets travel; an address is written down by proxies, histories and logs. */
const credential = /^(access_?token|token|auth(orization)?|bearer|password|passwd|otp|api_?key|app_?key|app_?secret|secret|session(_?id)?)$/i;

/** Throws where the query of an address names a secret. */
export const refuseCredentials = (query: object): void => {
  if (Object.keys(query).some((name) => credential.test(name))) fail('credentials_in_query');
};

/** JSON alone is taken; a body of no bytes is none, whatever its type says: clients name JSON on every call (requirements §7). */
export const acceptJsonOnly = (http: FastifyInstance): void => {
  http.removeAllContentTypeParsers();
  const parse = http.getDefaultJsonParser('error', 'error');
  http.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined);
    void parse(request, body as string, done);
  });
};
