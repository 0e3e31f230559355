import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { openWire } from './wire.ts';

const closing: (() => void)[] = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

/** Port of a server that answers so. */
const serving = async (answer: (response: ServerResponse, asked: number, token: string | undefined) => void): Promise<number> => {
  let asked = 0;
  const server = createServer((request, response) => answer(response, ++asked, request.headers.authorization));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  closing.push(() => server.close());
  return (server.address() as AddressInfo).port;
};

const opened = async (port: number) => {
  const wire = await openWire(port, 'someone', '/api/arco/expresses?page_size=20');
  closing.push(wire.close);
  return wire;
};

test('a question ends with the last byte of its answer, however many pieces that comes in', async () => {
  const ends: number[] = [];
  const port = await serving((response, asked, token) => {
    const text = `${token} ${'一'.repeat(asked * 100_000)}`;
    response.setHeader('content-length', Buffer.byteLength(text));
    response.end(text, () => ends.push(asked));
  });
  const wire = await opened(port);
  for (const asked of [1, 2, 3]) {
    await wire.ask();
    expect(ends).toContain(asked);
  }
});

test('an answer that is none of a list fails the question', async () => {
  const port = await serving((response) => {
    response.statusCode = 429;
    response.end('{}');
  });
  await expect((await opened(port)).ask()).rejects.toThrow('answered HTTP/1.1 429');
});

test('an answer without a length fails the question', async () => {
  const port = await serving((response) => {
    response.write('[');
    response.end(']');
  });
  await expect((await opened(port)).ask()).rejects.toThrow('without a length');
});

test('a server that goes away fails the question', async () => {
  const port = await serving((response) => response.destroy());
  await expect((await opened(port)).ask()).rejects.toThrow('closed');
});
