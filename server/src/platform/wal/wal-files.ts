import { open, readFile, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { BackupError } from '#platform/db/backup/backup-error.ts';
import { readOfAccount } from '#platform/embedded/account-files.ts';
import { openStream, sealStream } from '#platform/db/backup/sealed.ts';

/** The size in bytes of a segment of the write-ahead log; initdb uses this size by default. */
export const segmentBytes = 16 * 1024 * 1024;
const segmentsPerFile = 256;

export const isSegment = (name: string): boolean => /^[0-9A-F]{24}$/.test(name);

/**
 * True for the names of files that PostgreSQL archives: log segments, timeline histories and labels
 * of base copies.
 */
export const isWalFile = (name: string): boolean =>
  /^(?:[0-9A-F]{24}(?:\.[0-9A-F]{8}\.backup|\.partial)?|[0-9A-F]{8}\.history)$/.test(name);

/** Returns the number of a log segment. The number does not depend on the segment's timeline. */
const numberOf = (name: string): number =>
  Number.parseInt(name.slice(8, 16), 16) * segmentsPerFile +
  Number.parseInt(name.slice(16, 24), 16);

const hex = (value: number): string => value.toString(16).toUpperCase().padStart(8, '0');

const nameOf = (timeline: string, number: number): string =>
  timeline + hex(Math.floor(number / segmentsPerFile)) + hex(number % segmentsPerFile);

/**
 * Returns the first segment that is missing between `from` and the newest segment; null if there is
 * no gap. `segments` are of one timeline.
 */
export const firstMissing = (segments: readonly string[], from: string): string | null => {
  const later = segments.filter((name) => name >= from).toSorted();
  const first = numberOf(from);
  const at = later.findIndex((name, index) => numberOf(name) !== first + index);
  return at === -1 ? null : nameOf(from.slice(0, 8), first + at);
};

export const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );

export const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
};

/** Writes a file so that it is either complete or missing, and flushes it to the disk. */
export const writeWhole = async (
  folder: string,
  name: string,
  pieces: AsyncIterable<Buffer>,
): Promise<void> => {
  const part = join(folder, `${name}.part`);
  try {
    const handle = await open(part, 'w', 0o600);
    try {
      for await (const piece of pieces) await handle.writeFile(piece);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(part, join(folder, name));
    await syncFolder(folder);
  } catch (error) {
    await rm(part, { force: true }).catch(() => {});
    throw error;
  }
};

export const onePiece = async function* (bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
};

/**
 * Reads an archived file. Throws a BackupError if it is not the file that was archived under its
 * name.
 */
export const openWalFile = async (file: string, key: Buffer | null): Promise<Buffer> => {
  const pieces: Buffer[] = [];
  for await (const piece of openStream(key, basename(file))(onePiece(await readFile(file))))
    pieces.push(piece);
  return promisify(zstdDecompress)(Buffer.concat(pieces), { maxOutputLength: 4 * segmentBytes });
};

/** Thrown if other content is stored under the name, or the stored content cannot be read. */
export class OtherContentError extends BackupError {}

/** True if an archived file contains exactly these bytes. */
const isSame = (file: string, key: Buffer | null, bytes: Buffer): Promise<boolean> =>
  openWalFile(file, key).then(
    (there) => there.equals(bytes),
    (error: NodeJS.ErrnoException) => {
      if (error.syscall !== undefined) throw error;
      return false;
    },
  );

/** Archives bytes under a name, compressed, and encrypted if there is a key. */
export const storeBytes = async (
  bytes: Buffer,
  folder: string,
  name: string,
  key: Buffer | null,
): Promise<void> => {
  const packed = await promisify(zstdCompress)(bytes);
  await writeWhole(folder, name, sealStream(key, name)(onePiece(packed)));
};

/**
 * Archives one file of the log, compressed, and encrypted if there is a key. A stored file is never
 * changed: other content under the same name is refused.
 */
export const storeWalFile = async (
  source: string,
  folder: string,
  name: string,
  key: Buffer | null,
): Promise<void> => {
  const bytes = await readOfAccount(source, segmentBytes);
  const file = join(folder, name);
  if (await isThere(file)) {
    if (await isSame(file, key, bytes)) {
      // The process of an earlier attempt may have been killed after it wrote the file and before
      // the file was flushed to disk.
      const handle = await open(file, 'r');
      await handle.sync().finally(() => handle.close());
      return syncFolder(folder);
    }
    throw new OtherContentError(
      `${file} is there with another content: two databases archive into one folder.`,
    );
  }
  await storeBytes(bytes, folder, name, key);
};

const archiveName = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-[0-9a-f]{4}$/;

export const isArchiveName = (name: string): boolean => archiveName.test(name);

/**
 * Returns the time at which an archive began, which is part of its folder's name. Returns null if
 * the folder's name is not that of an archive.
 */
export const archiveBegan = (folder: string): Date | null => {
  const found = archiveName.exec(basename(folder));
  if (!found) return null;
  const [, year, month, day, hour, minute, second] = found;
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
};

/** The facts of a base copy, which are stored in a JSON file beside the copy. */
export interface BaseFacts {
  format: 1;
  /** The file name of the base copy. */
  name: string;
  product: string;
  postgres: string;
  /** The earliest time that can be restored with this base copy. */
  at: string;
  /** The first and the last log segment that a restore of the base copy needs. */
  from: string;
  to: string;
  /** The fingerprint of the secret key that the database used at the time of the copy. */
  secret_key: string;
  encrypted: boolean;
  /** `files_bytes`: the bytes of the files in the copy. `bytes`: the bytes of the copy itself. */
  files_bytes: number;
  bytes: number;
}

/** The archive of one database: its base copies, the oldest first, and its log segments. */
export interface WalArchive {
  folder: string;
  bases: BaseFacts[];
  segments: string[];
}

const isBaseFacts = (value: unknown): value is BaseFacts => {
  const { format, name, at, from, to } = (value ?? {}) as Partial<BaseFacts>;
  return (
    format === 1 &&
    /^base-\d{8}T\d{6}Z$/.test(name ?? '') &&
    !Number.isNaN(Date.parse(at ?? '')) &&
    isSegment(from ?? '') &&
    isSegment(to ?? '')
  );
};

/**
 * Reads the folder of an archive. Ignores a base copy without its JSON file, and a JSON file
 * without its base copy.
 */
export const readArchive = async (folder: string): Promise<WalArchive> => {
  const names = new Set(await readdir(folder));
  const bases: BaseFacts[] = [];
  for (const name of names) {
    if (!/^base-\d{8}T\d{6}Z\.json$/.test(name) || !names.has(name.slice(0, -5))) continue;
    const facts = await readFile(join(folder, name), 'utf8')
      .then(JSON.parse)
      .catch(() => null);
    if (isBaseFacts(facts) && facts.name === name.slice(0, -5)) bases.push(facts);
  }
  return {
    folder,
    bases: bases.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at)),
    segments: [...names].filter(isSegment).toSorted(),
  };
};

/**
 * Returns the files that may be deleted. The newest base copy that is older than the limit can
 * restore every moment after the limit. Earlier base copies, and the log before this base copy, are
 * therefore not needed.
 */
export const oldFiles = ({ bases, segments }: WalArchive, before: Date): string[] => {
  const keptFrom = bases.findLastIndex(({ at }) => new Date(at) <= before);
  const oldest = bases[Math.max(0, keptFrom)];
  if (!oldest) return [];
  return [
    ...bases.slice(0, Math.max(0, keptFrom)).flatMap(({ name }) => [`${name}.json`, name]),
    ...segments.filter((name) => name < oldest.from),
  ];
};
