import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { beforeAll, expect, it } from 'vitest';
import { clusterConnection, templateDatabase } from '#testing/cluster.ts';

interface Index {
  table: string;
  name: string;
  unique: boolean;
  comment: string | null;
}

let indexes: Index[] = [];
beforeAll(async () => {
  const client = new pg.Client({ ...clusterConnection(), database: await templateDatabase() });
  await client.connect();
  // Indexes of primary keys and unique constraints need no comment in the database.
  const { rows } = await client.query<Index>(`
    select t.relname as table, c.relname as name, i.indisunique as unique, obj_description(c.oid, 'pg_class') as comment
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
    where c.relnamespace = 'public'::regnamespace and not exists (select 1 from pg_constraint k where k.conindid = c.oid and k.contype in ('p', 'u'))
    order by 1, 2`);
  indexes = rows;
  await client.end();
});

const server = join(import.meta.dirname, '..', '..', '..');
const sources = ['src', 'sql'].flatMap((folder) =>
  readdirSync(join(server, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:ts|sql)$/.test(name) && !/\.test\.ts$|^testing\//.test(name))
    .map((name) => ({
      name: join(folder, name),
      text: readFileSync(join(server, folder, name), 'utf8'),
    })),
);

it('every index has a comment, and the comment begins with “Unique: ” exactly if the index is unique', () => {
  expect(indexes.length).toBeGreaterThan(50);
  expect(indexes.filter(({ comment }) => comment === null).map(({ name }) => name)).toEqual([]);
  expect(
    indexes
      .filter(({ unique, comment }) => unique !== comment!.startsWith('Unique: '))
      .map(({ name }) => name),
  ).toEqual([]);
});

/**
 * Returns what a comment mentions: files and folders of the server, and functions of server/sql.
 */
const namesIn = (comment: string): string[] =>
  comment.match(
    /[\w/-]+\.(?:ts|sql)\b|\b(?:domain|features|platform)\/[\w-]+(?![\w./-])|\bledger_\w+\b/g,
  ) ?? [];

const sourcesOf = (named: string) =>
  sources.filter(({ name, text }) => {
    if (named.startsWith('ledger_')) return text.includes(`function ${named}(`);
    return /\.(?:ts|sql)$/.test(named)
      ? `server/${name}`.endsWith(`/${named}`) || `server/${name}` === named
      : name.startsWith(`src/${named}/`);
  });

it('a comment on a database index mentions only files and functions that exist', () => {
  const lost = indexes.flatMap(({ name, comment }) =>
    namesIn(comment ?? '').flatMap((named) =>
      sourcesOf(named).length > 0 ? [] : [`${name}: ${named}`],
    ),
  );
  expect(lost).toEqual([]);
});

it('the comment on every non-unique index mentions a file or function that reads the index’s table', () => {
  const reads = ({ table, comment }: Index) =>
    namesIn(comment ?? '')
      .flatMap(sourcesOf)
      .some(({ text }) => new RegExp(String.raw`\b${table}\b`).test(text));
  expect(indexes.filter((index) => !index.unique && !reads(index)).map(({ name }) => name)).toEqual(
    [],
  );
});
