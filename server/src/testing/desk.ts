import { createApi } from '#api.ts';
import { buildNetwork } from '#features/demo/network.ts';
import type { DemoNetwork } from '#features/demo/network.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { tasks } from '#tasks.ts';
import { createTestApp } from './test-app.ts';
import type { TestApp } from './test-app.ts';

const all = systemScope('test desk');

export interface DeskAnswer<T> {
  status: number;
  data: T;
  /** What was answered, byte by byte. */
  bytes: Buffer;
  headers: Record<string, unknown>;
}

/** The HTTP surface over the example network without carrier and worker, for what neither is needed for. */
export interface TestDesk {
  app: TestApp;
  network: DemoNetwork;
  tokens: Record<'super' | 'admin' | 'partner' | 'station' | 'clerk', string>;
  call<T = never>(token: string | null, method: string, path: string, body?: object, headers?: Record<string, string>): Promise<DeskAnswer<T>>;
  rows<T>(query: ReturnType<typeof sql<T>>): Promise<T[]>;
  /** Runs a background job of a person to its end. */
  runJob(job_id: number): Promise<void>;
  close(): Promise<void>;
}

let keys = 0;

export const openDesk = async (): Promise<TestDesk> => {
  const app = await createTestApp({ webDir: '/nonexistent' });
  const network = await app.db.tx(all, (tx) => buildNetwork(app, tx, new Date(app.clock.now().getTime() - 86_400_000)));
  const http = await createApi(app, { checkOutput: true });
  const call = async <T>(token: string | null, method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<DeskAnswer<T>> => {
    const answer = await http.inject({
      method: method as 'GET',
      url: path,
      ...(body !== undefined && { payload: body }),
      headers: { ...(token !== null && { authorization: `Bearer ${token}` }), 'idempotency-key': `desk-key-${++keys}`, ...headers },
    });
    const json = /json/.test(String(answer.headers['content-type'])) ? answer.json<{ data: T }>().data : (null as T);
    return { status: answer.statusCode, data: json, bytes: answer.rawPayload, headers: answer.headers };
  };
  const login = async (username: string): Promise<string> =>
    (await call<{ access_token: string }>(null, 'POST', '/api/arco/login/password', { username, password: app.config.demoPassword })).data.access_token;
  const [superToken, admin, partner, station, clerk] = await Promise.all(['super', 'admin', 'partner', 'station', 'clerk'].map(login));
  const rows = async <T>(query: ReturnType<typeof sql<T>>): Promise<T[]> => (await app.db.tx(all, (tx) => query.execute(tx))).rows;
  return {
    app,
    network,
    tokens: { super: superToken!, admin: admin!, partner: partner!, station: station!, clerk: clerk! },
    call,
    rows,
    runJob: async (job_id) => {
      const open = () => rows(sql`select 1 from person_jobs where id = ${job_id} and status in ('queued', 'running')`);
      while ((await open()).length > 0) await tasks['run_person_job']!(app, { job_id } as never, undefined as never);
    },
    close: async () => {
      await http.close();
      await app.close();
    },
  };
};
