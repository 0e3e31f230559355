import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type pg from 'pg';
import { secretKey } from './base.ts';
import type { Recorded } from './record.ts';

export const password = 'waystation-demo';

export interface Answer {
  status: number;
  ms: number;
  text: string;
}

export interface Api {
  ask(token: string, path: string, body?: unknown): Promise<Answer>;
  logIn(username: string): Promise<string>;
  /** Calls `work`, and returns the queries that the server sent while `work` ran. */
  record(work: () => Promise<unknown>): Promise<Recorded[]>;
  /** The milliseconds of processor time that the server process has used so far. */
  nodeTime(): number;
  pid: number;
  port: number;
  stop(): Promise<void>;
}

const urlOf = ({ user, host, port, database }: pg.ClientConfig): string =>
  `postgres://${encodeURIComponent(String(user))}@localhost/${database}?host=${encodeURIComponent(String(host))}&port=${port}`;

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });

/**
 * Returns the milliseconds that a process and its threads have run; 0 if the system does not report
 * them.
 */
export const processTime = (pid: number): number => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return 0;
  }
};

const environment = (owner: pg.ClientConfig, port: number): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  PORT: String(port),
  WAYSTATION_HOST: '127.0.0.1',
  DATABASE_URL: urlOf(owner),
  WAYSTATION_APP_DATABASE_URL: urlOf({ ...owner, user: 'waystation_app' }),
  WAYSTATION_SECRET_KEY: secretKey,
  WAYSTATION_HEADS_FILE: 'off',
  // One person reads without pauses here. The share of time for one account's lists is not limited,
  // because this limit is not measured.
  WAYSTATION_LIST_SHARE_PERCENT: '100',
  WAYSTATION_LIST_TIMEOUT_MS: '30000',
});

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

const send = (port: number, token: string, path: string, body?: unknown): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const since = performance.now();
    const bytes = body === undefined ? null : Buffer.from(JSON.stringify(body));
    const call = request(
      {
        agent,
        port,
        host: '127.0.0.1',
        path: encodeURI(path),
        method: bytes ? 'POST' : 'GET',
        headers: {
          ...(token && { authorization: `Bearer ${token}` }),
          ...(bytes && { 'content-type': 'application/json', 'content-length': bytes.length }),
        },
      },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () =>
          resolve({
            status: response.statusCode!,
            ms: performance.now() - since,
            text: Buffer.concat(parts).toString('utf8'),
          }),
        );
        response.on('error', reject);
      },
    );
    call.on('error', reject);
    call.end(bytes ?? undefined);
  });

/**
 * The maximum time for a start, in minutes. It is long because the database of an earlier version
 * must first be migrated.
 */
const minutes = 10;

const waitUntilReady = async (child: ChildProcess, port: number): Promise<void> => {
  for (const until = Date.now() + minutes * 60_000; Date.now() < until; await sleep(100)) {
    if (child.exitCode !== null) throw new Error(`the product ended with ${child.exitCode}`);
    const ready = await send(port, '', '/readyz').catch(() => null);
    if (ready?.status === 200) return;
  }
  throw new Error(`the product was not ready within ${minutes} minutes`);
};

/**
 * Starts the `api` process of a checkout with the given database. The process runs as in
 * production.
 */
export const startApi = async (
  checkout: string,
  owner: pg.ClientConfig,
  part: 'api' | 'worker' = 'api',
): Promise<Api> => {
  const port = await freePort();
  const child = fork(join(checkout, 'server', 'src', 'main.ts'), [part], {
    cwd: checkout,
    env: environment(owner, port),
    execArgv: ['--import', pathToFileURL(join(import.meta.dirname, 'record.ts')).href],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  if (part === 'api') await waitUntilReady(child, port);
  return {
    pid: child.pid!,
    port,
    ask: (token, path, body) => send(port, token, path, body),
    logIn: async (username) => {
      const { status, text } = await send(port, '', '/api/arco/login/password', {
        username,
        password,
      });
      if (status !== 200) throw new Error(`${username} cannot log in: ${text.slice(0, 200)}`);
      return (JSON.parse(text) as { data: { access_token: string } }).data.access_token;
    },
    record: async (work) => {
      child.send({ scale: 'record' });
      await work();
      const recorded = new Promise<Recorded[]>((resolve) => {
        const listen = (message: { recorded?: Recorded[] }): void => {
          if (!message.recorded) return;
          child.off('message', listen);
          resolve(message.recorded);
        };
        child.on('message', listen);
      });
      child.send({ scale: 'recorded' });
      return recorded;
    },
    nodeTime: () => processTime(child.pid!),
    stop: async () => {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), 30_000);
      await once(child, 'exit');
      clearTimeout(late);
    },
  };
};
