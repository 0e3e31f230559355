/** Measures the number of bytes that a parcel needs on disk, for the table in docs/scale.md. */
import type pg from 'pg';

interface TableSize {
  name: string;
  rows: number;
  bytes: number;
  indexes: number;
}

/** A table that needs fewer bytes for a parcel is not printed. It is only included in the sum. */
const leastBytes = 100;

/**
 * For each table, prints the number of rows and bytes per parcel. Also prints the sum over all
 * tables.
 */
export const printSizes = async (owner: pg.Client): Promise<void> => {
  const { rows } = await owner.query<TableSize & { parcels: number }>(`
    select c.relname as name, n.parcels, (c.reltuples / n.parcels)::float8 as rows,
      pg_total_relation_size(c.oid)::float8 / n.parcels as bytes, pg_indexes_size(c.oid)::float8 / n.parcels as indexes
    from pg_class c, (select reltuples::float8 as parcels from pg_class where oid = 'expresses'::regclass) n
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by bytes desc`);
  const whole = rows.reduce((sum, { bytes }) => sum + bytes, 0);
  console.log(`size of a parcel of ${rows[0]?.parcels}: ${(whole / 1_000).toFixed(1)} kB`);
  for (const { name, rows: n, bytes, indexes } of rows.filter((one) => one.bytes >= leastBytes))
    console.log(
      `   ${name}: ${n.toFixed(1)} rows, ${bytes.toFixed(0)} bytes, of these ${indexes.toFixed(0)} in indexes`,
    );
};
