import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** The placeholder in the build, which each response replaces by its own nonce. */
const placeholder = '__CSP_NONCE__';

export const createNonce = (): string => randomBytes(16).toString('base64url');

/**
 * The address of the carrier's print component on the browser's computer (requirements §10.15.14).
 */
const printComponent = 'ws://localhost:9113';

/**
 * Returns the content security policy: only the product's own scripts and styles may run. `connect`
 * adds the origins of an API on another host.
 */
export const contentSecurityPolicy = (nonce: string, connect: readonly string[]): string =>
  [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'self' 'nonce-${nonce}'`,
    // The component library sets calculated widths and positions as style attributes.
    `style-src-attr 'unsafe-inline'`,
    `img-src 'self' data: blob:`,
    `font-src 'self' data:`,
    `connect-src ${["'self'", printComponent, ...connect].join(' ')}`,
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

/**
 * Returns a function that returns the text of a file. It reads the file again if the file has
 * changed. While the file is missing (a build is being written), it returns the last text.
 */
const freshText = (path: string): (() => Promise<string>) => {
  let text = readFileSync(path, 'utf8');
  let readAt = statSync(path).mtimeMs;
  return async () => {
    try {
      const { mtimeMs } = await stat(path);
      if (mtimeMs !== readAt) [text, readAt] = [await readFile(path, 'utf8'), mtimeMs];
    } catch {
      // If the file cannot be read, the last text that was read is used.
    }
    return text;
  };
};

const hashed = /[.-][\w-]{8,}\.\w+$/;
const setHeaders = (reply: FastifyReply, path: string): void =>
  void reply.header(
    'cache-control',
    hashed.test(path) ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
  );

/**
 * Serves the built web pages from `folder`. Each page gets a new nonce, hashed files are cached for
 * a year, and files are sent compressed as the build left them. If a new build replaces this build
 * while the server runs, the new build is served completely: its pages, its `build.json` and their
 * files.
 */
export const addWeb = async (
  http: FastifyInstance,
  folder: string,
  connect: readonly string[],
): Promise<void> => {
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.html'))) {
    const page = freshText(join(folder, name));
    http.get(name === 'index.html' ? '/' : `/${name}`, async (_request, reply) =>
      sendPage(reply, await page(), connect),
    );
  }
  const shared = { index: false, preCompressed: true, cacheControl: false, setHeaders } as const;
  const assets = join(folder, 'assets');
  if (existsSync(assets))
    await http.register(fastifyStatic, {
      ...shared,
      root: assets,
      prefix: '/assets/',
      decorateReply: false,
    });
  const globIgnore = ['assets/**', '**/*.html', '**/*.gz', '**/*.br'];
  await http.register(fastifyStatic, { ...shared, root: folder, wildcard: false, globIgnore });
};
