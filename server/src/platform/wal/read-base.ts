import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, normalize, relative } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import { ArchiveReader } from '#platform/db/backup/archive.ts';
import type { Part } from '#platform/db/backup/archive.ts';
import { BackupError } from '#platform/db/backup/backup-error.ts';
import { openStream } from '#platform/db/backup/sealed.ts';
import type { BaseEnd, BaseHead } from './base-copy.ts';
import type { BaseFacts, WalArchive } from './wal-files.ts';

const altered = (name: string): BackupError =>
  new BackupError(`The base copy ${name} was altered: its files are not what was written.`);

/**
 * Returns the path of a file inside the cluster. Throws if the path leaves the cluster, because
 * anybody may have made the copy.
 */
const inside = (cluster: string, path: string): string => {
  const full = normalize(join(cluster, path));
  const way = relative(cluster, full);
  if (way === '' || way.startsWith('..')) throw new BackupError('The base copy leaves its folder.');
  return full;
};

/**
 * Unpacks a base copy into an empty folder, with the label file from which the recovery begins.
 * Throws a BackupError if the copy was changed after it was written. If the signal is aborted,
 * unpacking ends after the current piece.
 */
export const unpackBaseCopy = async (
  { folder }: Pick<WalArchive, 'folder'>,
  facts: BaseFacts,
  cluster: string,
  { key, signal }: { key: Buffer | null; signal: AbortSignal },
): Promise<void> => {
  const decoded = createZstdDecompress();
  const ended = pipeline(
    createReadStream(join(folder, facts.name), { highWaterMark: 1 << 18 }),
    openStream(key),
    decoded,
    { signal },
  );
  ended.catch(() => {});
  const archive = new ArchiveReader(decoded);
  const { base, folders } = await archive.json<BaseHead>().catch(async (error: unknown) => {
    await ended;
    throw error;
  });
  if (base !== facts.name) throw altered(facts.name);
  for (const path of folders) await mkdir(inside(cluster, path), { recursive: true, mode: 0o700 });
  const read: Part[] = [];
  for (;;) {
    const record = await archive.json<{ part: string } | BaseEnd>();
    if (!('part' in record)) {
      await archive.end();
      await ended;
      const isSame =
        JSON.stringify(read) === JSON.stringify(record.parts) &&
        record.at === facts.at &&
        record.from === facts.from &&
        record.to === facts.to;
      if (!isSame) throw altered(facts.name);
      return writeFile(join(cluster, 'backup_label'), record.label, { mode: 0o600 });
    }
    const file = inside(cluster, record.part);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    let part: Part = { name: record.part, rows: 0, bytes: 0, sha256: '' };
    await pipeline(
      Readable.from(archive.pieces((found) => (part = { ...part, ...found }))),
      createWriteStream(file, { mode: 0o600 }),
      { signal },
    );
    read.push(part);
  }
};
