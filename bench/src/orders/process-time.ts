import { readFileSync, readdirSync } from 'node:fs';

interface Process {
  pid: number;
  parent: number;
  /**
   * The processor time of the process and its threads in milliseconds. `ended` is the processor
   * time of its ended child processes.
   */
  own: number;
  ended: number;
  command: string;
}

const readProcess = (pid: number): Process | null => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
    const [utime, stime, cutime, cstime] = [11, 12, 13, 14].map(
      (at) => Number(fields[at]) * 10,
    ) as [number, number, number, number];
    return {
      pid,
      parent: Number(fields[1]),
      own: utime + stime,
      ended: cutime + cstime,
      command: readFileSync(`/proc/${pid}/cmdline`, 'utf8'),
    };
  } catch {
    return null;
  }
};

const allProcesses = (): Process[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? []);

const postgresBelow = (all: readonly Process[], server: number): Process[] => {
  const below = (pid: number): Process[] =>
    all.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...below(child.pid)]);
  return below(server).filter(
    ({ command }) => command.startsWith('postgres:') || command.includes('bin/postgres'),
  );
};

/**
 * Matches the names of PostgreSQL's internal processes. The title of a connection's process has the
 * role, database and state instead.
 */
const ownName =
  /^postgres: (checkpointer|background writer|walwriter|autovacuum launcher|autovacuum worker|logical replication launcher|io worker|parallel worker)/;

/**
 * The processes of the PostgreSQL that a server started, each by its kind: `connection`,
 * `postmaster`, or its name in PostgreSQL. Linux only.
 */
export const namedPostgresOf = (server: number): { pid: number; what: string }[] =>
  postgresBelow(allProcesses(), server).map(({ pid, command }) => ({
    pid,
    what:
      ownName.exec(command)?.[1] ?? (command.startsWith('postgres:') ? 'connection' : 'postmaster'),
  }));

/**
 * Returns the processor time in milliseconds: of a server's node process, and of the PostgreSQL
 * that the server started. The time includes backends that have ended. It works only on Linux.
 */
export const processTimes = (server: number): { node: number; postgres: number } => {
  const all = allProcesses();
  return {
    node: all.find(({ pid }) => pid === server)?.own ?? 0,
    postgres: postgresBelow(all, server).reduce((sum, { own, ended }) => sum + own + ended, 0),
  };
};
