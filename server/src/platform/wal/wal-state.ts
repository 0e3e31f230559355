import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Health } from '@waystation/contract/shell/health.ts';
import type { Config } from '#config.ts';
import { oneRow, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { fingerprintOf } from '#platform/secrets/fingerprint.ts';
import { archiveFolder, clusterOf, waitingBytes } from './archiver.ts';
import type { WalConfig } from './archiver.ts';
import { readTestRestore } from './test-restore-facts.ts';
import type { TestRestoreFacts } from './test-restore-facts.ts';
import { archiveBegan, firstMissing, readArchive } from './wal-files.ts';

/**
 * Archiving counts as stopped if no file was stored for this many milliseconds longer than the
 * usual interval between two log files.
 */
const stoppedMs = 15 * 60_000;
/** The milliseconds after the last base copy at which a new base copy is due. */
const baseMs = 24 * 3_600_000;
/**
 * The next test restore is due when the last verified one is this old, or when the last failed one
 * is `testFailedMs` old. These ages are half a day less than a week and a day, because test
 * restores begin at different times of the night.
 */
const verifiedMs = 6.5 * 24 * 3_600_000;
export const testFailedMs = 12 * 3_600_000;
/** The milliseconds after which an archive that has not responded counts as unavailable. */
const withinMs = 1_500;

interface Stored {
  /** True if the archive could be read and a file was archived. */
  known: boolean;
  archived_at: Date | null;
  base_at: Date | null;
  /**
   * Every time from this one on can be restored; null if the log has a gap after every base copy.
   */
  from_at: Date | null;
  /**
   * True if a part of the log after the newest base copy is missing: no time after that gap can be
   * restored from this copy.
   */
  has_hole: boolean;
  /** The fingerprint of the secret key that was in use when the newest base copy was made. */
  secret_key: string | null;
  waiting: number;
  began_at: Date | null;
  test: TestRestoreFacts | null;
}

const away: Stored = {
  known: false,
  archived_at: null,
  base_at: null,
  from_at: null,
  has_hole: false,
  secret_key: null,
  waiting: 0,
  began_at: null,
  test: null,
};

const readStored = async (config: WalConfig): Promise<Stored> => {
  const folder = await archiveFolder(config);
  const waiting = await clusterOf(config.dataDir).then(waitingBytes, () => 0);
  if (folder === null) return { ...away, waiting };
  const { bases, segments } = await readArchive(folder);
  const [newest, last] = [segments.at(-1), bases.at(-1)];
  const first = bases.find(({ from }) => firstMissing(segments, from) === null);
  return {
    known: true,
    archived_at: newest === undefined ? null : (await stat(join(folder, newest))).mtime,
    base_at: last ? new Date(last.at) : null,
    from_at: first ? new Date(first.at) : null,
    has_hole: last !== undefined && first === undefined,
    secret_key: last?.secret_key ?? null,
    waiting,
    began_at: archiveBegan(folder),
    test: await readTestRestore(folder),
  };
};

/**
 * The reads of an archive's state that are still running. Each one blocks a thread, so each folder
 * has at most one at a time.
 */
const reading = new Map<string, Promise<Stored>>();

/** The start time and the test restores of each archive, as this process has last read them. */
const lastRead = new Map<string, Pick<Stored, 'began_at' | 'test'>>();

/**
 * Reads the state of the archive. If the disk does not respond, returns the start of the archive
 * and its test restores as they were last read.
 */
const stored = async (config: WalConfig): Promise<Stored> => {
  const place = `${config.walDir}`;
  const under =
    reading.get(place) ??
    readStored(config)
      .catch(() => away)
      .finally(() => reading.delete(place));
  reading.set(place, under);
  const late = new Promise<Stored>((resolve) => setTimeout(() => resolve(away), withinMs).unref());
  const found = await Promise.race([under, late]);
  const database = `${place} ${config.dataDir}`;
  if (found.known) lastRead.set(database, { began_at: found.began_at, test: found.test });
  return found.known ? found : { ...found, ...lastRead.get(database) };
};

interface Archiver {
  on: boolean;
  since: Date;
  archived_at: Date | null;
  failed_at: Date | null;
  failures: number;
}

const archiverOf = (work: Work): Promise<Archiver> =>
  oneRow(
    work,
    sql<Archiver>`select current_setting('archive_mode') <> 'off' as on,
      pg_postmaster_start_time() as since, last_archived_time as archived_at,
      failed_count::int as failures,
      case when last_failed_time > coalesce(last_archived_time, '-infinity')
        then last_failed_time end as failed_at
      from pg_stat_archiver`,
  );

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

/**
 * Returns the state of the log archive: of the product's own archive, or as an external server
 * reports it; null if no archive exists.
 */
export const walState = async (
  work: Work,
  config: WalConfig,
  now: Date,
): Promise<Health['wal']> => {
  const { on, since, failed_at, failures, ...archiver } = await archiverOf(work);
  const isOwn = config.walDir !== null;
  if (!on && !isOwn) return null;
  const { archived_at, base_at, from_at, waiting, began_at, test } = isOwn
    ? await stored(config)
    : { ...away, archived_at: archiver.archived_at };
  const quietMs = now.getTime() - Math.max(archived_at?.getTime() ?? 0, since.getTime());
  const mostMs = stoppedMs + (isOwn ? config.walSeconds * 1_000 : 0);
  return {
    own: isOwn ? 1 : 0,
    // An external server may have nothing to archive for hours, so it counts as stopped only after
    // a failure.
    stopped: quietMs > mostMs && (isOwn || failed_at !== null) ? 1 : 0,
    since_at: since.toISOString(),
    // PostgreSQL knows the time of the last archived file even if the archive's disk does not
    // respond.
    archived_at: iso(archived_at ?? archiver.archived_at),
    failed_at: iso(failed_at),
    failures,
    waiting,
    base_at: iso(base_at),
    from_at: iso(from_at),
    began_at: iso(began_at),
    verified_at: test?.verified_at ?? null,
    problem: test?.problem ?? null,
  };
};

/**
 * True if the archive needs a base copy. That is so if the newest base copy is missing, too old, or
 * made with an earlier secret key. It is also so if the log after that copy has a gap.
 */
export const needsBaseCopy = async (
  config: WalConfig & Pick<Config, 'secretKey'>,
  now: Date,
): Promise<boolean> => {
  const { archived_at, base_at, has_hole, secret_key } = await stored(config);
  if (archived_at === null) return false;
  const isOld = base_at === null || now.getTime() - base_at.getTime() > baseMs;
  return isOld || has_hole || secret_key !== fingerprintOf(config.secretKey);
};

/**
 * True if a test restore of the archive is due. None is due while the archive cannot restore its
 * latest time.
 */
export const needsTestRestore = async (config: WalConfig, now: Date): Promise<boolean> => {
  const { from_at, has_hole, test } = await stored(config);
  if (from_at === null || has_hole) return false;
  if (test === null) return true;
  const age = (at: string): number => now.getTime() - Date.parse(at);
  const hasFailed = test.problem !== null || test.ended === false;
  if (hasFailed && age(test.at) <= testFailedMs) return false;
  return test.verified_at === null || age(test.verified_at) > verifiedMs;
};

/**
 * Returns the seconds since a test restore was last verified, or since the archive began; null if
 * no archive is known.
 */
export const testRestoreAge = async (config: WalConfig, now: Date): Promise<number | null> => {
  if (config.walDir === null) return null;
  const { began_at, test } = await stored(config);
  const since = test?.verified_at == null ? began_at?.getTime() : Date.parse(test.verified_at);
  return since === undefined ? null : (now.getTime() - since) / 1_000;
};

/** Returns the facts of the last test restore; null if they cannot be read or there was none. */
export const testRestoreFacts = async (config: WalConfig): Promise<TestRestoreFacts | null> => {
  const { known, test } = await stored(config);
  return known ? test : null;
};
