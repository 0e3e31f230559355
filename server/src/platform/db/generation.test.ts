import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, it } from 'vitest';
import { startEmbeddedPostgres } from '#platform/embedded/embedded.ts';
import type { OwnerConnection } from '#platform/embedded/embedded.ts';
import { silentLog } from '#platform/log.ts';
import { appRole, createTestDatabase } from '#testing/cluster.ts';
import { migrate, readSchema } from './migrate.ts';

const server = join(import.meta.dirname, '..', '..', '..');
const folder = join(server, '..', '.build', `generation-${process.pid}`);
const log = silentLog();

const ask = async <T>(connection: pg.ClientConfig, text: string): Promise<T[]> => {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query<pg.QueryResultRow>(text)).rows.map((row) => Object.values(row)[0]);
  } finally {
    await client.end();
  }
};

const withServer = async (run: (owner: OwnerConnection) => Promise<void>): Promise<void> => {
  const embedded = await startEmbeddedPostgres({ dataDir: folder, log });
  try {
    await run(embedded.connection);
  } finally {
    await embedded.stop();
  }
};

it('the first order after the promotion of a standby has a number above all, and so has every id', async () => {
  mkdirSync(folder, { recursive: true });
  try {
    await withServer(async (owner) => {
      await migrate(owner, readSchema(server), appRole, log);
      const app = { ...owner, user: appRole.name };
      expect(await ask(app, 'select raise_generation_if_moved()')).toEqual([null]);
      expect(await ask(app, 'select next_order_number()')).toEqual(['1']);
      expect(await ask(app, 'select raise_generation_if_moved()')).toEqual([null]);
    });
    writeFileSync(join(realpathSync(join(folder, 'postgres')), 'standby.signal'), '');
    await withServer(async (owner) => {
      const app = { ...owner, user: appRole.name };
      expect(await ask(owner, 'select pg_promote()')).toEqual([true]);
      const floor = (Date.now() - Date.UTC(2026, 0, 1)) / 1_000;
      const [number] = await ask<string>(app, 'select next_order_number()');
      expect(Number(number) / 1_000).toBeGreaterThan(floor - 5);
      expect(Number(number) / 1_000).toBeLessThan(floor + 600);
      const [id] = await ask<string>(owner, `select nextval('expresses_id_seq')`);
      expect(Number(id) / 10_000).toBeGreaterThan(floor - 5);
      expect(await ask(app, 'select raise_generation_if_moved()')).toEqual([null]);
      expect(await ask(app, 'select next_order_number()')).toEqual([String(Number(number) + 1)]);
      expect(await ask(owner, 'select cause from number_generations order by no')).toEqual([
        'first',
        'timeline',
      ]);
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('a database that was loaded into another cluster goes on above all numbers at its first start', async () => {
  const database = await createTestDatabase();
  try {
    const moved = 'select raise_generation_if_moved()';
    expect(await ask(database.connection, moved)).toEqual([null]);
    await ask(database.owner, `update number_generations set system_identifier = 'another'`);
    expect(await ask(database.connection, moved)).toEqual(['system']);
    expect(await ask(database.connection, moved)).toEqual([null]);
    const raised = await ask<string>(
      database.owner,
      `select sequencename from pg_sequences where schemaname = 'public' and last_value < 100000`,
    );
    expect(raised).toEqual([]);
  } finally {
    await database.drop();
  }
});
