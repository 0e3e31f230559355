import type pg from 'pg';
import { firstOf } from '@waystation/contract/base/present.ts';
import type { ArchiveReader, Manifest, Part, Summary, TableFacts } from './archive.ts';
import { BackupError } from './backup-error.ts';
import { copyIn } from './copy.ts';
import { backedUpTables, columnsOf, nameOf, quoted } from './tables.ts';
import { textSettings } from './write-backup.ts';
import type { Schema } from '#platform/db/migrate.ts';

/**
 * Returns the migrations that the backup's database had, with the SQL texts of this program. Throws
 * if the backup was made by a newer version or with other migrations.
 */
export const schemaOfBackup = (manifest: Manifest, schema: Schema): Schema => {
  const newer = (what: string): BackupError =>
    new BackupError(
      `The backup was made by a newer version (${what}): restore it with that version.`,
    );
  const ours = new Map(schema.migrations.map(({ name, hash }) => [name, hash]));
  for (const { name, hash } of manifest.migrations) {
    if (!ours.has(name)) throw newer(`migration ${name}`);
    if (ours.get(name) !== hash)
      throw new BackupError(`The backup has another migration ${name} than this version.`);
  }
  if (manifest.edition > schema.sql.edition)
    throw newer(`functions of edition ${manifest.edition}`);
  const had = new Set(manifest.migrations.map(({ name }) => name));
  return {
    migrations: schema.migrations.filter(
      ({ name }) => had.has(name) || name === '0060_number_generations.sql',
    ),
    // Functions, triggers and policies are applied after the rows were loaded.
    sql: { edition: 0, files: [] },
  };
};

/** Reads the manifest, before anything is written to the database. */
export const readManifest = async (archive: ArchiveReader): Promise<Manifest> => {
  const manifest = await archive.json<Manifest>();
  if (manifest.format !== 1)
    throw new BackupError('The backup was made by a newer version: restore it with that version.');
  return manifest;
};

/**
 * Drops the foreign keys, because the tables are loaded in the order of their names. Later the
 * foreign keys are added again and checked. The owner may do this without being a superuser.
 */
const dropForeignKeys = async (client: pg.ClientBase): Promise<string[]> => {
  const { rows } = await client.query<{ drop: string; add: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
       format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as add
     from pg_constraint where contype = 'f' and conparentid = 0
       and connamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace) order by 1`,
  );
  for (const { drop } of rows) await client.query(drop);
  return rows.map(({ add }) => add);
};

const checkTables = (wanted: readonly TableFacts[], there: readonly TableFacts[]): void => {
  const columns = new Map(there.map((table) => [nameOf(table), new Set(table.columns)]));
  for (const table of wanted)
    for (const column of table.columns)
      if (!columns.get(nameOf(table))?.has(column))
        throw new BackupError(
          `The backup has ${nameOf(table)}.${column}, which this version does not have.`,
        );
};

/** The summary of a loaded backup, with the number of API keys that were ended. */
export type Loaded = Summary & { generation: number; keys: number };

/**
 * Reads the next part of the backup, which must have this name, and passes its content to `take`.
 * Returns the part's name and the rows, bytes and hash that were read.
 */
const takePart = async (
  archive: ArchiveReader,
  name: string,
  take: (pieces: AsyncIterable<Buffer>) => Promise<number>,
): Promise<Part> => {
  const { part } = await archive.json<{ part: string }>();
  if (part !== name) throw new BackupError(`The backup has ${part} where ${name} belongs.`);
  let read = { bytes: 0, sha256: '' };
  const rows = await take(archive.pieces((facts) => (read = facts)));
  return { name, rows, ...read };
};

const checkSummary = (read: readonly Part[], summary: Summary): void => {
  for (const [at, part] of summary.parts.entries()) {
    const found = read[at];
    if (found?.name !== part.name || found.rows !== part.rows || found.sha256 !== part.sha256)
      throw new BackupError(
        `The backup has other rows of ${part.name} than its summary says (${found?.rows ?? 0} of ${part.rows}).`,
      );
  }
};

/**
 * Sets each sequence to its value in the backup. Then raises it above all numbers that may have
 * been assigned after the backup.
 */
const setSequences = async (
  client: pg.ClientBase,
  summary: Summary,
  numbersSql: string,
): Promise<number> => {
  for (const [name, last] of Object.entries(summary.sequences))
    if (last > 0) await client.query('select setval($1::regclass, $2)', [name, last]);
  await client.query(numbersSql);
  const { rows } = await client.query<{ no: string }>(`select raise_generation('restore') as no`);
  return Number(firstOf(rows).no);
};

/**
 * Ends every key, session and invitation of the backup, because they may have been revoked after
 * it. Stops its webhooks and channels, and writes an entry to the audit log. Returns the number of
 * keys that it ended. Older backups lack some of these tables.
 */
const endAccess = async (client: pg.ClientBase, { at }: Pick<Manifest, 'at'>): Promise<number> => {
  await client.query(`set local waystation.scope = 'all'`);
  const { rowCount: sessions } = await client.query(
    'update sessions set expires_at = now() where expires_at > now()',
  );
  const { rows } = await client.query<{ there: boolean }>(
    `select to_regclass('public.api_keys') is not null as there`,
  );
  const ended = firstOf(rows).there
    ? await client.query(
        `update api_keys set expires_at = now()
          where revoked_at is null and (expires_at is null or expires_at > now())`,
      )
    : null;
  const keys = ended?.rowCount ?? 0;
  const hooks = await client.query<{ there: boolean }>(
    `select to_regclass('public.webhooks') is not null as there`,
  );
  // With an empty role, nothing is sent until the owner saves the webhook again, as after any
  // change of the account.
  if (firstOf(hooks.rows).there) await client.query(`update webhooks set role = ''`);
  const channels = await client.query<{ there: boolean }>(
    `select to_regclass('public.notice_channels') is not null as there`,
  );
  if (firstOf(channels.rows).there)
    await client.query(`update notice_channels set status = 'disabled', stopped_by = 'access'
      where status = 'live'`);
  const links = await client.query<{ there: boolean }>(
    `select to_regclass('public.account_invitations') is not null as there`,
  );
  if (firstOf(links.rows).there)
    await client.query(
      'update account_invitations set expires_at = now() where expires_at > now()',
    );
  await client.query(
    `insert into audit_log (account_name, role, action, subject, changes)
     values ('command line', 'system', 'restore', 'accounts', $1)`,
    [{ backup: [null, at], live_keys: [keys, 0], sessions: [sessions ?? 0, 0] }],
  );
  return keys;
};

/**
 * Frees the jobs that workers of the backed-up installation had locked, and ends all sessions and
 * API keys. Returns the number of ended API keys.
 */
export const settleRestored = async (
  client: pg.ClientBase,
  { at }: Pick<Manifest, 'at'>,
): Promise<number> => {
  await client.query(`update graphile_worker._private_jobs set locked_at = null, locked_by = null where locked_at is not null;
    update graphile_worker._private_job_queues set locked_at = null, locked_by = null where locked_at is not null`);
  return endAccess(client, { at });
};

/**
 * Loads all rows of a backup into the empty tables of a database with the backup's edition, in one
 * transaction. If the backup turns out to be cut off or altered, no row remains. No key or session
 * of the backup works at any time. `ended` resolves when the whole stream was read and checked.
 */
export const loadBackup = async (
  client: pg.ClientBase,
  archive: ArchiveReader,
  {
    manifest,
    numbersSql,
    heads,
    ended,
  }: {
    manifest: Manifest;
    /**
     * SQL that creates the functions that raise the numbers. The new database does not have these
     * functions yet.
     */
    numbersSql: string;
    heads(pieces: AsyncIterable<Buffer>): Promise<number>;
    ended: Promise<unknown>;
  },
): Promise<Loaded> => {
  await client.query(textSettings);
  await client.query('begin');
  checkTables(manifest.tables, await backedUpTables(client));
  const foreignKeys = await dropForeignKeys(client);
  await client.query(`truncate ${manifest.tables.map(quoted).join(', ')}`);
  const parts: Part[] = [];
  for (const table of manifest.tables)
    parts.push(
      await takePart(archive, nameOf(table), (pieces) =>
        copyIn(client, `copy ${quoted(table)} (${columnsOf(table)}) from stdin`, pieces),
      ),
    );
  parts.push(await takePart(archive, 'heads', heads));
  const summary = await archive.json<Summary>();
  await archive.end();
  await ended;
  checkSummary(parts, summary);
  for (const add of foreignKeys) await client.query(add);
  const generation = await setSequences(client, summary, numbersSql);
  const keys = await settleRestored(client, manifest);
  await client.query('commit');
  return { ...summary, generation, keys };
};
