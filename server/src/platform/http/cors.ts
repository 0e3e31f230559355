import type { FastifyInstance } from 'fastify';

const allowed =
  'authorization, content-type, idempotency-key, platform, client-side, version, x-requested-with, x-xsrf-token, accept-language, x-request-id, x-background, last-event-id';

/**
 * Lets a web page with one of these origins call this API. A page with any other origin gets no
 * permission.
 */
export const addCors = (http: FastifyInstance, origins: readonly string[]): void => {
  if (origins.length === 0) return;
  http.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers;
    if (origin === undefined) return;
    void reply.header('vary', 'origin');
    if (!origins.includes(origin)) return;
    void reply.headers({
      'access-control-allow-origin': origin,
      'access-control-expose-headers':
        'x-request-id, retry-after, ratelimit, ratelimit-policy, x-label-count, x-label-failed, x-label-failures, x-label-warnings, x-label-prints, content-disposition',
    });
    if (
      request.method !== 'OPTIONS' ||
      request.headers['access-control-request-method'] === undefined
    )
      return;
    void reply.headers({
      'access-control-allow-methods': 'GET, POST, PATCH',
      'access-control-allow-headers': allowed,
      'access-control-max-age': '600',
    });
    return reply.code(204).send();
  });
  http.options('*', async (_request, reply) => reply.code(204).send());
};
