import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
// waits in real time, because Patroni decides by the clock
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { network } from './machines.ts';
import type { Machine } from './machines.ts';

const deploy = join(import.meta.dirname, '..', '..', '..', 'deploy');
export const example = (file: string): string => readFileSync(join(deploy, file), 'utf8');

const superuser = { user: 'postgres', password: 'password' };
/**
 * The election timeout of etcd. Etcd writes to disk before it answers, and a slow disk needs more
 * time than the default of 1 s.
 */
const etcdElectionMs = 2_000;
/** The port of Patroni's REST API. */
const restPort = 8008;

/** A member of the database cluster, as Patroni reports it. */
interface Member {
  name: string;
  role: string;
  state: string;
  timeline: number;
  lag: number | 'unknown';
}

/** Replaces a line or another part of a text. Throws if the text does not contain it. */
export const replaced = (text: string, from: string | RegExp, to: string): string => {
  const changed = text.replaceAll(typeof from === 'string' ? from : new RegExp(from, 'gm'), to);
  if (changed === text) throw new Error(`the example has no ${from}`);
  return changed;
};

/** The folder of the newest PostgreSQL version that Debian has installed. */
const binaries = (): string => {
  const versions = readdirSync('/usr/lib/postgresql').toSorted((a, b) => Number(a) - Number(b));
  return `/usr/lib/postgresql/${versions.at(-1)}/bin`;
};

/**
 * Patroni's version as a text and as a number for comparisons. For example, 3.0.2 becomes 30002.
 */
const patroniVersion = (): { text: string; number: number } => {
  const text = /[\d.]+/.exec(execFileSync('patroni', ['--version'], { encoding: 'utf8' }))![0];
  const [major = 0, minor = 0, patch = 0] = text.split('.').map(Number);
  return { text, number: major * 10_000 + minor * 100 + patch };
};

/**
 * The first version of Patroni whose members correctly leave the cluster through etcd's v3
 * interface.
 */
const mended = 30_003;

/** Etcd, Patroni and PostgreSQL on each machine, configured as in the example in `deploy/`. */
export interface Servers {
  /** The names and versions of the server programs. */
  versions: string;
  /** Starts the services of a machine that was switched off. */
  start(machine: Machine): void;
  startEtcd(machine: Machine): void;
  /**
   * Returns the machine of the primary and the machines of the standbys. The synchronous standby is
   * the first of them.
   */
  roles(): Promise<{ primary: Machine; standbys: Machine[] }>;
  /** Waits until every database member runs and every standby replicates from the primary. */
  whole(patienceMs: number): Promise<void>;
  switchover(): Promise<void>;
  /** Runs an SQL statement as the superuser on the primary. */
  query<T>(text: string, values?: unknown[], database?: string): Promise<T[]>;
}

const configOf = (machine: Machine, at: number, { folder, machines, dcs }: Layout): string => {
  let text = example('patroni.yml');
  for (const [from, to] of [
    ['name: db1', `name: ${machine.name}`],
    ['10.0.0.1:8008', `${machine.address}:${restPort}`],
    ['connect_address: 10.0.0.1:5432', `connect_address: ${machine.address}:5432`],
    [/^etcd3:$/, `${dcs}:`],
    [/hosts: \[.*\]/, `hosts: [${machines.map(({ address }) => `${address}:2379`).join(', ')}]`],
    ['data_dir: /var/lib/postgresql/waystation', `data_dir: ${join(folder, 'data')}`],
    // The watchdog is switched off, because a network namespace has no watchdog device.
    ['mode: required', 'mode: off'],
    // The simulated machines share one file system, so each machine needs its own folders.
    [
      /^postgresql:$/,
      `postgresql:\n  bin_dir: ${binaries()}\n  pgpass: ${join(folder, 'pgpass')}\n  parameters: { unix_socket_directories: '${folder}' }`,
    ],
    ['10.0.0.0/24', `${network}.0/24`],
  ] as const)
    text = replaced(text, from, to);
  return `${text}\n# Machine ${at + 1} of a cluster for trials.\n`;
};

interface Layout {
  folder: string;
  machines: readonly Machine[];
  dcs: 'etcd' | 'etcd3';
}

const etcdWords = (machine: Machine, { folder, machines }: Omit<Layout, 'dcs'>): string[] => {
  const cluster = machines.map(({ name, address }) => `${name}=http://${address}:2380`).join(',');
  const peer = `http://${machine.address}:2380`;
  const client = `http://${machine.address}:2379`;
  const options = {
    name: machine.name,
    'data-dir': join(folder, 'etcd'),
    'enable-v2': 'true',
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'initial-cluster': cluster,
    'initial-cluster-state': 'new',
    'heartbeat-interval': '200',
    'election-timeout': String(etcdElectionMs),
  };
  return ['etcd', ...Object.entries(options).map(([option, value]) => `--${option}=${value}`)];
};

/** Reads the list of cluster members from the first machine that answers. */
const membersOf = async (machines: readonly Machine[]): Promise<Member[]> => {
  for (const { address } of machines) {
    const answer = await fetch(`http://${address}:${restPort}/cluster`, {
      signal: AbortSignal.timeout(2_000),
    }).catch(() => null);
    if (answer?.ok) return ((await answer.json()) as { members: Member[] }).members;
  }
  return [];
};

const sync = (role: string): number => (role === 'sync_standby' ? 0 : 1);

const isWhole = (all: readonly Member[], count: number): boolean =>
  all.length === count &&
  all.filter(({ role }) => role === 'leader').length === 1 &&
  all.some(({ role }) => role === 'sync_standby') &&
  all.every(
    ({ role, state, lag }) =>
      (role === 'leader' && state === 'running') ||
      (['running', 'streaming'].includes(state) && lag === 0),
  );

/**
 * Returns functions that read the state that the machines report, and rows from the primary's
 * database.
 */
const openView = (
  machines: readonly Machine[],
): Omit<Servers, 'versions' | 'start' | 'startEtcd'> => {
  const roles = async (): Promise<{ primary: Machine; standbys: Machine[] }> => {
    const found = (await membersOf(machines)).toSorted((a, b) => sync(a.role) - sync(b.role));
    const machineOf = ({ name }: Member): Machine => machines.find((one) => one.name === name)!;
    const leader = found.find(({ role }) => role === 'leader');
    if (!leader) throw new Error('no server leads');
    return {
      primary: machineOf(leader),
      standbys: found.filter(({ role }) => role !== 'leader').map(machineOf),
    };
  };
  const query = async <T>(
    text: string,
    values: unknown[] = [],
    database = 'postgres',
  ): Promise<T[]> => {
    const { primary } = await roles();
    const client = new pg.Client({ ...superuser, host: primary.address, database });
    await client.connect();
    try {
      return (await client.query(text, values)).rows as T[];
    } finally {
      await client.end();
    }
  };
  /**
   * Returns the number of standbys to which the primary sends data at this moment. Patroni's list
   * is not used, because it does not change while etcd is down.
   */
  const followers = async (): Promise<number> => {
    const text = `select pid from pg_stat_replication where state = 'streaming'`;
    return (await query(text).catch(() => [])).length;
  };
  const whole = async (patienceMs: number): Promise<void> => {
    const since = Date.now();
    for (let all = await membersOf(machines); ; all = await membersOf(machines)) {
      if (isWhole(all, machines.length) && (await followers()) === machines.length - 1) return;
      if (Date.now() - since > patienceMs)
        throw new Error(`the cluster is not whole: ${JSON.stringify(all)}`);
      await pause(500);
    }
  };
  const switchover = async (): Promise<void> => {
    const { primary, standbys } = await roles();
    const answer = await fetch(`http://${primary.address}:${restPort}/switchover`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ leader: primary.name, candidate: standbys[0]!.name }),
    });
    if (!answer.ok) throw new Error(`switchover: ${answer.status} ${await answer.text()}`);
  };
  return { roles, query, whole, switchover };
};

/** Creates a folder that belongs to the system user postgres, and returns its path. */
const owned = (path: string): string => {
  mkdirSync(path, { recursive: true });
  execFileSync('chown', ['postgres:postgres', path]);
  chmodSync(path, 0o700);
  return path;
};

/**
 * Starts the database servers. Resolves when all of them run and all standbys replicate from the
 * primary.
 */
export const openServers = async (root: string, machines: readonly Machine[]): Promise<Servers> => {
  const version = patroniVersion();
  const dcs = version.number < mended ? 'etcd' : 'etcd3';
  const layoutOf = ({ name }: Machine): Layout => ({ folder: join(root, name), machines, dcs });
  for (const [at, machine] of machines.entries()) {
    const layout = layoutOf(machine);
    const file = join(owned(layout.folder), 'patroni.yml');
    writeFileSync(file, configOf(machine, at, layout));
  }
  const startEtcd = (machine: Machine): void =>
    machine.start(etcdWords(machine, layoutOf(machine)), join(root, `${machine.name}-etcd.log`));
  const start = (machine: Machine): void => {
    startEtcd(machine);
    machine.start(
      ['patroni', join(layoutOf(machine).folder, 'patroni.yml')],
      join(root, `${machine.name}-patroni.log`),
    );
  };
  const view = openView(machines);
  for (const machine of machines) start(machine);
  await view.whole(180_000);
  const [{ version: postgres } = { version: '' }] = await view.query<{ version: string }>(
    `select current_setting('server_version') as version`,
  );
  return {
    ...view,
    start,
    startEtcd,
    versions: `PostgreSQL ${postgres.split(' ')[0]}, Patroni ${version.text} on etcd’s ${dcs === 'etcd' ? 'v2' : 'v3'} interface`,
  };
};
