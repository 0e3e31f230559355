import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { limitMs } from './limits.ts';

// Starts the built product with `node start.mjs`. It has its own ports and data. Journeys and
// measurements start the product only in this way.

const root = join(import.meta.dirname, '..', '..', '..');
const startWithinMs = limitMs(180_000);
const stopWithinMs = limitMs(45_000);

export interface RunningProduct {
  /** The URL of the console and its API, without a slash at the end. */
  url: string;
  /** The URL of the carrier simulator. */
  carrierUrl: string;
  /** The folder of the product's data. */
  data: string;
  /** Ends the product. Deletes its data, unless they were given to be kept. */
  stop(): Promise<void>;
}

interface Start {
  /** The name of the product's data folder in `.build`. */
  name: string;
  /**
   * Environment variables for the product (docs/operating.md). The product gets no such variables
   * from the environment of the user who runs the tests.
   */
  env: Record<string, string>;
  /** A data folder that is kept between runs. */
  kept?: string | undefined;
  /** The root folder of another checkout, whose product is started instead. */
  checkout?: string | undefined;
  /** Called with the product's environment before the product is started. */
  before?: (env: NodeJS.ProcessEnv) => Promise<void>;
}

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });

const own = /^(?:WAYSTATION_.*|SIM_.*|VITE_.*|DATABASE_URL|NODE_ENV|PORT)$/;
const plainEnv = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/**
 * Creates an empty folder for this process. Deletes the folders of earlier runs that were killed.
 */
const freshFolder = (name: string): string => {
  const build = join(root, '.build');
  mkdirSync(build, { recursive: true });
  for (const folder of readdirSync(build)) {
    const pid = new RegExp(`^${name}-(\\d+)$`).exec(folder)?.[1];
    if (pid !== undefined && !isAlive(Number(pid)))
      rmSync(join(build, folder), { recursive: true, force: true });
  }
  const folder = join(build, `${name}-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  return folder;
};

/**
 * True if the product responds and has processed the simulator's messages, which change the demo's
 * parcels.
 */
const isReady = async (url: string): Promise<boolean> => {
  try {
    if ((await fetch(`${url}/readyz`)).status !== 200) return false;
    const { data } = (await (await fetch(`${url}/api/arco/about`)).json()) as {
      data: { demo_catching_up?: boolean };
    };
    return data.demo_catching_up !== true;
  } catch {
    return false;
  }
};

/** Collects the product's output. It is printed only if the product does not start. */
const listenTo = (child: ChildProcess): (() => string) => {
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text: Buffer) => (output = (output + text.toString()).slice(-20_000)));
  return () => output;
};

const waitUntilReady = async (child: ChildProcess, url: string): Promise<void> => {
  const output = listenTo(child);
  const until = Date.now() + startWithinMs;
  while (!(await isReady(url))) {
    if (child.exitCode !== null)
      throw new Error(`the product ended with ${child.exitCode} before it was ready:\n${output()}`);
    if (Date.now() > until)
      throw new Error(`the product was not ready within ${startWithinMs / 1000} s:\n${output()}`);
    await sleep(100);
  }
};

const endChild = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), stopWithinMs);
  await ended;
  clearTimeout(late);
};

/**
 * Starts the product and waits until it is ready. If this process ends or is killed, the product
 * ends too.
 */
export const startProduct = async ({
  name,
  env,
  kept,
  checkout = root,
  before,
}: Start): Promise<RunningProduct> => {
  const [port, carrierPort] = [await freePort(), await freePort()];
  const data = kept ?? freshFolder(name);
  const whole = {
    ...plainEnv(),
    PORT: String(port),
    WAYSTATION_SIM_PORT: String(carrierPort),
    WAYSTATION_SIM_MAIL_PORT: String(await freePort()),
    WAYSTATION_DATA: data,
    ...env,
    // This variable pretends that npm has started start.mjs, so that start.mjs ends when its parent
    // process ends.
    npm_lifecycle_event: 'start',
  };
  let child: ChildProcess | undefined;
  const stop = async (): Promise<void> => {
    if (child) await endChild(child);
    if (kept === undefined) rmSync(data, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${port}`;
  try {
    await before?.(whole);
    child = spawn(process.execPath, ['start.mjs'], {
      cwd: checkout,
      env: whole,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    await waitUntilReady(child, url);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, carrierUrl: `http://127.0.0.1:${carrierPort}`, data, stop };
};
