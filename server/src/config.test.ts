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

describe('the environment variables', () => {
  it('if several environment variables are invalid, one error lists all of them, with one sentence for each', () => {
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
      WAYSTATION_POOL: '4',
      WAYSTATION_INSTALLATION: '256',
      WAYSTATION_INSTALLATIONS: 'http://north.example.com',
      WAYSTATION_INSTALLATIONS_KEY: 'abc',
      WAYSTATION_CARRIER_TIMEOUT_MS: 'soon',
      WAYSTATION_WORKER_DEAD_AFTER_MS: '10',
      WAYSTATION_TRUST_PROXY: 'proxy',
      WAYSTATION_OUTBOUND_ALLOW: 'https://carrier.example/path',
      WAYSTATION_SIM_PORT: '0',
      WAYSTATION_SIM_MAIL_PORT: '0',
      WAYSTATION_SMTP_HOST: 'smtp://mail.example',
      WAYSTATION_SMTP_PORT: 'smtp',
      WAYSTATION_MAIL_FROM: 'Waystation',
      WAYSTATION_PUBLIC_URL: 'console.example.com',
      WAYSTATION_WAL_DIR: '/wal',
      WAYSTATION_WAL_SECONDS: '0',
      WAYSTATION_WAL_DAYS: '367',
    };
    const reported = problems(bad);
    for (const name of Object.keys(bad))
      expect(
        reported.filter((line) => line.startsWith(`${name} `)),
        name,
      ).toHaveLength(1);
    expect(reported).toHaveLength(Object.keys(bad).length);
  });

  it('every environment variable has a valid default value', () => {
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
  ])('the environment is read as expected: %s', (_, env, expected) => {
    expect(read(env)).toMatchObject(expected);
  });

  it('a carrier on the same machine is allowed in the demo, and outside the demo only if its host is listed in WAYSTATION_OUTBOUND_ALLOW', () => {
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

describe('the configured mail server', () => {
  const server = {
    DATABASE_URL: 'postgres://o@h/d',
    WAYSTATION_SMTP_HOST: 'mail.example.com',
    WAYSTATION_MAIL_FROM: 'Waystation <notices@example.com>',
  };

  it('mail goes to the simulator’s mail catcher in the demo; outside the demo no mail is sent unless a mail server is configured', () => {
    expect(read({ WAYSTATION_SIM_PORT: '8091' })).toMatchObject({
      mail: { host: '127.0.0.1', port: 8096, security: 'none' },
      publicUrl: 'http://localhost:8080',
    });
    expect(read({ DATABASE_URL: 'postgres://o@h/d' })).toMatchObject({
      mail: null,
      publicUrl: null,
    });
  });

  it('mail is sent with STARTTLS on port 587 by default, and with TLS on port 465 if that is configured', () => {
    const from = { name: 'Waystation', address: 'notices@example.com' };
    expect(read(server).mail).toMatchObject({ port: 587, security: 'starttls', user: null, from });
    expect(
      read({
        ...server,
        WAYSTATION_SMTP_SECURITY: 'tls',
        WAYSTATION_SMTP_USER: 'me',
        WAYSTATION_SMTP_PASSWORD: 'x',
        WAYSTATION_PUBLIC_URL: 'https://console.example.com/',
      }),
    ).toMatchObject({
      mail: { port: 465, security: 'tls', user: 'me' },
      publicUrl: 'https://console.example.com',
    });
  });

  it('a mail password without encryption, or a mail user without a password, is a problem of the environment', () => {
    expect(
      problems({
        ...server,
        WAYSTATION_SMTP_SECURITY: 'none',
        WAYSTATION_SMTP_USER: 'me',
        WAYSTATION_SMTP_PASSWORD: 'x',
      }),
    ).toEqual(['WAYSTATION_SMTP_SECURITY must not be none where a password is sent.']);
    expect(problems({ ...server, WAYSTATION_SMTP_USER: 'me' })).toEqual([
      'WAYSTATION_SMTP_USER and WAYSTATION_SMTP_PASSWORD must be set together.',
    ]);
    expect(problems({ ...server, WAYSTATION_SMTP_SECURITY: 'ssl' })).toHaveLength(1);
  });
});

describe('the secret key', () => {
  it('the secret key is created once, in a file that only its owner can read, and is read from this file afterwards', () => {
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

  it('the application role is named after its database; its password is derived from the secret key and is the same at every start', () => {
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

  it('the name of the application role is the user of WAYSTATION_APP_DATABASE_URL or its parameter “user”', () => {
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

describe('the configuration of tracing', () => {
  it('tracing is off if no OpenTelemetry endpoint is set or if it is disabled; an invalid share or endpoint is refused with a reason', () => {
    const address = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
    const read = (env: Record<string, string>) =>
      readConfig({
        WAYSTATION_DATA: '/nonexistent',
        WAYSTATION_SECRET_KEY: '0'.repeat(64),
        ...env,
      });
    expect(read({}).traces).toBeNull();
    expect(read({ ...address, OTEL_SDK_DISABLED: 'true' }).traces).toBeNull();
    expect(read(address).traces).toEqual({ service: 'waystation', share: 1 });
    expect(
      read({ ...address, OTEL_TRACES_SAMPLER_ARG: '0.1', OTEL_SERVICE_NAME: 'a' }).traces,
    ).toEqual({ service: 'a', share: 0.1 });
    expect(() => read({ ...address, OTEL_TRACES_SAMPLER_ARG: '2' })).toThrow(/from 0 to 1/);
    expect(() => read({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector' })).toThrow(/http or https/);
  });
});
