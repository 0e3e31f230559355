import type { FastifyInstance } from 'fastify';
import { createApi } from '#api.ts';
import { createApp } from '#app.ts';
import type { App } from '#app.ts';
import { buildNetwork } from '#features/demo/network.ts';
import type { DemoNetwork, DemoStation } from '#features/demo/network.ts';
import { standingClock } from '#platform/clock.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { silentLog } from '#platform/log.ts';
import { createTestDatabase } from './cluster.ts';
import { testConfig } from './test-app.ts';

const all = systemScope('test');
export const shownPassword = 'waystation-demo';

export interface Told<T> {
  status: number;
  data: T & { code?: string; params?: object; fields?: Record<string, { code: string }> };
}

/** Two processes of the product behind one address, on one database and one clock, with the accounts and stations of the demo. */
export interface Twins {
  apps: [App, App];
  clock: ReturnType<typeof standingClock>;
  network: DemoNetwork;
  station(key: string): DemoStation;
  /** One call, at either process in turn. */
  call<T = Record<string, never>>(token: string | null, method: 'GET' | 'POST' | 'PATCH', path: string, body?: object, address?: string): Promise<Told<T>>;
  login(username: string, password?: string, otp?: string, address?: string): Promise<Told<{ access_token: string }>>;
  /** A session of the account; its address is one that nobody guesses from. */
  token(username: string, password?: string, otp?: string): Promise<string>;
  /** What both processes answer to the holder of the token, by status. */
  standing(token: string): Promise<number[]>;
  rows<T>(query: ReturnType<typeof sql<T>>): Promise<T[]>;
  close(): Promise<void>;
}

export const openTwins = async (): Promise<Twins> => {
  const database = await createTestDatabase();
  const clock = standingClock(new Date('2026-03-02T10:00:00+08:00'));
  const config = testConfig({ webDir: '/nonexistent' });
  const apps: Twins['apps'] = [createApp(config, database.connection, silentLog(), clock), createApp(config, database.connection, silentLog(), clock)];
  const network = await apps[0].db.tx(all, (tx) => buildNetwork(apps[0], tx, clock.now()));
  const https: FastifyInstance[] = [await createApi(apps[0], { checkOutput: true }), await createApi(apps[1], { checkOutput: true })];
  let turn = 0;
  const ask = async <T>(at: number, token: string | null, method: 'GET' | 'POST' | 'PATCH', path: string, body?: object, remoteAddress = '192.0.2.200') => {
    const answer = await https[at]!.inject({
      method,
      url: path,
      remoteAddress,
      ...(body && { payload: body }),
      ...(token !== null && { headers: { authorization: `Bearer ${token}` } }),
    });
    return { status: answer.statusCode, data: (answer.json() as { data: unknown }).data } as Told<T>;
  };
  const twins: Twins = {
    apps,
    clock,
    network,
    station: (key) => network.stations.find((one) => one.key === key)!,
    call: (token, method, path, body, address) => ask(turn++ % 2, token, method, path, body, address),
    login: (username, password = shownPassword, otp, address) =>
      twins.call(null, 'POST', '/api/arco/login/password', { username, password, ...(otp !== undefined && { otp }) }, address),
    token: async (username, password, otp) => (await twins.login(username, password, otp)).data.access_token,
    standing: async (token) => Promise.all([0, 1].map(async (at) => (await ask(at, token, 'GET', '/api/arco/personal')).status)),
    rows: async (query) => (await apps[0].db.tx(all, (tx) => query.execute(tx))).rows,
    close: async () => {
      for (const http of https) await http.close();
      for (const app of apps) await app.close();
      await database.drop();
    },
  };
  return twins;
};
