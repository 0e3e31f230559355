import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Express } from '@waystation/contract/parcels/express.ts';
import { sendOrder } from '#domain/express/express.ts';
import { topUp } from '#domain/ledger/ledger.ts';
import { sql } from '#platform/db/db.ts';
import { namesItsColumns } from '#platform/db/prepared.ts';
import { systemScope } from '#platform/db/scope.ts';
import { openTestApi } from '#testing/test-api.ts';
import type { TestApi } from '#testing/test-api.ts';
import { exampleOrder } from '#testing/test-system.ts';
import { runTask } from '#testing/run-task.ts';

let api: TestApi;
let clerk: string;
/** The SQL statements that were sent to the database. */
const sent: string[] = [];
/** Round trips to the database: statements sent before an answer has come count as one. */
let roundTrips = 0;

beforeAll(async () => {
  api = await openTestApi();
  const { id, station_id } = (
    await api.rows(sql<{ id: number; station_id: number }>`select id,
    station_id from accounts where username = 'clerk'`)
  )[0]!;
  const at = new Date();
  await api.app.db.tx(systemScope('test'), (work) =>
    topUp(work, {
      station_id,
      amount: 1_000_000,
      description: 'test',
      cause: 'test order cost',
      at,
      by: id,
    }),
  );
  clerk = await api.login('clerk');
  const counted = new WeakSet<pg.PoolClient>();
  api.app.db.pool.on('acquire', (client) => {
    if (counted.has(client)) return;
    counted.add(client);
    const query = client.query.bind(client) as (...parts: unknown[]) => Promise<unknown>;
    let unanswered = 0;
    client.query = ((first: string | { text: string }, ...rest: unknown[]) => {
      sent.push(typeof first === 'string' ? first : first.text);
      if (unanswered++ === 0) roundTrips++;
      const answered = query(first, ...rest);
      const end = (): void => void unanswered--;
      answered.then(end, end);
      return answered;
    }) as typeof client.query;
  });
});
afterAll(() => api.close());

const order = () =>
  api.call<Express>(clerk, 'POST', '/api/arco/expresses', exampleOrder({ wait: 0 }));

it('an order with wait: 0 returns at once in state 20 (“ordering”), even if no worker sends it', async () => {
  const ordered = await order();
  expect([ordered.status, ordered.data.state_code, ordered.data.delivery_id]).toEqual([
    200,
    20,
    null,
  ]);
  expect(
    (await api.call<Express>(clerk, 'GET', `/api/arco/expresses/${ordered.data.id}`)).data
      .state_code,
  ).toBe(20);
});

it('an order needs at most five round trips to the database', async () => {
  await order();
  roundTrips = 0;
  await order();
  expect(roundTrips).toBeLessThanOrEqual(5);
});

it('an order locks its station only in the last SQL statement before the commit', async () => {
  sent.length = 0;
  await order();
  const locks = sent.findIndex((text) => text.includes('ledger_post'));
  expect(sent.slice(0, locks).filter((text) => text.includes('for no key update'))).toEqual([]);
  expect(
    sent.slice(0, locks).filter((text) => /graphile_worker|audit_log|idempotency_keys/.test(text))
      .length,
  ).toBeGreaterThan(2);
  expect(sent[locks + 1]).toBe('commit');
});

it('sending an order writes nothing to the database before its first call to the carrier', async () => {
  const { id } = (await order()).data;
  sent.length = 0;
  await sendOrder(
    api.app,
    { express_id: id, attempt: 1, first: true },
    { job_id: '1', attempt: 1 },
  );
  const before = sent.slice(0, sent.indexOf('commit'));
  expect(before.some((text) => text.includes('from expresses'))).toBe(true);
  expect(
    before.filter((text) =>
      /\b(insert|update|delete|for (no key )?update|graphile_worker)\b(?!_)/.test(text),
    ),
  ).toEqual([]);
  expect(sent.filter((text) => text.includes('"carrier_calls"'))).toHaveLength(1);
});

it('if the carrier account is paused before an order’s first call, the order is not sent and its job is queued again', async () => {
  const { id } = (await order()).data;
  await api.rows(sql`update merchants set paused_at = now()`);
  await sendOrder(
    api.app,
    { express_id: id, attempt: 1, first: true },
    { job_id: '1', attempt: 1 },
  );
  await api.rows(sql`update merchants set paused_at = null`);
  expect(
    await api.rows(sql`select state_code, order_tries, order_request, first_sent_at
    from expresses where id = ${id}`),
  ).toEqual([{ state_code: 20, order_tries: 0, order_request: null, first_sent_at: null }]);
  expect(
    await api.rows(sql`select payload from graphile_worker._private_jobs
    where key = ${`send_order:${id}`}`),
  ).toEqual([{ payload: { express_id: id, attempt: 1 } }]);
});

it('if the carrier account is paused or fetches waybill numbers in advance, an order is stored without a carrier call', async () => {
  for (const why of [sql`paused_at = now()`, sql`prefetch_numbers = 1`]) {
    await api.rows(sql`update merchants set ${why}`);
    const { id } = (await order()).data;
    await api.rows(sql`update merchants set paused_at = null, prefetch_numbers = 0`);
    expect(
      await api.rows(sql`select order_tries, order_request from expresses
      where id = ${id}`),
    ).toEqual([{ order_tries: 0, order_request: null }]);
  }
});

it('ordering sends no SQL statement with “select *”, which would be planned again each time', async () => {
  sent.length = 0;
  await order();
  expect(sent.length).toBeGreaterThan(5);
  expect(sent.filter((text) => !namesItsColumns(text))).toEqual([]);
});

it.each(['WS26', '王', '王伟', '商贸有限', '13800001011 王伟'])(
  'no statement of a parcel search for %s is planned at each call',
  async (q) => {
    await api.call(clerk, 'GET', `/api/arco/expresses?page_size=20&q=${encodeURIComponent(q)}`);
    sent.length = 0;
    expect(
      (await api.call(clerk, 'GET', `/api/arco/expresses?page_size=20&q=${encodeURIComponent(q)}`))
        .status,
    ).toBe(200);
    expect(sent.length).toBeGreaterThan(2);
    expect(sent.filter((text) => !namesItsColumns(text))).toEqual([]);
  },
);

it('processing a carrier’s push sends no SQL statement that is planned again each time', async () => {
  const { id, order_id } = (await order()).data;
  const [parcel] = await api.rows(
    sql<{
      delivery_id: string;
      merchant_id: number;
    }>`update expresses set state_code = 100, delivery_id = 'JDVE55555555555',
      first_sent_at = '2026-11-25 01:00:00+00'
      where id = ${id} returning delivery_id, merchant_id`,
  );
  const body = JSON.stringify({
    waybillCode: parcel!.delivery_id,
    orderId: order_id,
    category: 410,
    operationTime: '2026-11-25 10:00:00',
  });
  const [push] = await api.rows(
    sql<{
      id: number;
    }>`insert into carrier_pushes (merchant_id, body, hash)
      values (${parcel!.merchant_id}, ${body}, sha256(convert_to(${body}, 'UTF8')))
      returning id`,
  );
  sent.length = 0;
  await runTask(api.app, 'read_push', { push_id: push!.id });
  expect(sent.some((text) => text.includes('insert into express_messages'))).toBe(true);
  expect(sent.filter((text) => !namesItsColumns(text))).toEqual([]);
});
