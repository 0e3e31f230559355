import type pg from 'pg';
import type { TableFacts } from './archive.ts';

/**
 * Tables that a backup leaves out, because their rows belong to one running database: applied
 * migrations, short-lived events with transaction numbers, heartbeats of workers, and a ledger
 * check in progress. That check must not continue among rows that it has not read.
 */
const left = [
  'public.schema_migrations',
  'public.schema_sql',
  'public.live_events',
  'public.live_event_log',
  'public.worker_heartbeats',
  'public.ledger_walks',
  'graphile_worker.migrations',
];

/** Returns every table with rows of the product, in the order of their names. */
export const backedUpTables = async (client: pg.ClientBase): Promise<TableFacts[]> =>
  (
    await client.query<TableFacts>(
      `select n.nspname as schema, c.relname as name,
         array_agg(a.attname::text order by a.attnum) as columns
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
         join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       where n.nspname in ('public', 'graphile_worker') and c.relkind = 'r' and a.attgenerated = ''
         and n.nspname || '.' || c.relname <> all ($1::text[])
       group by 1, 2 order by 1 desc, 2`,
      [left],
    )
  ).rows;

export const nameOf = ({ schema, name }: Pick<TableFacts, 'schema' | 'name'>): string =>
  `${schema}.${name}`;

const identifier = (text: string): string => `"${text.replaceAll('"', '""')}"`;

export const quoted = ({ schema, name }: Pick<TableFacts, 'schema' | 'name'>): string =>
  `${identifier(schema)}.${identifier(name)}`;

export const columnsOf = ({ columns }: TableFacts): string => columns.map(identifier).join(', ');

/**
 * Returns the last number that each sequence has given, by the sequence's name; 0 if it has given
 * none.
 */
export const sequencesOf = async (client: pg.ClientBase): Promise<Record<string, number>> => {
  const { rows } = await client.query<{ name: string; last: string }>(
    `select schemaname || '.' || sequencename as name, coalesce(last_value, 0) as last
     from pg_sequences where schemaname in ('public', 'graphile_worker') order by 1`,
  );
  return Object.fromEntries(rows.map(({ name, last }) => [name, Number(last)]));
};
