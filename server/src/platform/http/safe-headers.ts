import type { FastifyRequest } from 'fastify';

/**
 * The content security policy of every response that is not a page. If a browser opens such a
 * response directly, it loads nothing and shows no frames.
 */
const nothing = [
  `default-src 'none'`,
  `object-src 'none'`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
].join('; ');

/**
 * The headers of every response, of errors too. A page replaces the content security policy by its
 * own (`web.ts`). With `overTls`, browsers use only TLS for a year, for this host and its
 * subdomains.
 */
export const safeHeaders = (
  { id }: FastifyRequest,
  { overTls }: { overTls: boolean },
): Record<string, string> => ({
  'x-request-id': id,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': nothing,
  ...(overTls && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
});
