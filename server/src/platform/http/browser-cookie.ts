import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * The cookie that identifies a browser that has logged in before. It gives no access (requirements
 * §10.12.6).
 */
const name = 'waystation_browser';
const seconds = 30 * 86_400;
const valueOf = (cookie: string): RegExp => new RegExp(`(?:^|; )${cookie}=([\\w-]{43})(?:;|$)`);
/**
 * The cookie for calls without TLS, and the cookie for calls over TLS. Browsers accept a cookie
 * `__Host-` only over TLS and from the host itself, so that another host of the same domain cannot
 * set it.
 */
const cookies = {
  plain: { name, pattern: valueOf(name), attributes: 'Path=/api/arco' },
  secure: { name: `__Host-${name}`, pattern: valueOf(`__Host-${name}`), attributes: 'Path=/' },
};
const cookieOf = ({ protocol }: FastifyRequest) =>
  protocol === 'https' ? cookies.secure : cookies.plain;

export const readBrowserId = (request: FastifyRequest): string | null =>
  cookieOf(request).pattern.exec(request.headers.cookie ?? '')?.[1] ?? null;

/**
 * Sets the cookie. No script can read it, no other site causes it to be sent, and a cookie set over
 * TLS is never sent without TLS.
 */
export const sendBrowserId = (request: FastifyRequest, reply: FastifyReply, id: string): void => {
  const cookie = cookieOf(request);
  const secure = request.protocol === 'https' ? '; Secure' : '';
  void reply.header(
    'set-cookie',
    `${cookie.name}=${id}; ${cookie.attributes}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`,
  );
};
