import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { fill } from '@waystation/contract/base/fill.ts';
import { firstOf } from '@waystation/contract/base/present.ts';
import { createApp } from '#app.ts';
import type { Config } from '#config.ts';
import { embeddedConnections } from '#connections.ts';
import type { CommandResult } from './command-result.ts';
import { proveAgainst, proveBooks } from './prove.ts';
import { dropMomentHeads, headsOfMoment, keepMomentHeads } from './restore-heads.ts';
import type { MomentHeads } from './restore-heads.ts';
import { asOwner, checkClock } from './restore.ts';
import { BackupError } from '#platform/db/backup/backup-error.ts';
import { settleRestored } from '#platform/db/backup/read-backup.ts';
import { migrate, readSchema } from '#platform/db/migrate.ts';
import { EmbeddedError } from '#platform/embedded/embedded.ts';
import type { OwnerConnection } from '#platform/embedded/embedded.ts';
import { migrateJobs } from '#platform/jobs/jobs.ts';
import type { Log } from '#platform/log.ts';
import { fingerprintOf } from '#platform/secrets/fingerprint.ts';
import { otherKey } from '#platform/secrets/secret-keys.ts';
import { recover } from '#platform/wal/recover.ts';
import { firstMissing, isThere, readArchive } from '#platform/wal/wal-files.ts';
import type { BaseFacts, WalArchive } from '#platform/wal/wal-files.ts';

interface RestoreAtContext {
  config: Config;
  log: Log;
  print?: (line: string) => void;
  /** Registers a function that runs when the process gets a signal to end. */
  onEnd?: (run: () => Promise<void>) => void;
  /** The database of the cluster in which the restore is completed and checked. */
  database?: string;
  /** PostgreSQL settings that apply while the server recovers. */
  settings?: Record<string, string>;
  /** If this signal is aborted, the restore ends with the signal's reason. */
  signal?: AbortSignal;
  /** True if a disk with these free bytes is too full. */
  isFull?: (disk: { free: number; total: number }) => boolean;
}

/** The result of a restore; `problem` contains the failures if the restore is not verified. */
type RestoreResult = CommandResult & { problem?: string };

/**
 * Converts the command's argument to a moment. Returns null for "latest", the end of the archive.
 */
const momentOf = (word: string): Date | null => {
  if (word === 'latest') return null;
  const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/;
  const at = new Date(word);
  if (!form.test(word) || Number.isNaN(at.getTime()))
    throw new BackupError(
      `"${word}" is no moment: write it with its zone, such as 2026-11-29T12:00:00+08:00, or "latest".`,
    );
  if (at.getTime() > Date.now()) throw new BackupError(`${word} lies in the future.`);
  return at;
};

const rangeOf = ({ folder, bases }: WalArchive): string => `${folder} (from ${bases[0]!.at})`;

/** Returns the archive that is the folder itself, or the only archive in it. */
const findArchive = async (folder: string): Promise<WalArchive> => {
  if (!(await isThere(folder))) throw new BackupError(`There is no folder ${folder}.`);
  const entries = await readdir(folder, { withFileTypes: true });
  const folders = [
    folder,
    ...entries.filter((one) => one.isDirectory()).map((one) => join(folder, one.name)),
  ];
  const archives = await Promise.all(folders.map(readArchive));
  const [found, ...others] = archives.filter(({ bases }) => bases.length > 0);
  if (!found) throw new BackupError(`${folder} holds no base copy: nothing can be restored of it.`);
  if (others.length > 0)
    throw new BackupError(
      `${folder} holds several archives, one after each restore: name one, ${[found, ...others].map(rangeOf).join(' or ')}.`,
    );
  return found;
};

/**
 * Returns the newest base copy that was made before the moment `at`, or the newest of all if `at`
 * is null.
 */
const baseFor = ({ bases, segments }: WalArchive, at: Date | null): BaseFacts => {
  const base = bases.findLast((one) => at === null || new Date(one.at) <= at);
  if (!base)
    throw new BackupError(
      `The archive begins at ${bases[0]!.at}, after ${at?.toISOString()}: nothing before can be restored of it.`,
    );
  const missing = at === null ? firstMissing(segments, base.from) : null;
  if (missing !== null)
    throw new BackupError(
      `${missing} is missing from the archive, so that its end cannot be restored: give a moment before.`,
    );
  return base;
};

/**
 * The archive, a base copy in it, and the moment to restore; a null moment is the end of the
 * archive.
 */
interface Wanted {
  archive: WalArchive;
  base: BaseFacts;
  at: Date | null;
}

interface Settled {
  generation: number;
  keys: number;
  /** The time of the last change that is in the restored database. */
  change: Date | null;
  proof: CommandResult & { ok: boolean };
  against: CommandResult | null;
  ahead: MomentHeads['ahead'];
}

/**
 * Throws if PostgreSQL stopped before the end of the archive. If no moment was chosen, PostgreSQL
 * stops at the first record that does not continue the WAL.
 */
const requireEnd = ({ segments }: WalArchive, ended: string): void => {
  const newest = segments.at(-1) ?? '';
  if (ended.slice(8) < newest.slice(8))
    throw new BackupError(
      `The log ends in ${newest.slice(0, 8)}${ended.slice(8)}, and the archive goes on until ${newest}: what follows there is not its continuation. Give a moment before.`,
    );
};

/**
 * Throws if the database, at the restored moment, used another secret key than ours. "rotate-key"
 * may have changed the key after the base copy was made.
 */
const requireKey = async (
  client: pg.Client,
  secretKey: Buffer,
  { secret_key }: BaseFacts,
): Promise<void> => {
  const { rows } = await client.query<{ fingerprint: string }>(
    'select fingerprint from secret_keys order by id desc limit 1',
  );
  const ours = fingerprintOf(secretKey);
  const inForce = rows[0]?.fingerprint ?? secret_key;
  if (inForce !== ours) throw new BackupError(otherKey(inForce, ours));
};

/**
 * Ends earlier access and raises the generation of numbers, in one transaction. No past session
 * works at any moment, and no number can be assigned twice.
 */
const endWhatWas = (
  client: pg.Client,
  secretKey: Buffer,
  { archive, base, at }: Wanted,
): Promise<Pick<Settled, 'generation' | 'keys' | 'change'>> =>
  (async () => {
    await client.query('begin');
    const { rows } = await client.query<{ change: Date | null; ended: string }>(
      `select pg_last_xact_replay_timestamp() as change,
        pg_walfile_name(pg_last_wal_replay_lsn() - 1) as ended`,
    );
    if (at === null) requireEnd(archive, firstOf(rows).ended);
    await requireKey(client, secretKey, base);
    const raised = await client.query<{ no: string }>(`select raise_generation('restore') as no`);
    const keys = await settleRestored(client, { at: at?.toISOString() ?? base.at });
    await client.query('commit');
    return { generation: Number(firstOf(raised.rows).no), keys, change: firstOf(rows).change };
  })();

const settle = async (
  { config, log, database, print = () => {} }: RestoreAtContext,
  connection: OwnerConnection,
  wanted: Wanted,
): Promise<Settled> => {
  const own = { ...connection, ...(database === undefined ? {} : { database }) };
  const { owner, app: appConnection, role } = embeddedConnections(own);
  const ended = await asOwner(owner!, (client) => endWhatWas(client, config.secretKey, wanted));
  const schema = readSchema(join(import.meta.dirname, '..', '..'));
  await migrate(owner!, schema, {
    appRole: role,
    log,
    after: (client) => migrateJobs(client, owner!, role.name),
  });
  const app = createApp(config, appConnection, log);
  try {
    const heads = await headsOfMoment(app, wanted.archive.folder);
    const headsFile = heads.file ?? config.headsFile;
    const proof = await proveBooks({ ...app, config: { ...config, headsFile } }, true, print);
    const against =
      headsFile !== null && (await isThere(headsFile)) ? await proveAgainst(app, headsFile) : null;
    return { ...ended, proof, against, ahead: heads.ahead };
  } finally {
    await app.close();
  }
};

/** Describes the part of the archive after the restored moment. */
const betweenText = async ({ folder, segments }: WalArchive, last: string): Promise<string> => {
  const later = segments.filter((name) => name > last);
  const { mtime } = await stat(join(folder, later.at(-1) ?? last));
  return `Left out is what came after: the rest of ${last} and ${fill('{n|segment|segments}', { n: later.length })} behind it, archived until ${mtime.toISOString()}.`;
};

const restoreAt = async (
  context: RestoreAtContext,
  from: string,
  word: string,
): Promise<RestoreResult> => {
  const { config, log } = context;
  const since = performance.now();
  if (config.databaseUrl !== null)
    throw new BackupError(
      'A moment is restored into the embedded PostgreSQL only: unset DATABASE_URL, or use what archives that server.',
    );
  const at = momentOf(word);
  const archive = await findArchive(from);
  const base = baseFor(archive, at);
  checkClock(base);
  if (base.encrypted && config.backupKey === null)
    throw new BackupError('The archive is encrypted: set WAYSTATION_BACKUP_KEY to its key.');
  const { dataDir } = config;
  const { result, last } = await recover(
    {
      dataDir,
      archive,
      base,
      at,
      key: config.backupKey,
      log,
      settings: context.settings,
      onEnd: context.onEnd,
      signal: context.signal,
      isFull: context.isFull,
    },
    (connection) => settle(context, connection, { archive, base, at }),
  );
  await keepMomentHeads(config.headsFile);
  const { generation, keys, change, proof, against, ahead } = result;
  const failures = [
    ...(proof.ok ? [] : [proof.text]),
    ...(against?.code === 1 ? [against.text] : []),
  ];
  const ok = failures.length === 0;
  return {
    ...(ok ? {} : { problem: failures.join('\n') }),
    text: [
      `Restored the state of ${change?.toISOString() ?? base.at}, the last change ${at === null ? 'of the archive' : `until ${at.toISOString()}`}, from the copy of ${base.at} and its log in ${((performance.now() - since) / 1_000).toFixed(1)} s. ${at === null || last === null ? 'Nothing that was archived is left out.' : await betweenText(archive, last)}`,
      `Numbers go on in generation ${generation}, so that none comes again. Every session has ended, and ${fill('{n|API key|API keys}', { n: keys })}, which may have been revoked since: users log in again and make new keys.`,
      proof.text,
      ...(against === null ? [] : [against.text]),
      ...(ahead === null
        ? []
        : [
            `The heads file goes on until line ${ahead.no}, ${ahead.at}: it may know records that this moment does not have, which are left out. Accept the gap with "prove --accept-gap".`,
          ]),
      ok ? 'The restore is verified.' : 'The restore is not verified.',
    ].join('\n'),
    code: ok ? 0 : 1,
  };
};

/**
 * `restore FOLDER --at MOMENT` restores from the WAL archive into a data directory that has no
 * database.
 */
export const restoreAtCommand = async (
  context: RestoreAtContext,
  folder: string,
  moment: string,
): Promise<RestoreResult> => {
  try {
    return await restoreAt(context, folder, moment);
  } catch (error) {
    await dropMomentHeads(context.config.headsFile).catch(() => {});
    if (error instanceof BackupError || error instanceof EmbeddedError)
      return { text: error.message, code: 1 };
    throw error;
  }
};
