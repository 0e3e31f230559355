import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { makeDueBaseCopy, makeDueTestRestore, watchWal } from './wal-archive.ts';
import { openDb, sql } from '#platform/db/db.ts';
import type { Db } from '#platform/db/db.ts';
import { silentLog } from '#platform/log.ts';
import { systemScope } from '#platform/db/scope.ts';
import { fingerprintOf } from '#platform/secrets/fingerprint.ts';
import { scratchFolder } from '#platform/scratch.ts';
import { lockWork } from '#platform/wal/single-run.ts';
import { readTestRestore } from '#platform/wal/test-restore-facts.ts';
import { testRestoreAge, walState } from '#platform/wal/wal-state.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';

const scope = systemScope('test');
const hour = 3_600_000;
const folder = mkdtempSync(join(tmpdir(), 'wal-archive-'));
// The tests' database server began long before the times in this file.
const present = new Date(Date.now() + 1_000 * hour);
// 02:30 in Shanghai: test restores begin at night.
present.setUTCHours(18, 30, 0, 0);
const name = `${present.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z-0a1b`;
const archive = join(folder, 'archive', name);
let app: TestApp;
let owner: Db;
beforeAll(async () => {
  const exchange = join(folder, 'data', 'postgres', 'waystation_wal');
  mkdirSync(exchange, { recursive: true });
  writeFileSync(join(exchange, 'archive'), `${name} none`);
  app = await createTestApp({
    walDir: join(folder, 'archive'),
    dataDir: join(folder, 'data'),
    walSeconds: 60,
  });
  owner = openDb({ connection: app.owner, max: 1, log: silentLog() });
  app.clock.set(present);
});
afterAll(async () => {
  await owner.close();
  await app.close();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  rmSync(archive, { recursive: true, force: true });
  mkdirSync(archive, { recursive: true });
  await owner.tx(
    scope,
    async ({ tx }) => void (await sql`truncate alerts, graphile_worker._private_jobs`.execute(tx)),
  );
});

const ago = (ms: number): Date => new Date(app.clock.now().getTime() - ms);
const segment = (no: number, age: number): void => {
  const file = join(archive, `00000001000000000000000${no}`);
  writeFileSync(file, '');
  utimesSync(file, ago(age), ago(age));
};
const base = (no: number, age: number, secret_key = fingerprintOf(app.config.secretKey)): void => {
  const name = `base-2026112${no}T000000Z`;
  const from = `00000001000000000000000${no}`;
  writeFileSync(join(archive, name), '');
  writeFileSync(
    join(archive, `${name}.json`),
    JSON.stringify({ format: 1, name, at: ago(age).toISOString(), from, to: from, secret_key }),
  );
};
const column = async (statement: ReturnType<typeof sql<{ value: string }>>): Promise<string[]> =>
  (await owner.tx(scope, (work) => statement.execute(work.tx))).rows.map(({ value }) => value);
const alerts = (): Promise<string[]> =>
  column(sql`select code || ' ' || params::text as value from alerts where closed_at is null`);
const jobs = (): Promise<string[]> =>
  column(sql`select task_identifier as value from graphile_worker.jobs order by id`);
const closeAlerts = (): Promise<void> =>
  owner.tx(scope, async ({ tx }) => void (await sql`truncate alerts`.execute(tx)));

it('an alert shows the time since the last archived WAL file, and closes when a file is archived', async () => {
  segment(1, hour);
  base(1, hour);
  await watchWal(app);
  expect(await alerts()).toEqual(['wal_stopped {"minutes": 60}']);
  segment(2, 10 * 60_000);
  await watchWal(app);
  expect(await alerts()).toEqual([]);
});

it('a base copy of the database is made if the last copy is missing, a day old or has another key, or if the WAL archive has a gap', async () => {
  const queued = async (): Promise<number> => {
    await watchWal(app);
    const found = (await jobs()).filter((task) => task === 'copy_base');
    await owner.tx(
      scope,
      async ({ tx }) => void (await sql`truncate graphile_worker._private_jobs`.execute(tx)),
    );
    return found.length;
  };
  expect(await queued(), 'nothing is archived').toBe(0);
  segment(1, 1_000);
  expect(await queued(), 'no copy').toBe(1);
  base(1, hour);
  expect(await queued(), 'a young copy').toBe(0);
  segment(3, 1_000);
  expect(await queued(), 'a hole').toBe(1);
  base(3, 25 * hour);
  segment(2, 1_000);
  rmSync(join(archive, 'base-20261121T000000Z'));
  expect(await queued(), 'an old copy').toBe(1);
  base(3, hour, 'another');
  expect(await queued(), 'a copy of another key').toBe(1);
});

it('a base copy that fails raises an alert with its reason and is tried again after an hour; a success closes the alert', async () => {
  segment(1, 1_000);
  const made = (reason: string | null): Promise<void> => makeDueBaseCopy(async () => reason)(app);
  await made('The base copy could not be written (ENOSPC).');
  expect(await alerts()).toEqual([
    'wal_base_failed {"reason": "The base copy could not be written (ENOSPC)."}',
  ]);
  const set = (age: number): Promise<void> =>
    owner.tx(
      scope,
      async ({ tx }) =>
        void (await sql`update alerts set at = ${ago(age)} where closed_at is null`.execute(tx)),
    );
  await set(hour / 2);
  await watchWal(app);
  expect(await jobs()).toEqual([]);
  await set(2 * hour);
  await watchWal(app);
  expect(await jobs()).toHaveLength(1);
  await made(null);
  expect(await alerts()).toEqual([]);
});

it('a database can be restored to any moment since the earliest base copy after which the WAL archive has no gap', async () => {
  const from = async (): Promise<string | null | undefined> =>
    (await app.db.tx(scope, (work) => walState(work, app.config, app.clock.now())))?.from_at;
  for (const no of [1, 2, 4, 5]) segment(no, hour);
  base(1, 5 * hour);
  expect(await from()).toBeNull();
  base(4, 3 * hour);
  base(5, 2 * hour);
  expect(await from()).toBe(ago(3 * hour).toISOString());
  segment(3, hour);
  expect(await from()).toBe(ago(5 * hour).toISOString());
});

it('the state of the WAL archive is empty if neither the product nor the database server archives', async () => {
  const state = await app.db.tx(scope, (work) =>
    walState(work, { ...app.config, walDir: null }, app.clock.now()),
  );
  expect(state).toBeNull();
});

const test = (
  at: number,
  problem: string | null,
  verified: number | null,
  ended: boolean | undefined = undefined,
): void =>
  writeFileSync(
    join(archive, 'test-restore.json'),
    JSON.stringify({
      format: 1,
      at: ago(at).toISOString(),
      ended,
      problem,
      verified_at: verified === null ? null : ago(verified).toISOString(),
    }),
  );

it('a test restore runs as soon as the archive can be restored, then once a week, and a day after a failed test restore', async () => {
  const queued = async (): Promise<string[]> => {
    await watchWal(app);
    const found = await jobs();
    await owner.tx(
      scope,
      async ({ tx }) => void (await sql`truncate graphile_worker._private_jobs`.execute(tx)),
    );
    return found;
  };
  segment(1, 1_000);
  expect(await queued(), 'no moment').toEqual(['copy_base']);
  base(1, hour);
  expect(await queued(), 'never restored').toEqual(['test_restore']);
  app.clock.set(new Date(present.getTime() + 12 * hour));
  expect(await queued(), 'by day').toEqual([]);
  app.clock.set(present);
  test(6 * 24 * hour, null, 6 * 24 * hour);
  expect(await queued(), 'verified this week').toEqual([]);
  test(7 * 24 * hour, null, 7 * 24 * hour);
  expect(await queued(), 'verified a week ago').toEqual(['test_restore']);
  test(11 * hour, 'missing', 200 * hour);
  expect(await queued(), 'failed tonight').toEqual([]);
  test(24 * hour, 'missing', 200 * hour);
  await closeAlerts();
  expect(await queued(), 'failed last night').toEqual(['test_restore']);
});

it('alerts are raised for a failed test restore, with its reason, and for a too old one, and a verified test restore closes both', async () => {
  segment(1, 1_000);
  base(1, hour);
  await makeDueTestRestore(async () => 'a segment is missing')(app);
  expect(await alerts()).toEqual(['wal_test_failed {"reason": "a segment is missing"}']);
  test(25 * hour, 'missing', 16 * 24 * hour);
  await watchWal(app);
  expect(await alerts()).toContain('wal_unverified {"days": 16}');
  await makeDueTestRestore(async () => null)(app);
  test(1_000, null, 1_000);
  await watchWal(app);
  expect(await alerts()).toEqual([]);
});

it('a job of the WAL archive is not queued again while a worker runs it', async () => {
  segment(1, 1_000);
  const lock = (): Promise<void> =>
    owner.tx(
      scope,
      async ({ tx }) =>
        void (await sql`update graphile_worker._private_jobs
          set locked_at = now(), locked_by = 'w'`.execute(tx)),
    );
  await watchWal(app);
  await lock();
  await watchWal(app);
  expect(await jobs()).toEqual(['copy_base']);
  base(1, hour);
  await watchWal(app);
  await lock();
  await watchWal(app);
  expect(await jobs()).toEqual(['copy_base', 'test_restore']);
});

it('no second test restore starts while one is running; a killed test restore is stored as failed and repeated the next night', async () => {
  segment(1, 1_000);
  base(1, hour);
  const lock = await lockWork(app.config.dataDir, 'test-restore');
  test(hour, null, 200 * hour, false);
  await watchWal(app);
  expect(await jobs()).toEqual([]);
  expect(await alerts()).toEqual([]);
  const scratch = await scratchFolder();
  const copy = join(scratch, 'restore-killed');
  mkdirSync(copy, { recursive: true });
  writeFileSync(join(lock!.folder, 'copy'), copy);
  lock!.release();
  await watchWal(app);
  expect(await jobs()).toEqual([]);
  const killed = 'The test restore was killed before it ended.';
  expect(await alerts()).toEqual([`wal_test_failed {"reason": "${killed}"}`]);
  expect(await readTestRestore(archive)).toMatchObject({ ended: true, problem: killed });
  expect(existsSync(copy)).toBe(false);
});

it('the result of a manual test restore raises and closes the alert of the WAL archive', async () => {
  segment(1, 1_000);
  base(1, hour);
  test(hour, 'a segment is missing', null);
  await watchWal(app);
  expect(await alerts()).toEqual(['wal_test_failed {"reason": "a segment is missing"}']);
  test(1_000, null, 1_000);
  await watchWal(app);
  expect(await alerts()).toEqual([]);
});

it('the alerts of the WAL archive do not change while it cannot be reached, and the age of the last test restore stays known', async () => {
  segment(1, 1_000);
  base(1, hour);
  test(hour, 'missing', 16 * 24 * hour);
  await watchWal(app);
  const before = await alerts();
  expect(before).toHaveLength(2);
  renameSync(archive, `${archive}.away`);
  await watchWal(app);
  expect(await alerts()).toEqual(expect.arrayContaining(before));
  expect(await testRestoreAge(app.config, app.clock.now())).toBe((16 * 24 * hour) / 1_000);
  renameSync(`${archive}.away`, archive);
});
