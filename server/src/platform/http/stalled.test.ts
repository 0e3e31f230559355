import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { endpoint, withSchemas } from '@waystation/contract/base/endpoint.ts';
import { silentLog } from '#platform/log.ts';
import { eventually } from '#testing/test-system.ts';
import { route } from './route.ts';
import { createHttp } from './server.ts';

const stalledAfterMs = 300;
const shape = { input: z.looseObject({}), output: z.object({ text: z.string() }) };
const text = endpoint<typeof shape, 'public'>({
  method: 'GET',
  path: '/text',
  roles: 'public',
  summary: 'A long text.',
});

let http: FastifyInstance;
let given = 0;
beforeAll(async () => {
  http = await createHttp<object>({
    app: {},
    routes: [
      route(withSchemas({ text }, { text: shape }).text, async () => {
        given++;
        return { text: 'x'.repeat(1_000_000) };
      }),
    ],
    log: silentLog(),
    authenticate: async () => null,
    checkOutput: true,
    trustProxy: false,
    stalledAfterMs,
  });
  await http.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => http.close());

/** Opens a connection that sends `times` requests without waiting and never reads the responses. */
const asking = async (times: number): Promise<Socket> => {
  const socket = connect((http.server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {});
  await new Promise((connected) => socket.once('connect', connected));
  socket.pause();
  socket.write('GET /text HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(times));
  return socket;
};

const connections = (): Promise<number> =>
  new Promise((answered, failed) =>
    http.server.getConnections((error, count) => (error ? failed(error) : answered(count))),
  );

it('a client that sends many requests together and reads no response is disconnected', async () => {
  const socket = await asking(100);
  await eventually(async () => given > 0);
  await eventually(async () => (await connections()) === 0);
  expect(socket.bytesRead).toBeLessThan(given * 1_000_000);
  socket.destroy();
});
