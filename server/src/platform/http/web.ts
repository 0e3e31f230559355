import { randomBytes } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** What the build writes where each answer's own nonce goes. */
const placeholder = '__CSP_NONCE__';

export const createNonce = (): string => randomBytes(16).toString('base64url');

/** Only our own scripts and styles run; `connect` adds origins of an API served elsewhere. */
export const contentSecurityPolicy = (nonce: string, connect: readonly string[]): string =>
  [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'self' 'nonce-${nonce}'`,
    // Widths and positions that are computed are set as attributes by the component library.
    `style-src-attr 'unsafe-inline'`,
    `img-src 'self' data: blob:`,
    `font-src 'self' data:`,
    `connect-src ${["'self'", ...connect].join(' ')}`,
    `frame-src 'self' blob:`,
    `object-src 'none'`,
    `worker-src 'self' blob:`,
    `manifest-src 'self'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
    `require-trusted-types-for 'script'`,
  ].join('; ');

const sendPage = (reply: FastifyReply, html: string, connect: readonly string[]): FastifyReply => {
  const nonce = createNonce();
  return reply
    .type('text/html; charset=utf-8')
    .headers({
      'content-security-policy': contentSecurityPolicy(nonce, connect),
      'cache-control': 'no-cache',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
      'x-frame-options': 'DENY',
    })
    .send(html.replaceAll(placeholder, nonce));
};

/** Serves the built web from `folder`: pages with a fresh nonce each, hashed files for a year, compressed as the build left them. */
export const addWeb = async (http: FastifyInstance, folder: string, connect: readonly string[]): Promise<void> => {
  const pages = readdirSync(folder).filter((name) => name.endsWith('.html'));
  const html = new Map(pages.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  for (const [name, text] of html) http.get(name === 'index.html' ? '/' : `/${name}`, (_request, reply) => sendPage(reply, text, connect));
  await http.register(fastifyStatic, {
    root: folder,
    index: false,
    wildcard: false,
    preCompressed: true,
    cacheControl: false,
    globIgnore: ['**/*.html', '**/*.gz', '**/*.br'],
    setHeaders: (reply, path) => {
      void reply.header('cache-control', /[.-][\w-]{8,}\.\w+$/.test(path) ? 'public, max-age=31536000, immutable' : 'public, max-age=3600');
    },
  });
};
