import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { endpoint, withSchemas } from '@waystation/contract/base/endpoint.ts';
import { silentLog } from '#platform/log.ts';
import { route } from './route.ts';
import { createHttp } from './server.ts';

interface Read {
  database: string;
}

const shape = { input: z.looseObject({}), output: z.object({ database: z.string() }) };
const read = { method: 'GET', roles: 'public', summary: 'Which database was read.' } as const;
const endpoints = {
  fresh: endpoint<typeof shape, 'public'>({ ...read, path: '/fresh' }),
  stale: endpoint<typeof shape, 'public'>({ ...read, path: '/stale', reads: 'stale' }),
  writing: endpoint<typeof shape, 'public'>({ ...read, path: '/writing', reads: 'stale' }),
  broken: endpoint<typeof shape, 'public'>({ ...read, path: '/broken', reads: 'stale' }),
};
const calls = withSchemas(endpoints, { fresh: shape, stale: shape, writing: shape, broken: shape });

let http: FastifyInstance;
let follows = true;
let broken = 0;

beforeAll(async () => {
  const answer = async (app: Read): Promise<Read> => app;
  http = await createHttp({
    app: { database: 'primary' },
    readApp: () => (follows ? { database: 'replica' } : null),
    routes: [
      route(calls.fresh, answer),
      route(calls.stale, answer),
      route(calls.writing, async (app: Read) => {
        if (app.database === 'replica')
          throw Object.assign(new Error('cannot execute INSERT in a read-only transaction'), {
            code: '25006',
          });
        return app;
      }),
      route(calls.broken, async () => {
        broken++;
        throw new Error('a defect');
      }),
    ],
    log: silentLog(),
    authenticate: async () => null,
    checkOutput: true,
    trustProxy: false,
  });
});
afterAll(() => http.close());

const databaseOf = async (path: string): Promise<string> =>
  (await http.inject({ method: 'GET', url: path })).json<{ data: { database: string } }>().data
    .database;

it('an endpoint that may return stale data reads the replica, and every other endpoint reads the primary', async () => {
  follows = true;
  expect([await databaseOf('/stale'), await databaseOf('/fresh')]).toEqual(['replica', 'primary']);
});

it('an endpoint that may return stale data reads the primary while the replica is not available', async () => {
  follows = false;
  expect(await databaseOf('/stale')).toBe('primary');
});

it('if an endpoint that reads the replica has to write, its request is repeated on the primary', async () => {
  follows = true;
  expect(await databaseOf('/writing')).toBe('primary');
});

it('an internal error of a read on the replica is returned as 500, and the request is not repeated', async () => {
  follows = true;
  expect((await http.inject({ method: 'GET', url: '/broken' })).statusCode).toBe(500);
  expect(broken).toBe(1);
});
