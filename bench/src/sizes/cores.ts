import { spawnSync } from 'node:child_process';
import { namedPostgresOf } from '#orders/process-time.ts';
import type { RunningBuild } from '#orders/build.ts';

/** The cores of each part, as `taskset` lists them. */
export interface Cores {
  name: string;
  server: string;
  database: string;
  /** The cores of the measuring process and the carrier simulator. */
  others: string;
}

const pin = (pid: number, cores: string): void => {
  const { status, stderr } = spawnSync('taskset', ['-a', '-p', '-c', cores, String(pid)]);
  if (status !== 0) throw new Error(`taskset: ${String(stderr)}`);
};

/**
 * Assigns cores to the processes. Connections and threads that start later use the cores of the
 * process that starts them.
 */
export const pinTo = ({ pid, simulator }: RunningBuild, cores: Cores): void => {
  pin(pid, cores.server);
  for (const { pid: one } of namedPostgresOf(pid)) pin(one, cores.database);
  pin(simulator, cores.others);
  pin(process.pid, cores.others);
};
