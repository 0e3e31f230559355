import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Express } from '@waystation/contract/parcels/express.ts';
import type { Carrier, PushedFee } from '#domain/carriers/carriers.ts';
import { sql } from '#platform/db/db.ts';
import { alertsOf, parcelClient } from '#testing/parcel-client.ts';
import type { ParcelClient } from '#testing/parcel-client.ts';
import { openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';
import { readPush } from './read-pushes.ts';

let system: TestSystem;
let clerk: ParcelClient;
beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 10_000_000);
  clerk = await parcelClient(system);
});
afterAll(() => system.close());

/** The context with a carrier whose pushes each contain one fee. */
const reading = () => ({
  ...system.app,
  carrierOf: (): Carrier => ({
    ...system.app.carrierOf('jdl'),
    parsePush: (body) => ({
      outcome: 'ok',
      messages: [],
      unreadable: [],
      fees: [(JSON.parse(body) as { fee: PushedFee }).fee],
    }),
  }),
});

const feeOf = (delivery_id: string, version: number, jd_amount: number): PushedFee => ({
  delivery_id,
  order_id: '',
  version,
  fee: { jd_amount, estimate_amount: null, jd_cal_weight: null, fees: [], unreadable: [] },
});

/** Stores and reads a push of this fee; returns the outcome of the push. */
const push = async (fee: PushedFee): Promise<string> => {
  const body = JSON.stringify({ fee, id: randomUUID() });
  const [row] = await rowsOf(
    system,
    sql<{ id: number }>`insert into carrier_pushes (merchant_id, body, hash)
      select min(id), ${body}, ${createHash('sha256').update(body).digest()} from merchants
      returning id`,
  );
  await readPush(reading(), { push_id: row!.id });
  const [read] = await rowsOf(
    system,
    sql<{ outcome: string }>`select outcome from carrier_pushes where id = ${row!.id}`,
  );
  return read!.outcome;
};
const costOf = async ({ id }: Express): Promise<number | null> =>
  (
    await rowsOf(
      system,
      sql<{ jd_amount: number | null }>`select jd_amount from expresses where id = ${id}`,
    )
  )[0]!.jd_amount;
/** True if a request for the parcel's fee is queued; removes the request. */
const isAsked = async ({ id }: Express): Promise<boolean> =>
  (
    await rowsOf(
      system,
      sql`delete from graphile_worker._private_jobs where key = ${`ask_facts:${id}`} returning id`,
    )
  ).length > 0;

describe('fees that a carrier pushes with a version', () => {
  it('a pushed fee posts nothing but makes the product request the fees; two different fees with the same version number raise an alert', async () => {
    const { data } = await clerk.order();
    const parcel = await clerk.until(data.id, 100);
    await system.worker.stop();
    const number = parcel.delivery_id!;
    await isAsked(parcel);
    expect(await push(feeOf(number, 2, 500))).toBe('taken');
    expect(await isAsked(parcel)).toBe(true);
    await push(feeOf(number, 1, 700));
    await push(feeOf(number, 2, 500));
    expect(await alertsOf(system, parcel.id)).toEqual([]);
    await push(feeOf(number, 2, 100));
    expect(await alertsOf(system, parcel.id)).toEqual(['fee_version_differs']);
    expect(await costOf(parcel)).toBeNull();
  });

  it('a pushed fee that contains our order number but another waybill changes nothing and raises an alert', async () => {
    const parcel = await clerk.begin();
    await rowsOf(
      system,
      sql`update expresses set state_code = 100, delivery_id = 'FEE1' where id = ${parcel.id}`,
    );
    await isAsked(parcel);
    await push({ ...feeOf('FEE2', 9, 500), order_id: parcel.order_id });
    expect(await alertsOf(system, parcel.id)).toEqual(['message_waybill']);
    expect(await isAsked(parcel)).toBe(false);
  });

  it.each(['return_delivery_id', 'package_ids'])(
    'a pushed fee of a waybill in %s requests the fee from the carrier, without an order number',
    async (column) => {
      const parcel = await clerk.begin();
      const number = `TOY${parcel.id}`;
      await rowsOf(
        system,
        sql`update expresses set state_code = 100, delivery_id = ${`FEE${parcel.id}`},
          ${sql.ref(column)} = ${column === 'package_ids' ? [number] : number}
          where id = ${parcel.id}`,
      );
      await isAsked(parcel);
      expect(await push(feeOf(number, 9, 500))).toBe('taken');
      expect(await isAsked(parcel)).toBe(true);
      expect(await alertsOf(system, parcel.id)).toEqual([]);
    },
  );

  it('a pushed fee is stored with the result “unknown parcel” if no parcel has its waybill', async () => {
    expect(await push(feeOf('TOY404', 1, 500))).toBe('unknown_parcel');
  });
});
