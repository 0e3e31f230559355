import type { FastifyInstance } from 'fastify';

/** No input of ours is deeper; what is would overflow whoever walks it. */
const deepest = 40;

/** Whether every text in `value` can be stored (PostgreSQL holds no NUL) and nothing is nested beyond any use. */
export const isSound = (value: unknown, depth = 0): boolean => {
  if (typeof value === 'string') return !value.includes('\u0000');
  if (typeof value !== 'object' || value === null) return true;
  if (depth >= deepest) return false;
  if (Array.isArray(value)) return value.every((item) => isSound(item, depth + 1));
  return Object.entries(value).every(([name, item]) => !name.includes('\u0000') && isSound(item, depth + 1));
};

/** JSON alone is taken; a body of no bytes is none, whatever its type says: clients name JSON on every call (requirements §7). */
export const takeJson = (http: FastifyInstance): void => {
  http.removeAllContentTypeParsers();
  const parse = http.getDefaultJsonParser('error', 'error');
  http.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined);
    void parse(request, body as string, done);
  });
};
