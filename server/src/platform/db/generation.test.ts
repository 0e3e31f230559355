import { chmodSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, it } from 'vitest';
import { startEmbeddedPostgres } from '#platform/embedded/embedded.ts';
import type { OwnerConnection } from '#platform/embedded/embedded.ts';
import { silentLog } from '#platform/log.ts';
import { appRole, createTestDatabase } from '#testing/cluster.ts';
import { quickFolder } from '#testing/quick-folder.ts';
import { isUnavailable, openDb, sql } from './db.ts';
import type { Db } from './db.ts';
import { useInstallation } from './generation.ts';
import { MigrationError, migrate, readSchema } from './migrate.ts';
import { systemScope } from './scope.ts';

const server = join(import.meta.dirname, '..', '..', '..');
const folder = quickFolder('generation-');
chmodSync(folder, 0o711);
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

const scope = systemScope('test');
const openAs = (connection: pg.ClientConfig): Db => openDb({ connection, max: 1, log });

it('a standby database gives no order number; after its promotion, the first id and order number are above all earlier ones', async () => {
  try {
    await withServer(async (owner) => {
      await migrate(owner, readSchema(server), { appRole, log });
      const app = { ...owner, user: appRole.name };
      expect(await ask(app, 'select raise_generation_if_moved()')).toEqual([null]);
      expect(await ask(app, 'select next_order_number()')).toEqual(['1']);
      expect(await ask(app, 'select raise_generation_if_moved()')).toEqual([null]);
    });
    writeFileSync(join(realpathSync(join(folder, 'postgres')), 'standby.signal'), '');
    await withServer(async (owner) => {
      const app = { ...owner, user: appRole.name };
      const early = await ask(app, 'select next_order_number()').catch((error) => error);
      expect([(early as { code: string }).code, isUnavailable(early)]).toEqual(['55000', true]);
      expect(await ask(owner, 'select pg_promote()')).toEqual([true]);
      const floor = (Date.now() - Date.UTC(2026, 0, 1)) / 1_000;
      const db = openAs(owner);
      const [made] = await db.rows(
        scope,
        sql<{
          id: number;
        }>`insert into backups (begun_at, stored_as) values (now(), 'a') returning id`,
      );
      await db.close();
      expect(made!.id / 10_000).toBeGreaterThan(floor - 5);
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

it('after a standby is promoted, an order on an older connection fails, and a new connection first raises the number generation', async () => {
  const database = await createTestDatabase();
  const db = openAs(database.connection);
  try {
    const number = sql<{ n: number }>`select next_order_number() as n`;
    const [before] = await db.rows(scope, number);
    await ask(database.owner, `update number_generations set timeline = 'another'`);
    const refused = await db.tx(scope, (work) => number.execute(work.tx)).catch((error) => error);
    expect(isUnavailable(refused)).toBe(true);
    const count = 'select count(*)::int from number_generations';
    expect(await ask(database.owner, count)).toEqual([1]);
    const [after] = await db.rows(scope, number);
    expect(after!.n).toBeGreaterThan(before!.n + 100_000);
    expect(await ask(database.owner, count)).toEqual([2]);
  } finally {
    await db.close();
    await database.drop();
  }
});

it('the database counts as unavailable after errors of a lost connection or a stopping server, and after no other error', () => {
  const codes = ['57P04', '08007', '40003', '53400', 'ECONNABORTED', 'EPROTO', '55000'];
  expect(
    codes.filter((code) => !isUnavailable(Object.assign(new Error('away'), { code }))),
  ).toEqual(['55000']);
});

it('if the number generation is raised twice from the same state, the new ids differ, and the gap of ids begins at the newest parcel', async () => {
  const database = await createTestDatabase();
  try {
    const top = 2e13;
    const starts: number[] = [];
    for (let n = 0; n < 2; n++) {
      await ask(database.owner, `select setval('expresses_id_seq', ${top})`);
      await ask(database.owner, `select raise_generation('timeline')`);
      const [start] = await ask<string>(database.owner, `select nextval('expresses_id_seq')`);
      starts.push(Number(start));
    }
    expect(Math.min(...starts)).toBeGreaterThan(top + 100_000);
    expect(Math.abs(starts[0]! - starts[1]!)).toBeGreaterThan(100);
    expect(
      await ask(
        database.owner,
        'select parcels_below from number_generations where parcels_above > 0',
      ),
    ).toEqual(['0', '0']);
  } finally {
    await database.drop();
  }
});

it('the first start of a database that was restored into another cluster raises its ids and order numbers above all earlier ones', async () => {
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

it('all new ids and order numbers are in the number range of the installation; changing the installation number to a lower one is refused', async () => {
  const database = await createTestDatabase();
  const first = async (): Promise<number[]> => [
    Number((await ask<string>(database.owner, `select nextval('expresses_id_seq')`))[0]),
    Number((await ask<string>(database.owner, 'select next_order_number()'))[0]),
  ];
  const cells = (numbers: number[]): number[] => [
    Math.floor(numbers[0]! / 2 ** 45),
    Math.floor(numbers[1]! / 1e12),
  ];
  const raises = 'select cause from number_generations order by no';
  try {
    const [before] = await first();
    await useInstallation(database.owner, 0, log);
    expect(await ask(database.owner, raises)).not.toContain('installation');
    await useInstallation(database.owner, 255, log);
    const numbers = await first();
    expect(cells(numbers)).toEqual([255, 255]);
    expect(numbers[0]).toBeGreaterThan(before!);
    expect(Number.isSafeInteger(numbers[0]! + 1e12)).toBe(true);
    // A region of the freight template with the highest id has a different key from all others.
    const top = Number.MAX_SAFE_INTEGER;
    const keys = `select area_use_key(n, 659000) from unnest(array[7, ${top - 1}, ${top}]) n`;
    expect(new Set(await ask(database.owner, keys)).size).toBe(3);
    await useInstallation(database.owner, 255, log);
    await ask(database.owner, `select raise_generation('restore')`);
    const later = await first();
    expect([cells(later), later[0]! > numbers[0]!]).toEqual([[255, 255], true]);
    const causes = await ask(database.owner, raises);
    expect(causes.slice(-2)).toEqual(['installation', 'restore']);
    await expect(useInstallation(database.owner, 3, log)).rejects.toThrow(MigrationError);
    expect(await ask(database.owner, raises)).toEqual(causes);
    await ask(database.owner, `select setval('express_order_numbers', 256 * 1000000000000 - 5)`);
    await expect(ask(database.owner, `select raise_generation('restore')`)).rejects.toThrow(
      'the numbers of express_order_numbers are used up for installation 255',
    );
  } finally {
    await database.drop();
  }
});
