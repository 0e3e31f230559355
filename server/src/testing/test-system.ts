import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { createApi } from '#api.ts';
import { createApp } from '#app.ts';
import type { App } from '#app.ts';
import type { Config } from '#config.ts';
import { buildNetwork, exampleKeys } from '#features/demo/network.ts';
import type { DemoNetwork, DemoStation } from '#features/demo/network.ts';
import { topUp } from '#domain/ledger/ledger.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { startWorker } from '#platform/jobs/jobs.ts';
import type { WorkerHandle } from '#platform/jobs/jobs.ts';
import { createLog } from '#platform/log.ts';
import type { Log } from '#platform/log.ts';
import { attempts, giveUp, tasks } from '#tasks.ts';
import type { TestDatabase } from './cluster.ts';
import { createTestDatabase } from './cluster.ts';
import { startCarrier } from './simulator.ts';
import type { TestCarrier } from './simulator.ts';
import { testConfig } from './test-app.ts';

const all = systemScope('test system');

/** The whole system in one process: HTTP, worker, PostgreSQL, and the carrier simulator beside it; the example network of the demo, without parcels. */
export interface TestSystem {
  app: App;
  http: FastifyInstance;
  url: string;
  carrier: TestCarrier;
  network: DemoNetwork;
  database: TestDatabase;
  station(key: string): DemoStation;
  /** The token of one of the shown accounts. */
  login(username: string): Promise<string>;
  call<T = never>(token: string | null, method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer<T>>;
  topUp(key: string, amount: number): Promise<void>;
  worker: WorkerHandle;
  startWorker(): Promise<WorkerHandle>;
  close(): Promise<void>;
}

export interface Answer<T> {
  status: number;
  data: T;
  message: string;
  headers: Headers;
}

const workerFor = (app: App): Promise<WorkerHandle> =>
  startWorker({ app, db: app.db, tasks, schedule: {}, attempts, giveUp, concurrency: 4, deadAfterMs: app.config.worker.deadAfterMs, log: app.log });

let topUps = 0;

/** Starts everything; `config` changes settings, `env` those of the simulator, `hands` are whose role of the database it works as. Real time throughout: the carrier judges timestamps by it. */
export const openTestSystem = async (
  config: Partial<Config> = {},
  env: Record<string, string> = {},
  hands: 'application' | 'owner' = 'application',
  log: Log = createLog(process.env['WAYSTATION_TEST_LOG'] ?? 'silent'),
): Promise<TestSystem> => {
  const carrier = await startCarrier(env);
  const database = await createTestDatabase();
  const settings = testConfig({
    simulator: { port: carrier.port, url: carrier.url },
    outboundAllow: [`127.0.0.1:${carrier.port}`],
    // Patient, so that a busy machine is not taken for a silent carrier; a test about silence says how long it waits.
    carrier: { timeoutMs: 10_000, pollSeconds: 1_800 },
    worker: { concurrency: 4, deadAfterMs: 2_000 },
    webDir: '/nonexistent',
    ...config,
  });
  const app = createApp(settings, hands === 'owner' ? database.owner : database.connection, log);
  const network = await app.db.tx(all, (tx) => buildNetwork(app, tx, new Date(Date.now() - 86_400_000)));
  const http = await createApi(app, { checkOutput: true });
  await http.listen({ port: 0, host: '127.0.0.1' });
  const url = `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`;
  await carrier.control('POST', 'callbacks', { customer_code: exampleKeys.customer_code, url: `${url}/api/carriers/jdl/push/${network.push_secret}` });

  const call = async <T>(token: string | null, method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer<T>> => {
    const answer = await fetch(url + path, {
      method,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && !(body instanceof FormData) && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
    });
    const json = /json/.test(answer.headers.get('content-type') ?? '')
      ? ((await answer.json()) as { data: T; message: string })
      : { data: (await answer.arrayBuffer()) as T, message: '' };
    return { status: answer.status, data: json.data, message: json.message, headers: answer.headers };
  };
  const station = (key: string): DemoStation => network.stations.find((one) => one.key === key)!;
  const system: TestSystem = {
    app,
    http,
    url,
    carrier,
    network,
    database,
    station,
    call,
    login: async (username) =>
      (await call<{ access_token: string }>(null, 'POST', '/api/arco/login/password', { username, password: settings.demoPassword })).data.access_token,
    topUp: async (key, amount) => {
      await app.db.tx(all, (tx) =>
        topUp(tx, { station_id: station(key).id, amount, description: 'test', cause: `test top-up ${++topUps}`, at: new Date(), by: network.office }),
      );
    },
    worker: await workerFor(app),
    startWorker: () => workerFor(app),
    close: async () => {
      await system.worker.stop();
      await http.close();
      await app.close();
      await carrier.stop();
      await database.drop();
    },
  };
  return system;
};

/** A parcel from the demo's Shenzhen station to Shanghai, as the order form sends it. */
export const exampleOrder = (changes: Record<string, unknown> = {}): Record<string, unknown> => ({
  sender_name: '示例深圳南山站',
  sender_phone: '13800001011',
  sender_province: '广东省',
  sender_city: '深圳市',
  sender_county: '南山区',
  sender_address: '示例科技路2号',
  receive_name: '张三',
  receive_phone: '13900000001',
  receive_province: '上海市',
  receive_city: '上海市',
  receive_county: '浦东新区',
  receive_address: '世纪大道100号',
  goods: '文件',
  promise_id: 'ed-m-0001',
  weight: 4_300,
  package_count: 1,
  ...changes,
});

/** Looks until `look` answers something, at most half a minute: a busy machine is late, not wrong. */
export const eventually = async <T>(look: () => Promise<T | null | undefined | false>, milliseconds = 30_000): Promise<T> => {
  for (const since = Date.now(); ;) {
    const found = await look();
    if (found) return found;
    if (Date.now() - since > milliseconds) throw new Error('waited in vain');
    await new Promise((later) => setTimeout(later, 25));
  }
};

/** Rows of a query in the system's database, all scopes. */
export const rowsOf = async <T>(system: TestSystem, query: ReturnType<typeof sql<T>>): Promise<T[]> =>
  (await system.app.db.tx(all, (tx) => query.execute(tx))).rows;
