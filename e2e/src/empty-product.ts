import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProduct } from './harness/start-product.ts';

/**
 * A product on an empty database, in the same state as after a real installation. Its only account
 * is that of the first super admin.
 */
export interface EmptyProduct {
  url: string;
  /** The folder into which the product's database archives its write-ahead log. */
  walDir: string;
  founder: { username: string; password: string };
  stop(): Promise<void>;
}

const root = join(import.meta.dirname, '..', '..');
const founder = { username: 'founder', password: 'first steps of a network' };

/** Runs `npm start -- admin create`, with the password in a pipe. */
const createAdmin = (env: NodeJS.ProcessEnv): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['start.mjs', 'admin', 'create', founder.username], {
      cwd: root,
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => (output += text.toString()));
    child.on('error', reject);
    child.on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`admin create ended with ${code}:\n${output}`)),
    );
    child.stdin.end(`${founder.password}\n`);
  });

/**
 * Starts the product as in production, with the embedded PostgreSQL and without a simulator. It may
 * call only the carrier at this URL.
 */
export const startEmpty = async (carrierUrl: string): Promise<EmptyProduct> => {
  const walDir = mkdtempSync(join(tmpdir(), 'e2e-wal-'));
  const env = {
    WAYSTATION_WAL_DIR: walDir,
    WAYSTATION_WAL_SECONDS: '10',
    NODE_ENV: 'production',
    WAYSTATION_HOST: '127.0.0.1',
    WAYSTATION_OUTBOUND_ALLOW: new URL(carrierUrl).host,
  };
  const { url, stop } = await startProduct({ name: 'e2e-empty', env, before: createAdmin });
  return {
    url,
    walDir,
    founder,
    stop: async () => {
      await stop();
      rmSync(walDir, { recursive: true });
    },
  };
};
