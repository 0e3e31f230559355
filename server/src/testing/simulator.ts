import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { compileCache } from './compile-cache.ts';
import { limitMs } from './limits.ts';

/**
 * The real carrier simulator as a separate program, with a clock that stands still until it is
 * moved.
 */
export interface TestCarrier {
  url: string;
  port: number;
  /** A call to the control API (carrier-sim/README.md). */
  control<T = Record<string, unknown>>(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body?: unknown,
  ): Promise<T>;
  /** Lets the carrier's time pass and waits until its pushes have arrived. */
  advance(milliseconds: number): Promise<void>;
  stop(): Promise<void>;
}

const main = join(import.meta.dirname, '..', '..', '..', 'carrier-sim', 'src', 'main.ts');

const readyPort = (child: ChildProcess): Promise<number> =>
  new Promise((resolve, reject) => {
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const { port } = JSON.parse(line) as { port?: number };
      if (port) resolve(port);
    });
    child.stderr!.on('data', (text: Buffer) => reject(new Error(text.toString())));
    child.once('exit', (code) => reject(new Error(`the simulator ended with ${code}`)));
  });

export const startCarrier = async (env: Record<string, string> = {}): Promise<TestCarrier> => {
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env['PATH'],
      SIM_PORT: '0',
      SIM_RATES: 'none',
      SIM_PAUSED: '1',
      SIM_EXIT_WITH_PARENT: '1',
      NODE_COMPILE_CACHE: compileCache,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const port = await readyPort(child);
  const url = `http://127.0.0.1:${port}`;
  const control = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await fetch(`${url}/_sim/${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const json = (await answer.json()) as T;
    if (!answer.ok)
      throw new Error(
        `the simulator answered ${answer.status} to ${path}: ${JSON.stringify(json)}`,
      );
    return json;
  };
  return {
    url,
    port,
    control,
    advance: async (milliseconds) => {
      await control('POST', 'clock/advance', { ms: milliseconds });
      await control('POST', 'pushes/settle', { within_ms: limitMs(10_000) });
    },
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
};
