import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { outboundPolicy } from './outbound.ts';
import { openWire } from './wire.ts';
import type { Wire, WireOptions } from './wire.ts';

let server: Server;
let port: number;
let answer: (request: IncomingMessage, response: ServerResponse, body: string) => void;
const sockets = new Set<Socket>();
const wires: Wire[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => answer(request, response, Buffer.concat(chunks).toString()));
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  for (const wire of wires) wire.close();
  for (const socket of sockets) socket.destroy();
  server.close();
});
beforeEach(() => {
  answer = (_, response, body) => response.setHeader('lop-trace-id', 't-1').end(body);
});

const wire = (options: Partial<WireOptions> = {}): Wire => {
  const made = openWire({
    outbound: outboundPolicy([`127.0.0.1:${port}`, `localhost:${port}`]),
    ...options,
  });
  wires.push(made);
  return made;
};
const post = (on: Wire, url: string, kind: 'read' | 'write' = 'read') =>
  on.post({
    url: new URL(url),
    headers: { 'content-type': 'application/json;charset=utf-8' },
    body: '[{"名":"张三"}]',
    kind,
  });
const here = () => `http://127.0.0.1:${port}/x`;

describe('an outgoing call', () => {
  it('an outgoing call sends the exact bytes and returns the answer with its headers', async () => {
    expect(await post(wire(), here())).toMatchObject({
      got: 'answer',
      http_status: 200,
      body: '[{"名":"张三"}]',
      headers: { 'lop-trace-id': 't-1' },
    });
  });

  it('an outgoing call returns a redirect as the answer and does not follow it', async () => {
    answer = (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
    expect(await post(wire(), here())).toMatchObject({ got: 'answer', http_status: 302 });
  });

  it.each([
    'http://127.0.0.1:1/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://169.254.169.254/',
    'https://2130706433/',
    'https://localhost/',
    'http://example.invalid/',
  ])('an outgoing call to %s is not made', async (url) => {
    expect(await post(wire(), url)).toMatchObject({
      got: 'nothing',
      reason: { code: 'carrier_url_denied' },
    });
  });

  it('an outgoing call is refused before it connects if the policy denies the IP address of its host name', async () => {
    let connections = 0;
    server.once('connection', () => (connections += 1));
    const judged: string[] = [];
    const outbound = {
      allows: (hostname: string, _: number, address: string) => {
        judged.push(`${hostname} ${address}`);
        return false;
      },
      allowsPlain: () => true,
    };
    expect(await post(wire({ outbound }), `http://localhost:${port}/`)).toMatchObject({
      reason: { code: 'carrier_url_denied', params: { host: `localhost:${port}` } },
    });
    expect(judged).toContain('localhost 127.0.0.1');
    expect(connections).toBe(0);
  });

  it('an outgoing call reaches a host that is on the list of allowed hosts', async () => {
    expect(await post(wire(), `http://localhost:${port}/`)).toMatchObject({ got: 'answer' });
  });

  it('an outgoing call returns an error reason for a closed port, an unknown host and a URL that is not http(s)', async () => {
    const outbound = { allows: () => true, allowsPlain: () => true };
    expect(await post(wire({ outbound }), 'http://127.0.0.1:1/')).toMatchObject({
      reason: { code: 'carrier_unreachable', params: { detail: 'ECONNREFUSED' } },
    });
    expect(await post(wire({ outbound }), 'http://nowhere.invalid/')).toMatchObject({
      reason: { code: 'carrier_unreachable' },
      sent: false,
    });
    expect(await post(wire({ outbound }), 'ftp://127.0.0.1/')).toMatchObject({
      reason: { code: 'carrier_url' },
    });
  });

  it('an outgoing call ends after its timeout, whether no byte or half an answer has arrived', async () => {
    answer = () => {};
    expect(await post(wire({ timeoutMs: 80 }), here())).toMatchObject({
      reason: { code: 'carrier_timeout', params: { seconds: 1 } },
      sent: true,
    });
    answer = (_, response) => response.writeHead(200, { 'content-length': 100 }).write('{"co');
    expect(await post(wire({ timeoutMs: 80 }), here())).toMatchObject({
      reason: { code: 'carrier_timeout' },
    });
  });

  it('an outgoing call reports a lost connection if the connection breaks before or during the answer', async () => {
    answer = (request) => request.socket.destroy();
    expect(await post(wire(), here(), 'write')).toMatchObject({
      reason: { code: 'carrier_connection_lost' },
      sent: true,
    });
    answer = (request, response) => {
      response
        .writeHead(200, { 'content-length': 100 })
        .write('{"code":0', () => request.socket.destroy());
    };
    expect(await post(wire(), here(), 'write')).toMatchObject({
      reason: { code: 'carrier_connection_lost' },
      sent: true,
    });
  });

  it('an outgoing call refuses an answer above its size limit', async () => {
    answer = (_, response) => response.end('x'.repeat(50_000));
    expect(await post(wire({ maxAnswerBytes: 10_000 }), here())).toMatchObject({
      reason: { code: 'carrier_answer_too_large' },
    });
  });

  it('if a kept-alive connection was closed, an outgoing call repeats a read once and never repeats a write', async () => {
    const on = wire();
    const bodies: string[] = [];
    const seen = new Set<Socket>();
    answer = (request, response, body) => {
      bodies.push(body);
      if (seen.has(request.socket)) return request.socket.destroy();
      seen.add(request.socket);
      response.end('ok');
    };
    expect(await post(on, here())).toMatchObject({ got: 'answer' });
    expect(await post(on, here())).toMatchObject({ got: 'answer', body: 'ok' });
    expect(bodies).toHaveLength(3);

    answer = (request, _, body) => {
      bodies.push(body);
      request.socket.destroy();
    };
    expect(await post(on, here(), 'write')).toMatchObject({ got: 'nothing' });
    expect(bodies).toHaveLength(4);
  });
});
