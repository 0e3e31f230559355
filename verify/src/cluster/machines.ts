import { execFileSync, spawn } from 'node:child_process';
import { openSync } from 'node:fs';

/**
 * Simulates the machines of a cluster on this computer. Each machine is a network namespace that is
 * connected to a common switch by a virtual cable. The processes of a machine are found by its
 * namespace, so that daemons are found too.
 */
export interface Machine {
  name: string;
  address: string;
  /**
   * Starts a program as the system user postgres. The output of the program is written to the file
   * `log`.
   */
  start(words: readonly string[], log: string): void;
  /** Sends SIGKILL, SIGSTOP or SIGCONT to every process of the machine. */
  signal(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void;
  /** Sends the signal to the machine's processes whose command line contains `text`. */
  signalSome(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT', text: string): void;
  plug(on: boolean): void;
}

const bridge = 'ws-switch';
export const network = '10.87.43';
/** The IP address of this machine on the switch. */
const hostAddress = `${network}.254`;

const run = (command: string, ...words: string[]): string =>
  execFileSync(command, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

const tryTo = (...words: [string, ...string[]]): void => {
  try {
    run(...words);
  } catch {
    // The file does not exist, so there is nothing to do.
  }
};

const processesOf = (name: string): number[] =>
  run('ip', 'netns', 'pids', name).split('\n').filter(Boolean).map(Number);

const commandLine = (pid: number): string => {
  try {
    return run('ps', '-o', 'args=', '-p', String(pid));
  } catch {
    return '';
  }
};

const send = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has ended in the meantime.
  }
};

const nameOf = (n: number): string => `ws-db${n}`;

const machineOf = (n: number): Machine => {
  const [name, address] = [nameOf(n), `${network}.${n}`];
  const cable = `ws-cable${n}`;
  run('ip', 'netns', 'add', name);
  run('ip', 'link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
  run('ip', 'link', 'set', cable, 'master', bridge, 'up');
  run('ip', '-n', name, 'address', 'add', `${address}/24`, 'dev', 'eth0');
  for (const device of ['lo', 'eth0']) run('ip', '-n', name, 'link', 'set', device, 'up');
  return {
    name,
    address,
    start: (words, log) => {
      const out = openSync(log, 'a');
      const user = ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups'];
      spawn('ip', ['netns', 'exec', name, ...user, ...words], {
        stdio: ['ignore', out, out],
        cwd: '/',
        env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8' },
      });
    },
    signal: (signal) => {
      for (const pid of processesOf(name)) send(pid, signal);
    },
    signalSome: (signal, text) => {
      for (const pid of processesOf(name)) if (commandLine(pid).includes(text)) send(pid, signal);
    },
    plug: (on) => void run('ip', 'link', 'set', cable, on ? 'up' : 'down'),
  };
};

/** Stops the simulated machines, including machines that an earlier run left behind. */
export const closeMachines = (count: number): void => {
  for (let n = 1; n <= count; n++) {
    if (!run('ip', 'netns', 'list').includes(nameOf(n))) continue;
    // While the postmaster of PostgreSQL is being killed it may start new processes, so the kill is
    // repeated.
    for (let again = 0; again < 50 && processesOf(nameOf(n)).length > 0; again++)
      for (const pid of processesOf(nameOf(n))) send(pid, 'SIGKILL');
    tryTo('ip', 'netns', 'delete', nameOf(n));
    tryTo('ip', 'link', 'delete', `ws-cable${n}`);
  }
  tryTo('ip', 'link', 'delete', bridge);
};

/** Starts the given number of simulated machines. Needs root. */
export const openMachines = (count: number): Machine[] => {
  closeMachines(count);
  run('ip', 'link', 'add', bridge, 'type', 'bridge');
  run('ip', 'address', 'add', `${hostAddress}/24`, 'dev', bridge);
  run('ip', 'link', 'set', bridge, 'up');
  return Array.from({ length: count }, (_, at) => machineOf(at + 1));
};
