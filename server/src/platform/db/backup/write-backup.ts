import type pg from 'pg';
import { firstOf } from '@waystation/contract/base/present.ts';
import { jsonRecord, partRecords } from './archive.ts';
import type { ChainHead, Manifest, Part, Summary } from './archive.ts';
import { BackupError } from './backup-error.ts';
import { copyOut } from './copy.ts';
import { backedUpTables, columnsOf, nameOf, quoted, sequencesOf } from './tables.ts';

/** The settings under which values are written and read as text. */
export const textSettings = `set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set timezone = 'UTC';
  set client_encoding = 'UTF8'; set extra_float_digits = 1; set statement_timeout = 0;
  set idle_in_transaction_session_timeout = 0; set lock_timeout = 0`;

/** The newest link of each chain of the ledger, of payments and of their sources. */
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
): Promise<Pick<Manifest, 'postgres' | 'at' | 'generation' | 'edition' | 'migrations'>> => {
  const { rows: migrations } = await client.query<{ name: string; hash: string }>(
    'select name, hash from schema_migrations order by name',
  );
  const { rows } = await client.query<{
    postgres: string;
    edition: number;
    numbered: boolean;
    at: Date;
  }>(
    `select current_setting('server_version') as postgres, clock_timestamp() as at,
       (select coalesce(max(edition), 0) from schema_sql) as edition,
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

/** The lines of the heads file that the snapshot knows, in pieces; returns their number. */
export type HeadsUpTo = (no: number) => AsyncGenerator<Buffer, number>;

export interface BackupSource {
  client: pg.ClientBase;
  /** The program's version. */
  product: string;
  /** Names the secret key. */
  secretKey: string;
  heads: HeadsUpTo;
  /** Called with manifest and summary when everything is written. */
  done(manifest: Manifest, summary: Summary): void;
}

/** Opens the one snapshot that the whole backup is read from; nobody waits for it. */
const openSnapshot = async (client: pg.ClientBase): Promise<void> => {
  await client.query(textSettings);
  await client.query(
    `begin isolation level repeatable read read only; set local waystation.scope = 'all'`,
  );
  const { rows } = await client.query<{ there: boolean }>(
    `select to_regclass('public.schema_sql') is not null as there`,
  );
  if (!firstOf(rows).there)
    throw new BackupError('The database is empty: there is nothing to back up.');
};

/**
 * All records of a backup, in one transaction that sees one moment. `client` is the owner's, whose
 * connection the caller ends.
 */
export const backupRecords = async function* ({
  client,
  product,
  secretKey,
  heads,
  done,
}: BackupSource): AsyncGenerator<Buffer> {
  await openSnapshot(client);
  const tables = await backedUpTables(client);
  const manifest: Manifest = {
    format: 1,
    product,
    secret_key: secretKey,
    ...(await versionsOf(client)),
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
  parts.push(yield* partRecords('heads', heads(Number(firstOf(rows).no))));
  const summary: Summary = {
    parts,
    sequences: await sequencesOf(client),
    heads: await chainHeads(client),
  };
  await client.query('commit');
  yield jsonRecord(summary);
  done(manifest, summary);
};
