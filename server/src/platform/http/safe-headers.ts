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
 * The headers of every response, including errors. A page replaces the content security policy by
 * its own (`web.ts`). If `overTls` is true, browsers use only TLS for this host and its subdomains,
 * for a year.
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
