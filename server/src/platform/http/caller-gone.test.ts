import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { endpoint, withSchemas } from '@waystation/contract/base/endpoint.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { silentLog } from '#platform/log.ts';
import type { RequestContext } from './context.ts';
import { route } from './route.ts';
import { createHttp } from './server.ts';

const actor: Actor = {
  account_id: 1,
  username: 'clerk',
  nickname: '',
  role: 'user',
  station_id: 1,
  stations: [1],
  token_hash: Buffer.alloc(32),
  session_id: 1,
  must_change: 0,
  needs_second_factor: 0,
  made_under: null,
  may_export: 1,
};
const shape = { input: z.looseObject({}), output: z.object({}) };
const list = endpoint<typeof shape, readonly ['user']>({
  method: 'GET',
  path: '/list',
  roles: ['user'],
  summary: 'A list.',
});

let http: FastifyInstance;
let read: (request: RequestContext) => Promise<Record<string, never>> = async () => ({});

beforeAll(async () => {
  http = await createHttp<object>({
    app: {},
    routes: [
      route(
        withSchemas({ list }, { list: shape }).list,
        async (_: object, __: Actor, ___: object, request: RequestContext) => read(request),
      ),
    ],
    log: silentLog(),
    authenticate: async () => actor,
    checkOutput: true,
    trustProxy: false,
  });
  await http.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => http.close());

/**
 * Requests the list, and disconnects when the handler reads it. Returns for each call of the
 * handler if its signal was aborted at the beginning and at the end.
 */
const leaveWhileRead = async (): Promise<{ atFirst: boolean; atLast: boolean }[]> => {
  const leaving = new AbortController();
  const readings: { atFirst: boolean; atLast: boolean }[] = [];
  const { promise: left, resolve: leave } = Promise.withResolvers<void>();
  read = async ({ signal }) => {
    const atFirst = signal.aborted;
    leaving.abort();
    if (!atFirst)
      await new Promise((gone) => signal.addEventListener('abort', gone, { once: true }));
    readings.push({ atFirst, atLast: signal.aborted });
    return {};
  };
  http.server.once('request', (_, response) => response.once('close', leave));
  const { port } = http.server.address() as AddressInfo;
  await fetch(`http://127.0.0.1:${port}/list`, {
    headers: { authorization: `Bearer ${'t'.repeat(43)}` },
    signal: leaving.signal,
  }).catch(() => {});
  await left;
  return readings;
};

it('if the caller of a list query disconnects, the query is notified', async () => {
  expect(await leaveWhileRead()).toEqual([{ atFirst: false, atLast: true }]);
});
