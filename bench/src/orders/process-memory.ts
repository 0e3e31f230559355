import { readFileSync } from 'node:fs';
import { postgresOf } from './process-time.ts';

/** Megabytes of a field of /proc/PID/status; 0 for a process that has ended. */
const statusOf = (pid: number, field: string): number => {
  try {
    const found = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return Number(found?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
};

export interface Memory {
  /** Resident set of the server. */
  node: number;
  /** Of PostgreSQL without the buffers that its processes share, whose size is set when it starts. */
  postgres: number;
  /** Its processes: as many more than five as there are connections. */
  processes: number;
}

/** Megabytes in use by a server and by the PostgreSQL that it started. Linux only. */
export const memoryOf = (server: number): Memory => {
  const processes = postgresOf(server);
  return {
    node: statusOf(server, 'VmRSS'),
    postgres: processes.reduce((sum, pid) => sum + statusOf(pid, 'RssAnon'), 0),
    processes: processes.length,
  };
};
