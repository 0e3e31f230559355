import type { FastifyInstance } from 'fastify';
import { isUnavailable } from '#platform/db/db.ts';
import { isOverloaded } from './overload.ts';

export interface RawAnswer {
  status: number;
  body: unknown;
}

export interface RawPost {
  path: string;
  bodyLimit: number;
  /**
   * Handles a request. `body` contains the received bytes, and is empty if the request has no body.
   */
  handle(params: Record<string, string>, body: Buffer, contentType: string): Promise<RawAnswer>;
  /** Throws `overloaded` if the call would wait too long for a database connection. */
  assertRoom(): void;
  /** Returns the body of a response with 503 while the database is unreachable or overloaded. */
  away(params: Record<string, string>): unknown;
}

/**
 * Adds a POST route that needs no session and returns no response envelope. The handler gets the
 * body as bytes, whatever the request's content type is.
 */
export const addRawPost = (
  http: FastifyInstance,
  { path, bodyLimit, handle, assertRoom, away }: RawPost,
): void => {
  void http.register(async (scoped) => {
    scoped.removeAllContentTypeParsers();
    scoped.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, done) =>
      done(null, body),
    );
    scoped.post(path, { bodyLimit }, async (request, reply) => {
      const params = request.params as Record<string, string>;
      try {
        assertRoom();
        const answer = await handle(
          params,
          Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
          request.headers['content-type'] ?? '',
        );
        return reply.code(answer.status).send(answer.body);
      } catch (error) {
        if (!isUnavailable(error) && !isOverloaded(error)) throw error;
        return reply.code(503).header('retry-after', '5').send(away(params));
      }
    });
  });
};
