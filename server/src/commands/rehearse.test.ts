import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { backupCommand } from './backup.ts';
import type { CommandResult } from './command-result.ts';
import { requireRoom } from './rehearsal-copy.ts';
import { dayReads } from './rehearsal-lists.ts';
import { rehearseCommand } from './rehearse.ts';
import { readSchema } from '#platform/db/migrate.ts';
import type { Schema } from '#platform/db/migrate.ts';
import { sql } from '#platform/db/db.ts';
import { silentLog } from '#platform/log.ts';
import { scratchFolder } from '#platform/scratch.ts';
import { appRole } from '#testing/cluster.ts';
import { parcelClient } from '#testing/parcel-client.ts';
import { itDaily } from '#testing/slices.ts';
import { openTestSystem } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';

const folder = mkdtempSync(join(tmpdir(), 'rehearse-'));
const scratch = await scratchFolder();
const log = silentLog();
const present = readSchema(join(import.meta.dirname, '..', '..'));
let system: TestSystem;
beforeAll(async () => {
  // Another rehearsal on this machine uses another folder for its copies.
  vi.stubEnv('TMPDIR', folder);
  system = await openTestSystem({ config: { headsFile: join(folder, 'heads.jsonl') } });
  await system.topUp('nanshan', 100_000_000);
  const clerk = await parcelClient(system);
  for (let n = 0; n < 3; n++) expect((await clerk.order()).status).toBe(200);
});
afterAll(async () => {
  await system?.close();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** Returns the present schema with one more migration. */
const withMigration = (text: string): Schema => ({
  ...present,
  migrations: [...present.migrations, { name: '9000_planted.sql', text, hash: 'planted' }],
});

const connections = () => ({
  owner: system.database.owner,
  app: system.database.connection,
  role: appRole,
});

const rehearse = (
  schema: Schema,
  {
    file = null,
    ended,
  }: { file?: string | null; ended?: (remove: () => Promise<void>) => void } = {},
): Promise<CommandResult> => {
  let remove = async (): Promise<void> => {};
  return rehearseCommand(
    {
      config: system.app.config,
      connections: file === null ? connections() : null,
      log,
      onEnd: (run) => (remove = run),
      print: (line) => line.startsWith('Copied') && ended?.(remove),
    },
    file,
    schema,
  );
};

const copies = (): string[] => readdirSync(scratch).filter((name) => name.startsWith('rehearsal-'));

/** Checks that the copied database has not changed. */
const expectUntouched = async (): Promise<void> => {
  const [found] = await system.rows(
    sql<Record<string, unknown>>`select to_regclass('shades') as shades,
      to_regnamespace('rehearsal') as recorder,
      (select count(*)::int from schema_migrations where name like '9000%') as planted`,
  );
  expect(found).toEqual({ shades: null, recorder: null, planted: 0 });
};

describe('the rehearsal of an upgrade', () => {
  it('the rehearsal of an upgrade reports a pending migration with its time, locks and changes, and removes its copy', async () => {
    const before = copies();
    const { text, code } = await rehearse(
      withMigration(`alter table prints add column shade text not null default 'grey';
        create table shades (name text primary key);
        create index prints_shade on prints (shade);
        lock table cargos in share mode;
        select pg_sleep(0.2);`),
    );
    expect(text).toMatch(/^Ledger check before the upgrade:\n/);
    expect(text).toContain('1 migration is pending.');
    const [, ms, held] =
      /9000_planted\.sql: (\d+) ms\n(?: {2}.+\n)*? {2}prints: reads and writes wait for at most (\d+) ms\n/.exec(
        text,
      ) ?? [];
    expect(Number(ms)).toBeGreaterThanOrEqual(200);
    expect(Number(held)).toBeGreaterThan(100);
    expect(Number(held)).toBeLessThanOrEqual(Number(ms));
    expect(text).toMatch(/ {2}cargos: writes wait for at most \d+ ms\n/);
    expect(text).not.toMatch(/ {2}(?:expresses|shades): /);
    expect(text).toMatch(/server\/sql: \d+ ms, in which every new transaction waits\n/);
    expect(text).toContain(`  + column prints.shade text not null default 'grey'::text\n`);
    expect(text).toContain('  + index prints_shade btree (shade) on prints\n');
    expect(text).toContain('  + table shades\n');
    expect(text).not.toContain('column shades.name');
    expect(text).toMatch(
      /Ledger check after the upgrade:\n[^]*The ledger check passed\.\nA day's lists: \d+ reads, 0 not answered, \d+ in need of more input\. The slowest:\n/,
    );
    expect(text).toMatch(/\d+ ms, \d+ pages? of 8 kB: (?:select|with)/i);
    expect(text).toMatch(/\nThe upgrade is rehearsed\.$/);
    expect(code).toBe(0);
    expect(copies()).toEqual(before);
    await expectUntouched();
  });

  it('the rehearsal of an upgrade fails if a pending migration breaks the ledger and a list, and reports both', async () => {
    const { text, code } = await rehearse(
      withMigration(`set local session_replication_role = replica;
        update stations set money = money + 1 where id = ${system.station('nanshan').id};
        alter table prints rename column format to shape;`),
    );
    expect(text).toMatch(
      /before the upgrade:\n[^]*The ledger check passed\.\n[^]*after the upgrade:/,
    );
    expect(text).toContain(`I2 station ${system.station('nanshan').id}: shows money`);
    expect(text).toContain('  - column prints.format ');
    expect(text).toMatch(
      /\nThe ledger check fails after the upgrade\.\n[^]*\n\/api\/arco\/prints as super answers 500\.\n[^]*The rehearsal failed\.$/,
    );
    expect(code).toBe(1);
    await expectUntouched();
  });

  itDaily(
    'if a migration fails in a rehearsal, its name and its error are printed, and the copy is removed',
    async () => {
      const before = copies();
      expect(await rehearse(withMigration('alter table nowhere add x int;'))).toEqual({
        code: 1,
        text: 'migration 9000_planted.sql failed: relation "nowhere" does not exist\nThe rehearsal failed.',
      });
      expect(copies()).toEqual(before);
    },
  );

  itDaily('if a rehearsal gets a signal to end, it removes its copy', async () => {
    const before = copies();
    let removed: Promise<void> | undefined;
    const { code } = await rehearse(present, { ended: (remove) => (removed = remove()) });
    await removed;
    expect(code).toBe(1);
    expect(copies()).toEqual(before);
  });

  itDaily(
    'an upgrade of a backup file is rehearsed without a database; if the file is missing, the error contains its path',
    async () => {
      const kept = join(folder, 'kept');
      const context = { config: system.app.config, connections: connections(), log };
      expect((await backupCommand(context, kept)).code).toBe(0);
      const file = join(
        kept,
        readdirSync(kept).find((name) => name.endsWith('.backup'))!,
      );
      const { text, code } = await rehearse(present, { file });
      expect(text).toMatch(/^0 migrations are pending\. [^]*\nNo table changes\.\n/);
      expect(code).toBe(0);
      const none = join(folder, 'none');
      expect(await rehearse(present, { file: none })).toEqual({
        code: 1,
        text: `There is no file ${none}.`,
      });
    },
  );

  it('the rehearsal of an upgrade is refused before anything is written if the copy does not fit on the disk', async () => {
    await expect(requireRoom(1e18)).rejects.toThrow(/GB are free: set TMPDIR to a folder/);
    await requireRoom(1e6);
  });

  it('the rehearsal of an upgrade reads the lists that screens show first, but not the live events', () => {
    const paths = dayReads.map(({ path }) => path);
    for (const name of ['expresses', 'statements', 'stations', 'prints', 'workplace', 'inbox'])
      expect(paths).toContain(`/api/arco/${name}`);
    expect(paths).not.toContain('/api/arco/events');
  });
});
