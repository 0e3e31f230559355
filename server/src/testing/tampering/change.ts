/** One byte of one value that the proof answers for, changed by a superuser with every trigger and constraint off. */
import { sql } from '#platform/db/db.ts';
import type { Db, Tx } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';

const scope = systemScope('tampering');

/** Table → the columns that are left out, or those alone that are meant. */
const tables: { table: string; without?: string[]; only?: string[] }[] = [
  { table: 'ledger_transfers' },
  { table: 'ledger_entries' },
  { table: 'statements' },
  { table: 'ledger_chain' },
  // Names for people, which no sum depends on.
  { table: 'ledger_holds', without: ['order_id', 'delivery_id'] },
  { table: 'stations', only: ['money', 'freeze'] },
];

/** Numbers from 0 on, below what is asked for; the same for the same seed. */
export const chanceOf = (seed: number): ((below: number) => number) => {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
};

const bits: Record<string, number> = { int2: 15, int4: 31, int8: 64 };

/** The column with one bit or one character of it changed. */
const changed = (column: string, type: string, kind: string, random: number): string => {
  const value = `"${column}"`;
  if (type in bits) return `${value} # (1::${type} << ${random % bits[type]!})`;
  if (type === 'bytea') return `set_bit(${value}, ${random} % (length(${value}) * 8), 1 - get_bit(${value}, ${random} % (length(${value}) * 8)))`;
  if (type === 'timestamptz') return `${value} + ${2 ** (random % 41)} * interval '1 microsecond'`;
  if (kind === 'e')
    return `(enum_range(${value}))[1 + (array_position(enum_range(null::${type}), ${value}) + ${random}) % cardinality(enum_range(null::${type}))]`;
  const at = `(1 + ${random} % length(${value}))`;
  return `overlay(${value} placing chr(ascii(substr(${value}, ${at}, 1)) # 1) from ${at} for 1)`;
};

export interface Tampered {
  /** Table, column and row. */
  where: string;
  /** What the proof says of it; none: it was not found. */
  breaks: string[];
}

const undone = new Error('undone');

/** A value there is already, one out of range, one that a check forbids: the database does not take it even from a superuser. */
const refusals = new Set(['23505', '22003', '22008', '23514']);

const columnsOf = async (tx: Tx, table: string): Promise<{ name: string; type: string; kind: string }[]> =>
  (
    await sql<{
      name: string;
      type: string;
      kind: string;
    }>`select a.attname as name, t.typname as type, t.typtype::text as kind from pg_attribute a join pg_type t on t.oid = a.atttypid
      where a.attrelid = ${table}::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum`.execute(tx)
  ).rows;

/** Changes one byte somewhere, proves everything, and puts it back. Null: nothing could be changed there, such as a byte of an empty text. */
export const tamperOnce = async (owner: Db, chance: (below: number) => number): Promise<Tampered | null> => {
  const { table, without = [], only } = tables[chance(tables.length)]!;
  const [row, column, random] = [chance(1_000_000), chance(1_000_000), chance(1_000_000)];
  let tampered: Tampered | null = null;
  await owner
    .tx(scope, async (tx) => {
      await sql`set local statement_timeout = 0`.execute(tx);
      await sql`set local session_replication_role = replica`.execute(tx);
      const columns = (await columnsOf(tx, table)).filter(({ name }) => (only ? only.includes(name) : !without.includes(name)));
      const { name, type, kind } = columns[column % columns.length]!;
      const { rows } = await sql
        .raw<{ ctid: string; empty: boolean }>(`select ctid::text, coalesce("${name}"::text, '') in ('', '\\x') as empty from ${table}
        order by ctid offset ${row} % (select count(*) from ${table}) limit 1`)
        .execute(tx);
      const place = rows[0]!;
      if (place.empty) throw undone;
      await sql
        .raw(`update ${table} set "${name}" = ${changed(name, type, kind, random)} where ctid = '${place.ctid}'`)
        .execute(tx)
        .catch((error: unknown) => {
          if (refusals.has((error as { code?: string }).code ?? '')) throw undone;
          throw error;
        });
      const found = await sql<{ line: string }>`select invariant || ' ' || subject as line from ledger_proof(true) where invariant is not null`.execute(tx);
      tampered = { where: `${table}.${name} at ${place.ctid}`, breaks: found.rows.map(({ line }) => line) };
      throw undone;
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error;
    });
  return tampered;
};
