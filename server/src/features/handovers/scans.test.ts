import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Express } from '@waystation/contract/parcels/express.ts';
import { askTraceTask } from '#domain/express/queues.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { openHandoverClient } from '#testing/handover-client.ts';
import type { HandoverClient } from '#testing/handover-client.ts';
import { parcelClient } from '#testing/parcel-client.ts';
import { eventually, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';

let client: HandoverClient;
let system: TestSystem;
let tokens: HandoverClient['tokens'];

beforeAll(async () => {
  client = await openHandoverClient();
  ({ system, tokens } = client);
});
afterAll(async () => {
  await system.close();
});
beforeEach(() => client.clear());
const ordered: HandoverClient['ordered'] = (...given) => client.ordered(...given);
const open: HandoverClient['open'] = (...given) => client.open(...given);
const send: HandoverClient['send'] = (...given) => client.send(...given);
const scan: HandoverClient['scan'] = (...given) => client.scan(...given);
const act: HandoverClient['act'] = (...given) => client.act(...given);
const summaryOf: HandoverClient['summaryOf'] = (...given) => client.summaryOf(...given);
const missingOf: HandoverClient['missingOf'] = (...given) => client.missingOf(...given);
const asState: HandoverClient['asState'] = (...given) => client.asState(...given);

describe('a scan into a hand-over', () => {
  it('a parcel can be scanned into a hand-over by waybill number, package number, QR code URL or order number', async () => {
    const visit = await open(tokens.station);
    const parcels = [await ordered(), await ordered(), await ordered(), await ordered()];
    const [first, second, third, fourth] = parcels as [Express, Express, Express, Express];
    for (const number of [
      first.delivery_id!,
      `${second.delivery_id!.toLowerCase()}-1-1-`,
      `https://example.com/r?waybill=${third.delivery_id}`,
      fourth.order_id,
    ])
      expect(await scan(tokens.station, visit, number)).toMatchObject({
        result: 'given',
        given: 1,
      });
    expect(await summaryOf(tokens.station, visit)).toMatchObject({
      handover: { parcels: 4, packages: 4, status: 'open', own: 0 },
      expected: 4,
      missing: 0,
      others: 0,
    });
  });

  it('each package of a parcel is scanned into a hand-over separately; scanning only the waybill number returns the number of packages', async () => {
    const visit = await open(tokens.station);
    const parcel = await ordered({ package_count: 3 });
    const waybill = parcel.delivery_id!;
    expect(await scan(tokens.station, visit, waybill)).toMatchObject({
      result: 'which_package',
      package_count: 3,
      given: 0,
    });
    expect(await scan(tokens.station, visit, `${waybill}-4-3-`)).toMatchObject({
      result: 'old_label',
    });
    expect(await scan(tokens.station, visit, `${waybill}-1-3-`)).toMatchObject({
      result: 'given',
      package_no: 1,
      given: 1,
    });
    expect(await scan(tokens.station, visit, `${waybill}-1-3`)).toMatchObject({
      result: 'given_before',
      given: 1,
    });
    expect(await scan(tokens.station, visit, `${waybill}-3-3-`)).toMatchObject({
      result: 'given',
      given: 2,
    });
    expect(await summaryOf(tokens.station, visit)).toMatchObject({
      handover: { parcels: 1, packages: 2 },
      expected: 3,
      missing: 1,
      missing_parcels: 1,
    });
    expect(await missingOf(tokens.station, visit)).toEqual([
      { express_id: parcel.id, delivery_id: waybill, missing: 1, package_count: 3 },
    ]);
  });

  it('a package left behind makes its moving parcel an exception, and is expected in the next hand-over until it is given', async () => {
    const visit = await open(tokens.station);
    const parcel = await ordered({ package_count: 2 });
    const whole = await ordered({ package_count: 2 });
    const waybill = parcel.delivery_id!;
    for (const number of [
      `${waybill}-1-2-`,
      `${whole.delivery_id}-1-2-`,
      `${whole.delivery_id}-2-2-`,
    ])
      await scan(tokens.station, visit, number);
    await act(tokens.station, visit, 'close', { packages: 3 });
    const exceptionOf = async ({ id }: Express) => (await client.clerk.get(id)).exception;
    const moved = async ({ id, delivery_id }: Express): Promise<void> => {
      const ask = () =>
        system.app.db.tx(systemScope('test'), (work) =>
          addJob(work, askTraceTask, { express_id: id }),
        );
      await system.carrier.control('POST', `orders/${delivery_id}/jump`, { to: 'picked_up' });
      await ask();
      await client.clerk.until(id, 200);
      expect(await exceptionOf(parcel)).toBeNull();
      const at = sql`picked_up_at = picked_up_at - interval '61 minutes', polled_at = null`;
      await rowsOf(system, sql`update expresses set ${at} where id = ${id}`);
      await ask();
      await eventually(async () => {
        const [row] = await rowsOf(
          system,
          sql<{ polled_at: Date | null }>`select polled_at from expresses where id = ${id}`,
        );
        return row?.polled_at;
      });
    };
    await moved(whole);
    await moved(parcel);
    expect([await exceptionOf(whole), await exceptionOf(parcel)]).toEqual([null, 'left_behind']);

    const next = await open(tokens.station);
    expect(await missingOf(tokens.station, next)).toEqual([
      { express_id: parcel.id, delivery_id: waybill, missing: 1, package_count: 2 },
    ]);
    expect(await scan(tokens.station, next, `${waybill}-1-2-`)).toMatchObject({
      result: 'collected',
    });
    expect(await exceptionOf(parcel)).toBe('left_behind');
    expect(await scan(tokens.station, next, `${waybill}-2-2-`)).toMatchObject({ result: 'given' });
    expect(await exceptionOf(parcel)).toBeNull();
    expect(await missingOf(tokens.station, next)).toEqual([]);
  });

  it('scanning a parcel into a hand-over is refused with the reason if it has another carrier or station, or is being cancelled', async () => {
    const station = system.station('nanshan');
    const visit = await open(tokens.partner, { station_id: station.id });
    const [sf, cancelling] = [await ordered(), await ordered()];
    await rowsOf(system, sql`update expresses set provider = 'sf' where id = ${sf.id}`);
    await rowsOf(
      system,
      sql`update expresses set cancel_requested_at = now() where id = ${cancelling.id}`,
    );
    const office = await parcelClient(system, 'super');
    const keji = await ordered({ station_id: system.station('keji').id }, office);
    const pudong = await ordered({ station_id: system.station('pudong').id }, office);
    expect(await scan(tokens.partner, visit, sf.delivery_id!)).toMatchObject({
      result: 'other_carrier',
      detail: { provider: 'sf' },
    });
    expect(await scan(tokens.partner, visit, cancelling.delivery_id!)).toMatchObject({
      result: 'cancelling',
    });
    expect(await scan(tokens.partner, visit, keji.delivery_id!)).toMatchObject({
      result: 'other_station',
      detail: { station_name: keji.station_name },
    });
    const foreign = await scan(tokens.partner, visit, pudong.delivery_id!);
    const absent = await scan(tokens.partner, visit, 'JDVE99999999999');
    expect(foreign).toEqual({
      ...absent,
      scan_id: foreign.scan_id,
      number: pudong.delivery_id,
      at: foreign.at,
    });
    expect(absent).toMatchObject({
      result: 'unknown',
      express_id: null,
      delivery_id: null,
      package_count: null,
      detail: {},
    });
    expect(await summaryOf(tokens.partner, visit)).toMatchObject({ others: 5 });
    await rowsOf(system, sql`update expresses set provider = 'jdl' where id = ${sf.id}`);
  });

  it('scanning a third-party number shared by several parcels into a hand-over is refused as ambiguous', async () => {
    const visit = await open(tokens.station);
    const thr_order_id = `TB-${randomUUID().slice(0, 8)}`;
    await ordered({ thr_order_id });
    expect(await scan(tokens.station, visit, thr_order_id)).toMatchObject({ result: 'given' });
    await ordered({ thr_order_id });
    expect(await scan(tokens.station, visit, thr_order_id)).toMatchObject({
      result: 'ambiguous',
      express_id: null,
    });
  });

  it('scanning the label of package 2 of 3 into a hand-over is refused as an old label if the parcel now has one package', async () => {
    const visit = await open(tokens.station);
    const { delivery_id } = await ordered();
    expect(await scan(tokens.station, visit, `${delivery_id}-2-3-`)).toMatchObject({
      result: 'old_label',
      package_count: 1,
      given: 0,
    });
  });

  it('a scan id that is sent again returns its first response even if the parcel has changed since, and is counted once', async () => {
    const visit = await open(tokens.station);
    const parcel = await ordered();
    const one = { scan_id: randomUUID(), number: parcel.delivery_id };
    const first = await send(tokens.station, visit, [one]);
    await asState(parcel, 210);
    const again = await send(tokens.station, visit, [one, one]);
    expect(again.data).toEqual({
      answers: [first.data.answers[0], first.data.answers[0]],
      parcels: 1,
      packages: 1,
    });
    const [rows] = await rowsOf(
      system,
      sql<{ n: number }>`select count(*)::int as n from handover_scans
      where handover_id = ${visit.id}`,
    );
    expect(rows).toEqual({ n: 1 });
  });

  it('two simultaneous scans of the same package into one hand-over count the package once', async () => {
    const visit = await open(tokens.station);
    const parcel = await ordered();
    const answers = await Promise.all(
      [tokens.station, tokens.super, tokens.partner, tokens.station].map((token) =>
        scan(token, visit, parcel.delivery_id!),
      ),
    );
    expect(answers.map(({ result }) => result).toSorted()).toEqual([
      'given',
      'given_before',
      'given_before',
      'given_before',
    ]);
  });

  it('if the scan of a package is undone, the package is missing from the hand-over again, and resending the scan does not add it back', async () => {
    const visit = await open(tokens.station);
    const parcel = await ordered();
    const one = { scan_id: randomUUID(), number: parcel.delivery_id };
    await send(tokens.station, visit, [one]);
    expect(
      (await act(tokens.station, visit, 'take-back', { scan_id: one.scan_id })).data,
    ).toMatchObject({ packages: 0 });
    await send(tokens.station, visit, [one]);
    expect(await summaryOf(tokens.station, visit)).toMatchObject({
      handover: { packages: 0 },
      missing: 1,
    });
    expect(await scan(tokens.station, visit, parcel.delivery_id!)).toMatchObject({
      result: 'given',
    });
  });
});
