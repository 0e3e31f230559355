import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { createApi } from '#api.ts';
import { createApp } from '#app.ts';
import type { App } from '#app.ts';
import type { Config } from '#config.ts';
import type { DemoNetwork, DemoStation } from '#features/demo/network.ts';
import { standingClock } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { silentLog } from '#platform/log.ts';
import type { Log } from '#platform/log.ts';
import type { TestDatabase } from './cluster.ts';
import { runTask } from './run-task.ts';
import { testConfig } from './test-app.ts';
import { copyNetwork } from './test-network.ts';

const all = systemScope('test');

export interface Answer<T> {
  status: number;
  data: T;
  message: string;
  /** The answer's body as unchanged bytes. */
  bytes: Buffer;
  headers: Headers;
}

/** The token of a caller, or the token together with additional headers for the call. */
export type Caller = string | null | { token: string | null; headers: Record<string, string> };

/** The fields of `data` in the response to a refused request. */
export interface Refused {
  code?: string;
  params?: object;
  fields?: Record<string, { code: string }>;
}

type StandingClock = ReturnType<typeof standingClock>;

export interface TestApiOptions<C extends Clock> {
  config?: Partial<Config>;
  clock: C;
  /**
   * The number of server processes, 1 by default. They answer requests in turn, and share one
   * database and one clock.
   */
  processes?: number;
  /** The database role that the server uses. */
  role?: 'application' | 'owner';
  /**
   * Replaces the settings of the server's database connection, for example with the address of a
   * proxy or a pooler.
   */
  through?: (connection: pg.PoolConfig) => Promise<pg.PoolConfig>;
  log?: Log;
}

/**
 * The HTTP API on a fresh database with the example network: the stations and accounts of the demo,
 * but no parcels. There is no carrier and no worker.
 */
export interface TestApi<C extends Clock = StandingClock> {
  /** The application of the first process. */
  app: App;
  apps: App[];
  /** The HTTP servers of all processes. */
  servers: FastifyInstance[];
  /** The HTTP server of the first process. The next field is its URL. */
  http: FastifyInstance;
  url: string;
  clock: C;
  network: DemoNetwork;
  database: TestDatabase;
  station(key: string): DemoStation;
  /** Sends a request. The processes receive the requests in turn. */
  call<T = never>(caller: Caller, method: string, path: string, body?: unknown): Promise<Answer<T>>;
  tryLogin(
    username: string,
    password?: string,
    otp?: string,
    address?: string,
  ): Promise<Answer<Refused & { access_token: string }>>;
  /** Logs in and returns the token of the new session. */
  login(username: string, password?: string, otp?: string): Promise<string>;
  /** Logs in one account of each role. */
  loginAll(): Promise<Tokens>;
  /** Returns the status with which each process answers a caller with this token. */
  statusAtEachProcess(token: string): Promise<number[]>;
  /** Executes a query with the system's scope and returns the rows. */
  rows<T>(query: ReturnType<typeof sql<T>>): Promise<T[]>;
  /** Runs a user's background job until it has ended. */
  runJob(job_id: number): Promise<void>;
  close(): Promise<void>;
}

export type Tokens = Record<'super' | 'admin' | 'partner' | 'station' | 'clerk', string>;

/**
 * Returns the headers of a call that seems to come from the IP address `address`. This works
 * because `openTestApi` trusts the test's own address as a proxy.
 */
export const from = (address: string): Record<string, string> => ({ 'x-forwarded-for': address });

let keys = 0;

const callerOf = (caller: Caller) =>
  caller !== null && typeof caller === 'object' ? caller : { token: caller, headers: {} };

const request = async <T>(
  caller: Caller,
  method: string,
  url: string,
  body?: unknown,
): Promise<Answer<T>> => {
  const { token, headers } = callerOf(caller);
  const form = body instanceof FormData;
  const answer = await fetch(url, {
    method,
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && !form && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: form ? body : JSON.stringify(body) }),
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  const json = /json/.test(answer.headers.get('content-type') ?? '')
    ? (JSON.parse(bytes.toString()) as { data: T; message: string })
    : null;
  return {
    status: answer.status,
    data: json ? json.data : (null as T),
    message: json?.message ?? '',
    bytes,
    headers: answer.headers,
  };
};

export const startTestApi = async <C extends Clock>({
  config = {},
  clock,
  processes = 1,
  role,
  through = async (connection) => connection,
  log = silentLog(),
}: TestApiOptions<C>): Promise<TestApi<C>> => {
  const settings = testConfig({ webDir: '/nonexistent', ...config });
  const { database, network } = await copyNetwork(settings, clock);
  const connection = await through(role === 'owner' ? database.owner : database.connection);
  const apps = Array.from({ length: processes }, () => createApp(settings, connection, log, clock));
  const app = apps[0]!;
  await app.db.tx(all, (work) =>
    sql`update merchants set base_url = ${settings.simulator.url}`.execute(work.tx),
  );
  const servers = await Promise.all(apps.map((one) => createApi(one, { checkOutput: true })));
  for (const http of servers) await http.listen({ port: 0, host: '127.0.0.1' });
  const urls = servers.map(
    ({ server }) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  );
  let turn = 0;
  const rows: TestApi['rows'] = async (query) =>
    (await app.db.tx(all, (work) => query.execute(work.tx))).rows;
  const api: TestApi<C> = {
    app,
    apps,
    servers,
    http: servers[0]!,
    url: urls[0]!,
    clock,
    network,
    database,
    rows,
    station: (key) => network.stations.find((one) => one.key === key)!,
    call: (caller, method, path, body) =>
      request(caller, method, urls[turn++ % processes]! + path, body),
    tryLogin: (username, password = settings.demoPassword, otp, address) =>
      api.call(
        { token: null, headers: address === undefined ? {} : from(address) },
        'POST',
        '/api/arco/login/password',
        { username, password, ...(otp !== undefined && { otp }) },
      ),
    login: async (...credentials) => (await api.tryLogin(...credentials)).data.access_token,
    loginAll: async () => {
      const names = ['super', 'admin', 'partner', 'station', 'clerk'] as const;
      return Object.fromEntries(
        await Promise.all(names.map(async (name) => [name, await api.login(name)])),
      ) as Tokens;
    },
    statusAtEachProcess: (token) =>
      Promise.all(
        urls.map(async (url) => (await request(token, 'GET', `${url}/api/arco/personal`)).status),
      ),
    runJob: async (job_id) => {
      const open = () =>
        rows(sql`select 1 from user_jobs where id = ${job_id}
        and status in ('queued', 'running')`);
      while ((await open()).length > 0) await runTask(app, 'run_user_job', { job_id });
    },
    close: async () => {
      for (const http of servers) await http.close();
      for (const one of apps) await one.close();
      await database.drop();
    },
  };
  return api;
};

/**
 * Opens the API with a clock that stays at 2026-03-02 10:00 in Shanghai until the test moves it. A
 * call without an idempotency key gets a new key.
 */
export const openTestApi = async (
  options: Omit<TestApiOptions<Clock>, 'clock'> = {},
): Promise<TestApi> => {
  const config = { trustProxy: ['127.0.0.1'], ...options.config };
  const api = await startTestApi({
    ...options,
    config,
    clock: standingClock(new Date('2026-03-02T10:00:00+08:00')),
  });
  const { call } = api;
  api.call = (caller, method, path, body) => {
    const { token, headers } = callerOf(caller);
    const key = { 'idempotency-key': `test-key-${++keys}` };
    return call({ token, headers: { ...key, ...headers } }, method, path, body);
  };
  return api;
};
