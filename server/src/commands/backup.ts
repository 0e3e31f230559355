import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress } from 'node:zlib';
import pg from 'pg';
import { fill } from '@waystation/contract/base/fill.ts';
import type { Config } from '#config.ts';
import { recordBackup, staleSeconds, verifyBackup } from './backup-record.ts';
import type { BackupRecord } from './backup-record.ts';
import type { CommandResult } from './command-result.ts';
import type { RestoreContext } from './restore.ts';
import { headLines, isThere } from '#domain/ledger/heads-file.ts';
import type { Manifest, Summary } from '#platform/db/backup/archive.ts';
import { BackupError } from '#platform/db/backup/backup-error.ts';
import { sealStream } from '#platform/db/backup/sealed.ts';
import { backupRecords } from '#platform/db/backup/write-backup.ts';
import type { HeadsUpTo } from '#platform/db/backup/write-backup.ts';
import { fingerprintOf } from '#platform/secrets/fingerprint.ts';

/** The version of this program. */
const product = (
  JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', '..', 'package.json'), 'utf8')) as {
    version: string;
  }
).version;

/**
 * Returns the lines of the heads file up to the last line that the database's snapshot knows. Later
 * lines describe records that the backup does not contain.
 */
const headsOf = (file: string | null): HeadsUpTo =>
  async function* (no, fault) {
    let [lines, last, unreadable] = [0, 0, 0];
    if (file === null) return lines;
    const there = await isThere(file);
    for await (const line of there ? headLines(file) : []) {
      if (line === null) unreadable += 1;
      if (line === null || line.no > no) continue;
      lines += 1;
      last = line.no;
      yield Buffer.from(`${JSON.stringify(line)}\n`);
    }
    if (!there && no > 0) fault(`The heads file ${file} is missing: the backup has no heads.`);
    else if (unreadable > 0)
      fault(
        `The heads file ${file} has ${fill('{n|unreadable line|unreadable lines}', { n: unreadable })}.`,
      );
    else if (last < no)
      fault(`The heads file ${file} ends at line ${last}, and the database wrote line ${no}.`);
    return lines;
  };

/**
 * The number of hours after which a backup is ended, because its snapshot delays migrations and
 * vacuum.
 */
const longestHours = 6;

interface Made {
  manifest: Manifest;
  summary: Summary;
  bytes: number;
}

interface Ending {
  connection: { stream: { destroy(): void } };
}

/**
 * Passes a backup of the owner's database to `write`. The database is read no faster than `write`
 * takes the data.
 */
export const makeBackup = async (
  owner: pg.ClientConfig,
  config: Pick<Config, 'backupKey' | 'headsFile' | 'secretKey'>,
  write: (source: AsyncIterable<Buffer>) => Promise<void>,
  longestMs = longestHours * 3_600_000,
): Promise<Made> => {
  const client = new pg.Client(owner);
  client.on('error', () => {});
  await client.connect();
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), longestMs);
  const ending = once(late.signal, 'abort');
  try {
    let made: Omit<Made, 'bytes'> | undefined;
    let bytes = 0;
    const records = backupRecords({
      client,
      product,
      secretKey: fingerprintOf(config.secretKey),
      heads: headsOf(config.headsFile),
      done: (manifest, summary) => (made = { manifest, summary }),
    });
    const written = pipeline(
      Readable.from(records, { objectMode: false, highWaterMark: 1 << 18 }),
      createZstdCompress(),
      sealStream(config.backupKey),
      async function* (source: AsyncIterable<Buffer>) {
        for await (const piece of source) {
          bytes += piece.length;
          yield piece;
        }
      },
      write,
      { signal: late.signal },
    );
    // Stops waiting at the time limit, because a writer that waits for its reader does not notice
    // the limit.
    await Promise.race([written, ending]);
    if (late.signal.aborted || !made) throw new Error('the backup ended before its summary');
    return { ...made, bytes };
  } catch (error) {
    if (!late.signal.aborted) throw error;
    throw new BackupError(
      `The backup was ended after ${longestHours} hours, because its snapshot keeps migrations and the cleaning of tables waiting; is its reader too slow?`,
    );
  } finally {
    clearTimeout(timer);
    // After the time limit the connection is closed immediately, without waiting for its statement.
    if (late.signal.aborted) (client as unknown as Ending).connection.stream.destroy();
    await client.end().catch(() => {});
  }
};

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

const rowsOf = ({ summary }: Pick<Made, 'summary'>): number =>
  summary.parts.reduce((sum, part) => sum + part.rows, 0);

const sentencesOf = ({ manifest, summary, bytes }: Made, since: number, key: boolean): string => {
  return [
    `${fill('{n|row|rows}', { n: rowsOf({ summary }) })} of ${summary.parts.length - 1} tables, ${megabytes(bytes)}, in ${((performance.now() - since) / 1_000).toFixed(1)} s.`,
    `State of ${manifest.at}, generation ${manifest.generation}, secret key ${manifest.secret_key}, ${key ? 'encrypted' : 'not encrypted'}.`,
    ...(summary.heads_fault === undefined ? [] : [`Warning: ${summary.heads_fault}`]),
  ].join('\n');
};

/**
 * Writes to standard output, and waits while its buffer is full. Standard output is never ended.
 */
const toStandardOutput = async (source: AsyncIterable<Buffer>): Promise<void> => {
  for await (const piece of source)
    if (!process.stdout.write(piece)) await once(process.stdout, 'drain');
};

const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
};

/** Removes the remains of a killed backup. */
const removeStale = async (folder: string): Promise<void> => {
  for (const name of await readdir(folder)) {
    if (!/^waystation-\d{8}T\d{6}Z\.backup\.(?:part|heads)$/.test(name)) continue;
    const { mtimeMs } = await stat(join(folder, name));
    if (Date.now() - mtimeMs > staleSeconds * 1_000) await rm(join(folder, name), { force: true });
  }
};

type Making = (write: (source: AsyncIterable<Buffer>) => Promise<void>) => Promise<Made>;

/** Writes a new file into the folder; it gets its final name only when it is complete. */
const toFolder = async (folder: string, make: Making): Promise<{ file: string; made: Made }> => {
  await mkdir(folder, { recursive: true });
  await removeStale(folder);
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
  const file = join(folder, `waystation-${stamp}Z.backup`);
  const part = `${file}.part`;
  try {
    const made = await make((source) =>
      pipeline(source, createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true })),
    );
    await rename(part, file);
    await writeFile(
      `${file}.json`,
      `${JSON.stringify({ ...made.manifest, ...made.summary, bytes: made.bytes }, null, 2)}\n`,
      { mode: 0o600 },
    );
    await syncFolder(folder);
    return { file, made };
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
};

/**
 * `backup FOLDER [--verify]` writes a file and its manifest into the folder. With `--verify` it
 * also restores the backup into a temporary database and checks it. `backup -` writes to standard
 * output. Readers and writers continue meanwhile.
 */
export const backupCommand = async (
  context: RestoreContext,
  target: string,
  verify = false,
): Promise<CommandResult> => {
  const { config, connections } = context;
  const { owner } = connections;
  const since = performance.now();
  const encrypted = config.backupKey !== null;
  let recording: Promise<BackupRecord> | undefined;
  let record: BackupRecord | undefined;
  let done = false;
  context.onEnd?.(async () => {
    // The row may have been stored although its answer has not arrived yet.
    const begun = await recording?.catch(() => undefined);
    if (!done) await begun?.failed('The backup was ended before it was done.');
  });
  try {
    if (!owner)
      throw new BackupError('A backup is made as the owner of the database: set DATABASE_URL.');
    recording = recordBackup(owner, target);
    record = await recording;
    const make: Making = (write) => makeBackup(owner, config, write);
    const { file, made } =
      target === '-'
        ? { file: '-', made: await make(toStandardOutput) }
        : await toFolder(target, make);
    await record.finished(file, made.bytes, rowsOf(made));
    const text = sentencesOf(made, since, encrypted);
    done = !verify;
    if (target === '-') return { text, code: 0, to: 'stderr' };
    if (!verify) return { text: `${file}\n${text}`, code: 0 };
    const verified = await verifyBackup(context, file);
    if (verified.code !== 0)
      throw new BackupError(`The restore of ${file} is not verified.\n${verified.text}`);
    await record.verified();
    done = true;
    return { text: `${file}\n${text}\n${verified.text}`, code: 0 };
  } catch (error) {
    const { code, message, syscall } = error as NodeJS.ErrnoException;
    const known =
      error instanceof BackupError
        ? message
        : syscall === undefined
          ? null
          : `The backup could not be written (${code}).`;
    done = true;
    await record?.failed(known ?? message).catch(() => {});
    if (known === null) throw error;
    return { text: known, code: 1, to: 'stderr' };
  }
};
