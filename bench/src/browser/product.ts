import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { atEnd, freePort, pause, root } from './program.ts';

export interface Product {
  base: string;
  /** Of the demo's super, who sees every column. */
  token: string;
  /** The first page of the parcel list as our server answers it: what the peers are given. */
  parcels: string;
}

const password = 'waystation-demo';
const patience = 180_000;
const grace = 45_000;

/** Ours alone: neither the settings of whoever runs this nor their data. */
const plainEnv = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:WAYSTATION_.*|SIM_.*|VITE_.*|DATABASE_URL|NODE_ENV|PORT)$/.test(name)));

interface Answer {
  status: number;
  data: Record<string, unknown>;
}

const ask = async (url: string, init: RequestInit = {}): Promise<{ text: string; answer: Answer } | null> => {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(10_000) });
    const text = await response.text();
    return response.ok ? { text, answer: JSON.parse(text) as Answer } : null;
  } catch {
    return null;
  }
};

const logIn = async (base: string): Promise<string | null> => {
  const body = JSON.stringify({ username: 'super', password });
  const found = await ask(`${base}/api/arco/login/password`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  return found ? String(found.answer.data['access_token']) : null;
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** An empty folder: what a run that was killed has left is of another day, and perhaps of another schema. */
const freshFolder = (name: string): string => {
  const folder = join(root, '.build', `bench-${name}`);
  const owner = join(folder, 'pid');
  if (existsSync(owner) && isAlive(Number(readFileSync(owner, 'utf8')))) throw new Error('the same benchmark is running in this checkout already');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(owner, String(process.pid));
  return folder;
};

/** The built product of this checkout on ports and data of its own, as `npm start` starts it, with a demo of `parcels` parcels. */
export const startProduct = async (name: string, parcels = 1500): Promise<Product> => {
  const folder = freshFolder(name);
  const log = join(folder, 'start.log');
  const output = openSync(log, 'a');
  const [port, simulator] = [await freePort(), await freePort()];
  const data = join(folder, 'data');
  const child = spawn(process.execPath, ['start.mjs'], {
    cwd: root,
    env: {
      ...plainEnv(),
      PORT: String(port),
      WAYSTATION_SIM_PORT: String(simulator),
      WAYSTATION_DATA: data,
      WAYSTATION_DEMO_PARCELS: String(parcels),
      WAYSTATION_DEMO_PASSWORD: password,
      // Makes it end with us, whatever ends us.
      npm_lifecycle_event: 'bench',
    },
    stdio: ['ignore', output, output],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  atEnd(async () => {
    child.kill('SIGINT');
    const clean = await Promise.race([ended.then(() => true), pause(grace).then(() => false)]);
    if (!clean) child.kill('SIGKILL');
    else if (child.exitCode === 0) rmSync(folder, { recursive: true, force: true });
  });
  const base = `http://127.0.0.1:${port}`;
  for (const until = Date.now() + patience; Date.now() < until; await pause(500)) {
    if (child.exitCode !== null) throw new Error(`the product does not start; ${relative(root, log)} says why`);
    if (!(await ask(`${base}/readyz`))) continue;
    const token = await logIn(base);
    const list = token === null ? null : await ask(`${base}/api/arco/expresses?page=1&page_size=20`, { headers: { authorization: `Bearer ${token}` } });
    if (token !== null && list && (list.answer.data['items'] as unknown[]).length === 20) return { base, token, parcels: list.text };
  }
  throw new Error(`the product was not ready within ${patience / 1000} s; ${relative(root, log)} says why`);
};
