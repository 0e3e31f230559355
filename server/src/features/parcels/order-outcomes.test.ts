import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { orderOutcomes } from '@waystation/contract/parcels/order-outcome.ts';
import type { OrderOutcome, OutcomeAttempt } from '@waystation/contract/parcels/order-outcome.ts';
import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import { sendOrder } from '#domain/express/send.ts';
import { exampleKeys } from '#features/demo/network.ts';
import { sql } from '#platform/db/db.ts';
import { creates, parcelClient, runJobNow } from '#testing/parcel-client.ts';
import type { ParcelClient } from '#testing/parcel-client.ts';
import { startCarrier } from '#testing/simulator.ts';
import { eventually, openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';

let system: TestSystem;
let clerk: ParcelClient;
let office: ParcelClient;
const create = '/ecap/v1/orders/create';

beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 1_000_000);
  clerk = await parcelClient(system);
  office = await parcelClient(system, 'super');
});
afterEach(() => system.carrier.control('DELETE', 'faults'));
afterAll(() => system.close());

const read = async (id: number, token = office.token) =>
  system.call<OutputOf<typeof orderOutcomes>>(token, 'GET', `/api/arco/expresses/${id}/outcomes`);
const attemptOf = async (id: number): Promise<OutcomeAttempt> => {
  const { data } = await read(id);
  return data.attempts[0]!;
};
const listed = async (query: string) =>
  (
    await system.call<{ items: OrderOutcome[]; next_cursor: string | null }>(
      office.token,
      'GET',
      `/api/arco/outcomes?${query}`,
    )
  ).data;
const settledAs = async (id: number, certainty: string): Promise<OutcomeAttempt> =>
  eventually(async () => {
    const attempt = await attemptOf(id);
    return attempt?.outcome.certainty === certainty ? attempt : null;
  });
const calls = ({ events }: OutcomeAttempt) => events.filter((event) => event.kind === 'call');
const fault = (kind: string, more: object = {}) =>
  system.carrier.control('POST', 'faults', { kind, path: create, times: 1, ...more });

describe('an order whose outcome was unknown', () => {
  it('if a repeated request settles an uncertain order, the order shows every carrier call as sent, the held money and the events', async () => {
    await fault('drop_after');
    const order = await clerk.begin();
    const { outcome, call_id, held, events, ...attempt } = await settledAs(order.id, 'repeat');
    expect(outcome).toMatchObject({
      order_id: order.order_id,
      cause: 'no_answer',
      maybe_stored: 1,
      is_open: 0,
      held_amount: order.post_amount,
    });
    const made = calls({ outcome, call_id, held, events, ...attempt });
    expect(made.map((call) => [call.operation, call.outcome, call.sent])).toEqual([
      ['create', 'unknown', 1],
      ['create', 'accepted', 1],
    ]);
    expect(made[0]!.job).toMatch(/^send_order:\d+:1$/);
    expect(made[0]!.request).toEqual(made[1]!.request);
    expect(made.at(-1)!.row_id).toBe(call_id);
    expect(held).toMatchObject({ amount: order.post_amount, status: 'open', until: null });
    expect(held!.held_line).toBeGreaterThan(0);
    expect(attempt).toMatchObject({ next_at: null, waits_for_office: 0, calls_left_out: 0 });
    // Each event refers to the row that it was read from.
    for (const { source, row_id } of events) {
      const found = await rowsOf(
        system,
        sql`select from ${sql.table(source)} where id = ${row_id}`,
      );
      expect(found, source).toHaveLength(1);
    }
  });

  it('an order that no call could send is settled by the first call that the carrier answers, and earlier calls are shown as unsent', async () => {
    await system.carrier.stop();
    const order = await clerk.begin();
    await eventually(async () => {
      const attempt = await attemptOf(order.id);
      return attempt?.outcome.maybe_stored === 0 && attempt.next_at !== null;
    });
    expect((await attemptOf(order.id)).outcome).toMatchObject({ cause: 'not_sent', is_open: 1 });
    system.carrier = await startCarrier({ SIM_PORT: String(system.carrier.port) });
    await system.carrier.control('POST', 'callbacks', {
      customer_code: exampleKeys.customer_code,
      url: `${system.url}/api/carriers/jdl/push/${system.network.push_secret}`,
    });
    const attempt = await settledAs(order.id, 'first_accepted');
    expect(calls(attempt)[0]).toMatchObject({ outcome: 'unknown', sent: 0 });
    expect(calls(attempt).at(-1)).toMatchObject({ outcome: 'accepted', sent: 1 });
    expect(await creates(system, order.order_id)).toHaveLength(1);
  });

  it('an order that no call has sent yet is settled as never sent if it is cancelled', async () => {
    await system.carrier.stop();
    const order = await clerk.begin();
    await eventually(async () => (await attemptOf(order.id))?.outcome.cause === 'not_sent');
    await clerk.act(order.id, 'cancel', { reason: '不寄了' });
    await clerk.until(order.id, 500);
    const attempt = await settledAs(order.id, 'never_sent');
    expect(attempt).toMatchObject({ held: { status: 'released' }, settled_under: null });
    system.carrier = await startCarrier({ SIM_PORT: String(system.carrier.port) });
  });

  it('if the carrier’s gateway rejects an order, the attempt is recorded, and the first call that the carrier accepts settles the attempt', async () => {
    await fault('gateway');
    const order = await clerk.begin();
    await eventually(async () => (await attemptOf(order.id))?.outcome.cause === 'gateway');
    await runJobNow(system, `send_order:${order.id}`);
    const attempt = await settledAs(order.id, 'first_accepted');
    expect(attempt.settled_under).toBe((await clerk.until(order.id, 100)).delivery_id);
  });

  it('an order outcome decided by an administrator shows who decided it, and the transaction that released the hold', async () => {
    await fault('drop_before');
    await fault('refuse', { message: '不在服务范围', times: 50 });
    const order = await clerk.begin();
    const waiting = await eventually(async () => {
      const attempt = await attemptOf(order.id);
      return attempt?.waits_for_office === 1 ? attempt : null;
    });
    expect(waiting.outcome).toMatchObject({ is_open: 1, certainty: null });
    expect(waiting.events.some((event) => event.kind === 'alert' && event.closed === 0)).toBe(true);
    const { version } = await office.get(order.id);
    const decided = await system.call(
      { token: office.token, headers: { 'idempotency-key': `decide-${order.id}` } },
      'POST',
      `/api/arco/expresses/${order.id}/outcome`,
      { version, outcome: 'not_stored' },
    );
    expect(decided.status).toBe(200);
    const attempt = await attemptOf(order.id);
    expect(attempt).toMatchObject({
      outcome: { certainty: 'decided_not_stored', is_open: 0 },
      held: { status: 'released', ended_type: 'release' },
      decided_by: expect.stringMatching(/./),
    });
    expect(attempt.held!.ended_line).toBeGreaterThan(attempt.held!.held_line!);
    expect(attempt.events.map(({ kind }) => kind)).toContain('decision');
    // A person, not a job, sent the last request before the decision.
    expect(calls(attempt).at(-1)).toMatchObject({
      job: '',
      account_name: expect.stringMatching(/./),
    });
  });

  it('if a process ends before the carrier’s response, the carrier call is still shown with its time', async () => {
    await system.worker.stop();
    const order = await clerk.begin();
    await sendOrder(
      system.app,
      { express_id: order.id, attempt: 1, first: true },
      { job_id: '7', attempt: 2 },
    );
    const attempt = await attemptOf(order.id);
    expect(attempt.outcome).toMatchObject({ cause: 'interrupted', certainty: 'repeat' });
    expect(attempt.events.filter(({ kind }) => kind === 'lost')).toHaveLength(1);
    expect(calls(attempt).map(({ job }) => job)).toEqual(['send_order:7:2']);
    system.worker = await system.startWorker();
  });

  it('an order that the carrier answered at once has no attempts in its outcome response', async () => {
    const order = await clerk.begin();
    await clerk.until(order.id, 100);
    expect((await read(order.id)).data.attempts).toEqual([]);
  });

  it('stations, partners and clerks cannot read the attempts of an order, and an unknown order returns 404', async () => {
    const order = await clerk.begin();
    for (const username of ['partner', 'station', 'clerk']) {
      const token = await system.login(username);
      expect((await read(order.id, token)).status, username).toBe(403);
      expect((await system.call(token, 'GET', '/api/arco/outcomes')).status, username).toBe(403);
    }
    expect((await read(99_999_999)).status).toBe(404);
  });

  it('the requests shown for an order have masked phones, and a request above the size limit is left out and marked as cut', async () => {
    await fault('drop_after');
    const order = await clerk.begin();
    await settledAs(order.id, 'repeat');
    const { receive_phone, sender_phone } = await clerk.get(order.id);
    const text = JSON.stringify((await read(order.id)).data);
    expect(text).not.toContain(receive_phone);
    expect(text).not.toContain(sender_phone);
    expect(text).not.toMatch(/app_secret|access_token/);
    await rowsOf(
      system,
      sql`insert into carrier_calls (merchant_id, express_id, operation, outcome, ms, request, at)
        select merchant_id, express_id, 'create', 'unknown', 1,
          to_jsonb(repeat('x', 30000)), at from carrier_calls
          where express_id = ${order.id} order by id limit 1`,
    );
    await rowsOf(
      system,
      sql`update order_outcomes set call_id = (select max(id) from carrier_calls)
        where express_id = ${order.id}`,
    );
    const cut = calls(await attemptOf(order.id)).find(({ request_cut }) => request_cut === 1);
    expect(cut).toMatchObject({ request: null, request_cut: 1, answer_cut: 0 });
  });
});

describe('the list of orders whose outcome was unknown', () => {
  it('the list of order outcomes shows open orders first, and can be filtered by state, number, station and day', async () => {
    await fault('drop_before');
    await fault('refuse', { message: '不在服务范围', times: 50 });
    const order = await clerk.begin();
    await eventually(async () => (await attemptOf(order.id))?.waits_for_office === 1);
    await runJobNow(system, `send_order:${order.id}`);
    const { items } = await listed('page_size=50');
    expect(items[0]).toMatchObject({ express_id: order.id, is_open: 1 });
    expect(items.map(({ is_open }) => is_open)).toEqual(
      items.map(({ is_open }) => is_open).toSorted((a, b) => b - a),
    );
    expect((await listed('open=1')).items.map(({ express_id }) => express_id)).toEqual([order.id]);
    expect((await listed('open=0')).items.every(({ is_open }) => is_open === 0)).toBe(true);
    expect((await listed(`q=${order.order_id}`)).items).toHaveLength(1);
    expect((await listed('provider=sf')).items).toEqual([]);
    expect((await listed('since_to=2020-01-01')).items).toEqual([]);
    const first = await listed('page_size=1');
    const second = await listed(`page_size=1&cursor=${first.next_cursor}`);
    expect(second.items[0]!.id).not.toBe(first.items[0]!.id);
    expect((await listed(`station_id=${order.station_id}`)).items).toHaveLength(items.length);
  });
});
