import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Express } from '@waystation/contract/parcels/express.ts';
import type { TemplateContent } from '@waystation/contract/money/voucher-content.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { jobWaits, parcelClient, runJobNow, statementsOf } from '#testing/parcel-client.ts';
import type { ParcelClient } from '#testing/parcel-client.ts';
import { inconsistencies } from '#testing/consistency.ts';
import { eventually, openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';
import { runTask } from '#testing/run-task.ts';
import type { Task } from '#platform/jobs/task.ts';
import { askFactsTask, askTraceTask } from './queues.ts';

let system: TestSystem;
let clerk: ParcelClient;

/**
 * The price list of the example in the requirements, to Shanghai: ¥12 for the first kilogram and ¥2
 * for each further kilogram.
 */
const publishExample = async (): Promise<void> => {
  const [version] = await rowsOf(
    system,
    sql<{
      voucher_id: number;
      weight: TemplateContent;
    }>`select v.voucher_id, v.weight from voucher_versions v
      join vouchers o on o.id = v.voucher_id where o.promise_id = 'ed-m-0001'`,
  );
  const weight = version!.weight;
  for (const zone of weight.origins[0]!.zones)
    if (zone.name === '一区')
      Object.assign(zone, {
        first: { max_g: 1_000, price: 1_200 },
        brackets: [{ up_to_g: 50_000, step_g: 1_000, price: 200 }],
        minimum: 1_200,
      });
  await rowsOf(
    system,
    sql`insert into voucher_versions (voucher_id, no, valid_from, discount,
      northeast_discount, weight) values (${version!.voucher_id}, 2,
      now() - interval '1 hour', 9500, 9800, ${JSON.stringify(weight)}::jsonb)`,
  );
};

beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 1_000_000);
  await publishExample();
  clerk = await parcelClient(system);
});
afterAll(() => system.close());

const sim = (parcel: Express, what: string, body: object) =>
  system.carrier.control('POST', `orders/${parcel.delivery_id}/${what}`, body);
const insured = { guarantee_value_amount: 50_000 };
const ordered = async (changes: Record<string, unknown> = {}): Promise<Express> =>
  (await clerk.order({ ...insured, ...changes })).data;
const queue = <Payload extends object>(task: Task<Payload>, payload: NoInfer<Payload>) =>
  system.app.db.tx(systemScope('test'), (work) => addJob(work, task, payload));
const charged = (parcel: Express) =>
  eventually(async () => {
    const found = await clerk.get(parcel.id);
    return found.charged_at === null ? null : found;
  });
const lines = async (parcel: Express): Promise<[string, number, number][]> =>
  (await statementsOf(system, parcel.id)).map(({ type, amount, freeze_amount }) => [
    type,
    amount,
    freeze_amount,
  ]);
const linesUntil = (parcel: Express, count: number) =>
  eventually(async () => {
    const found = await lines(parcel);
    return found.length >= count ? found : null;
  });
const shares = (parcel: Express) =>
  rowsOf(
    system,
    sql<{
      name: string;
      amount: number;
    }>`select n.name, s.amount from statements s join stations n on n.id = s.station_id
      where s.express_id = ${parcel.id} and s.type = 'profit' order by s.id`,
  );
/** Waits until no request for the carrier's figures or trace is queued or running. */
const untilAnswered = () =>
  eventually(
    async () =>
      (
        await rowsOf(
          system,
          sql`select 1 from graphile_worker._private_jobs j
            join graphile_worker._private_tasks t on t.id = j.task_id
            where t.identifier like 'ask%'`,
        )
      ).length === 0,
  );
const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();

describe('the life of a parcel', () => {
  let parcel: Express;

  it('an order holds its estimated price', async () => {
    parcel = await ordered();
    expect(parcel).toMatchObject({
      state_code: 100,
      cal_weight: 5_000,
      pre_amount: 2_100,
      discount_amount: 300,
      guarantee_amount: 100,
      post_amount: 1_800,
    });
    expect(await lines(parcel)).toEqual([['hold', 0, 1_800]]);
  });

  it('a picked-up parcel is charged by the carrier’s weight, and the parent station’s profit share is posted', async () => {
    await sim(parcel, 'facts', { weight: 5_200 });
    await sim(parcel, 'jump', { to: 'picked_up' });
    parcel = await charged(parcel);
    expect(parcel).toMatchObject({
      state_code: 200,
      jd_weight: 5_200,
      cal_weight: 6_000,
      pre_amount: 2_300,
      discount_amount: 330,
      post_amount: 1_970,
      weight_reason: { code: 'jd_weight' },
    });
    expect(await lines(parcel)).toEqual([
      ['hold', 0, 1_800],
      ['charge', -1_970, -1_800],
    ]);
    // 4 % of the discounted freight of 18.70 yuan.
    expect(await shares(parcel)).toEqual([{ name: '示例华南合伙人', amount: 75 }]);
  });

  it('a parcel’s carrier fee is posted as a cost of the platform, and only administrators see it', async () => {
    const admin = await parcelClient(system, 'admin');
    const { jd_amount } = await admin.get(parcel.id);
    expect(jd_amount).toBeGreaterThan(0);
    expect(
      await rowsOf(
        system,
        sql`select sum(e.amount) as cost from ledger_entries e
          join ledger_transfers t on t.id = e.transfer_id where t.express_id = ${parcel.id}
          and e.account = 'carrier_cost'`,
      ),
    ).toEqual([{ cost: String(-jd_amount!) }]);
    expect(Object.keys(parcel)).not.toContain('jd_amount');
  });

  it('a parcel that is delivered and signed for is not charged a second time', async () => {
    await system.carrier.control('POST', 'clock/advance', { ms: 6 * 86_400_000 });
    parcel = await clerk.until(parcel.id, 300);
    expect(parcel.signed_at).not.toBeNull();
    expect(await lines(parcel)).toHaveLength(2);
    const { data } = await system.call<{ items: { our_state: number | null }[] }>(
      clerk.token,
      'GET',
      `/api/arco/expresses/${parcel.id}/trace`,
    );
    expect(data.items.map(({ our_state }) => our_state)).toEqual([
      100, 100, 200, 210, 210, 210, 210, 220, 300,
    ]);
  });

  it('a later correction of a parcel’s weight by the carrier posts only the price difference', async () => {
    await untilAnswered();
    await rowsOf(
      system,
      sql`update expresses
      set signed_at = now() - interval '51 hours', polled_at = now() - interval '50 hours'
      where id = ${parcel.id}`,
    );
    await sim(parcel, 'facts', { weight: 6_100 });
    await runTask(system.app, 'poll_live');
    expect((await linesUntil(parcel, 3)).at(-1)).toEqual(['reweigh', -170, 0]);
    await sim(parcel, 'facts', { weight: 4_950 });
    await queue(askFactsTask, { express_id: parcel.id });
    expect((await linesUntil(parcel, 4)).at(-1)).toEqual(['reweigh', 340, 0]);
    expect(await clerk.get(parcel.id)).toMatchObject({ jd_weight: 4_950, post_amount: 1_800 });
    expect((await shares(parcel)).map(({ amount }) => amount)).toEqual([75, 7, -14]);
  });

  it('a repeated answer of the carrier with the same fee and weight posts no transaction', async () => {
    await queue(askFactsTask, { express_id: parcel.id });
    await untilAnswered();
    expect(await lines(parcel)).toHaveLength(4);
  });

  it('every price of a parcel is stored with the event that caused it and its price lines', async () => {
    const { data } = await system.call<{
      pricings: { source: string; price: { post_amount: number; lines: { result: number }[] } }[];
    }>(clerk.token, 'GET', `/api/arco/expresses/${parcel.id}/price`);
    expect(data.pricings.map(({ source, price }) => [source, price.post_amount])).toEqual([
      ['order', 1_800],
      ['poll', 1_970],
      ['poll', 2_140],
      ['poll', 1_800],
    ]);
    for (const { price } of data.pricings)
      expect(price.lines.reduce((sum, { result }) => sum + result, 0)).toBe(price.post_amount);
  });
});

describe('a surcharge that the carrier reports', () => {
  it('a surcharge that the carrier reports is charged without discount or profit shares, and refunded if the carrier withdraws it', async () => {
    const parcel = await ordered({ remark: '称重一致' });
    await sim(parcel, 'jump', { to: 'delivered' });
    await charged(parcel);
    await clerk.until(parcel.id, 300);
    const before = await linesUntil(parcel, 2);
    const earned = await shares(parcel);
    await sim(parcel, 'facts', { surcharges: { QLHCF: 300 } });
    await queue(askFactsTask, { express_id: parcel.id });
    expect(await linesUntil(parcel, 3)).toEqual([...before, ['surcharge', -300, 0]]);
    await sim(parcel, 'facts', { surcharges: { QLHCF: null } });
    await queue(askFactsTask, { express_id: parcel.id });
    expect((await linesUntil(parcel, 4)).at(-1)).toEqual(['surcharge', 300, 0]);
    expect(await shares(parcel)).toEqual(earned);
  });
});

describe('a parcel that is never weighed', () => {
  const sendEvent = async (
    parcel: Express,
    category: number,
    state: string | undefined,
    at?: string,
  ) => {
    // Moves the time at which the order was sent into the past, because a message must not be older
    // than the first call.
    if (at)
      await rowsOf(
        system,
        sql`update expresses
        set first_sent_at = ${at}::timestamptz - interval '1 hour' where id = ${parcel.id}
        and first_sent_at > ${at}`,
      );
    await sim(parcel, 'events', { category, ...(state && { state }), ...(at && { at }) });
  };

  it('a parcel that is never weighed is charged its estimate when it is delivered', async () => {
    const parcel = await ordered();
    await sendEvent(parcel, 420, '200001');
    await clerk.until(parcel.id, 200);
    expect(await lines(parcel)).toEqual([['hold', 0, 1_800]]);
    await sendEvent(parcel, 510, '10034');
    const signed = await charged(parcel);
    expect(signed).toMatchObject({ jd_weight: null, post_amount: 1_800 });
    expect(await lines(parcel)).toEqual([
      ['hold', 0, 1_800],
      ['charge', -1_800, -1_800],
    ]);
  });

  it('a parcel that is never weighed is charged its estimate three days after pickup, not before', async () => {
    const [early, late] = [await ordered(), await ordered()];
    await sendEvent(early, 420, '200001', hoursAgo(71));
    await sendEvent(late, 420, '200001', hoursAgo(73));
    await charged(late);
    expect(await lines(late)).toEqual([
      ['hold', 0, 1_800],
      ['charge', -1_800, -1_800],
    ]);
    // When the next request is queued, the carrier has answered the first request.
    const next = `ask_facts:${early.id}`;
    await eventually(async () => (await jobWaits(system, next)) > 0);
    await runJobNow(system, next);
    await eventually(
      async () =>
        (
          await rowsOf(
            system,
            sql`select 1 from carrier_calls
      where express_id = ${early.id} and operation = 'details'`,
          )
        ).length >= 2,
    );
    expect(await lines(early)).toEqual([['hold', 0, 1_800]]);
  });

  it('a parcel that returns without a reported pickup and is never weighed is charged its estimate three days after the return began', async () => {
    const parcel = await ordered();
    await sendEvent(parcel, 700, undefined, hoursAgo(74));
    await sendEvent(parcel, 430, '200076', hoursAgo(1));
    await charged(parcel);
    expect(await clerk.get(parcel.id)).toMatchObject({ state_code: 410 });
  });
});

describe('a carrier that does not answer a request for its corrected weight', () => {
  it('a request for the carrier’s figures that gets no answer is sent again, so that a corrected weight is still charged', async () => {
    const parcel = await ordered();
    await sim(parcel, 'facts', { weight: 5_200 });
    await sim(parcel, 'jump', { to: 'delivered' });
    await charged(parcel);
    await clerk.until(parcel.id, 300);
    await sim(parcel, 'facts', { weight: 6_100 });
    await system.carrier.control('POST', 'faults', {
      path: '/ecap/v1/orders/details/query',
      kind: 'error_before',
      code: 503,
      waybill_code: parcel.delivery_id,
    });
    await queue(askFactsTask, { express_id: parcel.id });
    await runJobNow(system, `ask_facts:${parcel.id}`);
    expect((await linesUntil(parcel, 3)).at(-1)).toEqual(['reweigh', -170, 0]);
  });
});

describe('a parcel above the weight limit of its template', () => {
  it('a parcel whose measured weight is above the limit of its template is charged the estimate, and an alert requests a decision', async () => {
    // The measured weight is far above the declared weight. Such a charge is held for an
    // administrator's decision, unless the setting allows it.
    await rowsOf(
      system,
      sql`insert into settings (name, value)
      values ('charge_weight_over', '1000000')`,
    );
    const parcel = await ordered();
    await sim(parcel, 'facts', { weight: 60_000 });
    await sim(parcel, 'jump', { to: 'picked_up' });
    expect(await charged(parcel)).toMatchObject({ jd_weight: 60_000, post_amount: 1_800 });
    expect(
      (
        await rowsOf(
          system,
          sql<{ code: string }>`select code from alerts
      where express_id = ${parcel.id}`,
        )
      ).map(({ code }) => code),
    ).toEqual(['cannot_price']);
    await sim(parcel, 'facts', { weight: 5_200 });
    await queue(askFactsTask, { express_id: parcel.id });
    expect(await linesUntil(parcel, 3)).toEqual([
      ['hold', 0, 1_800],
      ['charge', -1_800, -1_800],
      ['reweigh', -170, 0],
    ]);
  });
});

describe('a parcel that returns to its sender', () => {
  it('a parcel that returns under its original waybill is charged once', async () => {
    const parcel = await ordered({ remark: '拒收' });
    await sim(parcel, 'jump', { to: 'refused' });
    expect(await clerk.until(parcel.id, 400)).toMatchObject({ state_remark: '收件人拒收' });
    await sim(parcel, 'jump', { to: 'returned' });
    expect(await clerk.until(parcel.id, 420)).toMatchObject({
      state_remark: '',
      return_delivery_id: null,
    });
    await charged(parcel);
    expect((await lines(parcel)).map(([type]) => type)).toEqual(['hold', 'charge']);
  });

  it('a parcel that returns under a new waybill is traced by the new waybill, and the return is charged as a surcharge', async () => {
    const parcel = await ordered({ remark: '退回 称重一致' });
    await sim(parcel, 'jump', { to: 'relabelled' });
    const returning = await clerk.until(parcel.id, 410);
    expect(returning.return_delivery_id).toMatch(/^JDVE\d{11}$/);
    await system.carrier.control('POST', 'settings', { push: { on: false } });
    await system.carrier.control('POST', 'clock/advance', { ms: 8 * 86_400_000 });
    await queue(askTraceTask, { express_id: parcel.id });
    await clerk.until(parcel.id, 420);
    await system.carrier.control('POST', 'settings', { push: { on: true } });
    const { post_amount } = await eventually(async () => {
      const found = await clerk.get(parcel.id);
      return found.surcharge_amount > 0 && found.charged_at !== null ? found : null;
    });
    const admin = await parcelClient(system, 'admin');
    const { jd_amount, surcharge_amount } = await admin.get(parcel.id);
    expect(jd_amount).toBeGreaterThan(surcharge_amount);
    // The return fee is part of the charge if the return was known by then; otherwise it is a
    // separate transaction.
    expect((await lines(parcel)).reduce((sum, [, amount]) => sum + amount, 0)).toBe(-post_amount);
    const { data } = await system.call<{
      pricings: { price: { lines: { rule: string; result: number }[] } }[];
    }>(clerk.token, 'GET', `/api/arco/expresses/${parcel.id}/price`);
    expect(data.pricings.at(-1)!.price.lines.at(-1)).toMatchObject({
      rule: 'surcharge',
      result: surcharge_amount,
    });
  });
});

describe('the final checks of this file', () => {
  it('after all other tests of this file, the ledger is valid and the carrier’s orders match the product’s parcels', async () => {
    expect(await inconsistencies(system)).toEqual([]);
  });
});
