import { readFileSync } from 'node:fs';
import { namedPostgresOf } from './process-time.ts';

/** The value in megabytes of a field of /proc/PID/status; 0 if the process has ended. */
const statusOf = (pid: number, field: string): number => {
  try {
    const found = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(
      readFileSync(`/proc/${pid}/status`, 'utf8'),
    );
    return Number(found?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
};

/**
 * The memory of the processes of one kind: `server`, `simulator`, `connection` (of PostgreSQL), or
 * one of PostgreSQL's internal processes such as `checkpointer`.
 */
export interface ProcessMemory {
  what: string;
  pid: number;
  /**
   * The memory in megabytes. For a node process it is the resident set. For PostgreSQL it does not
   * include the shared buffers, because their size is fixed at the start.
   */
  mb: number;
}

/**
 * The memory in megabytes of each process of the build, of the PostgreSQL that the build started,
 * and of the build's simulator. It works only on Linux.
 */
export const memoriesOf = (build: { pid: number; simulator: number }): ProcessMemory[] => [
  { what: 'server', pid: build.pid, mb: statusOf(build.pid, 'VmRSS') },
  { what: 'simulator', pid: build.simulator, mb: statusOf(build.simulator, 'VmRSS') },
  ...namedPostgresOf(build.pid).map(({ pid, what }) => ({
    what,
    pid,
    mb: statusOf(pid, 'RssAnon'),
  })),
];
