import { createServer } from 'node:http';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from '@waystation/contract/parcels/express.ts';
import { webhookKinds } from '@waystation/contract/people/webhook.ts';
import type { Webhook, WebhookDelivery } from '@waystation/contract/people/webhook.ts';
import { runWebhooks } from '#domain/webhooks/webhooks.ts';
import { sql } from '#platform/db/db.ts';
import { openTestApi } from './test-api.ts';
import type { Refused, TestApi, Tokens } from './test-api.ts';
import { exampleOrder } from './test-system.ts';

const password = 'waystation-demo';

/**
 * All parcel events except `parcel.on_hold`, which occurs only if an order is placed without enough
 * balance.
 */
const parcelKinds = webhookKinds.filter((kind) => /^parcel\.(?!on_hold)/.test(kind));

export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
  json: { type: string; timestamp: string; data: Record<string, unknown> };
}

/**
 * A program that receives webhooks. It was written from the Standard Webhooks specification alone.
 */
export interface WebhookReceiver {
  api: TestApi;
  url: string;
  tokens: Tokens;
  received: Received[];
  answer: (response: ServerResponse, request: Received) => void;
  /** Deletes every webhook, moves the clock forward by a day and logs in again. */
  reset(): Promise<void>;
  make(
    who: keyof Tokens,
    input?: object,
  ): Promise<Refused & { status: number; webhook: Webhook; secret: string }>;
  run(): Promise<void>;
  order(): Promise<Express>;
  /** Sets a parcel's state as a report from the carrier would do. */
  becomes(id: number, state: number): Promise<unknown>;
  deliveries(id: number, who?: keyof Tokens): Promise<WebhookDelivery[]>;
  hook(id: number): Promise<Webhook>;
  types(): string[];
  close(): Promise<void>;
}

const listen = async (take: (response: ServerResponse, got: Received) => void) => {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      take(response, {
        headers: request.headers,
        body,
        json: JSON.parse(body) as Received['json'],
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: (server.address() as AddressInfo).port };
};

export const openReceiver = async (): Promise<WebhookReceiver> => {
  const { server, port } = await listen((response, got) => {
    receiver.received.push(got);
    receiver.answer(response, got);
  });
  const api = await openTestApi({
    config: {
      webhookAllow: [`127.0.0.1:${port}`],
      session: { idleMinutes: 1_000_000, absoluteHours: 100_000 },
    },
  });
  const url = `http://127.0.0.1:${port}/hook`;
  const listed = async <T>(path: string, who: keyof Tokens = 'super'): Promise<T[]> =>
    (await api.call<{ items: T[] }>(receiver.tokens[who], 'GET', `${path}?page_size=200`)).data
      .items;
  const receiver: WebhookReceiver = {
    api,
    url,
    tokens: await api.loginAll(),
    received: [],
    answer: (response) => response.end('ok'),
    reset: async () => {
      for (const table of ['webhooks', 'webhook_events', 'inbox_notices', 'inbox_entries'])
        await api.rows(sql`delete from ${sql.table(table)}`);
      api.clock.advance(24 * 3_600_000);
      receiver.tokens = await api.loginAll();
      receiver.received = [];
      receiver.answer = (response) => response.end('ok');
    },
    make: async (who, input = {}) => {
      const { status, data } = await api.call<Refused & { webhook: Webhook; secret: string }>(
        receiver.tokens[who],
        'POST',
        '/api/arco/webhooks',
        {
          name: 'shop',
          url,
          events: parcelKinds,
          station_id: null,
          with_below: 1,
          password,
          ...input,
        },
      );
      return { status, ...data };
    },
    run: () => runWebhooks(api.app),
    order: async () =>
      (
        await api.call<Express>(
          receiver.tokens.clerk,
          'POST',
          '/api/arco/expresses',
          exampleOrder({ wait: 0 }),
        )
      ).data,
    becomes: (id, state) =>
      api.rows(sql`update expresses set state_code = ${state}, updated_at = ${api.clock.now()}
        where id = ${id}`),
    deliveries: (id, who) => listed(`/api/arco/webhooks/${id}/deliveries`, who),
    hook: async (id) => (await listed<Webhook>('/api/arco/webhooks')).find((one) => one.id === id)!,
    types: () => receiver.received.map(({ json }) => json.type),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await api.close();
    },
  };
  return receiver;
};
