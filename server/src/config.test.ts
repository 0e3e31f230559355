import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from './config.ts';
import { externalConnections } from './connections.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'waystation-config-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const key = 'a'.repeat(64);
const read = (env: Record<string, string>) =>
  readConfig({ WAYSTATION_SECRET_KEY: key, WAYSTATION_DATA: folder, ...env });
const problems = (env: Record<string, string>): string[] => {
  try {
    read(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n');
    throw error;
  }
  return [];
};

describe('the environment', () => {
  it('the environment is refused with every bad variable named at once, one sentence each', () => {
    const bad = {
      PORT: '70000',
      DATABASE_URL: 'mysql://host/db',
      WAYSTATION_APP_DATABASE_URL: 'postgres//nowhere',
      WAYSTATION_DEMO: 'yes',
      WAYSTATION_ORIGINS: 'https://a.example, console',
      WAYSTATION_DEMO_PASSWORD: 'short',
      WAYSTATION_LOG: 'loud',
      WAYSTATION_SECRET_KEY: 'abc',
      WAYSTATION_SESSION_IDLE_MINUTES: '0',
      WAYSTATION_POOL: '1.5',
      WAYSTATION_CARRIER_TIMEOUT_MS: 'soon',
      WAYSTATION_WORKER_DEAD_AFTER_MS: '10',
      WAYSTATION_TRUST_PROXY: 'proxy',
      WAYSTATION_OUTBOUND_ALLOW: 'https://carrier.example/path',
      WAYSTATION_SIM_PORT: '0',
    };
    const reported = problems(bad);
    for (const name of Object.keys(bad))
      expect(
        reported.filter((line) => line.startsWith(`${name} `)),
        name,
      ).toHaveLength(1);
    expect(reported).toHaveLength(Object.keys(bad).length);
  });

  it('the environment has valid defaults for every variable', () => {
    expect(readConfig({ WAYSTATION_SECRET_KEY: key })).toMatchObject({
      demo: true,
      production: false,
      port: 8080,
      host: '127.0.0.1',
      databaseUrl: null,
      session: { idleMinutes: 30, absoluteHours: 12 },
      worker: { deadAfterMs: 20_000 },
    });
  });

  it.each([
    ['without DATABASE_URL is the demo on loopback', {}, { demo: true, host: '127.0.0.1' }],
    [
      'with DATABASE_URL is real',
      { DATABASE_URL: 'postgres://o@h/d' },
      { demo: false, host: '0.0.0.0' },
    ],
    [
      'with DATABASE_URL is the demo when asked for',
      { DATABASE_URL: 'postgres://o@h/d', WAYSTATION_DEMO: '1' },
      { demo: true },
    ],
    [
      'in production is real without DATABASE_URL too',
      { NODE_ENV: 'production' },
      { demo: false, host: '0.0.0.0' },
    ],
  ])('a bad variable is refused: %s', (_, env, expected) => {
    expect(read(env)).toMatchObject(expected);
  });

  it('the environment allows carriers on the same machine only in the demo, or if the host is listed', () => {
    expect(read({}).outboundAllow).toEqual(['127.0.0.1:8090']);
    expect(read({ DATABASE_URL: 'postgres://o@h/d' }).outboundAllow).toEqual([]);
    expect(
      read({
        DATABASE_URL: 'postgres://o@h/d',
        WAYSTATION_OUTBOUND_ALLOW: 'relay.example:8443, [::1]:90, 10.0.0.7',
      }).outboundAllow,
    ).toEqual(['relay.example:8443', '[::1]:90', '10.0.0.7']);
  });
});

describe('the secret key', () => {
  it('the secret key is created once, readable by its owner alone, and stays the same', () => {
    const first = readConfig({ WAYSTATION_DATA: join(folder, 'made') }).secretKey;
    expect(first).toHaveLength(32);
    expect(statSync(join(folder, 'made', 'secret.key')).mode & 0o777).toBe(0o600);
    expect(readConfig({ WAYSTATION_DATA: join(folder, 'made') }).secretKey).toEqual(first);
    expect(readFileSync(join(folder, 'made', 'secret.key'), 'utf8').trim()).toBe(
      first.toString('hex'),
    );
  });

  it('a damaged secret key is not replaced, because the values it encrypted would be lost', () => {
    const data = mkdtempSync(join(folder, 'damaged-'));
    writeFileSync(join(data, 'secret.key'), 'half a k');
    expect(() => readConfig({ WAYSTATION_DATA: data })).toThrow(/restore it from a backup/);
    expect(readFileSync(join(data, 'secret.key'), 'utf8')).toBe('half a k');
  });

  it('a missing folder for the secret key is explained in one sentence', () => {
    expect(() => readConfig({ WAYSTATION_DATA: '/proc/nowhere/data' })).toThrow(ConfigError);
  });
});

describe('the application role', () => {
  const roleOf = (env: Record<string, string>) => externalConnections(read(env));

  it('the application role is named after its database, and its password follows from the key, the same at every start', () => {
    const [once, again] = [
      roleOf({ DATABASE_URL: 'postgres://owner:secret@db.example:5433/shop' }),
      roleOf({ DATABASE_URL: 'postgres://owner:secret@db.example:5433/shop' }),
    ];
    expect(once.role).toEqual({
      name: 'waystation_app_shop',
      password: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(again.role).toEqual(once.role);
    expect(
      roleOf({ DATABASE_URL: 'postgres://owner@h/shop', WAYSTATION_SECRET_KEY: 'b'.repeat(64) })
        .role.password,
    ).not.toBe(once.role.password);
  });

  it.each([
    'postgres://owner:secret@db.example:5433/shop?application_name=x',
    'postgres:///shop?host=/var/run/postgresql',
    'postgres://db.example/shop?user=owner&password=secret',
    'postgres://owner@localhost/shop?host=/tmp/pg&port=5433',
  ])('the application role, not the database owner, connects with %s', async (DATABASE_URL) => {
    const { default: pg } = await import('pg');
    const { app, role } = roleOf({ DATABASE_URL });
    const client = new pg.Client(app);
    expect({ user: client.user, password: client.password, database: client.database }).toEqual({
      user: role.name,
      password: role.password,
      database: 'shop',
    });
  });

  it('the application role is the configured one, in whichever part of the address it is given', () => {
    expect(
      roleOf({
        DATABASE_URL: 'postgres://o@h/d',
        WAYSTATION_APP_DATABASE_URL: 'postgres://shop%40app:p%2Fw@h/d',
      }).role,
    ).toEqual({
      name: 'shop@app',
      password: 'p/w',
    });
    expect(
      roleOf({
        DATABASE_URL: 'postgres://o@h/d',
        WAYSTATION_APP_DATABASE_URL: 'postgres:///d?host=/tmp&user=app',
      }).role,
    ).toEqual({
      name: 'app',
      password: null,
    });
  });
});
