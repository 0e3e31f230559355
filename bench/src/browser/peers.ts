import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, relative } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { atEnd, root } from './program.ts';

export const peers = ['react-admin', 'antd'] as const;
export type Peer = (typeof peers)[number];

const home = join(root, 'bench', 'peers');
const built = (peer: Peer): string => join(root, '.build', 'bench-peers', peer);

const hashOf = (files: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const file of files.toSorted())
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  return hash.digest('hex');
};

const isStamped = (stamp: string, hash: string): boolean =>
  existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;

/**
 * Returns the environment without the variables that `npm run` adds for the programs that it
 * starts.
 */
const plainEnv = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        !/^(?:npm_(?:lifecycle|package|command|config_local_prefix).*|INIT_CWD|NODE_ENV)$/i.test(
          name,
        ),
    ),
  );

const run = (
  what: string,
  command: string,
  words: readonly string[],
  env: NodeJS.ProcessEnv,
): void => {
  const { status, error, stderr } = spawnSync(command, words, {
    cwd: home,
    env,
    encoding: 'utf8',
    timeout: 240_000,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (status !== 0)
    throw new Error(
      `${what} failed: ${error?.message ?? stderr.trim().split('\n').slice(-3).join(' ')}`,
    );
};

/**
 * Installs the packages of the compared products into a separate folder, because they are not
 * dependencies of this product.
 */
const install = (): void => {
  const lock = join(home, 'package-lock.json');
  const stamp = join(home, 'node_modules', '.installed-from');
  const hash = hashOf([lock]);
  if (isStamped(stamp, hash)) return;
  console.log('The peers are being installed, once …');
  run(
    'npm ci of the peers',
    'npm',
    ['ci', '--loglevel=error', '--no-audit', '--no-fund', '--ignore-scripts'],
    plainEnv(),
  );
  writeFileSync(stamp, hash);
};

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** Builds the web console of a compared product with this product's builder and settings. */
const build = (peer: Peer): void => {
  const stamp = join(built(peer), '.built-from');
  const shared = ['package-lock.json', 'vite.config.ts', 'parcel.ts'].map((name) =>
    join(home, name),
  );
  const hash = hashOf([
    ...filesBelow(join(home, peer)),
    ...shared,
    join(root, 'package-lock.json'),
  ]);
  if (isStamped(stamp, hash)) return;
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const words = [
    vite,
    'build',
    peer,
    '--config',
    'vite.config.ts',
    '--outDir',
    built(peer),
    '--emptyOutDir',
    '--logLevel',
    'error',
  ];
  run(`the build of ${peer}`, process.execPath, words, { ...plainEnv(), NODE_ENV: 'production' });
  writeFileSync(stamp, hash);
};

export const preparePeers = (): void => {
  install();
  for (const peer of peers) build(peer);
};

const listen = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(async () => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/**
 * Serves files as the product's server does: compressed in advance, and with a cache time of a
 * year.
 */
const serveFiles = (folder: string): Promise<string> => {
  const files = new Map(
    filesBelow(folder).map((file) => {
      const bytes = readFileSync(file);
      const headers = {
        'content-type': types[extname(file)] ?? 'application/octet-stream',
        'cache-control': 'public, max-age=31536000, immutable',
      };
      return [
        file.slice(folder.length),
        { headers: { ...headers, 'content-encoding': 'br' }, body: brotliCompressSync(bytes) },
      ] as const;
    }),
  );
  return listen((request, response) => {
    const path = new URL(request.url!, 'http://peer').pathname;
    const file = files.get(path === '/' ? '/index.html' : path);
    if (file) response.writeHead(200, file.headers).end(file.body);
    else response.writeHead(404).end();
  });
};

const serveJson = (body: string): Promise<string> =>
  listen((_request, response) =>
    response
      .writeHead(200, {
        'content-type': 'application/json; charset=utf-8',
        'access-control-allow-origin': '*',
      })
      .end(body),
  );

/**
 * Serves the web console of each compared product. The query of each returned URL contains the URL
 * of the JSON that its list shows.
 */
export const servePeers = async (parcels: string): Promise<Record<Peer, string>> => {
  const api = await serveJson(parcels);
  const address = async (peer: Peer): Promise<string> =>
    `${await serveFiles(built(peer))}/?api=${encodeURIComponent(api)}`;
  return { 'react-admin': await address('react-admin'), antd: await address('antd') };
};
