import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import type { previewBulk } from '@waystation/contract/shell/bulk.ts';
import type { checkOutcome } from '@waystation/contract/parcels/express-calls.ts';
import type { Express } from '@waystation/contract/parcels/express.ts';
import { exampleKeys } from '#features/demo/network.ts';
import { openDb, sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { silentLog } from '#platform/log.ts';
import { inconsistencies } from '#testing/consistency.ts';
import {
  alertsOf,
  creates,
  failNextOrder,
  failureOf,
  holdsOf,
  parcelClient,
  runJobNow,
  statementsOf,
} from '#testing/parcel-client.ts';
import type { ParcelClient } from '#testing/parcel-client.ts';
import { startCarrier } from '#testing/simulator.ts';
import { eventually, openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';

let system: TestSystem;
let clerk: ParcelClient;
let admin: ParcelClient;
let keys = 0;
const settings = (changes: object) => system.carrier.control('POST', 'settings', changes);
const fault = (kind: string, changes: object = {}) =>
  system.carrier.control('POST', 'faults', { kind, ...changes });
const create = '/ecap/v1/orders/create';
const details = '/ecap/v1/orders/details/query';

beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 1_000_000);
  clerk = await parcelClient(system);
  admin = await parcelClient(system, 'admin');
  await settings({ push: { on: false } });
});
afterEach(async () => {
  await system.carrier.control('DELETE', 'faults');
  await settings({ repeat_mode: 'existing' });
});
afterAll(() => system.close());

const newKey = () => `outcome-${process.pid}-${++keys}`;
const decide = (
  parcel: Pick<Express, 'id' | 'version'>,
  body: object,
  { counter = admin, key = newKey() } = {},
) =>
  system.call<Express>(
    { token: counter.token, headers: { 'idempotency-key': key } },
    'POST',
    `/api/arco/expresses/${parcel.id}/outcome`,
    { version: parcel.version, ...body },
  );
const check = ({ id }: Express, delivery_id?: string) =>
  system.call<OutputOf<typeof checkOutcome>>(
    admin.token,
    'POST',
    `/api/arco/expresses/${id}/outcome/check`,
    { ...(delivery_id && { delivery_id }) },
  );

const hasAlert = (id: number, code: string) =>
  eventually(async () => (await alertsOf(system, id)).includes(code));
const isSending = async (id: number): Promise<boolean> =>
  (
    await rowsOf(
      system,
      sql`select 1 from graphile_worker._private_jobs
        where key = ${`send_order:${id}`} and locked_at is not null`,
    )
  ).length > 0;

/** An order whose first call had the fault `kind`, and whose repeated calls are all refused. */
const undecided = async (kind: 'drop_before' | 'drop_after'): Promise<Express> => {
  await failNextOrder(system, { kind });
  await failNextOrder(system, { kind: 'refuse', message: '不在服务范围', times: 1_000 });
  const { id } = await clerk.begin();
  await runJobNow(system, `send_order:${id}`);
  await hasAlert(id, 'order_repeat_refused');
  // No job calls the carrier while a test decides.
  await eventually(
    async () =>
      (
        await rowsOf(
          system,
          sql`update graphile_worker._private_jobs set run_at = now() + interval '1 hour'
            where key = ${`send_order:${id}`} and locked_at is null returning 1`,
        )
      ).length === 1,
  );
  return admin.get(id);
};
const storedAt = async ({ order_id }: Express): Promise<string> =>
  (
    await system.carrier.control<{ orders: { waybill_code: string }[] }>(
      'GET',
      `orders?order_id=${order_id}`,
    )
  ).orders[0]!.waybill_code;
const claim = (parcel: Express, delivery_id: string) =>
  rowsOf(
    system,
    sql`update expresses
      set waybill_claims = waybill_claims || ${JSON.stringify([{ delivery_id, source: 'push' }])}::jsonb
      where id = ${parcel.id}`,
  );
/** A call is counted before it is made, so that a higher count means a running call. */
const triesOf = async ({ id }: Express): Promise<number> =>
  (
    await rowsOf(
      system,
      sql<{ order_tries: number }>`select order_tries from expresses
    where id = ${id}`,
    )
  )[0]!.order_tries;
/**
 * Starts a decision and returns while its call to the carrier is running. If the call ends before
 * the test has seen it running, the decision is started again.
 */
const deciding = async (
  parcel: Express,
  body: object,
): Promise<{ answer: ReturnType<typeof decide> }> => {
  const [{ version }, tries] = [await admin.get(parcel.id), await triesOf(parcel)];
  let early = false;
  const answer = decide({ ...parcel, version }, body).then((one) => {
    early = true;
    return one;
  });
  await eventually(async () => early || (await triesOf(parcel)) > tries);
  return early ? deciding(parcel, body) : { answer };
};
const expectOpen = async (parcel: Express) => {
  expect(await admin.get(parcel.id)).toMatchObject({
    state_code: 20,
    delivery_id: null,
    state_reason: { code: 'order_repeat_refused' },
  });
  expect(await holdsOf(system, parcel.id)).toEqual([
    { attempt: 1, amount: parcel.post_amount, status: 'open' },
  ]);
};
const released = (parcel: Express) => [
  { attempt: 1, amount: parcel.post_amount, status: 'released' },
];
const freed = async ({ id }: Express): Promise<number> =>
  (await statementsOf(system, id)).filter(({ freeze_amount }) => freeze_amount < 0).length;

describe('a bulk cancel of orders with unknown outcomes', () => {
  it('the preview of a bulk cancel lists orders with an unknown outcome separately, grouped by whether they wait for the carrier or an administrator', async () => {
    const refused = await undecided('drop_before');
    await failNextOrder(system, { kind: 'drop_before', times: 1_000 });
    const { id, order_id } = await clerk.begin();
    const body = { action: 'cancel', ids: [refused.id, id] };
    const preview = '/api/arco/expresses/bulk/preview';
    const { data } = await system.call<OutputOf<typeof previewBulk>>(
      admin.token,
      'POST',
      preview,
      body,
    );
    expect(data).toMatchObject({ total: 2, ready: 2 });
    expect(
      data.open_outcomes.map(({ effect, count, names }) => [
        effect,
        count,
        names.map((name) => name.split(' · ')[0]),
      ]),
    ).toEqual([
      ['undecided', 1, [refused.order_id]],
      ['ordering', 1, [order_id]],
    ]);
    expect(data.open_outcomes[0]).toMatchObject({ post_amount: refused.post_amount });
    const handled = await system.call<OutputOf<typeof previewBulk>>(admin.token, 'POST', preview, {
      ...body,
      action: 'print',
    });
    expect(handled.data.open_outcomes).toEqual([]);
  });
});

describe('an order decided by the carrier’s written confirmation', () => {
  const letter = { outcome: 'not_stored', reference: '工单 20261128-17' };
  /** Sets the creation and the sending of an order to a time some days ago. */
  const sentDaysAgo = async ({ id }: Express, days: number): Promise<void> => {
    const owner = openDb({ connection: system.database.owner, max: 1, log: silentLog() });
    await owner.tx(systemScope('test'), async (work) => {
      await sql`set local session_replication_role = replica`.execute(work.tx);
      await sql`update express_moves set at = at - make_interval(days => ${days})
        where express_id = ${id} and to_code = 20`.execute(work.tx);
      await sql`update expresses set first_sent_at = first_sent_at - make_interval(days => ${days})
        where id = ${id}`.execute(work.tx);
    });
    await owner.close();
  };

  it('an order cannot be released with the carrier’s written confirmation until 24 hours after the order was sent', async () => {
    const parcel = await undecided('drop_before');
    expect(await decide(parcel, letter)).toMatchObject({
      status: 409,
      data: { code: 'outcome_written_early', params: { hours: '24' } },
    });
    await expectOpen(parcel);
    expect((await decide(parcel, { ...letter, reference: 'x' })).data).toMatchObject({
      fields: { reference: {} },
    });
  });

  it('an order without an answer can be released with the carrier’s written confirmation; its alert must be closed by another person', async () => {
    const parcel = await undecided('drop_before');
    await sentDaysAgo(parcel, 1);
    await system.carrier.control('DELETE', 'faults');
    await fault('drop_before', { path: create, times: 1_000 });
    expect(await decide(parcel, { outcome: 'not_stored' })).toMatchObject({ status: 503 });
    const now = await admin.get(parcel.id);
    expect(await decide(now, letter)).toMatchObject({ status: 200, data: { state_code: 90 } });
    expect(await holdsOf(system, parcel.id)).toEqual(released(parcel));
    const [alert] = await rowsOf(
      system,
      sql<{ id: number; params: object }>`select id, params from alerts
        where express_id = ${parcel.id} and closed_at is null`,
    );
    expect(alert!.params).toMatchObject({ account: 'admin', reference: letter.reference });
    const close = `/api/arco/alerts/${alert!.id}/close`;
    expect(await system.call(admin.token, 'POST', close, { note: '已核对' })).toMatchObject({
      status: 403,
      data: { code: 'alert_own' },
    });
    expect(
      await rowsOf(
        system,
        sql`select changes from audit_log where action = 'end_order' and subject_id = ${parcel.id}`,
      ),
    ).toEqual([{ changes: { reference: [null, letter.reference] } }]);
  });

  it('with the carrier’s written confirmation, an order without an answer can be stored under a waybill that a push reported', async () => {
    const parcel = await undecided('drop_before');
    await sentDaysAgo(parcel, 2);
    await claim(parcel, 'JDVA00099900017');
    await fault('drop_before', { path: details, times: 1_000 });
    const choice = { outcome: 'stored', delivery_id: 'JDVA00099900017' };
    expect(await decide(parcel, choice)).toMatchObject({ status: 503 });
    const now = await admin.get(parcel.id);
    expect(await decide(now, { ...choice, reference: letter.reference })).toMatchObject({
      status: 200,
      data: { state_code: 100, delivery_id: 'JDVA00099900017' },
    });
    expect(await alertsOf(system, parcel.id)).toEqual(['order_stored_in_writing']);
  });

  it('an order cannot be stored, even with the carrier’s written confirmation, under a waybill that the carrier does not know', async () => {
    const parcel = await undecided('drop_before');
    await sentDaysAgo(parcel, 2);
    expect(
      await decide(parcel, {
        outcome: 'stored',
        delivery_id: 'JDVA00099900018',
        reference: letter.reference,
      }),
    ).toMatchObject({ status: 409, data: { code: 'waybill_not_known' } });
    await expectOpen(parcel);
  });
});

describe('an order whose repeated call is refused, decided as not stored', () => {
  it('an order decided as not stored fails, its hold is released once, the audit log shows who decided, and the parcel can be ordered again', async () => {
    const parcel = await undecided('drop_before');
    const key = newKey();
    const calls = (await creates(system, parcel.order_id)).length;
    const answer = await decide(parcel, { outcome: 'not_stored' }, { key });
    expect(answer).toMatchObject({
      status: 200,
      data: {
        state_code: 90,
        state_reason: { code: 'order_not_stored', params: { text: '不在服务范围' } },
      },
    });
    // The carrier was asked one more time.
    expect(await creates(system, parcel.order_id)).toHaveLength(calls + 1);
    expect(await holdsOf(system, parcel.id)).toEqual(released(parcel));
    expect(await freed(parcel)).toBe(1);
    expect(await alertsOf(system, parcel.id)).toEqual([]);
    const by = sql`select id from accounts where username = 'admin'`;
    expect(
      await rowsOf(
        system,
        sql`select 1 from express_moves where express_id = ${parcel.id}
        and to_code = 90 and cause = 'not_stored' and account_id = (${by})`,
      ),
    ).toHaveLength(1);
    expect(
      await rowsOf(
        system,
        sql`select 1 from audit_log where action = 'end_order'
      and subject_id = ${parcel.id} and account_id = (${by})`,
      ),
    ).toHaveLength(1);

    expect(await decide(parcel, { outcome: 'not_stored' }, { key })).toMatchObject({
      status: 200,
      data: { state_code: 90 },
    });
    expect(failureOf(await decide(parcel, { outcome: 'not_stored' })).code).toBe(
      'outcome_not_open',
    );
    expect(await freed(parcel)).toBe(1);
    await system.carrier.control('DELETE', 'faults');
    await clerk.act(parcel.id, 'retry');
    expect(await clerk.until(parcel.id, 100)).toMatchObject({
      delivery_id: await storedAt(parcel),
    });
  });

  it('an order whose cancel was requested is cancelled, and its hold released once, when an administrator decides that it is not stored', async () => {
    const parcel = await undecided('drop_before');
    expect((await clerk.act(parcel.id, 'cancel', { reason: '不寄了' })).status).toBe(200);
    // The decision is refused, because the parcel has changed since the test read it.
    expect((await decide(parcel, { outcome: 'not_stored' })).status).toBe(409);
    await expectOpen(parcel);
    expect(
      (await decide(await admin.get(parcel.id), { outcome: 'not_stored' })).data,
    ).toMatchObject({ state_code: 500, state_remark: '不寄了' });
    expect(await holdsOf(system, parcel.id)).toEqual(released(parcel));
    expect(await freed(parcel)).toBe(1);
  });

  it('the decision "not stored" returns 409 if the carrier accepts the repeated order, and the parcel then continues with the new waybill', async () => {
    const parcel = await undecided('drop_after');
    await system.carrier.control('DELETE', 'faults');
    const answer = await decide(parcel, { outcome: 'not_stored' });
    const waybill = await storedAt(parcel);
    expect(answer.status).toBe(409);
    expect(failureOf(answer)).toMatchObject({
      code: 'outcome_is_stored',
      params: { delivery_id: waybill },
      current: { state_code: 100 },
    });
    expect(await clerk.get(parcel.id)).toMatchObject({
      state_code: 100,
      delivery_id: waybill,
      need_retry: 0,
    });
    expect(await holdsOf(system, parcel.id)).toEqual([
      { attempt: 1, amount: parcel.post_amount, status: 'open' },
    ]);
    expect(await alertsOf(system, parcel.id)).toEqual([]);
  });

  it('an order cannot be released if its waybill exists at the carrier, although the carrier refuses the repeated order', async () => {
    const parcel = await undecided('drop_after');
    await claim(parcel, await storedAt(parcel));
    expect(failureOf(await decide(parcel, { outcome: 'not_stored' }))).toMatchObject({
      code: 'outcome_waybill_ours',
    });
    await expectOpen(parcel);
  });

  it('deciding that an order is not stored deletes an unknown waybill that a push reported, and the order can be placed again', async () => {
    const parcel = await undecided('drop_before');
    await claim(parcel, 'JDVE55555555555');
    expect((await decide(parcel, { outcome: 'not_stored' })).data).toMatchObject({
      state_code: 90,
      waybill_claims: [],
    });
    await system.carrier.control('DELETE', 'faults');
    await clerk.act(parcel.id, 'retry');
    await clerk.until(parcel.id, 100);
    expect(await alertsOf(system, parcel.id)).toEqual([]);
  });
});

describe('an order whose repeated call is refused, decided as stored', () => {
  it('an order that an administrator stores under a waybill keeps its hold and continues as after an accepted order', async () => {
    const parcel = await undecided('drop_after');
    const waybill = await storedAt(parcel);
    // The number is typed as it is printed in the label's barcode.
    const answer = await decide(parcel, {
      outcome: 'stored',
      delivery_id: ` ${waybill.toLowerCase()}-1-1-`,
    });
    expect(answer).toMatchObject({
      status: 200,
      data: { state_code: 100, delivery_id: waybill, state_reason: null, waybill_claims: [] },
    });
    expect(await holdsOf(system, parcel.id)).toEqual([
      { attempt: 1, amount: parcel.post_amount, status: 'open' },
    ]);
    expect(await alertsOf(system, parcel.id)).toEqual([]);
    const [audit] = await rowsOf(
      system,
      sql<{ changes: object }>`select changes
      from audit_log where action = 'confirm_order' and subject_id = ${parcel.id}`,
    );
    expect(audit!.changes).toEqual({ delivery_id: [null, waybill] });
    await system.carrier.control('DELETE', 'faults');
    await runJobNow(system, `sort_again:${parcel.id}`);
    await eventually(async () => (await clerk.get(parcel.id)).print_data !== null);
  });

  it('an order whose cancel was requested is cancelled at the carrier after an administrator decides that it is stored', async () => {
    const parcel = await undecided('drop_after');
    await clerk.act(parcel.id, 'cancel', { reason: '不寄了' });
    expect(
      (
        await decide(await admin.get(parcel.id), {
          outcome: 'stored',
          delivery_id: await storedAt(parcel),
        })
      ).status,
    ).toBe(200);
    expect(await clerk.until(parcel.id, 500)).toMatchObject({ state_remark: '不寄了' });
    expect(await holdsOf(system, parcel.id)).toEqual(released(parcel));
    expect(await freed(parcel)).toBe(1);
  });

  it('deciding that an order is stored is refused for a waybill that the carrier does not know, and for a waybill of another order', async () => {
    const { data: other } = await clerk.order();
    const parcel = await undecided('drop_before');
    const refused = async (delivery_id: string) =>
      failureOf(await decide(parcel, { outcome: 'stored', delivery_id }));
    expect(await refused('JDVE44444444444')).toMatchObject({ code: 'waybill_not_known' });
    expect(await refused(other.delivery_id!)).toMatchObject({
      code: 'waybill_of_other_order',
      params: { other_id: other.order_id },
    });
    expect(failureOf(await decide(parcel, { outcome: 'stored' }))).toMatchObject({
      fields: { delivery_id: { code: 'required' } },
    });
    await expectOpen(parcel);
    expect(await admin.get(other.id)).toMatchObject({ delivery_id: other.delivery_id });
  });

  it('deciding that an order is stored is refused for the waybill of another parcel, even if the carrier has our order number for this waybill', async () => {
    const { data: other } = await clerk.order();
    const parcel = await undecided('drop_after');
    const waybill = await storedAt(parcel);
    await rowsOf(
      system,
      sql`update expresses set delivery_id = ${waybill}
      where id = ${other.id}`,
    );
    expect(
      failureOf(await decide(parcel, { outcome: 'stored', delivery_id: waybill })),
    ).toMatchObject({ code: 'waybill_of_another' });
    await rowsOf(
      system,
      sql`update expresses set delivery_id = ${other.delivery_id}
      where id = ${other.id}`,
    );
    await expectOpen(parcel);
  });

  it('an order that the carrier stored without returning a waybill can be stored under the waybill that an administrator types, but not released', async () => {
    await settings({ repeat_mode: 'error' });
    await failNextOrder(system, { kind: 'drop_after' });
    const { id } = await clerk.begin();
    await hasAlert(id, 'order_stored_without_number');
    // Waits for the end of the job that raised the alert, because a decision is refused while the
    // job runs.
    await eventually(async () => !(await isSending(id)));
    const parcel = await admin.get(id);
    expect(failureOf(await decide(parcel, { outcome: 'not_stored' }))).toMatchObject({
      code: 'order_stored_without_number',
    });
    const waybill = await storedAt(parcel);
    expect((await decide(parcel, { outcome: 'stored', delivery_id: waybill })).data).toMatchObject({
      state_code: 100,
      delivery_id: waybill,
    });
    expect(await alertsOf(system, id)).toEqual([]);
  });
});

describe('a decision about an order that cannot be decided', () => {
  it('a clerk cannot decide an order’s outcome, and nobody can decide an outcome that is already known', async () => {
    const parcel = await undecided('drop_before');
    expect((await decide(parcel, { outcome: 'not_stored' }, { counter: clerk })).status).toBe(403);
    const { data: other } = await clerk.order();
    for (const body of [
      { outcome: 'not_stored' },
      { outcome: 'stored', delivery_id: other.delivery_id },
    ])
      expect(failureOf(await decide(await admin.get(other.id), body)).code).toBe(
        'outcome_not_open',
      );
    expect(failureOf(await check(other)).code).toBe('outcome_not_open');
    await expectOpen(parcel);
  });

  it('deciding an order’s outcome returns 503 while the carrier does not answer', async () => {
    const parcel = await undecided('drop_after');
    const waybill = await storedAt(parcel);
    const { port } = system.carrier;
    await system.carrier.stop();
    for (const body of [{ outcome: 'not_stored' }, { outcome: 'stored', delivery_id: waybill }])
      expect(await decide(parcel, body)).toMatchObject({
        status: 503,
        data: { code: 'outcome_no_answer' },
      });
    expect((await check(parcel)).data.search.result).toBe('no_answer');
    await expectOpen(parcel);
    system.carrier = await startCarrier({ SIM_PORT: String(port) });
    const url = `${system.url}/api/carriers/jdl/push/${system.network.push_secret}`;
    await system.carrier.control('POST', 'callbacks', {
      customer_code: exampleKeys.customer_code,
      url,
    });
    await settings({ push: { on: false } });
  });

  it('the outcome of an order cannot be decided while its carrier account is paused', async () => {
    const parcel = await undecided('drop_before');
    await rowsOf(system, sql`update merchants set paused_at = now()`);
    expect(failureOf(await decide(parcel, { outcome: 'not_stored' })).code).toBe(
      'outcome_account_paused',
    );
    await rowsOf(system, sql`update merchants set paused_at = null`);
    await expectOpen(parcel);
  });
});

describe('concurrent decisions about an order', () => {
  const both = async (parcel: Express, first: object, second: object): Promise<number[]> => {
    const answers = await Promise.all([decide(parcel, first), decide(parcel, second)]);
    return answers.map(({ status }) => status).toSorted((a, b) => a - b);
  };

  it('only one of two simultaneous decisions about the same order succeeds, and the hold is released once', async () => {
    const parcel = await undecided('drop_before');
    expect(await both(parcel, { outcome: 'not_stored' }, { outcome: 'not_stored' })).toEqual([
      200, 409,
    ]);
    expect(await holdsOf(system, parcel.id)).toEqual(released(parcel));
    expect(await freed(parcel)).toBe(1);
  });

  it('if two users simultaneously decide that an order is stored and that it is not stored, only one decision takes effect', async () => {
    const parcel = await undecided('drop_after');
    expect(
      await both(
        parcel,
        { outcome: 'not_stored' },
        { outcome: 'stored', delivery_id: await storedAt(parcel) },
      ),
    ).toEqual([200, 409]);
    const { state_code } = await admin.get(parcel.id);
    expect(await holdsOf(system, parcel.id)).toEqual(
      state_code === 90
        ? released(parcel)
        : [{ attempt: 1, amount: parcel.post_amount, status: 'open' }],
    );
  });

  it('a decision about an order’s outcome returns a version conflict if a push reports another waybill while the decision is made', async () => {
    const parcel = await undecided('drop_after');
    await claim(parcel, 'JDVE55555555555');
    await fault('slow_before', { path: details, ms: 2_000, times: 1 });
    const { answer } = await deciding(parcel, { outcome: 'not_stored' });
    await claim(parcel, await storedAt(parcel));
    expect(failureOf(await answer).code).toBe('version_conflict');
    await expectOpen(parcel);
  });

  it('a decision about an order’s outcome returns a version conflict if a cancel is requested while the carrier is being asked', async () => {
    const parcel = await undecided('drop_before');
    await claim(parcel, 'JDVE55555555555');
    await fault('slow_before', { path: details, ms: 2_000, times: 1 });
    const { answer } = await deciding(parcel, { outcome: 'not_stored' });
    await clerk.act(parcel.id, 'cancel', { reason: '不寄了' });
    expect(failureOf(await answer).code).toBe('version_conflict');
    await expectOpen(parcel);
  });

  it('a decision about an order’s outcome is refused while a repeated call is running; the answer to this call then settles the order', async () => {
    const parcel = await undecided('drop_after');
    await system.carrier.control('DELETE', 'faults');
    await fault('slow_after', { path: create, order_id: parcel.order_id, ms: 3_000 });
    const tries = await triesOf(parcel);
    await runJobNow(system, `send_order:${parcel.id}`);
    await eventually(async () => (await triesOf(parcel)) > tries);
    expect(failureOf(await decide(parcel, { outcome: 'not_stored' })).code).toBe(
      'outcome_call_running',
    );
    expect(failureOf(await check(parcel)).code).toBe('outcome_call_running');
    await clerk.until(parcel.id, 100);
  });

  it('an alert is raised if the carrier accepts an order after the order has failed in the product', async () => {
    const parcel = await undecided('drop_before');
    await system.carrier.control('DELETE', 'faults');
    await fault('slow_after', { path: create, order_id: parcel.order_id, ms: 2_000 });
    const tries = await triesOf(parcel);
    await runJobNow(system, `send_order:${parcel.id}`);
    await eventually(async () => (await triesOf(parcel)) > tries);
    await rowsOf(
      system,
      sql`update expresses set state_code = 90, state_txt = '下单失败'
      where id = ${parcel.id}`,
    );
    await eventually(async () =>
      (await alertsOf(system, parcel.id)).includes('carrier_knows_unordered'),
    );
    await rowsOf(
      system,
      sql`update expresses set state_code = 20, state_txt = '下单中'
      where id = ${parcel.id}`,
    );
    await rowsOf(
      system,
      sql`select graphile_worker.add_job('send_order',
      json_build_object('express_id', ${parcel.id}::bigint, 'attempt', 1))`,
    );
    await clerk.until(parcel.id, 100);
  });
});

describe('checking the carrier’s answers before a decision', () => {
  it('checking an order’s outcome shows the carrier’s search, details and trace of a typed waybill, and changes nothing', async () => {
    const { data: other } = await clerk.order();
    const parcel = await undecided('drop_after');
    // A push about the stored order may have started the job's own call earlier, so the test waits
    // for this call.
    let checked = await check(parcel, other.delivery_id!);
    await eventually(async () => {
      if (failureOf(checked)?.code !== 'outcome_call_running') return true;
      checked = await check(parcel, other.delivery_id!);
      return false;
    });
    const { data } = checked;
    expect(data).toMatchObject({
      search: { result: 'refused', text: '不在服务范围' },
      waybills: [
        {
          delivery_id: other.delivery_id,
          source: 'typed',
          details: { result: 'another', order_id: other.order_id },
          trace: { result: 'found' },
        },
      ],
      parcel: { state_code: 20 },
    });
    expect((await check(parcel, 'JDVE44444444444')).data.waybills).toMatchObject([
      { details: { result: 'unknown' }, trace: { result: 'unknown' } },
    ]);
    await claim(parcel, await storedAt(parcel));
    await system.carrier.control('POST', `orders/${await storedAt(parcel)}/jump`, {
      to: 'assigned',
    });
    const [named] = (await check(parcel)).data.waybills;
    expect(named).toMatchObject({ source: 'push', details: { result: 'ours' } });
    expect(named!.trace.items.length).toBeGreaterThan(0);
    await expectOpen(parcel);
  });

  it('checking the outcome of an order settles the order if the carrier has accepted it', async () => {
    const parcel = await undecided('drop_before');
    await system.carrier.control('DELETE', 'faults');
    expect((await check(parcel)).data).toMatchObject({
      search: { result: 'stored' },
      parcel: { state_code: 100 },
    });
    expect(await alertsOf(system, parcel.id)).toEqual([]);
  });
});

describe('the final checks of this file', () => {
  it('after all other tests of this file, the ledger is valid', async () => {
    expect(
      (await inconsistencies(system)).filter((line) => !JSON.stringify(line).includes('carrier')),
    ).toEqual([]);
  });
});
