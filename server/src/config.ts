import { isIP, isIPv6 } from 'node:net';
import { join, resolve } from 'node:path';
import {
  managerShareOfStreams,
  mostAccountStreams,
  mostSessionStreams,
} from '@waystation/contract/base/limits.ts';
import { firstOf } from '@waystation/contract/base/present.ts';
import { readInstallations } from './config-installations.ts';
import type { OtherInstallations } from './config-installations.ts';
import { ConfigError, checkKeys, keysOf, keyFileIn, secretKey } from './config-keys.ts';
import type { Env } from './config-keys.ts';

export { ConfigError };

export interface Config {
  production: boolean;
  /**
   * True if this is a demo, with the example network, the simulator and displayed accounts. With an
   * external database it is a demo only on request.
   */
  demo: boolean;
  port: number;
  host: string;
  metricsPort: number;
  dataDir: string;
  /**
   * The file outside the database that contains the newest hash (head) of each ledger chain; null
   * if no such file is written.
   */
  headsFile: string | null;
  webDir: string;
  /**
   * The number of this installation, which gives the range of all its ids and order numbers; null
   * leaves the number unchanged.
   */
  installation: number | null;
  /** The database URL of the owner; null if the embedded PostgreSQL is used. */
  /** The other installations of the company; null if this is the only one. */
  installations: OtherInstallations | null;
  databaseUrl: string | null;
  appDatabaseUrl: string | null;
  /** The URL of a replica for reads that may return stale data; null if there is none. */
  readDatabaseUrl: string | null;
  /** The largest delay of the replica in milliseconds at which it is still read. */
  readLagMs: number;
  /**
   * The database URL for LISTEN, which must not lead to a pooler; null if it is the URL of all
   * other queries.
   */
  listenDatabaseUrl: string | null;
  simulator: { port: number; url: string };
  demoPassword: string;
  demoParcels: number;
  secretKey: Buffer;
  /** The key that `rotate-key` puts into use; null if it generates one. */
  newSecretKey: Buffer | null;
  /** The file of the secret key; null if the environment contains the key. */
  secretKeyFile: string | null;
  /** The key that encrypts backups; null if backups are not encrypted. */
  backupKey: Buffer | null;
  /** The folder of scheduled backups; null: none are scheduled. */
  backupDir: string | null;
  /**
   * The folder into which the log of the embedded PostgreSQL is archived; null if it is not
   * archived.
   */
  walDir: string | null;
  /** Seconds after which a part of the log is archived even if it is not full. */
  walSeconds: number;
  /** The archive can restore any time of this number of most recent days. */
  walDays: number;
  /**
   * The configuration of traces, from OpenTelemetry's own environment variables; null if tracing is
   * off. `share`: the share of traces that is sent.
   */
  traces: { service: string; share: number } | null;
  logLevel: string;
  /** The origins of web pages on other hosts, for CORS and the content security policy. */
  origins: string[];
  /** /docs, /openapi.json and the client. */
  apiPages: boolean;
  outboundAllow: string[];
  /**
   * Networks that webhooks may call although their addresses are not public. Calls to all other
   * addresses that are not public are refused, because the users of a station enter the URLs of
   * webhooks.
   */
  webhookAllow: string[];
  /** The server for outgoing mail; null if no mail is sent. */
  mail: MailSettings | null;
  /** The URL of the web console, used for links in messages; null if messages have no links. */
  publicUrl: string | null;
  trustProxy: string[] | false;
  session: { idleMinutes: number; absoluteHours: number };
  worker: { concurrency: number; deadAfterMs: number };
  carrier: { timeoutMs: number; pollSeconds: number };
  poolSize: number;
  /**
   * The largest numbers of open event streams in this process: of one session, of one account, of
   * all accounts made under one manager, and in total.
   */
  streams: { perSession: number; perAccount: number; perManager: number; total: number };
  /** True if statements are prepared on their connection. */
  prepare: boolean;
  /** True if responses are validated before they are sent, for development. */
  checkAnswers: boolean;
  /**
   * The milliseconds after which a list's statement is cancelled, and after which a waiting list
   * query is refused.
   */
  listTimeoutMs: number;
  /** Milliseconds after which a statement of an exact count is cancelled. */
  exactTimeoutMs: number;
  /**
   * The share of the time, in percent, that one account's lists get while others read lists too;
   * 100 means no limit.
   */
  listSharePercent: number;
}

export interface MailSettings {
  host: string;
  port: number;
  /** TLS from the first byte, TLS by STARTTLS (required), or no encryption. */
  security: 'tls' | 'starttls' | 'none';
  user: string | null;
  password: string | null;
  /** The sender: an address, or a name with one in angle brackets. */
  from: { name: string; address: string };
}

/**
 * Returns functions that read one environment variable each. A function adds a sentence to
 * `problems` if the variable is invalid.
 */
const readersOf = (env: Env) => {
  const problems: string[] = [];
  const number = (name: string, fallback: number, min: number, max: number): number => {
    const text = env[name];
    if (text === undefined || text === '') return fallback;
    const value = Number(text);
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    problems.push(`${name} must be a whole number from ${min} to ${max}, not "${text}".`);
    return fallback;
  };
  const flag = (name: string, fallback: boolean): boolean => {
    const text = env[name];
    if (text === undefined || text === '') return fallback;
    if (text !== '0' && text !== '1') problems.push(`${name} must be 0 or 1, not "${text}".`);
    return text === '1';
  };
  const url = (name: string): string | null => {
    const text = env[name];
    if (!text) return null;
    if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text))
      problems.push(`${name} must look like postgres://user:password@host:5432/database.`);
    return text;
  };
  const list = (name: string): string[] =>
    (env[name] ?? '')
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean);
  return { problems, number, flag, url, list };
};

type Readers = ReturnType<typeof readersOf>;

const senderForm = /^(?:([^<>"\r\n]{0,100}?)\s*<([^<>\s@]+@[^<>\s@]+)>|([^<>\s@]+@[^<>\s@]+))$/;

/** The default port of the demo's mail catcher, near the simulator's port. */
const catcherPort = (simulatorPort: number): number =>
  simulatorPort > 65_530 ? simulatorPort - 5 : simulatorPort + 5;

/**
 * Reads the mail server from the environment. If a demo has no mail server, the simulator's mail
 * catcher is used.
 */
const mailOf = (
  env: Env,
  { problems, number }: Pick<Readers, 'problems' | 'number'>,
  { demo, simulatorPort }: { demo: boolean; simulatorPort: number },
): MailSettings | null => {
  const mailPort = number('WAYSTATION_SIM_MAIL_PORT', catcherPort(simulatorPort), 1, 65_535);
  const security = env['WAYSTATION_SMTP_SECURITY'] || 'starttls';
  if (security !== 'tls' && security !== 'starttls' && security !== 'none') {
    problems.push(`WAYSTATION_SMTP_SECURITY must be starttls, tls or none, not "${security}".`);
    return null;
  }
  const port = number('WAYSTATION_SMTP_PORT', security === 'tls' ? 465 : 587, 1, 65_535);
  const host = env['WAYSTATION_SMTP_HOST'];
  if (!host)
    return demo
      ? {
          host: '127.0.0.1',
          port: mailPort,
          security: 'none',
          user: null,
          password: null,
          from: { name: 'Waystation', address: 'notices@waystation.example' },
        }
      : null;
  const user = env['WAYSTATION_SMTP_USER'] || null;
  const password = env['WAYSTATION_SMTP_PASSWORD'] || null;
  if (/[\s/:@]/.test(host))
    problems.push(`WAYSTATION_SMTP_HOST must be a host name, not "${host}".`);
  if ((user === null) !== (password === null))
    problems.push('WAYSTATION_SMTP_USER and WAYSTATION_SMTP_PASSWORD must be set together.');
  if (user !== null && security === 'none')
    problems.push('WAYSTATION_SMTP_SECURITY must not be none where a password is sent.');
  const [, name = '', inBrackets, alone] = senderForm.exec(env['WAYSTATION_MAIL_FROM'] ?? '') ?? [];
  const address = inBrackets ?? alone;
  if (address === undefined)
    problems.push(
      'WAYSTATION_MAIL_FROM must be the sender of mail, such as Waystation <notices@example.com>.',
    );
  return { host, port, security, user, password, from: { name, address: address ?? '' } };
};

/** Reads the URL of the web console, and removes a slash at its end. */
const publicUrlOf = (
  env: Env,
  problems: string[],
  { demo, port }: { demo: boolean; port: number },
): string | null => {
  const text = env['WAYSTATION_PUBLIC_URL'];
  if (!text) return demo ? `http://localhost:${port}` : null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.search + url.hash + url.username !== '') {
    problems.push(
      `WAYSTATION_PUBLIC_URL must be the address of the console such as https://console.example.com, not "${text}".`,
    );
    return null;
  }
  return url.href.replace(/\/+$/, '');
};

const carrierOf = (number: ReturnType<typeof readersOf>['number']): Config['carrier'] => ({
  timeoutMs: number('WAYSTATION_CARRIER_TIMEOUT_MS', 10_000, 100, 120_000),
  pollSeconds: number('WAYSTATION_CARRIER_POLL_SECONDS', 1_800, 1, 86_400),
});

/**
 * Returns the limits of one process's open event streams, calculated from the limit of their total.
 */
const streamLimits = (total: number): Config['streams'] => ({
  perSession: mostSessionStreams,
  perAccount: mostAccountStreams,
  perManager: Math.max(mostAccountStreams, Math.floor(total * managerShareOfStreams)),
  total,
});

const readTraces = (env: Env, problems: string[]): Config['traces'] => {
  const address =
    env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] || env['OTEL_EXPORTER_OTLP_ENDPOINT'] || '';
  if (address === '' || env['OTEL_SDK_DISABLED'] === 'true') return null;
  if (!/^https?:$/.test(URL.parse(address)?.protocol ?? ''))
    problems.push(`OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https address.`);
  const share = Number(env['OTEL_TRACES_SAMPLER_ARG'] || 1);
  if (!(share >= 0 && share <= 1))
    problems.push('OTEL_TRACES_SAMPLER_ARG must be a share from 0 to 1.');
  return { service: env['OTEL_SERVICE_NAME'] || 'waystation', share };
};

/** Adds a problem for each invalid address or origin. */
const checkAddresses = ({ problems, list }: Pick<Readers, 'problems' | 'list'>): void => {
  for (const proxy of list('WAYSTATION_TRUST_PROXY'))
    if (
      isIP(firstOf(proxy.split('/'))) === 0 &&
      !['loopback', 'linklocal', 'uniquelocal'].includes(proxy)
    )
      problems.push(
        `WAYSTATION_TRUST_PROXY holds "${proxy}", which is neither an address (10.0.0.0/8) nor loopback, linklocal or uniquelocal.`,
      );
  for (const name of ['WAYSTATION_OUTBOUND_ALLOW', 'WAYSTATION_WEBHOOK_ALLOW'])
    for (const host of list(name))
      if (!isIPv6(host) && !/^(\[[0-9a-f:.]+\]|[^\s:/@?#[\]]+)(:\d{1,5})?$/i.test(host))
        problems.push(`${name} holds "${host}", which is neither a host nor host:port.`);
  for (const origin of list('WAYSTATION_ORIGINS'))
    if (!URL.canParse(origin) || new URL(origin).origin !== origin)
      problems.push(
        `WAYSTATION_ORIGINS holds "${origin}", which is not an origin such as https://console.example.com.`,
      );
};

const pathsOf = (env: Env, dataDir: string) => ({
  dataDir,
  headsFile:
    env['WAYSTATION_HEADS_FILE'] === 'off'
      ? null
      : resolve(env['WAYSTATION_HEADS_FILE'] || `${dataDir}-heads.jsonl`),
  webDir: resolve(env['WAYSTATION_WEB'] || join(import.meta.dirname, '..', '..', 'web', 'dist')),
  backupDir: env['WAYSTATION_BACKUP_DIR'] ? resolve(env['WAYSTATION_BACKUP_DIR']) : null,
  walDir: env['WAYSTATION_WAL_DIR'] ? resolve(env['WAYSTATION_WAL_DIR']) : null,
});

const limitsOf = (number: Readers['number']) => ({
  session: {
    idleMinutes: number('WAYSTATION_SESSION_IDLE_MINUTES', 30, 1, 1_440),
    absoluteHours: number('WAYSTATION_SESSION_HOURS', 12, 1, 168),
  },
  worker: {
    concurrency: number('WAYSTATION_WORKER_CONCURRENCY', 8, 1, 64),
    deadAfterMs: number('WAYSTATION_WORKER_DEAD_AFTER_MS', 20_000, 1_000, 600_000),
  },
  // A worker uses two connections for LISTEN and one for its heartbeat. Its jobs need further
  // connections, so fewer than five are refused.
  poolSize: number('WAYSTATION_POOL', 16, 5, 200),
  listTimeoutMs: number('WAYSTATION_LIST_TIMEOUT_MS', 5_000, 100, 30_000),
  exactTimeoutMs: number('WAYSTATION_EXACT_TIMEOUT_MS', 30_000, 100, 300_000),
  listSharePercent: number('WAYSTATION_LIST_SHARE_PERCENT', 25, 5, 100),
});

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/**
 * Reads the configuration from the environment, and checks all of it before anything starts. No
 * other code reads the environment.
 */
export const readConfig = (env: Env = process.env): Config => {
  const { problems, number, flag, url, list } = readersOf(env);
  checkAddresses({ problems, list });
  checkKeys(env, problems);
  const production = env['NODE_ENV'] === 'production';
  const databaseUrl = url('DATABASE_URL');
  const wantsDemo = flag('WAYSTATION_DEMO', databaseUrl === null && !production);
  const demo = databaseUrl === null ? wantsDemo && !production : wantsDemo;
  const dataDir = resolve(env['WAYSTATION_DATA'] || 'data');
  const simulatorPort = number('WAYSTATION_SIM_PORT', 8090, 1, 65_535);
  const simulatorHost = demo ? [`127.0.0.1:${simulatorPort}`] : [];
  const port = number('PORT', 8080, 0, 65_535);
  const origins = list('WAYSTATION_ORIGINS');
  const demoPassword = env['WAYSTATION_DEMO_PASSWORD'] || 'waystation-demo';
  if (demoPassword.length < 8)
    problems.push('WAYSTATION_DEMO_PASSWORD must have at least 8 characters.');
  const level = env['WAYSTATION_LOG'] || 'info';
  if (!logLevels.includes(level))
    problems.push(`WAYSTATION_LOG must be one of ${logLevels.join(', ')}, not "${level}".`);
  const keyText = env['WAYSTATION_SECRET_KEY'];
  if (databaseUrl !== null && env['WAYSTATION_WAL_DIR'])
    problems.push(
      'WAYSTATION_WAL_DIR is for the embedded PostgreSQL: let pgBackRest archive the log of DATABASE_URL.',
    );
  const config = {
    production,
    demo,
    port,
    host: env['WAYSTATION_HOST'] || (demo ? '127.0.0.1' : '0.0.0.0'),
    metricsPort: number('WAYSTATION_METRICS_PORT', 0, 0, 65_535),
    ...pathsOf(env, dataDir),
    installation: env['WAYSTATION_INSTALLATION']
      ? number('WAYSTATION_INSTALLATION', 0, 0, 255)
      : null,
    installations: readInstallations(env, problems),
    databaseUrl,
    appDatabaseUrl: url('WAYSTATION_APP_DATABASE_URL'),
    readDatabaseUrl: url('WAYSTATION_READ_DATABASE_URL'),
    listenDatabaseUrl: url('WAYSTATION_LISTEN_DATABASE_URL'),
    readLagMs: number('WAYSTATION_READ_LAG_MS', 5_000, 100, 600_000),
    simulator: { port: simulatorPort, url: `http://127.0.0.1:${simulatorPort}` },
    demoPassword,
    demoParcels: number('WAYSTATION_DEMO_PARCELS', 6_000, 0, 1_000_000),
    walSeconds: number('WAYSTATION_WAL_SECONDS', 60, 1, 3_600),
    walDays: number('WAYSTATION_WAL_DAYS', 7, 1, 366),
    traces: readTraces(env, problems),
    logLevel: level,
    origins,
    apiPages: flag('WAYSTATION_API_DOCS', !production),
    outboundAllow: [...list('WAYSTATION_OUTBOUND_ALLOW'), ...simulatorHost],
    webhookAllow: [...list('WAYSTATION_WEBHOOK_ALLOW'), ...simulatorHost],
    mail: mailOf(env, { problems, number }, { demo, simulatorPort }),
    publicUrl: publicUrlOf(env, problems, { demo, port }),
    trustProxy: env['WAYSTATION_TRUST_PROXY'] ? list('WAYSTATION_TRUST_PROXY') : (false as const),
    ...limitsOf(number),
    carrier: carrierOf(number),
    prepare: flag('WAYSTATION_PREPARE', true),
    streams: streamLimits(number('WAYSTATION_STREAMS', 2_000, 0, 50_000)),
    checkAnswers: flag('WAYSTATION_CHECK_ANSWERS', false),
  };
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  return {
    ...config,
    secretKey: secretKey(keyText, dataDir),
    ...keysOf(env),
    secretKeyFile: keyText ? null : keyFileIn(dataDir),
  };
};
