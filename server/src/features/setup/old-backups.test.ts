import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { makeDueBackup } from './backups.ts';
import { removeOldBackups } from './old-backups.ts';
import { openDb, sql } from '#platform/db/db.ts';
import type { Db } from '#platform/db/db.ts';
import { silentLog } from '#platform/log.ts';
import { systemScope } from '#platform/db/scope.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';

const scope = systemScope('test');
const day = 86_400_000;
const folder = mkdtempSync(join(tmpdir(), 'old_backups-'));
let app: TestApp;
let owner: Db;
beforeAll(async () => {
  app = await createTestApp({ backupDir: folder });
  owner = openDb({ connection: app.owner, max: 1, log: silentLog() });
});
afterAll(async () => {
  await owner.close();
  await app.close();
  rmSync(folder, { recursive: true });
});

const asOwner = (statement: ReturnType<typeof sql>): Promise<void> =>
  owner.tx(scope, async (work) => void (await statement.execute(work.tx)));
const now = Date.now();
const nameOf = (days: number): string =>
  `waystation-${new Date(now - days * day)
    .toISOString()
    .slice(0, 19)
    .replaceAll(/[-:]/g, '')}Z.backup`;

interface Made {
  days: number;
  verified?: boolean;
  problem?: string;
  where?: string;
  /** False if the table of backups does not contain the file. */
  known?: boolean;
}

const made = async ({ days, verified, problem, where = folder, known = true }: Made) => {
  const name = nameOf(days);
  for (const file of [name, `${name}.json`]) writeFileSync(join(folder, file), 'x');
  const at = new Date(now - days * day);
  if (known)
    await asOwner(sql`insert into backups (begun_at, finished_at, stored_as, verified_at, problem)
      values (${at}, ${at}, ${join(where, name)}, ${verified ? at : null}, ${problem ?? null})`);
};
const left = (): string[] => readdirSync(folder).filter((name) => name.endsWith('.backup'));

const remove = () => removeOldBackups({ db: app.db, config: app.config, log: app.log });
const of = (...days: number[]): string[] => days.toSorted((a, b) => b - a).map(nameOf);
beforeEach(async () => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
  await asOwner(sql`truncate backups, settings cascade`);
  // A first connection is needed, because it records the first generation.
  await app.db.tx(scope, ({ tx }) => sql`select 1`.execute(tx));
  await asOwner(sql`update number_generations set at = now() - interval '10 years'`);
});

it('backup files older than the setting are removed, except the newest seven, the last verified one, and those of another database', async () => {
  for (const days of [1, 2, 3, 4, 5, 6, 29, 31]) await made({ days });
  for (const one of [
    { days: 40, verified: true },
    { days: 50, verified: true },
    { days: 60 },
    { days: 70, known: false },
    { days: 80, where: '/elsewhere' },
    { days: 0, where: join(folder, 'monthly'), verified: true },
  ] satisfies Made[])
    await made(one);
  await remove();
  expect(left()).toEqual(of(80, 70, 40, 29, 6, 5, 4, 3, 2, 1, 0));
  expect(readdirSync(folder).filter((name) => name.endsWith('.json'))).toHaveLength(11);
  await asOwner(sql`insert into settings (name, value) values ('backup_keep_days', '2')
    on conflict (name) do nothing`);
  await remove();
  expect(left()).toEqual(of(80, 70, 40, 29, 6, 5, 4, 3, 2, 1, 0));
});

it('a restored copy of the database removes no backup file of the original', async () => {
  for (const days of [1, 2, 3, 4, 5, 6, 7, 8, 100, 200]) await made({ days });
  await asOwner(sql`insert into number_generations (no, at, cause, system_identifier, timeline)
    select max(no) + 1, now(), 'restore', '1', '1' from number_generations`);
  await remove();
  expect(left()).toHaveLength(10);
});

it('of the backup files whose restore failed only the newest is kept, and it is removed when a newer backup is good', async () => {
  for (const days of [1, 2, 3]) await made({ days, problem: 'not verified' });
  await made({ days: 4 });
  await makeDueBackup(async () => 'not verified')(app);
  expect(left()).toEqual(of(4, 1));
  await made({ days: 0 });
  await remove();
  expect(left()).toEqual(of(4, 0));
});

it('the cleanup removes no additional backup files if the clock is a year ahead or the backup records are a year old', async () => {
  for (const days of [1, 2, 3, 4, 5, 6, 7, 8, 9]) await made({ days });
  app.clock.advance(400 * day);
  await remove();
  await asOwner(sql`update backups set finished_at = now() - interval '1 year'`);
  await remove();
  expect(left()).toHaveLength(9);
});
