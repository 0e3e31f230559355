import { afterAll, beforeAll, expect, it } from 'vitest';
import { doctorCommand } from './doctor.ts';
import type { Connections } from '#connections.ts';
import { openDb, sql } from '#platform/db/db.ts';
import type { Db } from '#platform/db/db.ts';
import { silentLog } from '#platform/log.ts';
import { systemScope } from '#platform/db/scope.ts';
import { appRole } from '#testing/cluster.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';

const scope = systemScope('test');
let app: TestApp;
let owner: Db;
let connections: Connections;
beforeAll(async () => {
  app = await createTestApp();
  owner = openDb({ connection: app.owner, max: 1, log: silentLog() });
  connections = { owner: app.owner, app: { ...app.owner, user: appRole.name }, role: appRole };
});
afterAll(async () => {
  await owner.close();
  await app.close();
});

const asOwner = (statement: ReturnType<typeof sql>): Promise<void> =>
  owner.tx(scope, async (work) => void (await statement.execute(work.tx)));
const findings = async (): Promise<{ lines: string[]; code: number }> => {
  const { text, code } = await doctorCommand(app, connections);
  return { lines: text.split('\n'), code };
};

it('the doctor command lists its findings about an installation, and exits with code 1 only if one of them is a problem', async () => {
  const dead = await findings();
  expect(dead.code).toBe(1);
  expect(dead.lines).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^ok {3}PostgreSQL \d+\.\d+ as the application\.$/),
      expect.stringMatching(/^ok {3}The clocks of this machine and of the database agree\.$/),
      expect.stringMatching(/^ok {3}The database is up to date \(edition \d+\)\.$/),
      expect.stringMatching(/^ok {3}The application role is bound/),
      'BAD  No worker is alive: jobs wait.',
      'look No backup is known.',
      'look The whole ledger was never checked.',
      expect.stringMatching(/^look The (?:log is not archived|server does not archive its log)/),
      'look No heads are written (WAYSTATION_HEADS_FILE is off).',
    ]),
  );
  await asOwner(sql`insert into worker_heartbeats (worker_id, seen_at, job_ids)
    values ('a', clock_timestamp(), '{}')`);
  expect(await findings()).toMatchObject({ code: 0 });
  await asOwner(sql`insert into backups (begun_at, stored_as, finished_at)
    values (now() - interval '3 days', 'a', now() - interval '3 days')`);
  await asOwner(sql`insert into ledger_blocks (reason, blocked_at)
    values ('test', now())`);
  const old = await findings();
  expect(old.code).toBe(1);
  expect(old.lines.filter((line) => line.startsWith('BAD'))).toEqual([
    'BAD  Payments are suspended of 1 station.',
    expect.stringMatching(/^BAD {2}Last backup: /),
  ]);
});

it('the doctor command warns if the server uses plain HTTP, or if super admins or admins have no two-factor authentication', async () => {
  const at = async (changes: object): Promise<string[]> => {
    const changed = { ...app, config: { ...app.config, ...changes } };
    return (await doctorCommand(changed, connections)).text
      .split('\n')
      .filter((line) => /plain HTTP|two-factor/.test(line));
  };
  const plain =
    'look The server speaks plain HTTP on 0.0.0.0, and no proxy is trusted: put TLS in front of it (WAYSTATION_HOST, WAYSTATION_TRUST_PROXY).';
  const open = { demo: false, host: '0.0.0.0', trustProxy: false };
  expect(await at(open)).toEqual([plain]);
  expect(await at({ ...open, trustProxy: ['127.0.0.1'] })).toEqual([]);
  expect(await at({ ...open, host: '127.0.0.1' })).toEqual([]);
  await asOwner(sql`insert into accounts (username, role, password_hash)
    values ('chief', 'super', 'x'), ('helper', 'admin', 'x')`);
  const [chief] = await owner.tx(
    scope,
    async (work) =>
      (await sql<{ id: number }>`select id from accounts where username = 'chief'`.execute(work.tx))
        .rows,
  );
  expect(await at({ ...open, host: '127.0.0.1' })).toEqual([
    'look 2 of 2 accounts of super and admin are without two-factor authentication; the setting "Two-factor authentication required of" is nobody.',
  ]);
  await asOwner(sql`insert into two_factor_secrets (account_id, secret, created_at, confirmed_at)
    values (${chief!.id}, '', now(), now())`);
  expect(await at({ ...open, host: '127.0.0.1' })).toEqual([
    'look 1 of 2 accounts of super and admin is without two-factor authentication; the setting "Two-factor authentication required of" is nobody.',
  ]);
  await asOwner(sql`insert into two_factor_secrets (account_id, secret, created_at, confirmed_at)
    select id, '', now(), now() from accounts where username = 'helper'`);
  const all =
    'All accounts of super and admin have two-factor authentication; the setting "Two-factor authentication required of" is';
  expect(await at({ ...open, host: '127.0.0.1' })).toEqual([`look ${all} nobody.`]);
  await asOwner(sql`insert into settings (name, value) values ('second_factor_for', '"office"')`);
  expect(await at({ ...open, host: '127.0.0.1' })).toEqual([`ok   ${all} office.`]);
  expect(await at({ ...open, demo: true })).toEqual([]);
});

it('the doctor command reports pending migrations, a database of a newer version, and a database that cannot be reached', async () => {
  const first = '0060_number_generations.sql';
  await asOwner(sql`delete from schema_migrations where name = ${first}`);
  const pending = await findings();
  expect(pending.lines).toContainEqual(
    expect.stringMatching(/^look 1 migration is pending, .*: run "migrate"\.$/),
  );
  expect(pending.lines.some((line) => line.includes('backup'))).toBe(false);
  await asOwner(sql`insert into schema_migrations (name, hash) values ('9999_later.sql', '')`);
  expect((await findings()).lines).toContain(
    'BAD  The database is of a newer version (9999_later.sql): start that version.',
  );
  const away = { ...connections, app: { ...connections.app, database: 'none_of_this_name' } };
  const { text, code } = await doctorCommand(app, away);
  expect([code, text]).toEqual([
    1,
    expect.stringContaining('BAD  The database cannot be reached as the application: database'),
  ]);
});
