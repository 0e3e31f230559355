import { lstat, readlink, realpath, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '#platform/log.ts';
import { prepareBinaries } from './binaries.ts';
import { databaseName, ensureCluster, ownerRole, writeSettings } from './cluster.ts';
import type { Settings } from './cluster.ts';
import { EmbeddedError, fileProblem } from './embedded-error.ts';
import { lockInstance } from './instance-lock.ts';
import {
  claimSocketFolder,
  makeDataDir,
  outerHome,
  ownerOf,
  placeCluster,
  placeSocket,
} from './places.ts';
import {
  invalidateStaleLocks,
  isPostmasterOf,
  orphansOf,
  programOf,
  readPostmasterFile,
} from './postmaster-file.ts';
import {
  adoptPostmaster,
  hasSocket,
  logSince,
  signalAll,
  spawnPostmaster,
  startProblem,
  stopPostmaster,
  rotateLog,
  waitUntilReady,
} from './postmaster.ts';
import type { Place, Postmaster } from './postmaster.ts';
import { chooseRunAs } from './run-as.ts';

export { EmbeddedError };

/**
 * The values with which a PostgreSQL client connects as the owner. `host` is the folder of the
 * socket. All values can be written as JSON.
 */
export interface OwnerConnection {
  host: string;
  port: number;
  user: string;
  database: string;
}

export interface EmbeddedPostgres {
  connection: OwnerConnection;
  /** Returns the process number of PostgreSQL, which changes when PostgreSQL is started again. */
  pid(): number;
  /**
   * Registers a listener that is called with a description whenever PostgreSQL ended unexpectedly.
   * PostgreSQL is started again automatically.
   */
  onExit(listener: (how: string) => void): void;
  /** Ends PostgreSQL cleanly and releases the data directory. A second call does no harm. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /**
   * The product's data directory, which is created if it is missing. The cluster is its folder
   * `postgres`.
   */
  dataDir: string;
  log: Log;
  /** Server settings by name, in addition to the product's own settings. */
  settings?: Settings;
  /**
   * Ends the start if it is aborted: everything that was started is stopped, and the promise
   * rejects.
   */
  signal?: AbortSignal;
}

const connectionTo = (socketDir: string): OwnerConnection => ({
  host: socketDir,
  port: 5432,
  user: ownerRole,
  database: databaseName,
});

/**
 * Milliseconds to wait before each of several starts in a row. If PostgreSQL has run for
 * `steadyMs`, the next start is again the first of a row.
 */
const delays = [0, 200, 500, 1_000, 2_000, 5_000];
const steadyMs = 3_000;
const careMs = 5_000;
const orphanTries = 50;

const prepare = async (
  givenDir: string,
  settings: Settings,
  log: Log,
): Promise<{ place: Place; renewed: boolean; release(): void }> => {
  const dataDir = await makeDataDir(givenDir);
  const lock = lockInstance(dataDir);
  try {
    const runAs = await chooseRunAs(await ownerOf(dataDir));
    const binaries = await prepareBinaries(
      async () => (runAs ? outerHome(dataDir) : dataDir),
      runAs,
    );
    const cluster = await placeCluster(dataDir, runAs, log);
    await ensureCluster(cluster, { binaries, runAs }, settings, log);
    const renewed = await writeSettings(cluster, settings, runAs).catch((error: unknown) =>
      fileProblem(error, cluster),
    );
    const socketDir = await placeSocket(cluster, runAs);
    return {
      place: { cluster, socketDir, logFile: join(dataDir, 'postgres.log'), binaries, runAs },
      renewed,
      release: lock.release,
    };
  } catch (error) {
    lock.release();
    throw error;
  }
};

/**
 * Takes over a PostgreSQL that an earlier supervisor left running. Returns null if there is none.
 * If it is unusable, stops it and returns null.
 */
const adoptLeftover = async (
  place: Place,
  renewed: boolean,
  abort: AbortSignal,
  log: Log,
): Promise<Postmaster | null> => {
  const file = readPostmasterFile(place.cluster);
  if (!file || !isPostmasterOf(file.pid, place.cluster)) return null;
  const left = adoptPostmaster(file.pid, place.cluster);
  const program = programOf(file.pid);
  const same =
    !renewed &&
    file.socketDir === place.socketDir &&
    (program === null || program === (await realpath(place.binaries.postgres)));
  if (
    same &&
    (await waitUntilReady(left, place.cluster, abort, () =>
      log.warn('PostgreSQL is still recovering'),
    )) &&
    hasSocket(place.socketDir)
  ) {
    log.info({ pid: left.pid }, 'PostgreSQL was still running and is taken over');
    return left;
  }
  await stopPostmaster(left);
  return null;
};

const launch = async (
  place: Place,
  renewed: boolean,
  abort: AbortSignal,
  log: Log,
): Promise<Postmaster> => {
  const adopted = await adoptLeftover(place, renewed, abort, log);
  if (adopted) return adopted;
  for (let attempt = 1; ; attempt++) {
    abort.throwIfAborted();
    await claimSocketFolder(place.socketDir, place.runAs);
    invalidateStaleLocks(place.cluster, place.socketDir);
    const from = rotateLog(place.logFile);
    const postmaster = spawnPostmaster(place);
    if (
      await waitUntilReady(postmaster, place.cluster, abort, () =>
        log.warn('PostgreSQL is still recovering'),
      )
    )
      return postmaster;
    if (abort.aborted) await stopPostmaster(postmaster);
    const how = await postmaster.gone;
    const output = logSince(place.logFile, from);
    if (!/still in use/.test(output) || attempt === orphanTries)
      throw startProblem(output, how, place);
    signalAll(orphansOf(place.cluster), attempt < orphanTries / 2 ? 'SIGQUIT' : 'SIGKILL');
    await sleep(200);
  }
};

/**
 * Regularly rotates PostgreSQL's log, and stops a PostgreSQL whose socket was deleted. Returns a
 * function that ends these checks.
 */
const careFor = (place: Place, current: () => Postmaster, log: Log): (() => void) => {
  const care = setInterval(() => {
    rotateLog(place.logFile);
    if (current().isGone() || hasSocket(place.socketDir)) return;
    log.error('the folder of the database socket was emptied; PostgreSQL is started again');
    void stopPostmaster(current());
  }, careMs);
  care.unref();
  return () => clearInterval(care);
};

/**
 * Starts the PostgreSQL of a data directory and keeps it running. The cluster is created if it is
 * missing, and taken over if an earlier process left PostgreSQL running. PostgreSQL is restarted,
 * after growing pauses, if it dies. It listens on a Unix socket only.
 * Throws EmbeddedError, whose message is one sentence for the operator, if PostgreSQL cannot run.
 * PostgreSQL writes its log to `postgres.log` in the data directory (docs/operating.md).
 */
export const startEmbeddedPostgres = async ({
  dataDir,
  log,
  settings = {},
  signal,
}: EmbeddedOptions): Promise<EmbeddedPostgres> => {
  const ending = new AbortController();
  const abortStart = (): void =>
    ending.abort(new EmbeddedError('failed', 'The start was aborted.'));
  signal?.addEventListener('abort', abortStart);
  if (signal?.aborted) abortStart();
  const { place, renewed, release } = await prepare(dataDir, settings, log);
  const listeners: ((how: string) => void)[] = [];
  let current: Postmaster;
  let upSince = 0;
  let inRow = 0;
  let recovering: Promise<void> = Promise.resolve();

  const keep = (postmaster: Postmaster): void => {
    current = postmaster;
    upSince = performance.now();
    void postmaster.gone.then((how) => {
      if (ending.signal.aborted) return;
      log.error({ how }, 'PostgreSQL ended by itself and is started again');
      if (performance.now() - upSince > steadyMs) inRow = 0;
      recovering = recover();
      for (const listener of listeners) listener(how);
    });
  };

  const recover = async (): Promise<void> => {
    for (;;) {
      try {
        await sleep(delays[Math.min(inRow++, delays.length - 1)], undefined, {
          signal: ending.signal,
        });
        keep(await launch(place, false, ending.signal, log));
        log.info({ pid: current.pid }, 'PostgreSQL is up again');
        return;
      } catch (error) {
        if (ending.signal.aborted) return;
        log.error({ err: error }, 'PostgreSQL did not start; it is tried again');
      }
    }
  };

  try {
    keep(await launch(place, renewed, ending.signal, log));
  } catch (error) {
    release();
    throw ending.signal.aborted ? ending.signal.reason : error;
  } finally {
    signal?.removeEventListener('abort', abortStart);
  }

  const endCare = careFor(place, () => current, log);
  const stop = async (): Promise<void> => {
    endCare();
    ending.abort(new EmbeddedError('failed', 'PostgreSQL is being stopped.'));
    await recovering;
    await stopPostmaster(current);
    await rmdir(place.socketDir).catch(() => {});
    release();
  };
  let stopped: Promise<void> | undefined;
  return {
    connection: connectionTo(place.socketDir),
    pid: () => current.pid,
    onExit: (listener) => void listeners.push(listener),
    stop: () => (stopped ??= stop()),
  };
};

/**
 * Returns the connection to the PostgreSQL that another process runs on this data directory, for
 * use by other commands; null if none runs.
 */
export const runningEmbeddedPostgres = async (dataDir: string): Promise<OwnerConnection | null> => {
  try {
    const place = join(await realpath(dataDir), 'postgres');
    const cluster = (await lstat(place)).isSymbolicLink() ? await readlink(place) : place;
    const file = readPostmasterFile(cluster);
    return file?.ready && isPostmasterOf(file.pid, cluster) ? connectionTo(file.socketDir) : null;
  } catch {
    return null;
  }
};

/**
 * Stops the PostgreSQL that a killed process left running on this data directory, even if it is
 * still recovering. The caller holds the lock that keeps other processes from using the directory.
 */
export const stopLeftPostgres = async (dataDir: string): Promise<void> => {
  const place = join(await realpath(dataDir), 'postgres');
  const found = await lstat(place).catch(() => null);
  if (found === null) return;
  const cluster = found.isSymbolicLink() ? await readlink(place) : place;
  const file = readPostmasterFile(cluster);
  if (file && isPostmasterOf(file.pid, cluster))
    await stopPostmaster(adoptPostmaster(file.pid, cluster));
};
