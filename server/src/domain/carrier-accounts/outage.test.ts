import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Express } from '@waystation/contract/parcels/express.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { parcelClient, holdsOf, runJobNow, jobWaits } from '#testing/parcel-client.ts';
import type { ParcelClient } from '#testing/parcel-client.ts';
import { eventually, openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';
import { recordCall } from './accounts.ts';
import { watchOutages } from './watch-outages.ts';

let system: TestSystem;
let clerk: ParcelClient;
let admin: ParcelClient;
beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 1_000_000);
  clerk = await parcelClient(system);
  admin = await parcelClient(system, 'admin');
  await rowsOf(
    system,
    sql`insert into settings (name, value)
    values ('outage_calls', '4'), ('outage_failures', '3')`,
  );
});
afterAll(() => system.close());

const outages = async (counter: ParcelClient) =>
  (
    await system.call<{
      items: { merchant_id: number | null; name: string | null; since: string; waiting: number }[];
    }>(counter.token, 'GET', '/api/arco/outages')
  ).data.items;
const alerts = () =>
  rowsOf(
    system,
    sql`select 1 from alerts
  where code = 'carrier_account_down' and closed_at is null`,
  );

describe('a carrier account that fails three of its last four calls', () => {
  it('a carrier account is shown as down after three of its last four calls failed, still accepts orders, and recovers when a call succeeds', async () => {
    const setPaused = (at: Date | null) =>
      rowsOf(
        system,
        sql`update merchants
      set paused_at = ${at} where id = ${system.network.merchant_id}`,
      );
    await setPaused(new Date());
    const unsent = await clerk.begin();
    await eventually(async () => (await jobWaits(system, `send_order:${unsent.id}`)) > 30);
    await setPaused(null);
    await system.carrier.control('POST', 'faults', { kind: 'error_before', times: 1_000 });
    const first = await clerk.begin();
    await runJobNow(system, `send_order:${first.id}`).catch(() => {});
    expect(await outages(clerk)).toEqual([]);
    await eventually(async () => (await outages(clerk)).length === 1);
    // The order of this parcel has no failed call yet; the outage is shown with it, but not stored
    // in its row.
    expect(await clerk.get(unsent.id)).toMatchObject({
      state_code: 20,
      state_reason: { code: 'carrier_down' },
      version: unsent.version,
    });
    const { data: listed } = await system.call<{ items: Express[] }>(
      clerk.token,
      'GET',
      '/api/arco/expresses?state_code=20',
    );
    expect(listed.items.map(({ state_reason }) => state_reason?.code)).toEqual([
      'carrier_down',
      'carrier_down',
    ]);
    const second = await clerk.begin();
    const waiting = await eventually(async () => {
      const found = await clerk.get(second.id);
      return found.state_reason?.code === 'carrier_down' && found;
    });
    expect(waiting.state_code).toBe(20);
    expect(await holdsOf(system, second.id)).toEqual([
      { attempt: 1, amount: second.post_amount, status: 'open' },
    ]);
    expect(await outages(clerk)).toMatchObject([{ merchant_id: null, name: null, waiting: 3 }]);
    const [seen] = await outages(admin);
    expect(seen!.name).not.toBeNull();
    expect(seen!.merchant_id).toBe(system.network.merchant_id);
    expect(await alerts()).toHaveLength(1);
    const { data } = await system.call<{ down_since: string }>(
      admin.token,
      'GET',
      `/api/arco/merchants/${system.network.merchant_id}`,
    );
    expect(data.down_since).toBe(seen!.since);

    await system.carrier.control('DELETE', 'faults');
    for (const { id } of [first, second]) await clerk.until(id, 100);
    expect((await clerk.get(unsent.id)).state_code).toBe(20);
    // No call was made recently, so the task tests the account.
    await watchOutages({ ...system.app, clock: { now: () => new Date(Date.now() + 60_000) } });
    await eventually(async () => (await outages(clerk)).length === 0);
    expect(await alerts()).toEqual([]);
    expect((await clerk.get(second.id)).state_reason).toBeNull();
    expect(await clerk.get(unsent.id)).toMatchObject({
      state_code: 20,
      state_reason: null,
      state_remark: '',
    });
    await runJobNow(system, `send_order:${unsent.id}`);
    await clerk.until(unsent.id, 100);
  });

  it('a carrier account whose orders fail is down even if its other calls succeed, and recovers when orders succeed', async () => {
    const merchant = system.network.merchant_id;
    let place = 0;
    const covers = async () => {
      const places = {
        sender_province: '广东省',
        sender_city: '深圳市',
        sender_county: '南山区',
        sender_address: '科技园1号',
      };
      const to = {
        receive_province: '上海市',
        receive_city: '上海市',
        receive_county: '浦东新区',
        receive_address: `世纪大道${++place}号`,
      };
      return (
        await system.call<{ result: string }>(clerk.token, 'POST', '/api/arco/expresses/coverage', {
          provider: 'jdl',
          ...places,
          ...to,
        })
      ).data.result;
    };
    const answered = (operation: string, express_id: number | null = null) =>
      system.app.db.tx(systemScope('test'), (work) =>
        recordCall(work, merchant, {
          express_id,
          answer: {
            outcome: 'ok',
            call: { operation, trace_id: '', http_status: 200, ms: 1, request: null, answer: null },
          },
        }),
      );
    const failed = async (ids: number[]) =>
      (
        await rowsOf(
          system,
          sql<{ id: number }>`select id from carrier_calls
        where express_id = any(${ids}::bigint[]) and outcome = 'unknown'`,
        )
      ).length;
    await system.carrier.control('POST', 'faults', {
      kind: 'error_before',
      times: 1_000,
      path: '/ecap/v1/orders/create',
    });
    // These orders of two parcels fail. Three other requests are answered between two attempts.
    const ids = [(await clerk.begin()).id, (await clerk.begin()).id];
    for (let tries = 0; tries < 3 && (await outages(clerk)).length === 0; tries++) {
      const before = await failed(ids);
      for (const id of ids) await runJobNow(system, `send_order:${id}`);
      await eventually(async () => (await failed(ids)) >= before + ids.length);
      for (const operation of ['trace', 'details', 'fee']) await answered(operation);
      await covers();
    }
    expect(await outages(clerk)).toMatchObject([{ waiting: 2 }]);
    // Answers to other operations do not end the outage. The test call by the task does not end it
    // either.
    for (const operation of ['trace', 'details', 'fee', 'precheck']) await answered(operation);
    await watchOutages({ ...system.app, clock: { now: () => new Date(Date.now() + 60_000) } });
    expect(await outages(clerk)).toHaveLength(1);
    expect(await covers()).toBe('unknown');

    await system.carrier.control('DELETE', 'faults');
    for (const id of ids) {
      await runJobNow(system, `send_order:${id}`).catch(() => {});
      await clerk.until(id, 100);
    }
    await eventually(async () => (await outages(clerk)).length === 0);
    expect(await alerts()).toEqual([]);
  });

  it('a carrier account is not down because of failing coverage requests, which no order waits for', async () => {
    await system.carrier.control('POST', 'faults', {
      kind: 'error_before',
      times: 1_000,
      path: '/ecap/v1/orders/precheck',
    });
    const places = {
      sender_province: '广东省',
      sender_city: '深圳市',
      sender_county: '南山区',
      sender_address: '科技园1号',
    };
    for (let no = 0; no < 6; no++) {
      const to = {
        receive_province: '北京市',
        receive_city: '北京市',
        receive_county: '朝阳区',
        receive_address: `建国路${no}号`,
      };
      const asked = await system.call<object>(clerk.token, 'POST', '/api/arco/expresses/coverage', {
        provider: 'jdl',
        ...places,
        ...to,
      });
      expect(asked.data).toMatchObject({ result: 'unknown' });
    }
    expect(await outages(clerk)).toEqual([]);
    await system.carrier.control('DELETE', 'faults');
  });

  it('while a carrier account is down, a failed query for weight and fee is repeated within a minute; after further failures it waits longer', async () => {
    const { data: parcel } = await clerk.order();
    const waitOf = () => jobWaits(system, `ask_facts:${parcel.id}`);
    await system.carrier.control('POST', 'faults', {
      kind: 'error_before',
      times: 100,
      path: '/ecap/v1/orders/details/query',
    });
    await rowsOf(
      system,
      sql`select graphile_worker.add_job('ask_facts',
      json_build_object('express_id', ${parcel.id}::bigint))`,
    );
    const soon = await eventually(waitOf);
    expect(soon).toBeLessThanOrEqual(60);
    await runJobNow(system, `ask_facts:${parcel.id}`);
    await eventually(async () => (await waitOf()) > 60);
    await system.carrier.control('DELETE', 'faults');
  });
});

describe('an outage, which is judged by the parcels whose orders fail', () => {
  const isDown = async () =>
    (
      await rowsOf(
        system,
        sql`select 1 from merchants where id = ${system.network.merchant_id}
      and down_since is not null`,
      )
    ).length > 0;
  const record = (operation: string, outcome: string, express_id: number | null = null) =>
    system.app.db.tx(systemScope('test'), (work) =>
      recordCall(work, system.network.merchant_id, {
        express_id,
        answer: {
          outcome,
          call: { operation, trace_id: '', http_status: 200, ms: 1, request: null, answer: null },
        },
      }),
    );
  const answered = async () => {
    for (const operation of ['trace', 'details', 'fee']) await record(operation, 'ok');
  };
  /** Deletes all recorded calls and ends the outage. */
  const begin = async () => {
    await rowsOf(system, sql`delete from carrier_calls`);
    await rowsOf(system, sql`update merchants set down_since = null`);
  };
  /** Ids of parcels that do not exist; the test stores only calls about them. */
  const [stuck, other] = [1_000_001, 1_000_002];
  let next = other;

  it.each([true, false])(
    'an account is not down if calls for two parcels always fail but other parcels are ordered, even without other successful calls (%s)',
    async (asks) => {
      await begin();
      for (let cycle = 0; cycle < 6; cycle++) {
        for (const id of [stuck, other]) {
          await record(cycle === 0 ? 'create' : 'status', 'unknown', id);
          expect(await isDown(), `cycle ${cycle}`).toBe(false);
        }
        await record('create', 'accepted', ++next);
        if (asks) await answered();
        expect(await isDown(), `cycle ${cycle}`).toBe(false);
      }
    },
  );

  it('an outage ends after two other parcels are ordered, even if the two parcels that caused it still fail', async () => {
    await begin();
    for (let cycle = 0; cycle < 3; cycle++)
      for (const id of [stuck, other]) await record('create', 'unknown', id);
    expect(await isDown()).toBe(true);
    const seen: boolean[] = [];
    for (let cycle = 0; cycle < 4; cycle++) {
      for (const id of [stuck, other]) await record('status', 'unknown', id);
      await record('create', 'accepted', ++next);
      seen.push(await isDown());
    }
    expect(seen).toEqual([true, false, false, false]);
  });

  it('a carrier account is down if its orders begin to fail, even if many parcels were ordered before and other requests succeed', async () => {
    await begin();
    for (let no = 0; no < 8; no++) await record('create', 'accepted', ++next);
    for (let cycle = 0; cycle < 2; cycle++)
      for (const id of [stuck, other]) {
        await record('create', 'unknown', id);
        await answered();
      }
    expect(await isDown()).toBe(true);
    await record('status', 'accepted', stuck);
    await record('status', 'accepted', other);
    expect(await isDown()).toBe(false);
  });

  it('a carrier account is down while fetches of waybill numbers fail, because every order needs a number; it recovers when a fetch succeeds', async () => {
    await begin();
    for (let no = 0; no < 4; no++) await record('create', 'accepted', ++next);
    const seen: boolean[] = [];
    for (let tries = 0; tries < 3; tries++) {
      await record('prefetch', tries === 1 ? 'gateway' : 'unknown');
      await answered();
      seen.push(await isDown());
    }
    expect(seen).toEqual([false, false, true]);
    await answered();
    expect(await isDown()).toBe(true);
    await record('prefetch', 'ok');
    expect(await isDown()).toBe(false);
    for (const outcome of ['unknown', 'unknown', 'ok', 'unknown', 'unknown']) {
      await record('prefetch', outcome);
      await answered();
    }
    expect(await isDown()).toBe(false);
  });
});

describe('a carrier account with lost answers', () => {
  it('a carrier account is not down if the orders whose answers were lost are found by a search', async () => {
    const ids: number[] = [];
    for (let n = 0; n < 3; n += 1) ids.push((await clerk.until((await clerk.begin()).id, 100)).id);
    const merchant = system.network.merchant_id;
    const record = (operation: string, express_id: number, isAnswered: boolean) => {
      const call = { operation, trace_id: '', http_status: 0, ms: 1, request: null, answer: null };
      return system.app.db.tx(systemScope('test'), (work) =>
        recordCall(work, merchant, {
          express_id,
          answer: isAnswered ? { outcome: 'ok', call } : { outcome: 'unknown', call },
        }),
      );
    };
    for (const id of ids) {
      await record('create', id, false);
      expect(await outages(clerk)).toEqual([]);
      await record('search', id, true);
    }
  });
});
