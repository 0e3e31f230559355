import { lstat, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createZstdCompress } from 'node:zlib';
import { jsonRecord, partRecords } from '#platform/db/backup/archive.ts';
import type { Part } from '#platform/db/backup/archive.ts';
import { BackupError } from '#platform/db/backup/backup-error.ts';
import type { BaseBackup } from '#platform/db/backup/base-backup.ts';
import { openOfAccount } from '#platform/embedded/account-files.ts';
import { sealStream } from '#platform/db/backup/sealed.ts';
import { exchangeFolder } from './exchange.ts';
import { isThere, onePiece, writeWhole } from './wal-files.ts';
import type { BaseFacts } from './wal-files.ts';

/** The first record of a base copy. */
export interface BaseHead {
  format: 1;
  base: string;
  secret_key: string;
  folders: string[];
}

/** The last record of a base copy: its parts, its label, its times and its log segments. */
export interface BaseEnd {
  parts: Part[];
  label: string;
  at: string;
  from: string;
  to: string;
}

/** The folders whose content PostgreSQL creates again by itself. */
const leftEmpty = new Set([
  'pg_wal',
  'pg_wal/archive_status',
  'pg_wal/summaries',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]);
const leftOut =
  /(?:^|\/)(?:postmaster\.(?:pid|opts)|backup_label(?:\.old)?|tablespace_map|pg_internal\.init.*|pgsql_tmp.*|waystation\.conf\.new|postgresql\.auto\.conf\.tmp|core(?:\.\d+)?)$/;
/** The file that is copied last, because it contains the position where the recovery begins. */
const control = 'global/pg_control';

const list = async (cluster: string): Promise<{ folders: string[]; files: string[] }> => {
  const found: { folders: string[]; files: string[] } = { folders: [], files: [] };
  const walk = async (folder: string): Promise<void> => {
    const entries = await readdir(join(cluster, folder), { withFileTypes: true });
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      // Replication slots are left out, because with one a restored database would never remove old
      // log files.
      if (path === exchangeFolder || folder === 'pg_replslot' || leftOut.test(path)) continue;
      if (entry.isSymbolicLink() && folder === 'pg_tblspc')
        throw new BackupError('The database has a tablespace, which a base copy does not hold.');
      if (entry.isDirectory()) {
        found.folders.push(path);
        await walk(path);
      } else if (entry.isFile() && !leftEmpty.has(folder) && path !== control)
        found.files.push(path);
    }
  };
  await walk('');
  return { folders: found.folders, files: [...found.files, control] };
};

/**
 * Yields the content of a file. A file of a table that was dropped during the copy counts as empty,
 * because the log contains the removal.
 */
const piecesOf = async function* (file: string): AsyncGenerator<Buffer, number> {
  try {
    const handle = await openOfAccount(file);
    for await (const piece of handle.createReadStream({ highWaterMark: 1 << 18 }))
      yield piece as Buffer;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return 0;
};

interface Copying {
  backup: BaseBackup;
  cluster: string;
  head: BaseHead;
  done(end: BaseEnd): void;
}

/**
 * Yields the files of a running cluster, and ends the backup. Each file shows the cluster at a
 * slightly different time. Replaying the log from `from` to `to` makes the files consistent.
 */
const baseRecords = async function* ({
  backup,
  cluster,
  head,
  done,
}: Copying): AsyncGenerator<Buffer> {
  const { folders, files } = await list(cluster);
  yield jsonRecord({ ...head, folders });
  const parts: Part[] = [];
  for (const file of files) parts.push(yield* partRecords(file, piecesOf(join(cluster, file))));
  const { label, to, at } = await backup.end();
  const from = /\(file ([0-9A-F]{24})\)/.exec(label)?.[1] ?? '';
  const end: BaseEnd = { parts, label, to, from, at: at.toISOString() };
  yield jsonRecord(end);
  done(end);
};

/**
 * Waits until the log file that the copy needs is archived; throws a BackupError after `longestMs`.
 */
const awaitArchived = async (folder: string, name: string, longestMs: number): Promise<void> => {
  const until = performance.now() + longestMs;
  while (!(await isThere(join(folder, name)))) {
    if (performance.now() > until)
      throw new BackupError(
        `The archive did not take ${name} within ${Math.round(longestMs / 1_000)} s, which the base copy needs; is the product running, and its disk full?`,
      );
    await sleep(100);
  }
};

/**
 * Removes files of a base copy whose process was killed more than a day ago. These are unfinished
 * files, and a copy whose JSON file was not written yet.
 */
const removePart = async (folder: string): Promise<void> => {
  const names = new Set(await readdir(folder));
  for (const name of names)
    if (/^base-\d{8}T\d{6}Z(?:(?:\.json)?\.part)?$/.test(name) && !names.has(`${name}.json`)) {
      const { mtimeMs } = await stat(join(folder, name));
      if (Date.now() - mtimeMs > 24 * 3_600_000) await rm(join(folder, name), { force: true });
    }
};

interface BaseSource {
  /** Begins and ends the backup in PostgreSQL, as the owner. */
  backup: BaseBackup;
  cluster: string;
  /** The archive's folder. */
  folder: string;
  key: Buffer | null;
  /** The fingerprint of the secret key. */
  secretKey: string;
  product: string;
  longestWaitMs?: number;
}

/** Writes a base copy of the running embedded database into its log archive. */
export const writeBaseCopy = async ({
  backup,
  cluster,
  folder,
  key,
  secretKey,
  product,
  longestWaitMs = 300_000,
}: BaseSource): Promise<BaseFacts> => {
  await removePart(folder);
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
  const name = `base-${stamp}Z`;
  try {
    const postgres = await backup.begin(name);
    let end: BaseEnd | undefined;
    const head: BaseHead = { format: 1, base: name, secret_key: secretKey, folders: [] };
    const records = baseRecords({ backup, cluster, head, done: (made) => (end = made) });
    await pipeline(
      Readable.from(records, { objectMode: false, highWaterMark: 1 << 18 }),
      createZstdCompress(),
      sealStream(key),
      (source: AsyncIterable<Buffer>) => writeWhole(folder, name, source),
    );
    const { parts, at, from, to } = end!;
    await awaitArchived(folder, to, longestWaitMs);
    const facts: BaseFacts = {
      format: 1,
      name,
      product,
      postgres,
      at,
      from,
      to,
      secret_key: secretKey,
      encrypted: key !== null,
      files_bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
      bytes: (await lstat(join(folder, name))).size,
    };
    await writeWhole(folder, `${name}.json`, onePiece(Buffer.from(`${JSON.stringify(facts)}\n`)));
    return facts;
  } catch (error) {
    await rm(join(folder, name), { force: true }).catch(() => {});
    throw error;
  }
};
