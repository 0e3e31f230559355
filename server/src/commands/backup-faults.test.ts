import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { backupCommand, makeBackup } from './backup.ts';
import { restoreBackup } from './restore.ts';
import { writeHeads } from '#domain/ledger/ledger.ts';
import { backupRecords } from '#platform/db/backup/write-backup.ts';
import { sql } from '#platform/db/db.ts';
import { silentLog } from '#platform/log.ts';
import { createEmptyDatabase } from '#testing/restored.ts';
import { eventually, openTestSystem } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';
import { environmentOf } from '#testing/worker-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'backup-faults-'));
const headsFile = join(folder, 'heads.jsonl');
const log = silentLog();
let system: TestSystem;
beforeAll(async () => {
  system = await openTestSystem({ config: { headsFile, backupKey: null } });
  await system.topUp('nanshan', 1_000_000);
  await writeHeads(system.app.db, headsFile, new Date());
});
afterAll(async () => {
  await system?.close();
  rmSync(folder, { recursive: true });
});

const connected = async (): Promise<pg.Client> => {
  const client = new pg.Client(system.database.owner);
  client.on('error', () => {});
  await client.connect();
  return client;
};

const backup = async (file: string | null): Promise<{ text: string; bytes: Buffer }> => {
  const pieces: Buffer[] = [];
  const { summary } = await makeBackup(
    system.database.owner,
    { ...system.app.config, headsFile: file },
    async (source) => {
      for await (const piece of source) pieces.push(piece);
    },
  );
  return { text: summary.heads_fault ?? '', bytes: Buffer.concat(pieces) };
};

const verify = async (bytes: Buffer): Promise<{ text: string; code: number }> => {
  const target = await createEmptyDatabase();
  try {
    const config = { ...system.app.config, headsFile: join(folder, 'restored.jsonl') };
    const source = (async function* () {
      yield bytes;
    })();
    const context = { config, connections: target.connections, log };
    return await restoreBackup(context, source, { verify: true });
  } finally {
    await target.drop();
    rmSync(join(folder, 'restored.jsonl'), { force: true });
  }
};

it('while a backup is read, its tables cannot be rewritten, but schema_sql can still be locked', async () => {
  const [reader, other] = [await connected(), await connected()];
  try {
    const records = backupRecords({
      client: reader,
      product: 'test',
      secretKey: '',
      heads: async function* () {
        yield Buffer.from('');
        return 0;
      },
      done: () => {},
    });
    await records.next();
    await other.query(`set lock_timeout = '100ms'`);
    await other.query('begin; lock table schema_sql in access exclusive mode; rollback');
    await expect(
      other.query('alter table stations alter column name type varchar(1000)'),
    ).rejects.toMatchObject({ code: '55P03' });
  } finally {
    await reader.end();
    await other.end();
  }
});

it('if the reader of a backup stops reading, the backup ends with an error message and releases its database snapshot', async () => {
  const stands = makeBackup(
    system.database.owner,
    system.app.config,
    () => new Promise(() => {}),
    300,
  );
  await expect(stands).rejects.toThrow('was ended after');
  await eventually(
    async () =>
      (
        await system.rows(sql`select from pg_stat_activity
          where datname = current_database() and state = 'idle in transaction'`)
      ).length === 0,
  );
});

it('if the heads file is missing or cut off, the backup reports it, and a restore of this backup is not verified', async () => {
  expect((await backup(headsFile)).text).toBe('');
  const { text, bytes } = await backup(join(folder, 'none.jsonl'));
  expect(text).toMatch(/The heads file .* is missing: the backup has no heads/);
  const restored = await verify(bytes);
  expect(restored).toMatchObject({
    code: 1,
    text: expect.stringMatching(/is missing[^]*The restore is not verified\.$/),
  });
  writeFileSync(join(folder, 'empty.jsonl'), 'x\n');
  expect((await backup(join(folder, 'empty.jsonl'))).text).toContain('1 unreadable line');
});

it('a backup can be verified even if the payments of a station were suspended when it was made', async () => {
  const client = await connected();
  try {
    await client.query(`set waystation.scope = 'all';
      insert into ledger_blocks (station_id, reason, blocked_at)
      values ((select min(id) from stations), 'test', now())`);
    const { text, code } = await verify((await backup(headsFile)).bytes);
    expect(text).toMatch(
      /Payments were suspended in the backup, too\.[^]*The restore is verified\.$/,
    );
    expect(code).toBe(0);
  } finally {
    await client.query(`set waystation.scope = 'all'; delete from ledger_blocks`);
    await client.end();
  }
});

it('a backup removes the remains of an earlier backup that was killed', async () => {
  const into = join(folder, 'kept');
  mkdirSync(into);
  const [old, fresh] = [
    'waystation-20260101T000000Z.backup.part',
    'waystation-20260102T000000Z.backup.part',
  ];
  for (const name of [old, fresh]) writeFileSync(join(into, name), 'x');
  utimesSync(join(into, old), 1, 1);
  const client = await connected();
  const left = 'waystation_verify_1000000000_0123456789ab';
  await client.query(`create database ${left}`);
  await client.end();
  const connections = {
    owner: system.database.owner,
    app: system.database.connection,
    role: { name: 'waystation_app', password: null },
  };
  const { code } = await backupCommand({ config: system.app.config, connections, log }, into, true);
  expect(code).toBe(0);
  expect(readdirSync(into)).toContain(fresh);
  expect(readdirSync(into)).not.toContain(old);
  const [found] = await system.rows(
    sql<{ n: number }>`select count(*)::int as n from pg_database where datname = ${left}`,
  );
  expect(found!.n).toBe(0);
});

it('if SIGTERM ends a backup, the backup is recorded with its problem and not as a success', async () => {
  const holder = await connected();
  try {
    await holder.query('begin; lock table stations in access exclusive mode');
    const main = join(import.meta.dirname, '..', 'main.ts');
    const child = spawn(process.execPath, [main, 'backup', join(folder, 'ended')], {
      env: { ...environmentOf(system), WAYSTATION_DATA: join(folder, 'data') },
      stdio: 'ignore',
    });
    const ended = once(child, 'exit') as Promise<[number | null]>;
    const where = sql`stored_as = ${join(folder, 'ended')}`;
    await eventually(
      async () => (await system.rows(sql`select from backups where ${where}`)).length === 1,
    );
    child.kill('SIGTERM');
    expect((await ended)[0]).toBe(143);
    const [row] = await system.rows(
      sql<{ problem: string }>`select problem from backups where ${where}`,
    );
    expect(row!.problem).toBe('The backup was ended before it was done.');
  } finally {
    await holder.end();
  }
});
