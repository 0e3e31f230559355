import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import pg from 'pg';
import { fill } from '@waystation/contract/base/fill.ts';
import { firstOf } from '@waystation/contract/base/present.ts';
import { createApp } from '#app.ts';
import type { Config } from '#config.ts';
import type { Connections } from '#connections.ts';
import type { CommandResult } from './command-result.ts';
import { blockedNow, proveAgainst, proveBooks } from './prove.ts';
import { isThere } from '#domain/ledger/heads-file.ts';
import { ArchiveReader } from '#platform/db/backup/archive.ts';
import type { Manifest } from '#platform/db/backup/archive.ts';
import { BackupError } from '#platform/db/backup/backup-error.ts';
import { loadBackup, readManifest, schemaOfBackup } from '#platform/db/backup/read-backup.ts';
import type { Loaded } from '#platform/db/backup/read-backup.ts';
import { openStream } from '#platform/db/backup/sealed.ts';
import { chainHeads } from '#platform/db/backup/write-backup.ts';
import { migrate, readSchema } from '#platform/db/migrate.ts';
import type { Schema } from '#platform/db/migrate.ts';
import { migrateJobs } from '#platform/jobs/jobs.ts';
import type { Log } from '#platform/log.ts';
import { fingerprintOf } from '#platform/secrets/fingerprint.ts';

export const asOwner = async <T>(
  owner: pg.ClientConfig,
  run: (client: pg.Client) => Promise<T>,
): Promise<T> => {
  const client = new pg.Client(owner);
  client.on('error', () => {});
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end().catch(() => {});
  }
};

/**
 * Requires a database without rows of the product. Removes the tables of an earlier start if they
 * contain no account.
 */
const emptyDatabase = (owner: pg.ClientConfig): Promise<void> =>
  asOwner(owner, async (client) => {
    const { rows } = await client.query<{ tables: number; ours: boolean }>(
      `select (select count(*)::int from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'm', 'p')) as tables,
         to_regclass('public.schema_migrations') is not null and to_regclass('public.accounts') is not null as ours`,
    );
    const { tables, ours } = firstOf(rows);
    if (tables === 0) return;
    const full = 'The database is not empty: restore into an empty one.';
    if (!ours) throw new BackupError(full);
    await client.query(`set waystation.scope = 'all'`);
    const { rowCount } = await client.query(
      'select from accounts union all select from stations limit 1',
    );
    if (rowCount !== 0) throw new BackupError(full);
    await client.query(
      'begin; drop schema public cascade; drop schema if exists graphile_worker cascade; create schema public; commit',
    );
  });

/**
 * Throws if the clock is before the moment of a backup, because numbers would be assigned again.
 */
export const checkClock = ({ at }: Pick<Manifest, 'at'>): void => {
  if (new Date(at).getTime() > Date.now() + 60_000)
    throw new BackupError(
      `The backup was made at ${at}, and the clock of this machine is before that: set the clock.`,
    );
};

/** Fails, before anything is written, if the backup cannot be restored here. */
const checkManifest = (
  manifest: Pick<Manifest, 'at' | 'secret_key'>,
  config: Pick<Config, 'secretKey'>,
): void => {
  const ours = fingerprintOf(config.secretKey);
  if (manifest.secret_key !== ours)
    throw new BackupError(
      `The backup was made under the secret key ${manifest.secret_key}, and this installation has ${ours}: set WAYSTATION_SECRET_KEY to that key, or put its secret.key into the data directory.`,
    );
  checkClock(manifest);
};

/** Stores the heads file of the backup; returns the number of lines. */
const storeHeads = async (pieces: AsyncIterable<Buffer>, file: string | null): Promise<number> => {
  let lines = 0;
  const counted = async function* (): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      lines += piece.toString('latin1').split('\n').length - 1;
      yield piece;
    }
  };
  if (file === null) for await (const _ of counted());
  else await pipeline(counted, createWriteStream(file, { mode: 0o600, flush: true }));
  return lines;
};

/**
 * Moves the heads of the backup into the heads file. If this machine already has a heads file, that
 * file is newer and is kept.
 */
const keepHeads = async (from: string, file: string): Promise<void> => {
  if ((await isThere(file)) || (await stat(from)).size === 0) await rm(from, { force: true });
  else await rename(from, file);
};

export interface Restored {
  manifest: Manifest;
  summary: Loaded;
}

export interface RestoreContext {
  config: Config;
  connections: Connections;
  log: Log;
  /** Registers a function that runs when the process gets a signal to end. */
  onEnd?(run: () => Promise<void>): void;
}

/** Loads a backup into the empty database, and creates the tables of the backup there. */
export const loadRows = async (
  { config, connections: { owner, role }, log }: RestoreContext,
  source: AsyncIterable<Buffer>,
  schema: Schema,
): Promise<Restored> => {
  if (!owner)
    throw new BackupError('A backup is restored as the owner of the database: set DATABASE_URL.');
  const decoded = createZstdDecompress();
  const ended = pipeline(source, openStream(config.backupKey), decoded);
  ended.catch(() => {});
  const archive = new ArchiveReader(decoded);
  const manifest = await readManifest(archive);
  checkManifest(manifest, config);
  const had = schemaOfBackup(manifest, schema);
  await emptyDatabase(owner);
  const jobs = (client: pg.Client): Promise<void> => migrateJobs(client, owner, role.name);
  await migrate(owner, had, { appRole: role, log, after: jobs });
  const heads = config.headsFile === null ? null : `${config.headsFile}.restored`;
  const numbersSql = schema.sql.files
    .find(({ name }) => name === 'numbers.sql')!
    .text.replaceAll('{{app_role}}', pg.escapeIdentifier(role.name));
  const summary = await asOwner(owner, (client) =>
    loadBackup(client, archive, {
      manifest,
      numbersSql,
      ended,
      heads: (pieces) => storeHeads(pieces, heads),
    }),
  ).catch(async (error: unknown) => {
    if (heads) await rm(heads, { force: true });
    throw error;
  });
  if (heads) await keepHeads(heads, config.headsFile!);
  return { manifest, summary };
};

/** Loads a backup into the empty database and migrates it to the present version. */
const load = async (
  context: RestoreContext,
  source: AsyncIterable<Buffer>,
  schema: Schema,
): Promise<Restored> => {
  const restored = await loadRows(context, source, schema);
  const { owner, role } = context.connections;
  await migrate(owner!, schema, {
    appRole: role,
    log: context.log,
    after: (client) => migrateJobs(client, owner!, role.name),
  });
  await asOwner(owner!, (client) => client.query('analyze'));
  return restored;
};

/** Tables to which the restore itself adds a row. */
const addedByRestore: ReadonlySet<string> = new Set(['number_generations', 'audit_log']);

/** Returns the differences between the restored database and the summary in the backup. */
const differences = (owner: pg.ClientConfig, { manifest, summary }: Restored): Promise<string[]> =>
  asOwner(owner, async (client) => {
    await client.query(`set waystation.scope = 'all'; set statement_timeout = 0`);
    const found: string[] = [];
    for (const [at, { schema, name }] of manifest.tables.entries()) {
      const { rows } = await client.query<{ n: string }>(
        `select count(*) as n from ${schema}.${pg.escapeIdentifier(name)}`,
      );
      const wanted = summary.parts[at]!.rows + (addedByRestore.has(name) ? 1 : 0);
      if (Number(firstOf(rows).n) !== wanted)
        found.push(`${name} has ${firstOf(rows).n} rows, and had ${wanted}.`);
    }
    if (JSON.stringify(await chainHeads(client)) !== JSON.stringify(summary.heads))
      found.push('The chains of the ledger end elsewhere than in the backup.');
    return found;
  });

/** Verifies the counts, the chain heads, the full ledger check, and the heads file. */
const verifyRestored = async (
  { config, connections, log }: RestoreContext,
  restored: Restored,
  print: (line: string) => void,
): Promise<CommandResult> => {
  const found = await differences(connections.owner!, restored);
  const app = createApp(config, connections.app, log);
  try {
    const blocked = await blockedNow(app);
    const proof = await proveBooks(app, true, print);
    // A suspension that existed when the backup was made does not make the restore fail.
    const isAsBefore = JSON.stringify(await blockedNow(app)) === JSON.stringify(blocked);
    const { heads_fault } = restored.summary;
    const against =
      config.headsFile !== null && (await isThere(config.headsFile))
        ? await proveAgainst(app, config.headsFile)
        : null;
    const ok =
      found.length === 0 &&
      proof.ok &&
      isAsBefore &&
      heads_fault === undefined &&
      (against?.code ?? 0) === 0;
    return {
      text: [
        ...found,
        ...(found.length === 0 ? ['Every table has the rows of the backup.'] : []),
        proof.text,
        ...(blocked.length > 0 && isAsBefore
          ? ['Payments were suspended in the backup, too.']
          : []),
        ...(heads_fault === undefined ? [] : [`When the backup was made: ${heads_fault}`]),
        ...(against ? [against.text] : []),
        ...(against?.code === 1
          ? [
              'The heads file knows records that the backup does not have: they are lost. Accept the gap with "prove --accept-gap".',
            ]
          : []),
        ok ? 'The restore is verified.' : 'The restore is not verified.',
      ].join('\n'),
      code: ok ? 0 : 1,
    };
  } finally {
    await app.close();
  }
};

/** Restores a backup into an empty database. With `verify` it then checks the restored data. */
export const restoreBackup = async (
  context: RestoreContext,
  source: AsyncIterable<Buffer>,
  { verify, print = () => {} }: { verify: boolean; print?: (line: string) => void },
): Promise<CommandResult> => {
  const since = performance.now();
  const schema = readSchema(join(import.meta.dirname, '..', '..'));
  const restored = await load(context, source, schema);
  const rows = restored.summary.parts.reduce((sum, part) => sum + part.rows, 0);
  const text = `Restored ${fill('{n|row|rows}', { n: rows })} of ${restored.manifest.at} in ${((performance.now() - since) / 1_000).toFixed(1)} s. Numbers go on in generation ${restored.summary.generation}, so that none comes again. Every session of the backup has ended, and ${fill('{n|API key|API keys}', { n: restored.summary.keys })}, which may have been revoked since: users log in again and make new keys.`;
  if (!verify) return { text: `${text}\nNot verified: "prove --full" checks the ledger.`, code: 0 };
  const verified = await verifyRestored(context, restored, print);
  return { ...verified, text: `${text}\n${verified.text}` };
};

/** `restore FILE [--verify]` restores a file, and `restore - [--verify]` reads standard input. */
export const restoreCommand = async (
  context: RestoreContext,
  file: string,
  verify: boolean,
): Promise<CommandResult> => {
  const source = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 1 << 18 });
  try {
    return await restoreBackup(context, source as AsyncIterable<Buffer>, {
      verify,
      print: (line) => console.log(line),
    });
  } catch (error) {
    const { code, message, syscall } = error as NodeJS.ErrnoException;
    if (error instanceof BackupError) return { text: message, code: 1 };
    if (code === 'ENOENT' && syscall === 'open')
      return { text: `There is no file ${file}.`, code: 1 };
    throw error;
  }
};
