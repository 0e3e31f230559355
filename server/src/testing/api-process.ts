import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { eventually } from './test-system.ts';
import type { TestSystem } from './test-system.ts';
import { environmentOf } from './worker-process.ts';

const main = join(import.meta.dirname, '..', 'main.ts');

/** Returns a port of this machine on which no program listens. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

/** A separate process of `node server/src/main.ts api`, which can be killed. */
export interface ApiProcess {
  pid: number;
  /** Sends SIGKILL and waits until the process has ended. */
  kill(): Promise<void>;
}

/** Starts an API process on the port `port`, and waits until it answers. */
export const startApiProcess = async (
  system: TestSystem,
  port: number,
  changes: Record<string, string> = {},
): Promise<ApiProcess> => {
  const child: ChildProcess = spawn(process.execPath, [main, 'api'], {
    env: { ...environmentOf(system), PORT: String(port), ...changes },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  const kill = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await ended;
  };
  const answers = eventually(async () => {
    if (child.exitCode !== null) throw new Error(`the API ended with ${child.exitCode}`);
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    return answer?.ok;
  });
  await answers.catch(async (error: unknown) => {
    await kill();
    throw error;
  });
  return { pid: child.pid!, kill };
};
