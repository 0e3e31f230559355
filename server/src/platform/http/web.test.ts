import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import Fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addWeb } from './web.ts';

const outer = mkdtempSync(join(tmpdir(), 'waystation-web-'));
const folder = join(outer, 'dist');
let http: FastifyInstance;

/**
 * Writes a build like Vite's: the page and `build.json` both contain the name of the entry file.
 */
const build = (hash: string): void => {
  rmSync(join(folder, 'assets'), { recursive: true, force: true });
  mkdirSync(join(folder, 'assets'), { recursive: true });
  const entry = `assets/index-${hash}.js`;
  writeFileSync(join(folder, entry), `run('${hash}')`);
  writeFileSync(join(folder, `${entry}.gz`), gzipSync(`run('${hash}')`));
  writeFileSync(join(folder, 'build.json'), JSON.stringify({ build: entry }));
  writeFileSync(
    join(folder, 'index.html'),
    `<script nonce="__CSP_NONCE__" src="/${entry}"></script>`,
  );
};
const get = (url: string, headers: Record<string, string> = {}) => http.inject({ url, headers });

beforeAll(async () => {
  build('aaaaaaaa');
  http = Fastify();
  await addWeb(http, folder, []);
});
afterAll(async () => {
  await http.close();
  rmSync(outer, { recursive: true, force: true });
});

describe('the built web', () => {
  it('the built web page has a new nonce in each response', async () => {
    const nonces = await Promise.all(
      [get('/'), get('/')].map(async (answer) => /nonce="([^"]+)"/.exec((await answer).body)?.[1]),
    );
    expect(new Set([...nonces, '__CSP_NONCE__']).size).toBe(3);
    expect((await get('/')).headers['content-security-policy']).not.toContain(nonces[0]);
  });

  it('a file of the built web is cached for a year if its name contains a hash, and is compressed if the browser accepts it', async () => {
    const plain = await get('/assets/index-aaaaaaaa.js');
    expect([plain.body, plain.headers['cache-control']]).toEqual([
      "run('aaaaaaaa')",
      'public, max-age=31536000, immutable',
    ]);
    expect(
      (await get('/assets/index-aaaaaaaa.js', { 'accept-encoding': 'gzip' })).headers[
        'content-encoding'
      ],
    ).toBe('gzip');
    expect((await get('/build.json')).headers['cache-control']).toBe('public, max-age=3600');
  });

  it('the built web does not serve the raw index.html, missing files, hidden files or files outside its folder', async () => {
    writeFileSync(join(outer, 'outside.txt'), 'outside');
    mkdirSync(join(folder, '.git'));
    writeFileSync(join(folder, '.git', 'config'), 'outside');
    for (const path of [
      '/index.html',
      '/assets/none.js',
      '/.git/config',
      '/.git/',
      '/assets/../../outside.txt',
      '/assets/..%2f..%2foutside.txt',
      '/assets/%2e%2e/%2e%2e/outside.txt',
    ]) {
      const { statusCode, body } = await get(path);
      expect([path, statusCode < 500, body.endsWith('outside')]).toEqual([path, true, false]);
      if (!path.includes('outside')) expect([path, statusCode]).toEqual([path, 404]);
    }
  });

  it('a new build of the web replaces the old build completely', async () => {
    build('bbbbbbbb');
    const page = (await get('/')).body;
    expect(page).toContain((await get('/build.json')).json<{ build: string }>().build);
    expect((await get('/assets/index-bbbbbbbb.js')).body).toBe("run('bbbbbbbb')");
    expect((await get('/assets/index-aaaaaaaa.js')).statusCode).toBe(404);
    rmSync(join(folder, 'index.html'));
    expect((await get('/')).body).toContain('bbbbbbbb');
  });
});
