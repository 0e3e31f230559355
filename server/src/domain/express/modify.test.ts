import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import type { quoteExpress } from '@waystation/contract/parcels/express-calls.ts';
import type { Express } from '@waystation/contract/parcels/express.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import {
  alertsOf,
  parcelClient,
  failureOf,
  carrierRequests,
  holdsOf,
} from '#testing/parcel-client.ts';
import type { ParcelClient } from '#testing/parcel-client.ts';
import { inconsistencies } from '#testing/consistency.ts';
import { lockExpress, applyFacts } from './express.ts';
import type { Facts } from './facts-type.ts';
import { moveExpress } from './moves.ts';
import { eventually, openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { Answer, TestSystem } from '#testing/test-system.ts';

const all = systemScope('modify test');
let system: TestSystem;
let clerk: ParcelClient;
beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 120_000);
  clerk = await parcelClient(system);
});
afterEach(() => system.carrier.control('DELETE', 'faults'));
afterAll(() => system.close());

const modifies = async (parcel: Express) =>
  (await carrierRequests(system, '/orders/modify')).filter(
    ({ waybill_code }) => waybill_code === parcel.delivery_id,
  );
const ordered = async (changes: Record<string, unknown> = {}): Promise<Express> => {
  const { data } = await clerk.order(changes);
  expect(data.state_code).toBe(100);
  return data;
};
const edit = async (parcel: Express, changes: Record<string, unknown>): Promise<Answer<Express>> =>
  clerk.edit(parcel.id, { version: (await clerk.get(parcel.id)).version, ...changes });
const settled = (id: number): Promise<Express> =>
  eventually(async () => {
    const found = await clerk.get(id);
    return found.modifying === 0 && found.need_retry === 0 ? found : null;
  });
/**
 * Postpones the waiting call by an hour, so that it is not made between two settings of the
 * simulator.
 */
const postponed = (id: number): Promise<true> =>
  eventually(async () => {
    const found = await rowsOf(
      system,
      sql`select graphile_worker.reschedule_jobs(array[j.id],
        run_at => now() + interval '1 hour')
        from graphile_worker._private_jobs j
          join express_edits e on j.key = 'modify_parcel:' || e.id
        where e.express_id = ${id} and e.status = 'pending' and j.locked_at is null`,
    );
    return found.length > 0 ? (true as const) : null;
  });
/**
 * Makes the waiting call of a change now, and waits until the carrier's answer has ended the
 * change.
 */
const concluded = (id: number): Promise<true> =>
  eventually(async () => {
    const waiting = await rowsOf(
      system,
      sql<{ id: number }>`select id from express_edits
      where express_id = ${id} and status = 'pending'`,
    );
    if (waiting.length === 0) return true as const;
    await rowsOf(
      system,
      sql`select graphile_worker.reschedule_jobs(array[id], run_at => now())
        from graphile_worker._private_jobs
        where key = ${`modify_parcel:${waiting[0]!.id}`} and locked_at is null`,
    );
    await rowsOf(system, sql`select pg_notify('jobs:insert', '{"r": 0, "count": 1}')`);
    return null;
  });
const failNextOrder = (parcel: Express, fault: Record<string, unknown>) =>
  system.carrier.control('POST', 'faults', {
    path: '/ecap/v1/orders/modify',
    waybill_code: parcel.delivery_id,
    ...fault,
  });

/** Applies facts of the carrier, as a poll does. */
const report = (id: number, facts: Facts) =>
  system.app.db.tx(all, async (work) =>
    applyFacts(work, await lockExpress(work, id), facts, {
      source: 'poll',
      at: new Date(),
      account_id: null,
    }),
  );
/**
 * Sets the state of a parcel that the carrier has moved without weighing it. The parcel's facts are
 * not requested.
 */
const moved = (parcel: Express, to: 200 | 300) =>
  system.app.db.tx(all, async (work) => {
    await moveExpress(work, await lockExpress(work, parcel.id), {
      to,
      cause: 'carrier',
      account_id: null,
      at: new Date(),
    });
  });
/**
 * Parcels that the consistency check reports although they are correct: the carrier moved them
 * after their cancellation.
 */
const gone = new Set<number>();

describe('changing a parcel that awaits pickup', () => {
  it('changing the receiver of a parcel that awaits pickup sends the change to the carrier, keeps the price, and loads the label data again', async () => {
    const parcel = await ordered();
    const { status, data } = await edit(parcel, {
      receive_name: '李四',
      receive_address: '世纪大道200号',
      remark: '轻放',
    });
    expect(status).toBe(200);
    expect(data).toMatchObject({
      modifying: 0,
      receive_name: '李四',
      receive_address: '世纪大道200号',
      remark: '轻放',
      post_amount: parcel.post_amount,
    });
    const [sent] = await system.carrier
      .control<{ receiver: { name: string }; remark: string }[]>(
        'GET',
        `orders/${parcel.delivery_id}`,
      )
      .then((order) => [order]);
    expect(JSON.stringify(sent)).toContain('世纪大道200号');
    expect((await settled(parcel.id)).print_data).not.toBeNull();
    expect(await modifies(parcel)).toHaveLength(1);
  });

  it('a change of a parcel that awaits pickup raises the hold to a higher price, or lowers it to a lower price', async () => {
    const parcel = await ordered({ guarantee_value_amount: 50_000 });
    const dearer = await edit(parcel, { guarantee_value_amount: 100_000 });
    expect(dearer.data.guarantee_amount).toBeGreaterThan(parcel.guarantee_amount);
    expect(await holdsOf(system, parcel.id)).toEqual([
      { attempt: 1, amount: dearer.data.post_amount, status: 'open' },
    ]);
    const cheaper = await edit(parcel, { guarantee_value_amount: 50_000 });
    expect(cheaper.data.post_amount).toBe(parcel.post_amount);
    expect(await holdsOf(system, parcel.id)).toEqual([
      { attempt: 1, amount: parcel.post_amount, status: 'open' },
    ]);
  });

  it('the quote for a change of a parcel that awaits pickup shows the price after the change; the parcel’s own hold counts as available', async () => {
    const parcel = await ordered({ guarantee_value_amount: 50_000 });
    await rowsOf(
      system,
      sql`update stations set discount = 9000
      where id = ${parcel.station_id}`,
    );
    const wanted = { weight: 6_200, guarantee_value_amount: 100_000 };
    const {
      sender_province,
      sender_city,
      sender_county,
      receive_province,
      receive_city,
      receive_county,
    } = parcel;
    const places = {
      sender_province,
      sender_city,
      sender_county,
      receive_province,
      receive_city,
      receive_county,
    };
    const quote = async () =>
      (
        await system.call<OutputOf<typeof quoteExpress>>(
          clerk.token,
          'POST',
          '/api/arco/expresses/quote',
          { ...places, ...wanted, express_id: parcel.id },
        )
      ).data;
    const shown = await quote();
    const { data: edited } = await edit(parcel, wanted);
    await rowsOf(
      system,
      sql`update stations set discount = 8500
      where id = ${parcel.station_id}`,
    );
    const own = ({ quotes }: OutputOf<typeof quoteExpress>) =>
      quotes.find(({ promise_id }) => promise_id === parcel.promise_id)!;
    expect(own(shown)).toMatchObject({
      selectable: 1,
      post_amount: edited.post_amount,
      discount: parcel.discount,
    });
    expect(shown.held).toBe(parcel.post_amount);
    const now = await quote();
    expect(now.held).toBe(edited.post_amount);
    expect(now.available + now.held).toBe(shown.available + shown.held);
  });

  it('changing a parcel’s delivery time before pickup uses the freight template version that was published when the parcel was ordered', async () => {
    const parcel = await ordered();
    const [other] = await rowsOf(
      system,
      sql<{ promise_id: string; voucher_id: number; no: number }>`select b.promise_id,
        b.voucher_id, max(v.no) as no from project_vouchers b
        join voucher_versions v on v.voucher_id = b.voucher_id
        where b.project_id = ${parcel.project_id} and b.promise_id <> ${parcel.promise_id}
          group by 1, 2 order by 1 limit 1`,
    );
    await rowsOf(
      system,
      sql`insert into voucher_versions (voucher_id, no, valid_from, discount,
        northeast_discount, weight)
        select voucher_id, no + 1, now(), 1, 1, weight from voucher_versions
          where voucher_id = ${other!.voucher_id} and no = ${other!.no}`,
    );
    const { status, data } = await edit(parcel, { promise_id: other!.promise_id });
    expect({ status, data }).toMatchObject({
      status: 200,
      data: { promise_id: other!.promise_id, voucher_id: other!.voucher_id },
    });
    expect(
      await rowsOf(
        system,
        sql`select voucher_no,
      terms -> 'voucher' ->> 'version' as frozen from expresses
      where id = ${parcel.id}`,
      ),
    ).toEqual([{ voucher_no: other!.no, frozen: String(other!.no) }]);
    expect(await holdsOf(system, parcel.id)).toEqual([
      { attempt: 1, amount: data.post_amount, status: 'open' },
    ]);
    await settled(parcel.id);
  });

  it('a change of weight or sizes before pickup is not sent to the carrier, which measures the parcel again', async () => {
    const parcel = await ordered();
    const { data } = await edit(parcel, { weight: 6_200, description: '易碎' });
    expect(data).toMatchObject({
      weight: 6_200,
      cal_weight: 7_000,
      description: '易碎',
      modifying: 0,
    });
    expect(data.post_amount).toBeGreaterThan(parcel.post_amount);
    expect(await holdsOf(system, parcel.id)).toEqual([
      { attempt: 1, amount: data.post_amount, status: 'open' },
    ]);
    expect(await modifies(parcel)).toEqual([]);
  });

  it('if the carrier cannot change the sender or the goods, such a change returns an error at each of these fields and changes nothing', async () => {
    const parcel = await ordered();
    const refused = await edit(parcel, { sender_name: '王五', goods: '衣服', remark: '轻放' });
    expect(failureOf(refused)).toMatchObject({
      code: 'invalid_input',
      fields: {
        sender_name: { code: 'carrier_cannot_modify' },
        goods: { code: 'carrier_cannot_modify' },
      },
    });
    expect(await clerk.get(parcel.id)).toMatchObject({
      remark: parcel.remark,
      version: parcel.version,
    });
  });

  it('a change to a higher price fails before any call if the balance does not cover the difference, and returns the missing amount', async () => {
    const parcel = await ordered();
    const [{ available }] = (await rowsOf(
      system,
      sql<{ available: number }>`select available
      from stations where id = ${parcel.station_id}`,
    )) as [{ available: number }];
    await rowsOf(
      system,
      sql`update stations set fixed_freeze = ${available - 10}
      where id = ${parcel.station_id}`,
    );
    const refused = await edit(parcel, { package_count: 2, guarantee_value_amount: 100_000 });
    await rowsOf(
      system,
      sql`update stations set fixed_freeze = 0
      where id = ${parcel.station_id}`,
    );
    expect(failureOf(refused)).toMatchObject({
      code: 'balance_too_low',
      params: { missing_amount: expect.any(Number) },
    });
    expect(await modifies(parcel)).toEqual([]);
    expect(await clerk.get(parcel.id)).toMatchObject({
      modifying: 0,
      post_amount: parcel.post_amount,
    });
  });

  it('a change of a parcel that awaits pickup changes nothing if the carrier refuses it, and returns the carrier’s text', async () => {
    const parcel = await ordered();
    const refused = await edit(parcel, { remark: '超区', guarantee_value_amount: 100_000 });
    expect(failureOf(refused)).toMatchObject({
      code: 'edit_refused',
      params: { text: expect.stringContaining('超区') },
    });
    expect(await clerk.get(parcel.id)).toMatchObject({
      modifying: 0,
      remark: parcel.remark,
      post_amount: parcel.post_amount,
      state_code: 100,
    });
    expect(await holdsOf(system, parcel.id)).toEqual([
      { attempt: 1, amount: parcel.post_amount, status: 'open' },
    ]);
  });

  it('a change whose answer is lost is sent again with the same bytes, and the higher hold is kept until the answer', async () => {
    const parcel = await ordered();
    await failNextOrder(parcel, { kind: 'drop_after', times: 20 });
    const waiting = await edit(parcel, { guarantee_value_amount: 100_000 });
    expect(waiting.data).toMatchObject({
      modifying: 1,
      guarantee_value_amount: parcel.guarantee_value_amount,
      post_amount: parcel.post_amount,
    });
    expect((await holdsOf(system, parcel.id))[0]!.amount).toBeGreaterThan(parcel.post_amount);
    expect(failureOf(await edit(parcel, { remark: 'x' }))).toMatchObject({ code: 'edit_pending' });
    expect(failureOf(await clerk.act(parcel.id, 'reweigh', { re_weight: 4_400 }))).toMatchObject({
      code: 'edit_pending',
    });
    await system.carrier.control('DELETE', 'faults');
    await concluded(parcel.id);
    const done = await settled(parcel.id);
    expect(done.guarantee_value_amount).toBe(100_000);
    expect((await holdsOf(system, parcel.id))[0]!.amount).toBe(done.post_amount);
    expect(new Set((await modifies(parcel)).map(({ body }) => body)).size).toBe(1);
  });

  it('if the carrier refuses the repeated call of a change, the raised hold is kept and an alert is raised, because the first call may have been accepted', async () => {
    const parcel = await ordered();
    // The faults are set before the edit, because a repeated call between two settings of the
    // simulator would be accepted.
    await failNextOrder(parcel, { kind: 'drop_before', times: 1 });
    await failNextOrder(parcel, { kind: 'refuse', message: '运单状态不允许修改' });
    await edit(parcel, { guarantee_value_amount: 100_000 });
    await concluded(parcel.id);
    const left = await settled(parcel.id);
    expect(left.post_amount).toBe(parcel.post_amount);
    expect((await holdsOf(system, parcel.id))[0]!.amount).toBeGreaterThan(parcel.post_amount);
    expect(await alertsOf(system, parcel.id)).toEqual(['edit_unclear']);
  });

  it('a change whose repeated call is refused takes effect if the carrier’s details show the new number of packages', async () => {
    const parcel = await ordered();
    // The faults are set before the edit, because a repeated call between two settings of the
    // simulator would be accepted.
    await failNextOrder(parcel, { kind: 'drop_after', times: 1 });
    await failNextOrder(parcel, { kind: 'refuse', message: '运单状态不允许修改' });
    await edit(parcel, { package_count: 2 });
    await concluded(parcel.id);
    expect((await settled(parcel.id)).package_count).toBe(2);
    const calls = await rowsOf(
      system,
      sql<{ operation: string }>`select operation from carrier_calls
        where express_id = ${parcel.id} order by id desc limit 3`,
    );
    expect(calls.map(({ operation }) => operation)).toContain('details');
  });

  it('if the parcel is cancelled, a pending change ends without effect and the hold is released', async () => {
    const parcel = await ordered();
    await failNextOrder(parcel, { kind: 'error_before', times: 20 });
    await edit(parcel, { guarantee_value_amount: 100_000 });
    await clerk.act(parcel.id, 'cancel', { reason: '不寄了' });
    await clerk.until(parcel.id, 500);
    await concluded(parcel.id);
    expect(await settled(parcel.id)).toMatchObject({ state_code: 500 });
    expect((await holdsOf(system, parcel.id))[0]!.status).toBe('released');
  });

  it('a parcel whose change has no answer yet keeps the higher hold when the carrier reports a surcharge', async () => {
    const parcel = await ordered();
    await failNextOrder(parcel, { kind: 'drop_before', times: 20 });
    await edit(parcel, { guarantee_value_amount: 200_000 });
    const [raised] = await holdsOf(system, parcel.id);
    await report(parcel.id, { surcharges: { CC: { name: '超长', amount: 100 } } });
    expect(await holdsOf(system, parcel.id)).toEqual([raised]);
    await system.carrier.control('DELETE', 'faults');
    await concluded(parcel.id);
    const done = await settled(parcel.id);
    expect(done.post_amount).toBe(raised!.amount + 100);
    expect(await holdsOf(system, parcel.id)).toEqual([
      { attempt: 1, amount: done.post_amount, status: 'open' },
    ]);
  });

  it('a change to a lower price lowers the hold to this price, even if the parcel is picked up before the outcome of the change is known', async () => {
    const parcel = await ordered({ guarantee_value_amount: 200_000 });
    await failNextOrder(parcel, { kind: 'drop_after', times: 20 });
    await edit(parcel, { guarantee_value_amount: 0 });
    await moved(parcel, 200);
    await system.carrier.control('DELETE', 'faults');
    await concluded(parcel.id);
    const done = await settled(parcel.id);
    expect(done.post_amount).toBeLessThan(parcel.post_amount);
    expect(await holdsOf(system, parcel.id)).toEqual([
      { attempt: 1, amount: done.post_amount, status: 'open' },
    ]);
  });

  it('if the outcome of a change is still unknown when the parcel is delivered, an alert is raised and the hold returns to the old price', async () => {
    const parcel = await ordered();
    await failNextOrder(parcel, { kind: 'drop_before', times: 20 });
    await edit(parcel, { guarantee_value_amount: 200_000 });
    await moved(parcel, 300);
    await concluded(parcel.id);
    expect((await settled(parcel.id)).post_amount).toBe(parcel.post_amount);
    expect(await holdsOf(system, parcel.id)).toEqual([
      { attempt: 1, amount: parcel.post_amount, status: 'open' },
    ]);
    expect(await alertsOf(system, parcel.id)).toEqual(['edit_overtaken']);
  });

  it('a pending change ends without effect if the parcel is cancelled, its hold is released, and the carrier then picks it up', async () => {
    const parcel = await ordered();
    await failNextOrder(parcel, { kind: 'error_before', times: 20 });
    await edit(parcel, { guarantee_value_amount: 200_000 });
    // The call is postponed before the cancellation. Otherwise a call between the cancellation and
    // the pickup would end the edit without effect.
    await postponed(parcel.id);
    await clerk.act(parcel.id, 'cancel', { reason: '不寄了' });
    await clerk.until(parcel.id, 500);
    await moved(parcel, 200);
    await rowsOf(
      system,
      sql`update express_edits set tries = 0
      where express_id = ${parcel.id}`,
    );
    await system.carrier.control('DELETE', 'faults');
    await failNextOrder(parcel, { kind: 'refuse', message: '运单状态不允许修改' });
    await concluded(parcel.id);
    expect((await settled(parcel.id)).post_amount).toBe(parcel.post_amount);
    expect((await holdsOf(system, parcel.id))[0]!.status).toBe('released');
    gone.add(parcel.id);
  });

  it('a change of a parcel that is already charged charges the higher price to the wallet, and is refused if the balance does not cover it', async () => {
    const parcel = await ordered();
    await report(parcel.id, { jd_weight: 4_300 });
    const dearer = await edit(parcel, { guarantee_value_amount: 200_000 });
    expect(dearer.status).toBe(200);
    const [{ charged }] = (await rowsOf(
      system,
      sql<{ charged: number }>`select -sum(amount)::bigint as charged from statements
        where express_id = ${parcel.id} and station_id = ${parcel.station_id}`,
    )) as [{ charged: number }];
    expect(charged).toBe(dearer.data.post_amount);
    await rowsOf(
      system,
      sql`update stations set fixed_freeze = available - 10
      where id = ${parcel.station_id}`,
    );
    const refused = await edit(parcel, { guarantee_value_amount: 400_000 });
    await rowsOf(
      system,
      sql`update stations set fixed_freeze = 0
      where id = ${parcel.station_id}`,
    );
    expect(failureOf(refused)).toMatchObject({ code: 'balance_too_low' });
    await settled(parcel.id);
  });

  it('a change fails with a version conflict if it is based on an older version of the parcel', async () => {
    const parcel = await ordered();
    await edit(parcel, { remark: '先' });
    expect(await clerk.edit(parcel.id, { version: parcel.version, remark: '后' })).toMatchObject({
      status: 409,
      data: { code: 'version_conflict' },
    });
  });
});

describe('the final checks of this file', () => {
  it('after all other tests of this file, the ledger is valid and the carrier’s orders match the product’s parcels', async () => {
    expect(
      (await inconsistencies(system)).filter(
        (problem) => ![...gone].some((id) => problem === `parcel ${id} in 200 holds 0 times`),
      ),
    ).toEqual([]);
  });
});
