import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Express } from '@waystation/contract/parcels/express.ts';
import type { Carrier, CarrierMessage } from '#domain/carriers/carriers.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { alertsOf, parcelClient } from '#testing/parcel-client.ts';
import type { ParcelClient } from '#testing/parcel-client.ts';
import { openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';
import { applyMessages } from './messages.ts';
import { readPush } from './read-pushes.ts';
import { lockExpress } from './row.ts';
import { decideWaybill } from './waybill.ts';

const scope = systemScope('test of packages');
let system: TestSystem;
let clerk: ParcelClient;
beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 10_000_000);
  clerk = await parcelClient(system);
  await system.carrier.control('POST', 'settings', { push: { on: false } });
});
afterAll(() => system.close());

/** A parcel that waits for its pickup and has one child waybill. */
const parcelOfTwo = async (): Promise<{ parcel: Express; child: string }> => {
  const { data } = await clerk.order();
  const parcel = await clerk.until(data.id, 100);
  const child = `TOY${parcel.id}`;
  await rowsOf(system, sql`update expresses set package_ids = ${[child]} where id = ${parcel.id}`);
  return { parcel, child };
};
const messageOf = (delivery_id: string): CarrierMessage => ({
  delivery_id,
  order_id: '',
  operation_time: new Date(),
  rank: 1,
  hash: createHash('md5').update(delivery_id).digest('hex'),
  category: '50',
  state: '',
  our_state: 200,
  effect: 'picked_up',
  title: '',
  remark: '',
  operator_name: '',
  place: '',
  return_delivery_id: null,
  cancel_reason: '',
  needs_facts: false,
  alert: null,
  raw: {},
});

describe('the child waybills of a parcel', () => {
  it('a trace message for a child waybill marks its parcel as picked up, without an alert', async () => {
    const { parcel, child } = await parcelOfTwo();
    await system.app.db.tx(scope, (work) =>
      applyMessages(system.app, work, parcel.id, { source: 'trace', messages: [messageOf(child)] }),
    );
    expect((await clerk.get(parcel.id)).state_code).toBe(200);
    expect(await alertsOf(system, parcel.id)).toEqual([]);
  });

  it('a push that contains only a child waybill is stored for the parcel to which this child waybill belongs', async () => {
    const { parcel, child } = await parcelOfTwo();
    const context = {
      ...system.app,
      carrierOf: (): Carrier => ({
        ...system.app.carrierOf('jdl'),
        parsePush: () => ({ outcome: 'ok', messages: [messageOf(child)], unreadable: [] }),
      }),
    };
    const [row] = await rowsOf(
      system,
      sql<{ id: number }>`insert into carrier_pushes (merchant_id, body, hash)
        select min(id), ${child}, ${createHash('sha256').update(child).digest()} from merchants
        returning id`,
    );
    await readPush(context, { push_id: row!.id });
    expect(
      await rowsOf(system, sql`select outcome from carrier_pushes where id = ${row!.id}`),
    ).toEqual([{ outcome: 'taken' }]);
    expect(
      await rowsOf(system, sql`select 1 from carrier_hints where express_id = ${parcel.id}`),
    ).toHaveLength(1);
    expect(await alertsOf(system, parcel.id)).toEqual([]);
  });

  it('an order whose waybill is replaced by an administrator’s choice loses its child waybills, and no child waybill is cancelled at the carrier', async () => {
    const { parcel, child } = await parcelOfTwo();
    const other = `NEW${parcel.id}`;
    const claims = [parcel.delivery_id, child, other].map((delivery_id) => ({
      delivery_id,
      source: 'answer',
    }));
    await rowsOf(
      system,
      sql`update expresses set waybill_claims = ${JSON.stringify(claims)}::jsonb
        where id = ${parcel.id}`,
    );
    await system.worker.stop();
    await system.app.db.tx(scope, async (work) =>
      decideWaybill(system.app, work, await lockExpress(work, parcel.id), {
        delivery_id: other,
        by: 1,
      }),
    );
    expect(
      await rowsOf(
        system,
        sql`select delivery_id, package_ids from expresses where id = ${parcel.id}`,
      ),
    ).toEqual([{ delivery_id: other, package_ids: [] }]);
    expect(
      await rowsOf(
        system,
        sql`select payload ->> 'delivery_id' as delivery_id from graphile_worker._private_jobs
          where key like ${`cancel_waybill:${parcel.id}:%`}`,
      ),
    ).toEqual([{ delivery_id: parcel.delivery_id }]);
  });
});
