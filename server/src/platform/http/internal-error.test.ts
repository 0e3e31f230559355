import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { endpoint, withSchemas } from '@waystation/contract/base/endpoint.ts';
import { createLog } from '#platform/log.ts';
import { route } from './route.ts';
import { createHttp } from './server.ts';

const shape = { input: z.looseObject({}), output: z.object({ n: z.number() }) };
const broken = endpoint<typeof shape, 'public'>({
  method: 'GET',
  path: '/broken',
  roles: 'public',
  summary: 'Fails.',
});

const inside = 'relation "wallets" does not exist at /opt/waystation/server/src/x.ts:12:3';
const lines: Record<string, unknown>[] = [];
let fails: () => Promise<never>;
let http: FastifyInstance;
beforeAll(async () => {
  http = await createHttp<object>({
    app: {},
    routes: [route(withSchemas({ broken }, { broken: shape }).broken, () => fails())],
    log: createLog('info', {
      write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>),
    }),
    authenticate: async () => null,
    checkOutput: true,
    trustProxy: false,
  });
});
afterAll(() => http.close());

it.each([
  ['an error of the program', () => Promise.reject(new Error(inside))],
  [
    'an error of the database',
    () => Promise.reject(Object.assign(new Error(inside), { code: '42P01', detail: inside })),
  ],
  ['a text', () => Promise.reject(inside as unknown as Error)],
  ['an answer that the contract does not know', async () => ({ secret: inside }) as never],
])(
  'an unexpected error returns only a general error with the request id, and the log has an entry with this id: %s',
  async (_, how) => {
    fails = how;
    lines.length = 0;
    const { statusCode, body, json } = await http.inject({ url: '/broken' });
    const id = json<{ data: { request_id: string } }>().data.request_id;
    expect(json()).toEqual({
      status: 500,
      data: { code: 'internal', params: {}, request_id: id },
      message: expect.any(String),
    });
    expect(statusCode).toBe(500);
    for (const word of ['wallets', '/opt/', 'x.ts', '42P01', 'stack', 'secret'])
      expect(body).not.toContain(word);
    expect(lines.find(({ level }) => level === 50)).toMatchObject({ request_id: id });
  },
);
