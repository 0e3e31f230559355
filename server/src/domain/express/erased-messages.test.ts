import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Carrier, CarrierMessage } from '#domain/carriers/carriers.ts';
import { recordCall } from '#domain/carrier-accounts/carrier-accounts.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { parcelClient } from '#testing/parcel-client.ts';
import type { ParcelClient } from '#testing/parcel-client.ts';
import { openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';
import { applyMessages } from './messages.ts';
import { readPush } from './read-pushes.ts';

const scope = systemScope('test of erased parcels');
const name = '欧阳靖';

let system: TestSystem;
let clerk: ParcelClient;
beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 10_000_000);
  clerk = await parcelClient(system);
  await system.carrier.control('POST', 'settings', { push: { on: false } });
});
afterAll(() => system.close());

const messageOf = (
  delivery_id: string,
  of: string,
  effect: CarrierMessage['effect'] = 'picking_up',
): CarrierMessage => ({
  delivery_id,
  order_id: '',
  operation_time: new Date(),
  rank: 1,
  hash: createHash('md5').update(of).digest('hex'),
  category: '50',
  state: '',
  our_state: effect === 'stopped' ? 420 : null,
  effect,
  title: `联系${name}`,
  remark: `${name}拒收`,
  operator_name: name,
  place: `${name}家`,
  return_delivery_id: null,
  cancel_reason: name,
  needs_facts: false,
  alert: null,
  raw: { name },
});

/** A parcel with a waybill, erased or not. */
const parcelWith = async (erased: number): Promise<{ id: number; waybill: string }> => {
  const { data } = await clerk.order();
  const { id, delivery_id } = await clerk.until(data.id, 100);
  await rowsOf(system, sql`update expresses set erased = ${erased} where id = ${id}`);
  return { id, waybill: delivery_id! };
};
/** Kinds of stored text about a parcel that contain the person's name. */
const namedIn = async (id: number): Promise<string[]> => {
  const rows = await rowsOf(
    system,
    sql<{ place: string }>`select 'message' as place from express_messages m
        where m.express_id = ${id} and position(${name} in m::text) > 0
      union all select 'parcel' from expresses e
        where e.id = ${id} and position(${name} in e.state_remark || e.cancel_reason) > 0
      union all select 'call' from carrier_calls c
        where c.express_id = ${id} and position(${name} in c::text) > 0`,
  );
  return rows.map(({ place }) => place);
};
const pushed = async (messages: CarrierMessage[]): Promise<{ body: string; outcome: string }> => {
  const body = JSON.stringify(messages);
  const [push] = await rowsOf(
    system,
    sql<{ id: number }>`insert into carrier_pushes (merchant_id, body, hash)
      select min(id), ${body}, ${createHash('sha256').update(body).digest()} from merchants
      returning id`,
  );
  const context = {
    ...system.app,
    carrierOf: (): Carrier => ({
      ...system.app.carrierOf('jdl'),
      parsePush: () => ({ outcome: 'ok', messages, unreadable: [] }),
    }),
  };
  await readPush(context, { push_id: push!.id });
  const [row] = await rowsOf(
    system,
    sql<{ body: string; outcome: string }>`select body, outcome from carrier_pushes
      where id = ${push!.id}`,
  );
  return row!;
};

describe('a parcel whose person was erased', () => {
  it('a trace about a parcel whose person was erased is applied to the parcel without its text', async () => {
    const { id, waybill } = await parcelWith(2);
    await system.app.db.tx(scope, (work) =>
      applyMessages(system.app, work, id, {
        source: 'trace',
        messages: [messageOf(waybill, 'a', 'stopped')],
      }),
    );
    expect(await namedIn(id)).toEqual([]);
    expect(
      await rowsOf(
        system,
        sql`select 1 from express_messages where express_id = ${id}
        and category = '50'`,
      ),
    ).toHaveLength(1);
  });

  it('a push with messages about several parcels is processed, but its text is not stored if the person of one of these parcels was erased', async () => {
    const [one, two] = [await parcelWith(1), await parcelWith(0)];
    expect(await pushed([messageOf(one.waybill, 'b'), messageOf(two.waybill, 'c')])).toEqual({
      body: '',
      outcome: 'taken',
    });
    expect(await namedIn(one.id)).toEqual([]);
    expect(await namedIn(two.id)).toContain('message');
  });

  it('the text of a push is kept if no person of its parcels was erased', async () => {
    const { waybill } = await parcelWith(0);
    expect((await pushed([messageOf(waybill, 'd')])).body).toContain(name);
  });

  it('a call to the carrier about a parcel whose person was erased is recorded without request and answer', async () => {
    const [one, two] = [await parcelWith(3), await parcelWith(0)];
    const record = (express_id: number) =>
      system.app.db.tx(scope, (work) =>
        recordCall(work, system.network.merchant_id, {
          express_id,
          answer: {
            outcome: 'ok',
            call: {
              operation: 'query_trace',
              trace_id: 'x',
              ms: 1,
              request: { waybill: one.waybill },
              answer: { name },
            } as Parameters<typeof recordCall>[2]['answer']['call'],
          },
        }),
      );
    await record(one.id);
    await record(two.id);
    expect(await namedIn(one.id)).toEqual([]);
    expect(
      await rowsOf(
        system,
        sql`select request, answer from carrier_calls
        where express_id = ${one.id} and trace_id = 'x'`,
      ),
    ).toEqual([{ request: null, answer: null }]);
    expect(await namedIn(two.id)).toEqual(['call']);
  });
});
