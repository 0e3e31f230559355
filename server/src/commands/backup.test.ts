import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backupCommand, makeBackup } from './backup.ts';
import { loadRows, restoreBackup, restoreCommand } from './restore.ts';
import type { Config } from '#config.ts';
import { walkLedger, writeHeads } from '#domain/ledger/ledger.ts';
import { sql } from '#platform/db/db.ts';
import { readSchema } from '#platform/db/migrate.ts';
import { silentLog } from '#platform/log.ts';
import { secretsFrom } from '#platform/secrets/secrets.ts';
import { parcelClient } from '#testing/parcel-client.ts';
import type { ParcelClient } from '#testing/parcel-client.ts';
import { createEmptyDatabase, openRestored } from '#testing/restored.ts';
import type { EmptyDatabase } from '#testing/restored.ts';
import { openTestSystem } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';

const folder = mkdtempSync(join(tmpdir(), 'backup-'));
const log = silentLog();
const backupKey = Buffer.alloc(32, 7);
let system: TestSystem;
let clerk: ParcelClient;
let target: EmptyDatabase;
beforeAll(async () => {
  system = await openTestSystem({ config: { headsFile: join(folder, 'heads.jsonl'), backupKey } });
  await system.topUp('nanshan', 100_000_000);
  clerk = await parcelClient(system);
  const made = { name: 'shop', scopes: ['parcels'], password: 'waystation-demo' };
  expect((await system.call(clerk.token, 'POST', '/api/arco/keys', made)).status).toBe(200);
  target = await createEmptyDatabase();
});
afterAll(async () => {
  await target?.drop();
  await system?.close();
  rmSync(folder, { recursive: true });
});

const configWith = (changes: Partial<Config> = {}): Config => ({
  ...system.app.config,
  ...changes,
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

const toMemory = async (): Promise<Buffer> => {
  const pieces: Buffer[] = [];
  await makeBackup(system.database.owner, system.app.config, async (source) => {
    for await (const piece of source) pieces.push(piece);
  });
  return Buffer.concat(pieces);
};

const inPieces = async function* (bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 100_000) yield bytes.subarray(at, at + 100_000);
};

const restore = (
  bytes: Buffer,
  changes: Partial<Config> = {},
  into: EmptyDatabase = target,
): Promise<{ text: string; code: number }> =>
  restoreBackup(
    {
      config: configWith({ headsFile: join(folder, 'restored-heads.jsonl'), ...changes }),
      connections: into.connections,
      log,
    },
    inPieces(bytes),
    { verify: true },
  );

const liveAccess = `select 'key' from api_keys where revoked_at is null
    and (expires_at is null or expires_at > now())
  union all select 'session' from sessions where expires_at > now()`;

const rowsIn = async (into: EmptyDatabase): Promise<number> =>
  (await into.rows(`select from pg_class where relnamespace = 'public'::regnamespace`)).length === 0
    ? 0
    : (await into.rows<{ n: number }>('select count(*)::int as n from accounts'))[0]!.n;

describe('a backup that is made while parcels are ordered', () => {
  let bytes: Buffer;
  const acknowledged: Ordered[] = [];

  it('a backup contains the database of a single moment, and orders that are placed during the backup succeed', async () => {
    for (let n = 0; n < 3; n++) acknowledged.push(await order());
    await writeHeads(system.app.db, system.app.config.headsFile!, new Date());
    // An unfinished full check is in the backup. It must not continue in the restored database.
    await walkLedger(system.app, { at: new Date(), onProgress: () => false });
    let running = true;
    const orders = (async () => {
      while (running) acknowledged.push(await order());
    })();
    bytes = await toMemory();
    // Writes chain heads of an order that the backup does not contain.
    await order().then((one) => acknowledged.push(one));
    await writeHeads(system.app.db, system.app.config.headsFile!, new Date());
    running = false;
    await orders;
    expect(acknowledged.length).toBeGreaterThan(4);
  });

  it('a restore is refused before anything is written if the secret key differs from that of the backup or the backup key is missing', async () => {
    await expect(restore(bytes, { secretKey: Buffer.alloc(32, 1) })).rejects.toThrow(
      /made under the secret key [0-9a-f]{16}, and this installation has [0-9a-f]{16}/,
    );
    await expect(restore(bytes, { backupKey: null })).rejects.toThrow('set WAYSTATION_BACKUP_KEY');
    expect(await rowsIn(target)).toBe(0);
  });

  it('a restore from a backup that is cut off or altered fails and leaves no row', async () => {
    const changed = Buffer.from(bytes);
    changed[bytes.length - 100]! ^= 1;
    await expect(restore(bytes.subarray(0, bytes.length - 100))).rejects.toThrow('cut off');
    await expect(restore(changed)).rejects.toThrow('altered');
    expect(await rowsIn(target)).toBe(0);
  });

  it('a restored backup has the same row counts and hash chains, passes the full ledger check, and matches the heads file', async () => {
    const begun = new Date();
    const { text, code } = await restore(bytes);
    expect(text).toContain('Every session of the backup has ended, and 1 API key,');
    const read = /Everything was read since (\S+)\.\n/.exec(text)?.[1];
    expect(new Date(read!).getTime()).toBeGreaterThanOrEqual(begun.getTime());
    expect(text).toContain('Every table has the rows of the backup.');
    expect(text).toContain('The ledger check passed.');
    expect(text).toContain('The chains match every head.');
    expect(text).toMatch(/Numbers go on in generation \d+.*[^]*The restore is verified\.$/);
    expect(code).toBe(0);
    await expect(restore(bytes)).rejects.toThrow('The database is not empty');
  });

  it('API keys and sessions in a backup no longer work after the backup is restored', async () => {
    expect(await target.rows(liveAccess)).toEqual([]);
    expect(
      await target.rows(`select account_name, changes -> 'live_keys' as keys from audit_log
        where action = 'restore'`),
    ).toEqual([{ account_name: 'command line', keys: [1, 0] }]);
  });

  it('a restore that is killed before the migrations have run leaves no working API key or session', async () => {
    const killed = await createEmptyDatabase();
    try {
      await loadRows(
        { config: configWith({ headsFile: null }), connections: killed.connections, log },
        inPieces(bytes),
        readSchema(join(import.meta.dirname, '..', '..')),
      );
      expect(await killed.rows('select from api_keys')).toHaveLength(1);
      expect(await killed.rows(liveAccess)).toEqual([]);
    } finally {
      await killed.drop();
    }
  });

  it('numbers and ids given out after the backup are not given out again by the restored system', async () => {
    for (let n = 0; n < 3; n++) acknowledged.push(await order());
    const restored = await openRestored(system, target);
    try {
      const [known] = await target.rows<{ n: number }>('select count(*)::int as n from expresses');
      expect(known!.n).toBeLessThan(acknowledged.length);
      const fresh = [await restored.order(), await restored.order()];
      for (const { id, order_id, delivery_id } of fresh) {
        expect(acknowledged.filter((one) => one.id === id || one.order_id === order_id)).toEqual(
          [],
        );
        expect(delivery_id).toMatch(/^JD/);
      }
      const given = [...acknowledged, ...fresh].map(({ order_id }) => order_id);
      expect(new Set(given).size).toBe(given.length);
      const alerts = await target.rows(`select code from alerts where closed_at is null`);
      expect(alerts).toEqual([]);
    } finally {
      await restored.close();
    }
  });

  it('after two restores of the same backup, the two databases give different ids to new parcels', async () => {
    const again = await createEmptyDatabase();
    try {
      expect((await restore(bytes, { headsFile: null }, again)).code).toBe(0);
      const [first] = await target.rows<{ n: string }>("select nextval('expresses_id_seq') as n");
      const [second] = await again.rows<{ n: string }>("select nextval('expresses_id_seq') as n");
      expect(Number(second!.n)).toBeGreaterThan(Number(first!.n) + 1_000);
    } finally {
      await again.drop();
    }
  });

  it('a backup by a database owner who is not a superuser contains every row', async () => {
    const made = await makeBackup(target.connections.owner!, system.app.config, async (source) => {
      for await (const piece of source) void piece;
    });
    for (const { name, rows } of made.summary.parts.filter((part) => part.name !== 'heads')) {
      const [found] = await target.rows<{ n: number }>(`select count(*)::int as n from ${name}`);
      expect(`${name} ${rows}`).toBe(`${name} ${found!.n}`);
    }
  });
});

describe('the backup and restore commands', () => {
  it('the backup command writes a complete file and a manifest without keys, and a restore that fails explains the problem', async () => {
    const into = join(folder, 'kept');
    const config = configWith({ backupKey: null });
    const connections = {
      owner: system.database.owner,
      app: system.database.connection,
      role: target.connections.role,
    };
    const { text, code } = await backupCommand({ config, connections, log }, into, true);
    expect(text).toMatch(/rows of \d+ tables.*\n.*generation[^]*The restore is verified\.$/);
    expect(code).toBe(0);
    const names = readdirSync(into).toSorted();
    expect(names).toEqual([
      expect.stringMatching(/^waystation-\d{8}T\d{6}Z\.backup$/),
      expect.stringMatching(/^waystation-\d{8}T\d{6}Z\.backup\.json$/),
    ]);
    const manifest = readFileSync(join(into, names[1]!), 'utf8');
    expect(manifest).not.toContain(config.secretKey.toString('hex'));
    expect(JSON.parse(manifest)).toMatchObject({ format: 1, migrations: expect.any(Array) });
    const [recorded] = await system.rows(
      sql<
        Record<string, unknown>
      >`select stored_as, finished_at, verified_at, problem from backups`,
    );
    expect(recorded).toEqual({
      stored_as: join(into, names[0]!),
      finished_at: expect.any(Date),
      verified_at: expect.any(Date),
      problem: null,
    });
    const context = { config, connections: target.connections, log };
    const file = join(into, names[0]!);
    expect(await restoreCommand(context, file, false)).toEqual({
      code: 1,
      text: 'The database is not empty: restore into an empty one.',
    });
    expect(await restoreCommand(context, join(into, 'none'), false)).toMatchObject({
      code: 1,
      text: expect.stringMatching(/^There is no file/),
    });
    writeFileSync(join(into, 'other'), 'x'.repeat(500));
    expect(await restoreCommand(context, join(into, 'other'), false)).toEqual({
      code: 1,
      text: 'This is not a backup of Waystation.',
    });
    expect(secretsFrom(config.secretKey).derive('fingerprint of the key').slice(0, 16)).toBe(
      (JSON.parse(manifest) as { secret_key: string }).secret_key,
    );
  });
});
