import { spawn } from 'node:child_process';
import { appendFile, chown, lstat, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import type { Log } from '#platform/log.ts';
import { writeForAccount } from './account-files.ts';
import type { Binaries } from './binaries.ts';
import { EmbeddedError, fileProblem } from './embedded-error.ts';
import type { RunAs } from './run-as.ts';

/**
 * The superuser that owns everything and runs the migrations. The server itself uses an application
 * role.
 */
export const ownerRole = 'waystation';
export const databaseName = 'waystation';

/** PostgreSQL settings by name. All values are text, and numbers include their unit. */
export type Settings = Record<string, string>;

const mebibyte = 1024 * 1024;
/** The upper limit for `max_wal_size`, in bytes. */
export const mostWalBytes = 4096 * mebibyte;

/**
 * Returns PostgreSQL's memory settings for a machine with this many bytes. A sixteenth of them is
 * PostgreSQL's own cache, which is allocated only when it is used. `effective_cache_size` estimates
 * the cache of the operating system. On small machines the values stay low, because the product
 * runs on the same machine.
 */
export const memorySettings = (memory: number): Settings => {
  const share = (part: number, least: number, most: number): string =>
    `${Math.min(most, Math.max(least, Math.floor(memory / part / mebibyte)))}MB`;
  return {
    shared_buffers: share(16, 64, 4096),
    maintenance_work_mem: share(64, 64, 512),
    effective_cache_size: share(2, 512, 65_536),
    max_wal_size: share(16, 512, mostWalBytes / mebibyte),
  };
};

/** Returns the machine's memory, or the process's limit if it is lower. */
const memoryHere = (): number => Math.min(totalmem(), process.constrainedMemory() || Infinity);

/** Settings that never trade durability for speed. */
const defaults: Settings = {
  max_connections: '130',
  work_mem: '8MB',
  random_page_cost: '1.1',
  huge_pages: 'off',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  wal_compression: 'on',
  // A replica on the same machine may follow this server (docs/operating.md).
  wal_level: 'replica',
  max_wal_senders: '4',
  min_wal_size: '80MB',
  checkpoint_timeout: '15min',
  // With `sync`, PostgreSQL starts no I/O worker processes, which would mostly be idle.
  io_method: 'sync',
  max_logical_replication_workers: '0',
  max_worker_processes: '4',
  max_parallel_workers: '2',
  max_parallel_workers_per_gather: '1',
  autovacuum_max_workers: '2',
  // Rows, keys and statement texts may contain phone numbers and secrets. The log therefore
  // contains only the message of an error, without its details.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  log_timezone: 'UTC',
  timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
};

const settingsText = (settings: Settings): string =>
  [
    '# Written at every start; settings of your own belong into ALTER SYSTEM.',
    ...Object.entries({ ...defaults, ...memorySettings(memoryHere()), ...settings }).map(
      ([name, value]) => `${name} = '${value.replaceAll("'", "''")}'`,
    ),
    '',
  ].join('\n');

/** Writes the settings file. Returns true if this changed the file. */
export const writeSettings = async (
  cluster: string,
  settings: Settings,
  runAs: RunAs | null,
): Promise<boolean> => {
  const file = join(cluster, 'waystation.conf');
  const text = settingsText(settings);
  if ((await readFile(file, 'utf8').catch(() => '')) === text) return false;
  await writeForAccount(`${file}.new`, text, runAs);
  await rename(`${file}.new`, file);
  return true;
};

/**
 * Runs a program of the PostgreSQL cluster until it ends, with `input` on its standard input. If
 * the program fails, the error contains its output.
 */
const run = (
  program: string,
  words: string[],
  { binaries, runAs }: { binaries: Binaries; runAs: RunAs | null },
  input = '',
): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, words, {
      ...runAs,
      cwd: '/',
      env: binaries.env,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream
        .setEncoding('utf8')
        .on('data', (text: string) => (output = (output + text).slice(-4000)));
    child.on('error', reject);
    child.on('close', (code, signal) =>
      code === 0 ? resolve() : reject(initProblem(output, code ?? signal)),
    );
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });

const initProblem = (output: string, end: number | string | null): EmbeddedError => {
  const last =
    output
      .trim()
      .split('\n')
      .filter((line) => /error|fatal|could not|no space/i.test(line))
      .at(-1) ?? `it ended with ${end}`;
  if (/could not look up|user does not exist/i.test(output))
    return new EmbeddedError(
      'no_account',
      `PostgreSQL needs an account with an entry in /etc/passwd, which user ${process.getuid?.()} does not have: start as another user, or give DATABASE_URL.`,
    );
  if (/no space left|quota exceeded/i.test(output))
    return new EmbeddedError(
      'disk_full',
      'The disk is full, so that no database could be made: free some space and start again.',
    );
  return new EmbeddedError('failed', `The database could not be made: ${last.trim()}`);
};

const makeCluster = async (
  cluster: string,
  binaries: Binaries,
  runAs: RunAs | null,
  settings: Settings,
): Promise<void> => {
  const unfinished = `${cluster}.new`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  if (runAs) await chown(unfinished, runAs.uid, runAs.gid);
  // Without the character type of C.UTF-8, pg_trgm finds nothing in Chinese text.
  const locale = [
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--lc-ctype=C.UTF-8',
  ];
  await run(
    binaries.initdb,
    [
      '-D',
      unfinished,
      '-U',
      ownerRole,
      '-E',
      'UTF8',
      ...locale,
      '--data-checksums',
      '-A',
      'trust',
      '--no-instructions',
    ],
    { binaries, runAs },
  );
  await appendFile(
    join(unfinished, 'postgresql.conf'),
    "\ninclude_if_exists = 'waystation.conf'\n",
  );
  await writeSettings(unfinished, settings, runAs);
  await run(
    binaries.postgres,
    ['--single', '-D', unfinished, 'postgres'],
    { binaries, runAs },
    `create database ${databaseName}\n`,
  );
  await rename(unfinished, cluster);
  const parent = await open(dirname(cluster), 'r');
  await parent.sync().finally(() => parent.close());
};

/**
 * Creates the cluster if it is missing. If that is interrupted at any point, the next start begins
 * again.
 */
export const ensureCluster = async (
  cluster: string,
  { binaries, runAs }: { binaries: Binaries; runAs: RunAs | null },
  settings: Settings,
  log: Log,
): Promise<void> => {
  try {
    if ((await lstat(cluster).catch(() => null)) === null) {
      log.info({ cluster }, 'making the database');
      await makeCluster(cluster, binaries, runAs, settings);
    }
    const made = (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
    if (made !== '18')
      throw new EmbeddedError(
        'unsupported',
        `The database in ${cluster} was made by PostgreSQL ${made}, and this version brings 18: restore a backup into a new WAYSTATION_DATA, or start the older version.`,
      );
  } catch (error) {
    fileProblem(error, cluster);
  }
};
