import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@waystation/e2e/harness/start-product.ts';
import { atEnd, pause } from '#browser/program.ts';

/** A running build. Its server has started a separate PostgreSQL. */
export interface RunningBuild {
  url: string;
  /** The process id of the server, in which both the API and the worker run. */
  pid: number;
  /** The process id of the carrier simulator. */
  simulator: number;
  data: string;
  /** The connection URL of the build's PostgreSQL. */
  socket(): string;
  /**
   * Stops the server, and starts it again with the same data and another command. For example, the
   * command `api` runs no jobs.
   */
  restart(command: string): Promise<void>;
}

const timeoutMs = 240_000;
const own = /^(?:WAYSTATION_.*|SIM_.*|DATABASE_URL|NODE_ENV|PORT)$/;

const stop = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
};

/**
 * Returns the environment variables for the programs of a build: ports, folders, and a small demo.
 */
const environment = (
  data: string,
  { port, carrierPort }: { port: number; carrierPort: number },
): Record<string, string | undefined> => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name))),
  PORT: String(port),
  SIM_PORT: String(carrierPort),
  SIM_DATA: join(data, 'simulator'),
  SIM_RATES: 'none',
  WAYSTATION_SIM_PORT: String(carrierPort),
  WAYSTATION_DATA: join(data, 'data'),
  WAYSTATION_WEB: join(data, 'web'),
  WAYSTATION_HOST: '127.0.0.1',
  WAYSTATION_LOG: 'warn',
  WAYSTATION_DEMO_PASSWORD: 'waystation-demo',
});

/**
 * Starts the programs of a checkout with a separate small demo. It neither installs packages nor
 * builds the web console. The simulator answers without delay.
 */
export const startBuild = async (
  checkout: string,
  parcels: number,
  settings: Record<string, string> = {},
): Promise<RunningBuild> => {
  const data = mkdtempSync(join(tmpdir(), 'waystation-orders-'));
  atEnd(async () => rmSync(data, { recursive: true, force: true }));
  for (const folder of ['data', 'simulator', 'web']) mkdirSync(join(data, folder));
  const [port, carrierPort] = [await freePort(), await freePort()];
  const env = {
    ...environment(data, { port, carrierPort }),
    WAYSTATION_DEMO_PARCELS: String(parcels),
    ...settings,
  };
  const log = openSync(join(data, 'output.log'), 'a');
  const begin = (program: string, ...words: string[]): ChildProcess => {
    const flags = (process.env['WAYSTATION_BENCH_NODE'] ?? '')
      .split(' ')
      .filter((flag) => flag !== '');
    return spawn(process.execPath, [...flags, program, ...words], {
      cwd: checkout,
      env,
      stdio: ['ignore', log, log, 'ipc'],
    });
  };
  const simulator = begin('carrier-sim/src/main.ts');
  atEnd(() => stop(simulator));
  let server = begin('server/src/main.ts', 'start');
  atEnd(() => stop(server));
  const url = `http://127.0.0.1:${port}`;
  const ready = async (): Promise<void> => {
    for (const until = Date.now() + timeoutMs; ; await pause(200)) {
      if (server.exitCode !== null)
        throw new Error(
          `the server of ${checkout} ended with ${server.exitCode}; its output is in ${data}/output.log`,
        );
      if (Date.now() > until)
        throw new Error(`the server of ${checkout} was not ready within ${timeoutMs / 1000} s`);
      const isReady = await fetch(`${url}/readyz`).then(
        ({ status }) => status === 200,
        () => false,
      );
      if (!isReady) continue;
      const about = (await (await fetch(`${url}/api/arco/about`)).json()) as {
        data: { demo_catching_up?: boolean };
      };
      if (about.data.demo_catching_up !== true) return;
    }
  };
  await ready();
  return {
    url,
    pid: server.pid!,
    simulator: simulator.pid!,
    data,
    socket: () =>
      readFileSync(join(data, 'data', 'postgres', 'postmaster.pid'), 'utf8').split('\n')[4]!,
    restart: async (command) => {
      await stop(server);
      server = begin('server/src/main.ts', command);
      await ready();
    },
  };
};
