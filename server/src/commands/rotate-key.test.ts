import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { rotateKeyCommand } from './rotate-key.ts';
import type { RotationStep } from './rotate-key.ts';
import { createApp } from '#app.ts';
import type { App } from '#app.ts';
import type { Config } from '#config.ts';
import { openPushSecret, secretPurpose } from '#domain/merchant-secrets/merchant-secrets.ts';
import { openAddress, sealAddress } from '#domain/notices/notices.ts';
import {
  beginTwoFactor,
  makeRecoveryCodes,
  twoFactorOf,
  twoFactorPurpose,
  verifyTwoFactor,
} from '#platform/auth/two-factor.ts';
import { systemClock } from '#platform/clock.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { silentLog } from '#platform/log.ts';
import { assertSecretKey } from '#platform/secrets/secret-keys.ts';
import { appRole } from '#testing/cluster.ts';
import type { TestDatabase } from '#testing/cluster.ts';
import { compileCache } from '#testing/compile-cache.ts';
import { limitMs } from '#testing/limits.ts';
import { testConfig } from '#testing/test-app.ts';
import { copyNetwork } from '#testing/test-network.ts';
import { urlOf } from '#testing/worker-process.ts';

const scope = systemScope('test');
const folder = mkdtempSync(join(tmpdir(), 'rotate-'));
const file = join(folder, 'secret.key');
const keyOf = (name = file): Buffer => Buffer.from(readFileSync(name, 'utf8'), 'hex');
const now = new Date('2026-03-02T02:00:00Z');

let database: TestDatabase;
let config: Config;
let account_id: number;
let factor: string;
let code: string;
beforeAll(async () => {
  config = testConfig({ secretKeyFile: file, newSecretKey: null });
  ({ database } = await copyNetwork(config, systemClock));
  writeFileSync(file, config.secretKey.toString('hex'));
});
afterAll(async () => {
  await database?.drop();
  rmSync(folder, { recursive: true });
});

/** Runs a function with the secrets of one key, as a process of the product would. */
const under = async <T>(secretKey: Buffer, run: (app: App) => Promise<T>): Promise<T> => {
  const app = createApp({ ...config, secretKey }, database.connection, silentLog());
  try {
    return await run(app);
  } finally {
    await app.close();
  }
};
const opened = (key: Buffer) =>
  under(key, (app) =>
    app.db.tx(scope, async (work) => {
      const { rows } = await sql<{ id: number; app_secret: Buffer }>`select id, app_secret
        from merchants where app_secret is not null order by id limit 1`.execute(work.tx);
      const { rows: channels } = await sql<{ address: Buffer }>`select address
        from notice_channels`.execute(work.tx);
      const stored = await twoFactorOf(work, account_id);
      return {
        app_secret: app.secrets.open(rows[0]!.app_secret, secretPurpose('app_secret')),
        push: await openPushSecret(work, app.secrets, rows[0]!.id),
        factor: app.secrets.open(stored!.secret, twoFactorPurpose(account_id)),
        channels: channels.map(({ address }) => openAddress(app.secrets, address)),
      };
    }),
  );
const rotate = (onStep?: RotationStep, changes: Partial<Config> = {}) =>
  rotateKeyCommand(
    {
      config: { ...config, secretKey: keyOf(), ...changes },
      connections: {
        owner: database.owner,
        app: database.connection,
        role: appRole,
      },
    },
    onStep,
  );
const recovers = (key: Buffer, otp: string) =>
  under(key, (app) =>
    app.db.tx(scope, (work) => verifyTwoFactor(work, app.secrets, { account_id, otp, now })),
  );

const address = { to: 'https://oapi.dingtalk.com/robot/send?access_token=a', secret: 'SEC' };
let first: Buffer;
let plain: Awaited<ReturnType<typeof opened>>;
beforeAll(async () => {
  first = keyOf();
  await under(first, async (app) => {
    await assertSecretKey(app.db, first, now);
    await app.db.tx(scope, async (work) => {
      const { rows } = await sql<{ id: number }>`select id from accounts
        where username = 'admin'`.execute(work.tx);
      account_id = rows[0]!.id;
      factor = (await beginTwoFactor(work, app.secrets, account_id, now)).toString('base64');
      code = (await makeRecoveryCodes(work, app.secrets, account_id))[0]!;
      await sql`insert into notice_channels (account_id, kind, name, address, address_hash, hint,
          language, kinds, asked_from, resume_at)
        values (${account_id}, 'dingtalk', 'group', ${sealAddress(app.secrets, address)}, '', '',
          'zh', '{}', ${now}, ${now})`.execute(work.tx);
    });
  });
  plain = await opened(first);
  expect(plain).toMatchObject({ factor, channels: [address] });
});

describe('the rotation of the secret key', () => {
  it('a key rotation is refused while a process of the product is connected to the database', async () => {
    await under(first, async (app) => {
      await app.db.tx(scope, (work) => sql`select 1`.execute(work.tx));
      await expect(rotate()).rejects.toThrow('The product runs');
    });
    expect(await opened(first)).toEqual(plain);
  });

  it('a key rotation waits until another database connection has ended', async () => {
    const late = new pg.Client(database.connection);
    await late.connect();
    // real delay: the connection ends while the rotation waits for it.
    const ended = new Promise((resolve) => setTimeout(resolve, 300)).then(() => late.end());
    await expect(
      rotate(async (step) => {
        if (step === 'encrypted') throw new Error('killed');
      }),
    ).rejects.toThrow('killed');
    await ended;
    expect(await opened(first)).toEqual(plain);
  });

  it('a key rotation that is killed leaves every secret encrypted with the previous key', async () => {
    const [lock, watch] = [new pg.Client(database.owner), new pg.Client(database.owner)];
    await Promise.all([lock.connect(), watch.connect()]);
    await lock.query('begin; lock table audit_log in exclusive mode');
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, '..', 'main.ts'), 'rotate-key'],
      {
        env: {
          PATH: process.env['PATH'] ?? '',
          DATABASE_URL: urlOf(database.owner),
          WAYSTATION_APP_DATABASE_URL: urlOf(database.connection),
          WAYSTATION_HEADS_FILE: 'off',
          WAYSTATION_LOG: 'error',
          NODE_COMPILE_CACHE: compileCache,
          WAYSTATION_SECRET_KEY: first.toString('hex'),
          WAYSTATION_NEW_SECRET_KEY: randomBytes(32).toString('hex'),
        },
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
    const exit = once(child, 'exit');
    // The command has encrypted everything and waits for a lock before it records the key.
    await vi.waitUntil(
      async () =>
        child.exitCode !== null ||
        (
          await watch.query(
            `select from pg_stat_activity where datname = current_database()
               and wait_event_type = 'Lock' and query like '%rotate_key%'`,
          )
        ).rowCount === 1,
      { interval: 50, timeout: limitMs(60_000) },
    );
    expect(child.exitCode).toBe(null);
    child.kill('SIGKILL');
    await exit;
    await lock.query('rollback');
    await Promise.all([lock.end(), watch.end()]);
    expect(await opened(first)).toEqual(plain);
    await under(first, (app) => assertSecretKey(app.db, first, now));
  });

  it('if a key rotation is killed after its commit, the server refuses to start until a second key rotation has finished it', async () => {
    await expect(
      rotate(async (step) => {
        if (step === 'committed') throw new Error('killed');
      }),
    ).rejects.toThrow('killed');
    expect(keyOf()).toEqual(first);
    await under(first, (app) =>
      expect(assertSecretKey(app.db, first, now)).rejects.toThrow('run it again'),
    );
    const { text, code: exit } = await rotate();
    expect([exit, text]).toEqual([0, expect.stringContaining('was in force already')]);
    const second = keyOf();
    expect(second).not.toEqual(first);
    expect(readdirSync(folder).filter((name) => name.endsWith('.next'))).toEqual([]);
    expect(readdirSync(folder)).toHaveLength(2);
    await under(second, (app) => assertSecretKey(app.db, second, now));
    expect(await opened(second)).toEqual(plain);
    await expect(opened(first)).rejects.toThrow();
  });

  it('a recovery code created with an earlier secret key still works once after several key rotations, and a new recovery code works too', async () => {
    expect(await rotate()).toMatchObject({ code: 0 });
    const third = keyOf();
    expect(await opened(third)).toEqual(plain);
    expect(await recovers(third, code)).toBe('recovery');
    expect(await recovers(third, code)).toBe(null);
    const [fresh] = await under(third, (app) =>
      app.db.tx(scope, (work) => makeRecoveryCodes(work, app.secrets, account_id)),
    );
    expect(await recovers(third, fresh!)).toBe('recovery');
  });

  it('a key rotation is refused if the new key was used before, or if no new key is given', async () => {
    await expect(rotate(undefined, { secretKeyFile: null, newSecretKey: first })).rejects.toThrow(
      'was in force before',
    );
    await expect(rotate(undefined, { secretKeyFile: null })).rejects.toThrow(
      'set WAYSTATION_NEW_SECRET_KEY',
    );
  });
});
