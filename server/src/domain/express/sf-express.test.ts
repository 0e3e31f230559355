import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Merchant } from '@waystation/contract/network/merchant.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { inconsistencies } from '#testing/consistency.ts';
import {
  alertsOf,
  carrierRequests,
  failureOf,
  holdsOf,
  parcelClient,
  runTaskNow,
} from '#testing/parcel-client.ts';
import type { ParcelClient } from '#testing/parcel-client.ts';
import { eventually, openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';
import { raiseDoubts } from './doubts.ts';
import { lockExpress } from './row.ts';
import { askTraceTask, sendOrderTask, sortAgainTask } from './queues.ts';

let system: TestSystem;
let office: string;
let clerk: ParcelClient;
let merchant: Merchant;

const create = 'EXP_RECE_CREATE_ORDER';
const ask = <T>(method: string, path: string, body?: object) =>
  system.call<T>(office, method, `/api/arco/${path}`, body);
const control = <T = Record<string, unknown>>(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: unknown,
) => system.carrier.control<T>(method, path, body);
const pushesArrived = () => control('POST', 'pushes/settle', { within_ms: 20_000 });

/**
 * Offers SF's product: adds the delivery time and its template, and adds the template to the
 * freight scheme of all stations.
 */
const offerProduct = async (): Promise<void> => {
  await ask('POST', 'promises', {
    provider: 'sf',
    promise_id: '2',
    promise_name: '顺丰标快',
    cutoff_time: '18:00',
  });
  const [weight] = await rowsOf(
    system,
    sql<{ weight: object }>`select weight from vouchers where promise_id = 'ed-m-0001'`,
  );
  const voucher = await ask<{ id: number }>('POST', 'vouchers', {
    name: '顺丰标快',
    provider: 'sf',
    promise_id: '2',
    weight: weight!.weight,
  });
  await ask('POST', `vouchers/${voucher.data.id}/publish`, { version: 1 });
  const { data } = await ask<{ items: { id: number }[] }>('GET', 'projects');
  const path = `projects/${data.items[0]!.id}`;
  const scheme = await ask<{ version: number; vouchers: { voucher_id: number }[] }>('GET', path);
  const kept = scheme.data.vouchers.map(({ voucher_id }) => voucher_id);
  const bound = await ask('PATCH', path, {
    version: scheme.data.version,
    voucher_ids: [...kept, voucher.data.id],
  });
  expect(bound.status).toBe(200);
};

beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 10_000_000);
  office = await system.login('admin');
  clerk = await parcelClient(system);
  const { keys } = await control<{ keys: Record<string, string>[] }>('GET', 'sf/keys');
  const created = await ask<Merchant>('POST', 'merchants', {
    name: '顺丰账号',
    provider: 'sf',
    customer_code: keys[0]!['monthly_card'],
    app_key: keys[0]!['partner_id'],
    app_secret: keys[0]!['check_word'],
    base_url: system.carrier.url,
    sender_name: '仓库',
    sender_phone: '13800000001',
  });
  merchant = created.data;
  const { data } = await ask<{ path: string }>('POST', `merchants/${merchant.id}/push-address`);
  await control('POST', 'sf/partner', {
    partner_id: keys[0]!['partner_id'],
    callback_url: `${system.url}${data.path}`,
  });
  await ask('POST', `merchants/${merchant.id}/default`);
  await offerProduct();
});
afterEach(async () => {
  await control('DELETE', 'faults');
  await control('POST', 'settings', {
    sf: { repeat: 'first', push_copies: 1, contradict_search: false },
  });
});
afterAll(() => system.close());

const order = async (changes: Record<string, unknown> = {}) =>
  clerk.until((await clerk.begin({ promise_id: '2', remark: '称重一致', ...changes })).id, 100);
const creates = async (order_id: string) =>
  (await carrierRequests(system, create)).filter((request) => request.order_id === order_id);

describe('an account of SF Express', () => {
  it('the connection test of an SF account succeeds with the right keys; with a wrong key it fails and shows the reason', async () => {
    expect((await ask<Merchant>('POST', `merchants/${merchant.id}/test`)).data).toMatchObject({
      simulated: 1,
      proof: { ok: 1, reason: null },
    });
    const wrong = await ask<Merchant>('POST', 'merchants', {
      name: '错误',
      provider: 'sf',
      customer_code: '7550000000',
      app_key: 'WAYSTATIONDEMO',
      app_secret: 'wrong-check-word',
      base_url: system.carrier.url,
      sender_name: '仓库',
      sender_phone: '13800000001',
    });
    expect((await ask<Merchant>('POST', `merchants/${wrong.data.id}/test`)).data).toMatchObject({
      proof: { ok: 0, reason: { code: 'merchant_test_signature' } },
    });
  });
});

describe('an order with SF Express', () => {
  it('an order with SF Express has a waybill and label data, and its label can be printed', async () => {
    const parcel = await order();
    expect(parcel).toMatchObject({
      provider: 'sf',
      promise_id: '2',
      delivery_id: expect.stringMatching(/^SF\d{13}$/),
      print_data: { end_site_name: '020W-F0-CK', road: 'K35', aging_name: '标快' },
      need_retry: 0,
    });
    const [stored] = await rowsOf(
      system,
      sql<{
        hours: number;
      }>`select (extract(epoch from promised_at - ordered_at) / 3600)::integer as hours
        from expresses where id = ${parcel.id}`,
    );
    // SF's create call returns no promised time; the request for delivery times does.
    expect(stored!.hours).toBeGreaterThan(1);
    const answer = await fetch(`${system.url}/api/arco/labels`, {
      method: 'POST',
      headers: { authorization: `Bearer ${clerk.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ids: [parcel.id], format: '76x130' }),
    });
    expect(answer.status).toBe(200);
    expect(
      Buffer.from(await answer.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
  });

  it.each(['first', 'error'] as const)(
    'an order with SF Express whose answer is cut off is found by a search, without a second create (%s)',
    async (repeat) => {
      await control('POST', 'settings', { sf: { repeat } });
      await control('POST', 'faults', { kind: 'cut_after', path: create });
      const begun = await clerk.begin({ promise_id: '2' });
      await eventually(async () => (await creates(begun.order_id)).length === 1);
      await runTaskNow(system, sendOrderTask.name);
      const parcel = await clerk.until(begun.id, 100);
      expect(await creates(parcel.order_id)).toHaveLength(1);
      expect(
        (
          await control<{ orders: { waybill: string }[] }>(
            'GET',
            `sf/orders?order_id=${parcel.order_id}`,
          )
        ).orders.map(({ waybill }) => waybill),
      ).toEqual([parcel.delivery_id]);
    },
  );

  it('an order to a region that SF does not serve fails, and its hold is released', async () => {
    const begun = await clerk.begin({ promise_id: '2', remark: '超区' });
    const failed = await clerk.until(begun.id, 90);
    expect(failed.state_remark).toContain('超出服务范围');
    expect(await holdsOf(system, failed.id)).toMatchObject([{ status: 'released' }]);
  });

  it('an order with SF Express that is cancelled before the pickup is cancelled at SF', async () => {
    const parcel = await order();
    expect((await clerk.act(parcel.id, 'cancel', { reason: '不要了' })).status).toBe(200);
    await clerk.until(parcel.id, 500);
    expect(await control('GET', `sf/orders/${parcel.delivery_id}`)).toMatchObject({
      cancelled: true,
    });
  });
});

describe('an order that SF Express answers unclearly', () => {
  it('an order for which SF returns two waybills raises an alert, and has no label data', async () => {
    await control('POST', 'settings', { sf: { contradict_search: true } });
    const parcel = await order();
    expect(parcel).toMatchObject({ need_retry: 1, print_data: null });
    await eventually(async () => (await alertsOf(system, parcel.id)).includes('waybill_conflict'));
    const [row] = await rowsOf(
      system,
      sql<{ claims: { delivery_id: string }[] }>`select waybill_claims as claims
        from expresses where id = ${parcel.id}`,
    );
    expect(row!.claims.map(({ delivery_id }) => delivery_id)).toEqual([
      parcel.delivery_id,
      `SF8${parcel.delivery_id!.slice(3)}`,
    ]);
  });

  it('an order that SF refuses after manual pre-sorting raises an alert and gets no label', async () => {
    const parcel = await order({ remark: '人工拒收派' });
    expect(await alertsOf(system, parcel.id)).toEqual([]);
    await system.carrier.advance(3_600_000);
    await runTaskNow(system, sortAgainTask.name);
    await eventually(async () => (await alertsOf(system, parcel.id)).includes('order_unreachable'));
    expect(await clerk.get(parcel.id)).toMatchObject({
      state_code: 100,
      need_retry: 1,
      print_data: null,
    });
  });

  it('if SF reports an order as a repeat and the order belongs to an earlier attempt of the parcel, an alert is raised', async () => {
    const parcel = await order();
    await system.app.db.tx(systemScope('test'), async (work) => {
      const express = await lockExpress(work, parcel.id);
      const found = { delivery_id: parcel.delivery_id!, repeated: true };
      await raiseDoubts(work, express, found);
      await raiseDoubts(work, { ...express, attempt: 2, order_tries: 2 }, found);
      expect(await alertsOf(system, parcel.id)).toEqual([]);
      await raiseDoubts(work, { ...express, attempt: 2, order_tries: 1 }, found);
    });
    expect(await alertsOf(system, parcel.id)).toEqual(['order_of_earlier_attempt']);
  });

  it('an order that SF cancelled while its outcome was unknown is first decided by an administrator, and then cancelled', async () => {
    await control('POST', 'faults', { kind: 'cut_after', path: create });
    await control('POST', 'faults', {
      kind: 'error_before',
      path: 'EXP_RECE_SEARCH_ORDER_RESP',
      times: 2,
    });
    const begun = await clerk.begin({ promise_id: '2' });
    await eventually(async () => (await creates(begun.order_id)).length === 1);
    const { orders } = await control<{ orders: { waybill: string }[] }>(
      'GET',
      `sf/orders?order_id=${begun.order_id}`,
    );
    const delivery_id = orders[0]!.waybill;
    await control('POST', `sf/orders/${delivery_id}/cancel`);
    const left = await eventually(async () => {
      await runTaskNow(system, sendOrderTask.name);
      const found = await clerk.get(begun.id);
      return found.state_reason?.code === 'order_stored_without_number' ? found : null;
    });
    expect(left.state_reason?.params).toMatchObject({ text: '订单已取消' });
    const decide = (body: object) =>
      system.call(
        { token: office, headers: { 'idempotency-key': randomUUID() } },
        'POST',
        `/api/arco/expresses/${begun.id}/outcome`,
        { version: left.version, ...body },
      );
    expect((await decide({ outcome: 'stored', delivery_id, compared: 1 })).status).toBe(200);
    const stored = await clerk.until(begun.id, 100);
    expect(stored).toMatchObject({ delivery_id, print_data: null });
    expect((await clerk.act(begun.id, 'cancel', { reason: '不要了' })).status).toBe(200);
    await clerk.until(begun.id, 500);
    expect(await holdsOf(system, begun.id)).toMatchObject([{ status: 'released' }]);
  });
});

describe('a parcel with SF Express', () => {
  it('repeated and shuffled pushes of SF lead to one history of a parcel: out for delivery while in a locker, then signed for', async () => {
    await control('POST', 'settings', { sf: { push_copies: 4 }, push: { shuffle_rate: 0.5 } });
    const parcel = await order({ remark: '称重一致 放丰巢' });
    await control('POST', `sf/orders/${parcel.delivery_id}/jump`, { to: '125' });
    await pushesArrived();
    expect(await clerk.until(parcel.id, 220)).toMatchObject({ signed_at: null });
    await control('POST', `sf/orders/${parcel.delivery_id}/jump`, { to: '80' });
    await pushesArrived();
    await clerk.until(parcel.id, 300);
    const { data } = await system.call<{ items: { state: string }[] }>(
      clerk.token,
      'GET',
      `/api/arco/expresses/${parcel.id}/trace`,
    );
    const routes = data.items.map(({ state }) => state).filter((state) => /^\d+$/.test(state));
    expect(routes.toSorted()).toEqual(['125', '30', '31', '44', '50', '80']);
    expect(await alertsOf(system, parcel.id)).toEqual([]);
    await control('POST', 'settings', { push: { shuffle_rate: 0 } });
  });

  it('a parcel has the weight and fee that SF returns to a query, although SF also pushes a fee with an older version number', async () => {
    await control('POST', 'settings', { sf: { contradict_fees: true } });
    const parcel = await order({ weight: 2_300 });
    await control('POST', `sf/orders/${parcel.delivery_id}/jump`, { to: '50' });
    await pushesArrived();
    const charged = await eventually(async () => {
      const found = await clerk.get(parcel.id);
      return found.jd_weight === null ? null : found;
    });
    expect(charged.jd_weight).toBe(2_300);
    const [fee] = await rowsOf(
      system,
      sql<{ jd_amount: number }>`select jd_amount from expresses where id = ${parcel.id}`,
    );
    const { fee_total } = await control<{ fee_total: number }>(
      'GET',
      `sf/orders/${parcel.delivery_id}`,
    );
    expect(fee!.jd_amount).toBe(fee_total);
    await control('POST', 'settings', { sf: { contradict_fees: false } });
  });

  it.each([
    ['jdl', ['sender_name', 'goods', 'thr_order_id']],
    ['sf', ['sender_name', 'goods', 'thr_order_id', 'package_count', 'remark', 'description']],
  ] as const)(
    'a parcel sent with %s refuses a change of each field that its carrier cannot change, stores nothing then, and accepts the others',
    async (provider, fixed) => {
      const changes = {
        sender_name: '王五',
        goods: '食品',
        thr_order_id: `other ${provider}`,
        receive_name: '赵六',
        package_count: 2,
        guarantee_value_amount: 50_000,
        remark: '轻放',
        description: '易碎',
        weight: 8_000,
        length: 30,
        width: 20,
        height: 10,
      };
      const product = { promise_id: provider === 'sf' ? '2' : 'ed-m-0001' };
      const draft = (await clerk.order({ ...product, weight: 7_000, draft: 1 })).data;
      expect((await clerk.edit(draft.id, { version: draft.version, ...changes })).status).toBe(200);

      const parcel = await order({ ...product, weight: 7_000 });
      const refused = await clerk.edit(parcel.id, { version: parcel.version, ...changes });
      expect(failureOf(refused).fields).toEqual(
        Object.fromEntries(
          fixed.map((name) => [name, expect.objectContaining({ code: 'carrier_cannot_modify' })]),
        ),
      );
      for (const name of fixed) {
        const change = { version: parcel.version, [name]: changes[name] };
        expect(Object.keys(failureOf(await clerk.edit(parcel.id, change)).fields!)).toEqual([name]);
      }
      const stored = await rowsOf(
        system,
        sql<{ edits: number }>`select count(*)::int as edits from express_edits
          where express_id = ${parcel.id}`,
      );
      expect(stored).toEqual([{ edits: 0 }]);
      expect((await clerk.get(parcel.id)).version).toBe(parcel.version);
      const rest = Object.entries(changes).filter(([name]) => !fixed.some((one) => one === name));
      const taken = Object.fromEntries(rest);
      const taking = await clerk.edit(parcel.id, { version: parcel.version, ...taken });
      expect(taking).toMatchObject({ status: 200, data: taken });

      const to = provider === 'sf' ? '50' : 'picked_up';
      const path = provider === 'sf' ? 'sf/orders' : 'orders';
      await control('POST', `${path}/${parcel.delivery_id}/jump`, { to });
      await system.app.db.tx(systemScope('test'), (work) =>
        addJob(work, askTraceTask, { express_id: parcel.id }),
      );
      const moved = await clerk.until(parcel.id, 200);
      const late = await clerk.edit(parcel.id, { version: moved.version, receive_name: '孙七' });
      expect(failureOf(late).code).toBe('state_forbids');
    },
  );

  it('after all other tests of this file, the ledger is valid and SF’s orders match the product’s parcels', async () => {
    expect(await inconsistencies(system)).toEqual([]);
  });
});
