import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, stopProduct, waitUntilReady } from './product.ts';

/** A real installation on an empty database, with a founder's account and nothing else. */
export interface EmptyProduct {
  url: string;
  founder: { username: string; password: string };
  stop(): Promise<void>;
}

const root = join(import.meta.dirname, '..', '..');
const founder = { username: 'founder', password: 'first steps of a network' };

/** `npm start -- admin create`, the password by a pipe. */
const createAdmin = (env: NodeJS.ProcessEnv): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['start.mjs', 'admin', 'create', founder.username], { cwd: root, env, stdio: ['pipe', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()));
    child.on('error', reject);
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`admin create ended with ${code}:\n${output}`))));
    child.stdin.end(`${founder.password}\n`);
  });

/** Production with the embedded PostgreSQL and without a simulator of its own; it may call the one carrier that is named. */
export const startEmpty = async (carrierUrl: string): Promise<EmptyProduct> => {
  const data = join(root, '.build', `e2e-empty-${process.pid}`);
  mkdirSync(data, { recursive: true });
  const port = await freePort();
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    DATABASE_URL: '',
    PORT: String(port),
    WAYSTATION_HOST: '127.0.0.1',
    WAYSTATION_DATA: data,
    WAYSTATION_OUTBOUND_ALLOW: new URL(carrierUrl).host,
    npm_lifecycle_event: 'start',
  };
  const clear = (): void => rmSync(data, { recursive: true, force: true });
  await createAdmin(env).catch((error: unknown) => {
    clear();
    throw error;
  });
  const child = spawn(process.execPath, ['start.mjs'], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const url = `http://127.0.0.1:${port}`;
  const stop = async (): Promise<void> => {
    await stopProduct(child);
    clear();
  };
  try {
    await waitUntilReady(child, url);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, founder, stop };
};
