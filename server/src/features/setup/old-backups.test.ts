import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeDueBackup } from './backups.ts';
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
const nameOf = (days: number): string =>
  `waystation-${new Date(app.clock.now().getTime() - days * day)
    .toISOString()
    .slice(0, 19)
    .replaceAll(/[-:]/g, '')}Z.backup`;

interface Made {
  days: number;
  verified?: boolean;
  problem?: string;
  where?: string;
  /** False: the file is not in the table. */
  known?: boolean;
}

const made = async ({ days, verified, problem, where = folder, known = true }: Made) => {
  const name = nameOf(days);
  for (const file of [name, `${name}.json`]) writeFileSync(join(folder, file), 'x');
  const at = new Date(app.clock.now().getTime() - days * day);
  if (known)
    await asOwner(sql`insert into backups (begun_at, finished_at, stored_as, verified_at, problem)
      values (${at}, ${at}, ${join(where, name)}, ${verified ? at : null}, ${problem ?? null})`);
};
const left = (): string[] => readdirSync(folder).filter((name) => name.endsWith('.backup'));

it('a backup removes files older than the setting, never the newest, the last verified one, or one that is not its own', async () => {
  for (const one of [
    { days: 10 },
    { days: 29 },
    { days: 31 },
    { days: 40, verified: true },
    { days: 50, verified: true },
    { days: 60 },
    { days: 70, known: false },
    { days: 80, where: '/elsewhere' },
  ] satisfies Made[])
    await made(one);
  // A failed backup removes nothing.
  await makeDueBackup(async () => 'disk full')(app);
  expect(left()).toHaveLength(8);
  await makeDueBackup(async () => null)(app);
  expect(left()).toEqual([80, 70, 40, 29, 10].map(nameOf));
  expect(readdirSync(folder).filter((name) => name.endsWith('.json'))).toHaveLength(5);
  await asOwner(sql`insert into settings (name, value) values ('backup_keep_days', '2')`);
  await makeDueBackup(async () => null)(app);
  expect(left()).toEqual([80, 70, 40, 10].map(nameOf));
});
