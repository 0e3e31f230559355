import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
// waits in real time, because programs need real time to start
import { setTimeout as pause } from 'node:timers/promises';
import type { Machine } from './machines.ts';
import { example, replaced } from './servers.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const main = join(root, 'server', 'src', 'main.ts');
const simulator = join(root, 'carrier-sim', 'src', 'main.ts');

/**
 * The ports on this machine: two proxies for the database, one proxy for the web console, the
 * connection pooler, and the simulators.
 */
const ports = { primary: 5_000, replicas: 5_001, pooler: 6_432, web: 8_480, sim: 8_490 } as const;
const apiPorts = [8_481, 8_482] as const;

const appPassword = 'cluster-application';
const ownerPassword = 'cluster-owner';
export const demoPassword = 'waystation-demo';

/** A program that can be killed, stopped and started again. */
export interface Program {
  start(): Promise<void>;
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
}

/** Waystation on this machine; its databases run on the simulated machines. */
export interface Product {
  url: string;
  apis: readonly Program[];
  worker: Program;
  /** Runs a command of the product, and returns its exit code and output. */
  command(...words: string[]): { code: number; text: string };
  close(): Promise<void>;
}

const isReady = async (url: string): Promise<boolean> =>
  (await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => null))?.ok ?? false;

const until = async (what: string, isSo: () => Promise<boolean>, ms = 90_000): Promise<void> => {
  for (const since = Date.now(); !(await isSo()); await pause(200))
    if (Date.now() - since > ms) throw new Error(`${what} did not start`);
};

interface Settings {
  words: readonly string[];
  env: NodeJS.ProcessEnv;
  log: string;
  ready?: () => Promise<boolean>;
}

const programOf = (name: string, { words, env, log, ready }: Settings): Program => {
  let child: ChildProcess | null = null;
  return {
    start: async () => {
      const out = openSync(log, 'a');
      child = spawn(words[0]!, words.slice(1), { stdio: ['ignore', out, out], env });
      if (ready) await until(name, ready);
    },
    end: async (signal) => {
      if (child === null || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
    },
  };
};

const withAddresses = (text: string, machines: readonly Machine[]): string =>
  machines.reduce((all, { address }, at) => replaced(all, `10.0.0.${at + 1}`, address), text);

/**
 * Writes HAProxy's two example files with the addresses of these machines. One file is for the
 * databases, the other for the web console without TLS.
 */
const proxyFiles = (folder: string, machines: readonly Machine[]): [string, string] => {
  const databases = join(folder, 'haproxy-postgres.cfg');
  let text = withAddresses(example('haproxy-postgres.cfg'), machines);
  // The log is written to standard output, because the machine has no log device.
  text = replaced(text, 'log /dev/log local0', 'log stdout local0');
  writeFileSync(databases, text);
  const web = join(folder, 'haproxy.cfg');
  text = example('haproxy.cfg');
  for (const [from, to] of [
    ['log /dev/log local0', 'log stdout local0'],
    [/^ {2}bind :443.*\n/, ''],
    ['bind :80', `bind 127.0.0.1:${ports.web}`],
    [/^ {2}http-request (deny|redirect).*\n/, ''],
    ['127.0.0.1:8081', `127.0.0.1:${apiPorts[0]}`],
    ['127.0.0.1:8082', `127.0.0.1:${apiPorts[1]}`],
  ] as const)
    text = replaced(text, from, to);
  writeFileSync(web, text);
  return [databases, web];
};

/**
 * Returns true if PgBouncer supports prepared statements in transaction mode. The version in Debian
 * 12 does not support them.
 */
const keepsStatements = (): boolean => {
  const text = execFileSync('pgbouncer', ['--version'], { encoding: 'utf8' });
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(text) ?? [];
  return Number(major) > 1 || Number(minor) >= 21;
};

const poolerFile = (folder: string): string => {
  const users = join(folder, 'userlist.txt');
  writeFileSync(users, `"waystation_app" "${appPassword}"\n`);
  chmodSync(users, 0o644);
  const file = join(folder, 'pgbouncer.ini');
  let text = example('compose/pgbouncer.ini');
  for (const [from, to] of [
    ['host=postgres port=5432', `host=127.0.0.1 port=${ports.primary}`],
    ['listen_addr = *', 'listen_addr = 127.0.0.1'],
    ['/tmp/userlist.txt', users],
  ] as const)
    text = replaced(text, from, to);
  if (!keepsStatements()) text = replaced(text, /^max_prepared_statements.*\n/, '');
  writeFileSync(file, text);
  return file;
};

/** SQL that creates the database and its owner role, as described in `docs/operating.md`. */
export const ownerStatements = [
  `create role waystation_owner login createrole createdb password '${ownerPassword}'`,
  'create database waystation owner waystation_owner',
] as const;

const environmentOf = (folder: string): NodeJS.ProcessEnv => {
  const at = (user: string, password: string, port: number): string =>
    `postgres://${user}:${password}@127.0.0.1:${port}/waystation`;
  return {
    PATH: process.env['PATH'],
    DATABASE_URL: at('waystation_owner', ownerPassword, ports.primary),
    WAYSTATION_APP_DATABASE_URL: at('waystation_app', appPassword, ports.pooler),
    WAYSTATION_LISTEN_DATABASE_URL: at('waystation_app', appPassword, ports.primary),
    WAYSTATION_READ_DATABASE_URL: at('waystation_app', appPassword, ports.replicas),
    WAYSTATION_SECRET_KEY: '5'.repeat(64),
    WAYSTATION_DATA: join(folder, 'data'),
    WAYSTATION_WEB: folder,
    WAYSTATION_HOST: '127.0.0.1',
    WAYSTATION_TRUST_PROXY: 'loopback',
    ...(!keepsStatements() && { WAYSTATION_PREPARE: '0' }),
    WAYSTATION_METRICS_PORT: '0',
    WAYSTATION_DEMO: '1',
    WAYSTATION_DEMO_PARCELS: '20',
    WAYSTATION_DEMO_PASSWORD: demoPassword,
    WAYSTATION_SIM_PORT: String(ports.sim),
    WAYSTATION_LOG: 'warn',
    SIM_PORT: String(ports.sim),
    SIM_RATES: 'none',
  };
};

/**
 * Starts proxies, pooler, simulator, two API processes and a worker, and creates the tables and the
 * example network.
 */
export const openProduct = async (
  folder: string,
  machines: readonly Machine[],
): Promise<Product> => {
  const env = environmentOf(folder);
  const programs: Program[] = [];
  const begin = async (name: string, settings: Omit<Settings, 'env' | 'log'>): Promise<Program> => {
    const program = programOf(name, { ...settings, env, log: join(folder, `${name}.log`) });
    programs.unshift(program);
    await program.start();
    return program;
  };
  const close = async (): Promise<void> => {
    for (const program of programs) await program.end('SIGKILL');
  };
  const command = (...words: string[]): { code: number; text: string } => {
    try {
      const text = execFileSync(process.execPath, [main, ...words], {
        env,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      return { code: 0, text };
    } catch (error) {
      const { status, stdout, stderr } = error as Record<'stdout' | 'stderr', string> & {
        status: number;
      };
      return { code: status, text: stdout + stderr };
    }
  };
  const required = (...words: string[]): void => {
    const { code, text } = command(...words);
    if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${text.slice(-1_000)}`);
  };
  try {
    const [databases, web] = proxyFiles(folder, machines);
    await begin('haproxy-postgres', { words: ['haproxy', '-db', '-f', databases] });
    await begin('pgbouncer', {
      words: ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'].concat(
        'pgbouncer',
        poolerFile(folder),
      ),
    });
    await begin('simulator', {
      words: [process.execPath, simulator],
      ready: () => isReady(`http://127.0.0.1:${ports.sim}/control/health`),
    });
    // Waits because the load balancer looks for the primary database only every two seconds.
    await pause(4_000);
    required('migrate');
    required('demo');
    const apis: Program[] = [];
    for (const [at, port] of apiPorts.entries()) {
      const words = ['env', `PORT=${port}`, process.execPath, main, 'api'];
      const ready = (): Promise<boolean> => isReady(`http://127.0.0.1:${port}/readyz`);
      apis.push(await begin(`api-${at + 1}`, { words, ready }));
    }
    const worker = await begin('worker', { words: [process.execPath, main, 'worker'] });
    const url = `http://127.0.0.1:${ports.web}`;
    await begin('haproxy', {
      words: ['haproxy', '-db', '-f', web],
      ready: () => isReady(`${url}/readyz`),
    });
    return { url, apis, worker, command, close };
  } catch (error) {
    await close();
    throw error;
  }
};
