import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { compileCache } from './compile-cache.ts';
import { limitMs } from './limits.ts';

/**
 * The real carrier simulator in a separate process (carrier-sim/src/several.ts). Its clock changes
 * only if a test moves it.
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
  /** Moves the carrier's clock forward and waits until the pushes that this causes have arrived. */
  advance(milliseconds: number): Promise<void>;
  stop(): Promise<void>;
}

const program = join(import.meta.dirname, '..', '..', '..', 'carrier-sim', 'src', 'several.ts');

interface Answered {
  no: number;
  port?: number;
  problem?: string;
}

/**
 * The process that runs all simulators of this test process. It ends together with the test
 * process.
 */
let several: ChildProcess | undefined;
const open = (): ChildProcess => {
  if (several) return several;
  const child = fork(program, {
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: compileCache },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child.setMaxListeners(0);
  // The simulator's process must not keep this process or its worker thread alive.
  child.unref();
  child.channel?.unref();
  several = child;
  return child;
};

let last = 0;

/**
 * Sends one request to the simulator's process. Rejects if that process answers with an error or
 * ends.
 */
const ask = (no: number, start?: Record<string, string>): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const child = open();
    const end = (): void => {
      child.off('message', read);
      child.off('exit', failed);
      child.channel?.unref();
    };
    const read = (answer: Answered): void => {
      if (answer.no !== no) return;
      end();
      if (answer.problem === undefined) resolve(answer);
      else reject(new Error(answer.problem));
    };
    const failed = (code: number | null): void => {
      end();
      reject(new Error(`the simulators ended with ${code}`));
    };
    child.on('message', read);
    child.on('exit', failed);
    child.channel?.ref();
    child.send({ no, start });
  });

export const startCarrier = async (env: Record<string, string> = {}): Promise<TestCarrier> => {
  const no = ++last;
  const start = { SIM_PORT: '0', SIM_RATES: 'none', SIM_PAUSED: '1', ...env };
  const port = (await ask(no, start)).port!;
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
    stop: async () => void (await ask(no)),
  };
};
