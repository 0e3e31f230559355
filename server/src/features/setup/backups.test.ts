import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { makeDueBackup, queueDueBackup, watchBackups } from './backups.ts';
import { openDb, sql } from '#platform/db/db.ts';
import type { Db } from '#platform/db/db.ts';
import { silentLog } from '#platform/log.ts';
import { systemScope } from '#platform/db/scope.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';

const scope = systemScope('test');
const day = 86_400_000;
let app: TestApp;
let owner: Db;
beforeAll(async () => {
  app = await createTestApp({ backupDir: '/nonexistent' });
  owner = openDb({ connection: app.owner, max: 1, log: silentLog() });
});
afterAll(async () => {
  await owner.close();
  await app.close();
});
beforeEach(() =>
  asOwner(sql`truncate backups, alerts, number_generations, graphile_worker._private_jobs`),
);

const asOwner = (statement: ReturnType<typeof sql>): Promise<void> =>
  owner.tx(scope, async (work) => void (await statement.execute(work.tx)));
const setClock = (time: string): void => app.clock.set(new Date(`2026-03-02T${time}:00+08:00`));
const made = (ago: { backup: number; verified: number | null }): Promise<void> => {
  const now = app.clock.now().getTime();
  const [at, verified] = [
    new Date(now - ago.backup),
    ago.verified === null ? null : new Date(now - ago.verified),
  ];
  return asOwner(sql`insert into backups (begun_at, stored_as, finished_at, verified_at)
    values (${at}, 'a', ${at}, ${verified})`);
};
const column = async (statement: ReturnType<typeof sql<{ value: string }>>): Promise<string[]> =>
  (await owner.tx(scope, (work) => statement.execute(work.tx))).rows.map(({ value }) => value);
const jobs = (): Promise<string[]> =>
  column(sql`select key as value from graphile_worker._private_jobs`);
const alerts = (): Promise<string[]> =>
  column(
    sql`select code || ' ' || params::text as value from alerts where closed_at is null order by 1`,
  );

it('the daily backup is queued once within an hour of its time, unless a backup was already begun that day', async () => {
  for (const [time, queued] of [
    ['01:29', 0],
    ['01:30', 1],
    ['01:31', 1],
    ['02:30', 1],
  ] as const) {
    setClock(time);
    await queueDueBackup(app);
    expect(await jobs(), time).toHaveLength(queued);
  }
  await asOwner(sql`truncate graphile_worker._private_jobs`);
  setClock('01:40');
  await made({ backup: 600_000, verified: null });
  await queueDueBackup(app);
  expect(await jobs()).toEqual([]);
  await queueDueBackup({ ...app, config: { ...app.config, backupDir: null } });
  expect(await jobs()).toEqual([]);
});

it('a failed, killed or streamed backup does not count as the daily backup, which is tried at most three times a day', async () => {
  const row = (begun: string, columns: string, values: string): Promise<void> =>
    asOwner(sql`insert into backups (begun_at, ${sql.raw(columns)})
      values (${new Date(`2026-03-02T${begun}:00+08:00`)}, ${sql.raw(values)})`);
  const queuedAt = async (time: string): Promise<number> => {
    await asOwner(sql`truncate graphile_worker._private_jobs`);
    setClock(time);
    await queueDueBackup(app);
    return (await jobs()).length;
  };
  await row('01:00', 'stored_as, problem', `'a', 'by hand'`);
  await row('01:31', 'stored_as, finished_at', `'-', now()`);
  expect(await queuedAt('01:32')).toBe(1);
  await row('01:32', 'stored_as, finished_at, problem', `'a', now(), 'full'`);
  expect(await queuedAt('01:40')).toBe(0);
  expect(await queuedAt('02:40')).toBe(1);
  await row('02:40', 'stored_as', `'a'`);
  expect(await queuedAt('04:40')).toBe(0);
  expect(await queuedAt('09:50')).toBe(1);
  await row('09:50', 'stored_as, problem', `'a', 'full'`);
  expect(await queuedAt('23:00')).toBe(0);
});

it('a scheduled backup is verified once a week; a failed backup raises an alert, and the next successful backup closes the alert', async () => {
  setClock('01:30');
  const calls: string[][] = [];
  const run = (reason: string | null): Promise<void> =>
    makeDueBackup(async (words) => {
      calls.push(words);
      return reason;
    })(app);
  await run('The backup could not be written (ENOSPC).');
  expect(await alerts()).toEqual([
    'backup_failed {"reason": "The backup could not be written (ENOSPC)."}',
  ]);
  await made({ backup: day, verified: 2 * day });
  await run(null);
  expect(await alerts()).toEqual([]);
  await asOwner(sql`truncate backups`);
  await made({ backup: day, verified: 8 * day });
  await run(null);
  expect(calls.map((words) => words.length)).toEqual([2, 1, 2]);
});

it('alerts show the age of the last backup and of the last verified backup until both are recent again', async () => {
  setClock('10:00');
  await asOwner(sql`insert into number_generations (no, at, cause, system_identifier, timeline)
    values (1, ${new Date(app.clock.now().getTime() - day)}, 'first', '', '')`);
  await watchBackups(app);
  expect(await alerts()).toEqual([]);
  await made({ backup: 3 * day, verified: 20 * day });
  await watchBackups(app);
  expect(await alerts()).toEqual(['backup_old {"days": 3}', 'backup_unverified {"days": 20}']);
  await made({ backup: 3_600_000, verified: 3_600_000 });
  await watchBackups(app);
  expect(await alerts()).toEqual([]);
});
