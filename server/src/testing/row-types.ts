import type pg from 'pg';

interface Column {
  table: string;
  name: string;
  type: string;
  nullable: boolean;
  optional: boolean;
  /** True if only the database writes the column. */
  generated: boolean;
  /** The check constraints that concern only this column, including those of its domain. */
  checks: string[];
}

const columnsOf = async (client: pg.Client): Promise<Column[]> => {
  const { rows } = await client.query<Column>(`
    select c.relname as table, a.attname as name, format_type(coalesce(nullif(t.typbasetype, 0), t.oid), null) as type,
      not a.attnotnull and not calculated.whole as nullable, a.atthasdef or a.attidentity <> '' as optional, a.attgenerated <> '' or a.attidentity = 'a' as generated,
      array(select pg_get_constraintdef(k.oid) from pg_constraint k
        where k.contype = 'c' and ((k.conrelid = c.oid and k.conkey = array[a.attnum]) or (k.contypid = t.oid and t.typtype = 'd')) order by k.conname) as checks
    from pg_class c join pg_attribute a on a.attrelid = c.oid join pg_type t on t.oid = a.atttypid
      -- Calculated from columns that are never null, by arithmetic: never null either.
      cross join lateral (select a.attgenerated <> '' and coalesce(bool_and(i.attnotnull), false) as whole
        from pg_attrdef f join pg_depend d on d.classid = 'pg_attrdef'::regclass and d.objid = f.oid and d.refobjid = c.oid and d.refobjsubid not in (0, a.attnum)
          join pg_attribute i on i.attrelid = c.oid and i.attnum = d.refobjsubid
        where f.adrelid = c.oid and f.adnum = a.attnum) calculated
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
    order by c.relname collate "C", a.attnum`);
  return rows;
};

/**
 * The types of values when they are read (platform/db/db.ts): bigint is a safe number, and numeric
 * and date are texts.
 */
const arrivesAs: Readonly<Record<string, string>> = {
  bigint: 'number',
  integer: 'number',
  smallint: 'number',
  'double precision': 'number',
  numeric: 'string',
  date: 'string',
  text: 'string',
  'character varying': 'string',
  uuid: 'string',
  xid8: 'string',
  boolean: 'boolean',
  bytea: 'Buffer',
  'timestamp with time zone': 'Timestamp',
  'bigint[]': 'number[]',
  'integer[]': 'number[]',
  'text[]': 'string[]',
  'timestamp with time zone[]': 'Date[]',
};

/**
 * Returns the values that a check `column in (…)` allows, as a union of literals. Returns undefined
 * if the column has no such check. For carrier codes it returns the contract's type `Provider`.
 */
const literalsOf = ({ checks }: Column): string | undefined => {
  for (const check of checks) {
    if (/^CHECK \(is_provider\(\w+\)\)/.test(check)) return 'Provider';
    const [, list] =
      /^CHECK \(\(\(?\w+\)?(?:::text)? = ANY \(\(?ARRAY\[([^\]]*)\]\)?(?:::\w+\[\])?\)\)\)$/.exec(
        check,
      ) ?? [];
    if (list !== undefined) return list.replaceAll(/::[a-z ]+/g, '').replaceAll(', ', ' | ');
  }
  return undefined;
};

const typeOf = (column: Column): string => {
  const { table, name, type, nullable, optional, generated } = column;
  const base =
    type === 'jsonb'
      ? `Json<JsonColumns['${table}.${name}']>`
      : (literalsOf(column) ?? arrivesAs[type]);
  if (base === undefined)
    throw new Error(
      `${table}.${name} is ${type}, of which row-types.ts does not know how it arrives`,
    );
  const whole = nullable ? `${base} | null` : base;
  if (generated) return `GeneratedAlways<${whole}>`;
  return optional ? `Generated<${whole}>` : whole;
};

const head = `// Generated from the migrated database by \`npm run generate\`; never edited. json-columns.ts has the types of jsonb columns.
import type { ColumnType, GeneratedAlways } from 'kysely';
import type { Provider } from '@waystation/contract/network/provider.ts';
import type { JsonColumns } from './json-columns.ts';

/** Read as \`T\`, written as text (\`jsonText\`). */
type Json<T> = ColumnType<T, string, string>;
type Timestamp = ColumnType<Date, Date | string, Date | string>;
/** The table has a default for it. */
type Generated<T> = T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S, I | undefined, U> : ColumnType<T, T | undefined, T>;
`;

/**
 * Tables for which every SQL statement lists the columns. With `*` the statement would be parsed
 * and planned each time.
 */
const named = ['expresses'];

const listOf = (columns: readonly Column[]): string =>
  `[${columns.map(({ name }) => `'${name}'`).join(', ')}]`;

/**
 * Returns source text with the names of all columns of a table, and with the names of its jsonb
 * columns.
 */
const namesOf = (table: string, columns: readonly Column[]): string =>
  `${table}: { all: ${listOf(columns)}, json: ${listOf(columns.filter(({ type }) => type === 'jsonb'))} },`;

/**
 * Source text of the row types of every table and view, of a database that is migrated; a
 * check \`in (…)\` becomes a union of literals. The names of some tables' columns follow. Not formatted.
 */
export const rowTypesOf = async (client: pg.Client): Promise<string> => {
  const tables = Map.groupBy(await columnsOf(client), ({ table }) => table);
  const body = [...tables].map(
    ([table, columns]) =>
      `${table}: {\n${columns.map((column) => `${column.name}: ${typeOf(column)};`).join('\n')}\n};`,
  );
  const names = named.map((table) => namesOf(table, tables.get(table)!));
  return `${head}\nexport interface Schema {\n${body.join('\n')}\n}\n\n/** Columns by name. */\nexport const columnNames = {\n${names.join('\n')}\n} as const;\n`;
};
