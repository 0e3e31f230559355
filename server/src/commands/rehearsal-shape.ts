import pg from 'pg';
import { firstOf } from '@waystation/contract/base/present.ts';

interface Table {
  rows: number;
  bytes: number;
}

/**
 * The objects of a database, such as tables, views and columns, by name. For each table it also has
 * the number of rows and bytes.
 */
export interface Shape {
  parts: Map<string, string>;
  tables: Map<string, Table>;
}

const partsQuery = `
  select 'table ' || relname as name, '' as text from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
  union all select 'view ' || relname, '' from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('v', 'm')
  union all select 'column ' || relname || '.' || attname,
      format_type(atttypid, atttypmod) || case when attnotnull then ' not null' else '' end
      || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')
    from pg_attribute a join pg_class c on c.oid = attrelid
      left join pg_attrdef d on d.adrelid = attrelid and d.adnum = attnum
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attnum > 0 and not attisdropped
  union all select 'index ' || indexname, regexp_replace(indexdef, '^.* USING ', '') || ' on ' || tablename
    from pg_indexes where schemaname = 'public'
  union all select 'constraint ' || conrelid::regclass || '.' || conname, pg_get_constraintdef(oid)
    from pg_constraint where connamespace = 'public'::regnamespace and contype in ('c', 'f', 'u', 'x')
      and conrelid <> 0`;

/** Reads the shape of the owner's database, with the number of rows in each table. */
export const readShape = async (client: pg.ClientBase): Promise<Shape> => {
  await client.query(`set waystation.scope = 'all'; set statement_timeout = 0`);
  const { rows } = await client.query<{ name: string; text: string }>(partsQuery);
  const parts = new Map(rows.map(({ name, text }) => [name, text]));
  const tables = new Map<string, Table>();
  for (const name of [...parts.keys()].filter((one) => one.startsWith('table '))) {
    const table = name.slice('table '.length);
    const counted = await client.query<{ rows: string; bytes: string }>(
      `select count(*) as rows, pg_total_relation_size($1::regclass) as bytes from ${pg.escapeIdentifier(table)}`,
      [`public.${pg.escapeIdentifier(table)}`],
    );
    const { rows: n, bytes } = firstOf(counted.rows);
    tables.set(table, { rows: Number(n), bytes: Number(bytes) });
  }
  return { parts, tables };
};

/** True if a part is a column of a new table. Such a table is already listed as new. */
const ofNewTable = (name: string, added: ReadonlySet<string>): boolean =>
  name.startsWith('column ') && added.has(`table ${name.slice('column '.length).split('.')[0]}`);

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/**
 * The number of bytes below which a change of a table's size is not listed, unless its rows
 * changed.
 */
const leastBytes = 1e6;

/** Returns the report's lines about the differences between two database shapes. */
export const shapeChanges = (before: Shape, after: Shape): string[] => {
  const names = [...new Set([...before.parts.keys(), ...after.parts.keys()])].toSorted();
  const added = new Set(names.filter((name) => !before.parts.has(name)));
  const removed = new Set(names.filter((name) => !after.parts.has(name)));
  const parts = names.flatMap((name) => {
    const [was, is] = [before.parts.get(name), after.parts.get(name)];
    if (was === is || ofNewTable(name, added) || ofNewTable(name, removed)) return [];
    if (was === undefined) return [`+ ${name} ${is}`.trimEnd()];
    if (is === undefined) return [`- ${name} ${was}`.trimEnd()];
    return [`~ ${name}: ${was} -> ${is}`];
  });
  const tables = [...after.tables].flatMap(([name, is]) => {
    if (name === 'schema_migrations') return [];
    const was = before.tables.get(name) ?? { rows: 0, bytes: 0 };
    if (was.rows === is.rows && Math.abs(is.bytes - was.bytes) < leastBytes) return [];
    return [
      `~ ${name}: ${was.rows} -> ${is.rows} rows, ${megabytes(was.bytes)} -> ${megabytes(is.bytes)}`,
    ];
  });
  return [...parts, ...tables];
};
