import { join } from 'node:path';
import type { Express } from '@waystation/contract/parcels/express.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { prove } from '#domain/ledger/ledger.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { migrate, readSchema } from '#platform/db/migrate.ts';
import type { Schema } from '#platform/db/migrate.ts';
import { createLog } from '#platform/log.ts';
import { appRole } from '#testing/cluster.ts';
import { exampleOrder, openTestSystem } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';

let system: TestSystem;
beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 100_000_000);
});
afterAll(() => system?.close());

const present = readSchema(join(import.meta.dirname, '..'));
/** A schema whose files are all changed, so that every policy and trigger is created again. */
const later = (editions: number): Schema => ({
  ...present,
  sql: {
    edition: present.sql.edition + editions,
    files: present.sql.files.map(({ name, text }, at) => ({
      name,
      text: `${text}-- ${editions}\n${at === 0 ? 'create or replace function added_later() returns integer language sql as $$ select 1 $$;\n' : ''}`,
    })),
  },
});
const migrateTo = (schema: Schema): Promise<void> =>
  migrate(system.database.owner, schema, {
    appRole,
    log: createLog(process.env['WAYSTATION_TEST_LOG'] ?? 'silent'),
  });

it('every request to a running server succeeds while the SQL of a newer version is applied to its database', async () => {
  const token = await system.login('admin');
  const station_id = system.station('nanshan').id;
  const answers: [string, number][] = [];
  let key = 0;
  let upgrading = true;
  const repeat = async (what: string, ask: () => Promise<{ status: number }>): Promise<void> => {
    while (upgrading) answers.push([what, (await ask()).status]);
  };
  const order = () =>
    system.call<Express>(
      { token, headers: { 'idempotency-key': `upgrade-order-${++key}` } },
      'POST',
      '/api/arco/expresses',
      exampleOrder({ station_id }),
    );
  const serving = Promise.all([
    repeat('order', order),
    repeat('order', order),
    repeat('parcels', () => system.call(token, 'GET', '/api/arco/expresses?limit=20')),
    repeat('statements', () => system.call(token, 'GET', '/api/arco/statements?limit=20')),
    repeat('login', async () => ({ status: (await system.login('admin')) ? 200 : 401 })),
  ]);
  for (const editions of [1, 2, 3])
    await migrateTo(later(editions)).finally(() => (upgrading = editions < 3));
  await serving;
  expect(answers.filter(([, status]) => status !== 200)).toEqual([]);
  expect(new Set(answers.map(([what]) => what))).toEqual(
    new Set(['order', 'parcels', 'statements', 'login']),
  );
  // A restart of the version before does not change the newer SQL.
  await migrateTo(present);
  await system.app.db.tx(systemScope('test'), (work) => sql`select added_later()`.execute(work.tx));
  expect(await prove(system.app, { full: true, at: new Date() })).toMatchObject({
    ok: true,
    breaks: [],
  });
});

/**
 * A later version that renames a table: a migration leaves a view with the old name, and the next
 * edition of the SQL files uses the new name.
 */
const renaming = (): Schema => {
  const { edition, files } = later(4).sql;
  const text = `alter table prints rename to label_prints;
    create view prints with (security_invoker = true) as select * from label_prints;
    grant select, insert, update on prints to {{app_role}};`;
  return {
    migrations: [...present.migrations, { name: '9000_label_prints.sql', text, hash: 'planted' }],
    sql: {
      edition,
      files: files.map((file) => ({
        ...file,
        text: file.text.replaceAll(/\bprints\b/g, 'label_prints'),
      })),
    },
  };
};

it('a program of the previous version can write to a renamed table under its old name, but only rows within its scope', async () => {
  const { db } = system.app;
  const [nanshan, pudong] = [system.station('nanshan').id, system.station('pudong').id];
  await migrateTo(renaming());
  const write = (station_id: number) =>
    db.tx({ kind: 'stations', stations: [nanshan], account: null }, (work) =>
      sql<{ id: number }>`insert into prints (express_id, station_id, delivery_id, user_id,
        print_count, format)
        select id, ${station_id}, order_id, user_id, 1, '76x130' from expresses
          where station_id = ${nanshan} order by id limit 1 returning id`.execute(work.tx),
    );
  const [made] = (await write(nanshan)).rows;
  await expect(write(pudong)).rejects.toThrow('row-level security');
  const { rows } = await db.tx(systemScope('test'), (work) =>
    sql`update prints
    set result = 'ok' where id = ${made!.id} returning 1`.execute(work.tx),
  );
  expect(rows).toHaveLength(1);
  const stored = await db.tx(systemScope('test'), (work) =>
    sql`select result from label_prints where id = ${made!.id}`.execute(work.tx),
  );
  expect(stored.rows).toEqual([{ result: 'ok' }]);
});

it('the previous version of the product does not start if the next version has migrated the database', async () => {
  await expect(migrateTo(present)).rejects.toThrow(
    'the database has migration 9000_label_prints.sql, which this version does not know',
  );
});
