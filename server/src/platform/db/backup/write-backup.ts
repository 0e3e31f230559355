import type pg from 'pg';
import { firstOf } from '@waystation/contract/base/present.ts';
import { jsonRecord, partRecords } from './archive.ts';
import type { ChainHead, Manifest, Part, Summary, TableFacts } from './archive.ts';
import { BackupError } from './backup-error.ts';
import { copyOut } from './copy.ts';
import { backedUpTables, columnsOf, nameOf, quoted, sequencesOf } from './tables.ts';

/** The settings under which values are written to a backup as text and read from it. */
export const textSettings = `set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set timezone = 'UTC';
  set client_encoding = 'UTF8'; set extra_float_digits = 1; set statement_timeout = 0;
  set idle_in_transaction_session_timeout = 0; set lock_timeout = 0`;

/**
 * Returns the newest hash of each chain: the ledger's chains, the chains of payments and the chains
 * of their sources.
 */
export const chainHeads = async (client: pg.ClientBase): Promise<ChainHead[]> =>
  (
    await client.query<{ head: ChainHead }>(
      `select jsonb_build_array(h.chain, h.station_id, h.seq, encode(h.hash, 'hex')) as head from (
         select 'ledger' as chain, s.id as station_id, c.seq, c.hash
         from (select id from stations union all select 0) s join lateral
           (select c.seq, c.hash from ledger_chain c where c.station_id = s.id order by c.seq desc limit 1) c on true
         union all
         select 'sources', s.id, b.seq, b.hash
         from (select id from stations union all select 0) s join lateral
           (select b.seq, b.hash from source_blocks b where b.station_id = s.id order by b.seq desc limit 1) b on true) h
       order by h.chain, h.station_id`,
    )
  ).rows.map(({ head }) => head);

const versionsOf = async (
  client: pg.ClientBase,
): Promise<Pick<Manifest, 'postgres' | 'at' | 'generation' | 'migrations'>> => {
  const { rows: migrations } = await client.query<{ name: string; hash: string }>(
    'select name, hash from schema_migrations order by name',
  );
  const { rows } = await client.query<{
    postgres: string;
    numbered: boolean;
    at: Date;
  }>(
    `select current_setting('server_version') as postgres, clock_timestamp() as at,
       to_regclass('public.number_generations') is not null as numbered`,
  );
  const { at, numbered, ...versions } = firstOf(rows);
  const { rows: newest } = numbered
    ? await client.query<{ no: string }>(
        'select coalesce(max(no), 0) as no from number_generations',
      )
    : { rows: [{ no: '0' }] };
  return {
    ...versions,
    generation: Number(firstOf(newest).no),
    at: at.toISOString(),
    migrations,
  };
};

/**
 * Yields the lines of the heads file up to the snapshot, in pieces, and returns their number. Calls
 * `fault` if the file does not end with the line that the database wrote last.
 */
export type HeadsUpTo = (
  no: number,
  fault: (text: string) => void,
) => AsyncGenerator<Buffer, number>;

export interface BackupSource {
  client: pg.ClientBase;
  /** The program's version. */
  product: string;
  /** The fingerprint of the secret key. */
  secretKey: string;
  heads: HeadsUpTo;
  /** Called with manifest and summary when everything is written. */
  done(manifest: Manifest, summary: Summary): void;
}

/**
 * Reads the edition of the SQL files in the database. It is read before the snapshot, because the
 * snapshot's transaction must not hold the gate (gate.ts).
 */
const editionOf = async (client: pg.ClientBase): Promise<number> => {
  const { rows } = await client.query<{ there: boolean }>(
    `select to_regclass('public.schema_sql') is not null as there`,
  );
  if (!firstOf(rows).there)
    throw new BackupError('The database is empty: there is nothing to back up.');
  const { rows: editions } = await client.query<{ edition: number }>(
    'select coalesce(max(edition), 0) as edition from schema_sql',
  );
  return firstOf(editions).edition;
};

/**
 * Opens the snapshot from which the whole backup is read. Before that it locks all tables, because
 * a table that a migration rewrites after the snapshot would be empty in the backup. Reads and
 * writes of other sessions do not wait. If a migration is running, it tries again.
 */
const openSnapshot = async (client: pg.ClientBase): Promise<TableFacts[]> => {
  for (let attempt = 1; ; attempt++) {
    const listed = await backedUpTables(client);
    await client.query('begin isolation level repeatable read read only');
    try {
      await client.query(`lock table ${listed.map(quoted).join(', ')} in access share mode`);
      await client.query(`set local waystation.scope = 'all'`);
      const tables = await backedUpTables(client);
      if (JSON.stringify(tables) === JSON.stringify(listed)) return tables;
    } catch (error) {
      // Another program is migrating: it has removed a table, or waits for a table that is locked
      // here. The backup tries again.
      if (!['42P01', '40P01'].includes((error as { code?: string }).code ?? '')) throw error;
    }
    await client.query('rollback');
    if (attempt === 10)
      throw new BackupError('The tables change all the time: make the backup after the upgrade.');
  }
};

/**
 * Yields all records of a backup, read in one transaction with one snapshot. `client` is a
 * connection of the owner, which the caller closes.
 */
export const backupRecords = async function* ({
  client,
  product,
  secretKey,
  heads,
  done,
}: BackupSource): AsyncGenerator<Buffer> {
  await client.query(textSettings);
  const edition = await editionOf(client);
  const tables = await openSnapshot(client);
  const manifest: Manifest = {
    format: 1,
    product,
    secret_key: secretKey,
    ...(await versionsOf(client)),
    edition,
    tables,
  };
  yield jsonRecord(manifest);
  const parts: Part[] = [];
  for (const table of tables)
    parts.push(
      yield* partRecords(
        nameOf(table),
        copyOut(client, `copy ${quoted(table)} (${columnsOf(table)}) to stdout`),
      ),
    );
  const { rows } = await client.query<{ no: string }>(
    'select coalesce(max(no), 0) as no from ledger_head_lines',
  );
  let fault: string | undefined;
  const lines = heads(Number(firstOf(rows).no), (text) => (fault = text));
  parts.push(yield* partRecords('heads', lines));
  const summary: Summary = {
    parts,
    sequences: await sequencesOf(client),
    heads: await chainHeads(client),
    ...(fault === undefined ? {} : { heads_fault: fault }),
  };
  await client.query('commit');
  yield jsonRecord(summary);
  done(manifest, summary);
};
