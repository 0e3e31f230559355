import { readFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inSpan, startTracing, tracer } from './tracing.ts';
import { parcelClient } from '#testing/parcel-client.ts';
import { exampleOrder, openTestSystem } from '#testing/test-system.ts';
import { testConfig } from '#testing/test-app.ts';
import type { TestSystem } from '#testing/test-system.ts';

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: number; doubleValue?: number };
}
interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: Attribute[];
  links?: { traceId: string; spanId: string }[];
  status: { code?: number };
}
interface Sent {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: Span[] }[] }[];
}

const received: Sent[] = [];
let collector: Server;
let endpoint: string;
let system: TestSystem;
beforeAll(async () => {
  collector = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    if (request.url === '/v1/traces') received.push(JSON.parse(Buffer.concat(pieces).toString()));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
});
afterAll(async () => {
  delete process.env['OTEL_EXPORTER_OTLP_ENDPOINT'];
  collector.close();
});

const valuesOf = ({ attributes }: Pick<Span, 'attributes'>): Record<string, unknown> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]),
  );

it('no trace is made without an OpenTelemetry endpoint, and only one file imports the OpenTelemetry library', async () => {
  const off = await startTracing(testConfig().traces, '1');
  await off();
  expect(tracer()).toBeNull();
  expect(await inSpan('nothing', {}, async () => 1)).toBe(1);
  const source = join(import.meta.dirname, '..', '..');
  const importing = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (name) =>
      name.endsWith('.ts') &&
      /from '(?:@opentelemetry\/|\.\/otlp)/.test(readFileSync(join(source, name), 'utf8')),
  );
  expect(importing).toEqual([join('platform', 'tracing', 'otlp.ts')]);
});

it('an order is one trace of its request, transactions, job and carrier call, and the trace contains no person, amount or token', async () => {
  process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = endpoint;
  const stop = await startTracing({ service: 'waystation', share: 1 }, '1.2.3');
  let token: string;
  try {
    system = await openTestSystem();
    await system.topUp('nanshan', 100_000_000);
    const clerk = await parcelClient(system);
    ({ token } = clerk);
    expect((await clerk.order()).status).toBe(200);
    expect((await clerk.order({ weight: -1 })).status).toBe(422);
  } finally {
    await system?.close();
    await stop();
  }
  expect(tracer()).toBeNull();
  const { attributes } = received[0]!.resourceSpans[0]!.resource;
  expect(valuesOf({ attributes })).toMatchObject({
    'service.name': 'waystation',
    'service.version': '1.2.3',
  });
  const spans = received.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
  );
  const requests = spans.filter(({ name }) => name === 'POST /api/arco/expresses');
  expect(requests.map((span) => valuesOf(span))).toEqual(
    [200, 422].map((status) => ({
      'http.request.method': 'POST',
      'http.route': '/api/arco/expresses',
      'http.response.status_code': status,
      'waystation.role': 'user',
    })),
  );
  const [ordered] = requests;
  const under = (parent: Span): string[] =>
    spans.filter(({ parentSpanId }) => parentSpanId === parent.spanId).map(({ name }) => name);
  expect(under(ordered!)).toContain('sql user');
  const job = spans.find(
    ({ name, links = [] }) =>
      name.startsWith('job ') && links.some(({ traceId }) => traceId === ordered!.traceId),
  );
  expect(job?.name).toBe('job send_order');
  const inTrace = spans.filter(({ traceId }) => traceId === job!.traceId);
  const call = inTrace.find(({ name }) => name === 'carrier create');
  expect(valuesOf(call!)).toEqual({ 'waystation.outcome': 'accepted' });

  const keys = new Set(spans.flatMap((span) => Object.keys(valuesOf(span))));
  expect([...keys].toSorted()).toEqual([
    'attempt',
    'db.system.name',
    'http.request.method',
    'http.response.status_code',
    'http.route',
    'waystation.outcome',
    'waystation.role',
  ]);
  const text = JSON.stringify(received);
  const { receive_name, receive_phone, sender_name, sender_phone } = exampleOrder();
  for (const secret of [token, receive_name, receive_phone, sender_name, sender_phone])
    expect(text.includes(String(secret))).toBe(false);
});
