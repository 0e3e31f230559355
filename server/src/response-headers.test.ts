import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApi } from './api.ts';
import { openTestApi } from '#testing/test-api.ts';
import type { TestApi } from '#testing/test-api.ts';

const folder = mkdtempSync(join(tmpdir(), 'waystation-headers-'));
let api: TestApi;
let http: FastifyInstance;
let clerk: string;
beforeAll(async () => {
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'assets', 'index-aaaaaaaa.js'), 'run()');
  writeFileSync(join(folder, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"></svg>');
  writeFileSync(join(folder, 'index.html'), '<script nonce="__CSP_NONCE__"></script>');
  api = await openTestApi();
  clerk = await api.login('clerk');
  const changes = { production: true, webDir: folder, apiPages: true, trustProxy: ['127.0.0.1'] };
  http = await createApi({ ...api.app, config: { ...api.app.config, ...changes } });
  await http.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await http.close();
  await api.close();
  rmSync(folder, { recursive: true, force: true });
});

const secure = { 'x-forwarded-proto': 'https' };
/**
 * One response of each kind: its name, the request, the status, and the beginning of its content
 * type.
 */
const kinds: [string, InjectOptions, number, string][] = [
  ['a page', { url: '/' }, 200, 'text/html; charset=utf-8'],
  [
    'a file of the build',
    { url: '/assets/index-aaaaaaaa.js' },
    200,
    'application/javascript; charset=utf-8',
  ],
  ['a picture of the build', { url: '/logo.svg' }, 200, 'image/svg+xml'],
  ['the folder of a build', { url: '/assets/' }, 400, 'application/json; charset=utf-8'],
  ['a public fact', { url: '/api/arco/about' }, 200, 'application/json; charset=utf-8'],
  ['a refused call', { url: '/api/arco/personal' }, 401, 'application/json; charset=utf-8'],
  ['a path of nobody', { url: '/nothing' }, 404, 'application/json; charset=utf-8'],
  ['an address of no sense', { url: '/api/arco/%zz' }, 400, 'application/json; charset=utf-8'],
  [
    'a push of nobody',
    { url: `/api/carriers/jdl/push/${'x'.repeat(32)}`, method: 'POST', payload: {} },
    404,
    'application/json; charset=utf-8',
  ],
  ['a sign of life', { url: '/healthz' }, 200, 'application/json; charset=utf-8'],
  ['the page of the API', { url: '/docs' }, 200, 'text/html; charset=utf-8'],
  ['the client', { url: '/docs/waystation.ts' }, 200, 'text/plain; charset=utf-8'],
  ['the description of the API', { url: '/openapi.json' }, 200, 'application/json; charset=utf-8'],
];

describe('every response', () => {
  it.each(kinds)(
    'every response has headers against framing, content sniffing, foreign content, referrers and access without TLS: %s',
    async (_, call, status, type) => {
      const { statusCode, headers } = await http.inject({ ...call, headers: secure });
      expect([
        statusCode,
        String(headers['content-type']).toLowerCase().slice(0, type.length),
      ]).toEqual([status, type]);
      const policy = String(headers['content-security-policy']);
      for (const rule of [`default-src 'none'`, `base-uri 'none'`, `frame-ancestors 'none'`])
        expect(policy.split('; ')).toContain(rule);
      expect(policy).not.toContain('unsafe-eval');
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
      });
    },
  );

  it('a downloaded file is sent as an attachment with a file name, so that the browser does not display it', async () => {
    const { headers } = await http.inject({
      method: 'GET',
      url: '/api/arco/imports/template.xlsx',
      headers: { ...secure, authorization: `Bearer ${clerk}` },
    });
    expect(headers['content-disposition']).toMatch(/^attachment; filename\*=UTF-8''[\w%.-]+$/);
    expect(headers['cache-control']).toBe('no-store');
  });
});

describe('unusual requests on a connection', () => {
  const send = (bytes: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect((http.server.address() as AddressInfo).port, '127.0.0.1');
      let text = '';
      socket.setEncoding('utf8').on('data', (part: string) => (text += part));
      socket.on('close', () => resolve(text)).on('error', reject);
      socket.end(bytes);
    });

  it('a request with two body lengths is refused, and the rest of its bytes is not read as a second request', async () => {
    const inner = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n';
    const head = 'POST /api/arco/login/password HTTP/1.1\r\nHost: a\r\nConnection: close\r\n';
    for (const lengths of [
      `Content-Length: ${inner.length + 5}\r\nTransfer-Encoding: chunked`,
      'Content-Length: 5\r\nContent-Length: 6',
    ]) {
      const answer = await send(`${head}${lengths}\r\n\r\n0\r\n\r\n${inner}`);
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    }
  });

  it('a TRACE request returns 404 and none of its own content', async () => {
    const answer = await send(
      'TRACE /api/arco/about HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Own: repeated\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(answer).not.toContain('repeated');
  });
});
