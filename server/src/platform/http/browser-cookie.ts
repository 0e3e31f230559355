import type { FastifyReply, FastifyRequest } from 'fastify';

/** Names a browser that has logged in before; it opens nothing (requirements §10.12.6). */
const name = 'waystation_browser';
const seconds = 30 * 86_400;
const pattern = new RegExp(`(?:^|; )${name}=([\\w-]{43})(?:;|$)`);

export const readBrowserId = (request: FastifyRequest): string | null =>
  pattern.exec(request.headers.cookie ?? '')?.[1] ?? null;

/**
 * Sets the cookie: no script reads it, no other site sends it, and with TLS it is never sent
 * without.
 */
export const sendBrowserId = (request: FastifyRequest, reply: FastifyReply, id: string): void => {
  const secure = request.protocol === 'https' ? '; Secure' : '';
  void reply.header(
    'set-cookie',
    `${name}=${id}; Path=/api/arco; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`,
  );
};
