import {
  chmodSync,
  existsSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { baseCopyCommand } from './base-copy.ts';
import { rehearseRestoreCommand } from './rehearse-restore.ts';
import { restoreAtCommand } from './restore-at.ts';
import type { Config } from '#config.ts';
import { embeddedConnections } from '#connections.ts';
import { writeHeads } from '#domain/ledger/ledger.ts';
import { startEmbeddedPostgres } from '#platform/embedded/embedded.ts';
import { removeDataDir } from '#platform/embedded/places.ts';
import { silentLog } from '#platform/log.ts';
import { scratchFolder } from '#platform/scratch.ts';
import { assertSecretKey } from '#platform/secrets/secret-keys.ts';
import { archiveSettings, startArchiver } from '#platform/wal/archiver.ts';
import { readTestRestore } from '#platform/wal/test-restore-facts.ts';
import { openWalFile, storeWalFile } from '#platform/wal/wal-files.ts';
import { openOwnCluster } from '#testing/own-cluster.ts';
import { parcelClient } from '#testing/parcel-client.ts';
import type { ParcelClient } from '#testing/parcel-client.ts';
import { quickFolder } from '#testing/quick-folder.ts';
import { openRestored } from '#testing/restored.ts';
import { itDaily } from '#testing/slices.ts';
import { eventually, openTestSystem } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';

const folder = quickFolder('wal-');
chmodSync(folder, 0o711);
const walDir = join(folder, 'archive');
const headsFile = join(folder, 'heads.jsonl');
const log = silentLog();
let own: Awaited<ReturnType<typeof openOwnCluster>>;
let archiver: { stop(): Promise<void> };
let system: TestSystem;
let clerk: ParcelClient;
let config: Config;
beforeAll(async () => {
  const wal = { walDir, walSeconds: 3_600, backupKey: Buffer.alloc(32, 7) };
  own = await openOwnCluster('wal', { ...archiveSettings(wal), fsync: 'off' });
  archiver = await startArchiver({ ...wal, dataDir: own.dataDir, headsFile }, log);
  system = await openTestSystem({
    config: { ...wal, dataDir: own.dataDir, headsFile, databaseUrl: null },
  });
  ({ config } = system.app);
  await assertSecretKey(system.app.db, config.secretKey, new Date());
  await system.topUp('nanshan', 100_000_000);
  clerk = await parcelClient(system);
  // The templates are removed, so that the copies are smaller.
  for (const { name } of await ask<{ name: string }>(own.connection, templates))
    await ask(own.connection, `drop database ${name}`);
});
afterAll(async () => {
  await system?.close();
  await own?.stop();
  await archiver?.stop();
  rmSync(folder, { recursive: true });
});

interface Ordered {
  id: number;
  order_id: string;
}
const order = async (): Promise<Ordered> => {
  const { status, data } = await clerk.order();
  expect(status).toBe(200);
  return data;
};

const headed = () => writeHeads(system.app.db, headsFile, new Date());
const linesOf = (file: string): string[] => readFileSync(file, 'utf8').split('\n');

const templates = `select datname as name from pg_database
  where datname ~ '^(template|network)_'`;

const ask = async <R extends pg.QueryResultRow>(
  connection: pg.ClientConfig,
  text: string,
): Promise<R[]> => {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query(`set waystation.scope = 'all'`);
    return (await client.query<R>(text)).rows;
  } finally {
    await client.end();
  }
};

const archiveOf = (): string => join(walDir, readdirSync(walDir)[0]!);

/** Ends the present segment; returns its name when it is archived. */
const archived = async (): Promise<string> => {
  const [row] = await ask<{ name: string }>(
    system.database.owner,
    'select pg_walfile_name(pg_switch_wal()) as name',
  );
  await eventually(async () => existsSync(join(archiveOf(), row!.name)));
  return row!.name;
};

const now = async (): Promise<string> => {
  const [row] = await ask<{ at: Date }>(system.database.owner, 'select clock_timestamp() as at');
  // real delay: moments have milliseconds, and the next change must be later than this moment
  await new Promise((later) => setTimeout(later, 10));
  return row!.at.toISOString();
};

let tried = 0;
const restore = async (moment: string, changes: Partial<Config> = {}) => {
  const dataDir = join(folder, `restored-${++tried}`);
  const { database } = system.database.owner;
  const answer = await restoreAtCommand(
    // These data need not survive a power failure.
    {
      config: { ...config, dataDir, ...changes },
      log,
      database: database!,
      settings: { fsync: 'off' },
    },
    walDir,
    moment,
  );
  return { ...answer, dataDir };
};

const rehearse = () => {
  const { database } = system.database.owner;
  return rehearseRestoreCommand({ config, log, database: database! });
};

/** Three moments: before the base copy, between the orders, and after the end of the archive. */
const moments: string[] = [];
/** The WAL segment between the base copy and the second of the `moments`. */
let between = '';

describe('a restore to a moment between two orders', () => {
  const kept: Ordered[] = [];
  const lost: Ordered[] = [];

  it('a base copy is made while parcels are ordered, and the WAL after it is archived', async () => {
    kept.push(await order());
    await headed();
    moments.push(await now());
    await archived();
    await ask(own.connection, `select pg_create_physical_replication_slot('replica')`);
    const killed = join(archiveOf(), 'base-20260101T000000Z');
    writeFileSync(killed, '');
    utimesSync(killed, 1, 1);
    const { text, code } = await baseCopyCommand({
      config,
      connections: embeddedConnections({ ...own.connection }),
      log,
    });
    expect(text).toMatch(/Moments from \S+ on can be restored with it\.$/);
    expect(code).toBe(0);
    expect(existsSync(killed)).toBe(false);
    kept.push(await order(), await order());
    await headed();
    between = await archived();
    kept.push(await order());
    moments.push(await now());
    lost.push(await order());
    await headed();
    await archived();
    lost.push(await order());
    await archived();
    moments.push(await now());
  });

  it('a restore to a moment contains exactly the orders placed before that moment with their held money, and reuses no order number', async () => {
    const { text, code, dataDir } = await restore(moments[1]!);
    expect(text).toContain('The chains match every head.');
    expect(text).toMatch(/^The heads file goes on until line 3, \S+Z: it may know records/m);
    expect(text).toContain('The ledger check passed.');
    expect(text).toMatch(
      /Left out is what came after: the rest of \w+ and 1 segment behind it, archived until /,
    );
    expect(text).toMatch(/Numbers go on in generation \d+.*[^]*The restore is verified\.$/);
    expect(code).toBe(0);
    expect(readdirSync(join(dataDir, 'postgres', 'pg_replslot'))).toEqual([]);
    const embedded = await startEmbeddedPostgres({ dataDir, log });
    const database = system.database.owner.database!;
    const connections = embeddedConnections({ ...embedded.connection, database });
    try {
      const there = await ask<{ id: string }>(
        connections.owner!,
        'select id from expresses order by id',
      );
      expect(there.map(({ id }) => Number(id))).toEqual(kept.map(({ id }) => id));
      expect(
        await ask(connections.owner!, 'select from sessions where expires_at > now()'),
      ).toEqual([]);
      const restored = await openRestored(system, { connections });
      const fresh = await restored.order();
      await restored.close();
      for (const { id, order_id } of [...kept, ...lost])
        expect(id === fresh.id || order_id === fresh.order_id).toBe(false);
    } finally {
      await embedded.stop();
      await removeDataDir(dataDir);
    }
  });
});

itDaily(
  'if the heads file is missing, a restore to a moment takes its lines until that moment from the archive',
  async () => {
    const lost = join(folder, 'lost', 'heads.jsonl');
    const { text, code, dataDir } = await restore(moments[1]!, { headsFile: lost });
    await removeDataDir(dataDir);
    expect(text).toMatch(
      /Compared with the heads in the file, .*The chains match every head\..*\n?The restore is verified\.$/s,
    );
    expect(text).not.toContain('goes on until');
    expect(code).toBe(0);
    expect(linesOf(lost).slice(0, -1)).toEqual(linesOf(headsFile).slice(0, 2));
    expect(readdirSync(join(folder, 'lost'))).toEqual(['heads.jsonl']);
  },
);

itDaily(
  'if no heads file contains all lines until the chosen moment, the restore is not verified',
  async () => {
    const short = join(folder, 'short.jsonl');
    writeFileSync(short, `${linesOf(headsFile)[0]}\n`);
    const { text, code, dataDir } = await restore(moments[1]!, { headsFile: short });
    await removeDataDir(dataDir);
    expect(text).toMatch(/The file ends at line 1; .*The restore is not verified\.$/s);
    expect(code).toBe(1);
  },
);

itDaily(
  'a test restore contains everything archived, even after the secret key was replaced; it is removed and changes no number generation',
  async () => {
    const facts = join(
      archiveOf(),
      readdirSync(archiveOf()).find((one) => one.endsWith('.json'))!,
    );
    const written = readFileSync(facts, 'utf8');
    writeFileSync(facts, written.replace(/"secret_key":"\w+"/, '"secret_key":"0123456789abcdef"'));
    const root = await scratchFolder();
    const scratch = (): string[] => readdirSync(root).filter((name) => name.startsWith('restore-'));
    const before = scratch();
    const { text, code } = await rehearse();
    expect(text).toContain('Nothing that was archived is left out.');
    expect(text).toContain('The chains match every head.');
    expect(text).toMatch(/The restore is verified\.\nThe copy was removed\. /);
    expect(code).toBe(0);
    expect(scratch()).toEqual(before);
    expect(await readTestRestore(archiveOf())).toMatchObject({ problem: null });
    const generations = await ask<{ no: number }>(
      system.database.owner,
      `select from number_generations where cause = 'restore'`,
    );
    expect(generations).toEqual([]);
  },
);

describe('a restore that the archive does not allow', () => {
  const refused = async (moment: string, sentence: RegExp, changes: Partial<Config> = {}) => {
    const { text, code, dataDir } = await restore(moment, changes);
    expect(text).toMatch(sentence);
    expect(code).toBe(1);
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false);
    expect(existsSync(join(dataDir, 'restoring'))).toBe(false);
  };

  it('a restore to a moment before the archive, after its end, in the future or without a time zone is refused with the reason', async () => {
    await refused(moments[0]!, /^The archive begins at \S+Z, after \S+Z/);
    await refused(moments[2]!, /^The archive ends at \S+Z, before \S+Z: give an earlier moment/);
    await refused('2099-01-01T00:00:00Z', /lies in the future/);
    await refused('2026-11-29 12:00', /is no moment: write it with its zone/);
  });

  itDaily(
    'a restore is refused with another backup key or secret key, without enough disk space, or over an existing database',
    async () => {
      await refused(moments[1]!, /^The key is not the one/, { backupKey: Buffer.alloc(32, 8) });
      await refused(moments[1]!, /under the secret key/, { secretKey: Buffer.alloc(32, 8) });
      const facts = join(
        archiveOf(),
        readdirSync(archiveOf()).find((one) => one.endsWith('.json'))!,
      );
      const text = readFileSync(facts, 'utf8');
      writeFileSync(facts, text.replace(/"files_bytes":\d+/, '"files_bytes":1e15'));
      await refused(
        moments[1]!,
        /^The restore needs about 1000001\.\d GB in \S+, and \S+ GB are free/,
      );
      writeFileSync(facts, text);
      const there = await restore(moments[1]!, { dataDir: own.dataDir });
      expect(there.text).toMatch(/is running on the data|There is a database in/);
    },
  );

  it('a restore with a missing or damaged segment of the WAL archive is refused with the name of the segment', async () => {
    const file = join(archiveOf(), between);
    const bytes = readFileSync(file);
    renameSync(file, `${file}.away`);
    await refused('latest', new RegExp(`^${between} is missing from the archive, so that its end`));
    const verified = (await readTestRestore(archiveOf()))?.verified_at ?? null;
    expect((await rehearse()).text).toMatch(/The test restore failed: [0-9A-F]{24} is missing/);
    expect(await readTestRestore(archiveOf())).toMatchObject({
      problem: expect.stringContaining('is missing from the archive'),
      verified_at: verified,
    });
    await refused(
      moments[1]!,
      new RegExp(`^${between} is missing from the archive: with the copy`),
    );
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(file, bytes);
    await refused(
      moments[1]!,
      new RegExp(`^${between} of the archive cannot be read\\. .*altered`),
    );
    renameSync(`${file}.away`, file);
  });

  itDaily(
    'a restore of the archive’s end fails if a log segment disappears during the restore, or does not continue the log',
    async () => {
      const newest = readdirSync(archiveOf())
        .filter((one) => /^[0-9A-F]{24}$/.test(one))
        .toSorted()
        .at(-1)!;
      const file = join(archiveOf(), newest);
      const begun = join(folder, `restored-${tried + 1}`, 'restoring');
      const refusal = refused('latest', new RegExp(`^${newest} of the archive cannot be read\\.`));
      await eventually(async () => existsSync(begun));
      renameSync(file, `${file}.away`);
      await refusal;
      const source = join(folder, 'source');
      writeFileSync(source, await openWalFile(join(archiveOf(), between), config.backupKey));
      await storeWalFile(source, archiveOf(), newest, config.backupKey);
      await refused(
        'latest',
        new RegExp(`^The log ends in [0-9A-F]{24}, and the archive goes on until ${newest}: `),
      );
      renameSync(`${file}.away`, file);
    },
  );
});
