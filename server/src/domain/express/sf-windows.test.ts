import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import type { coverExpress } from '@waystation/contract/parcels/express-calls.ts';
import { sql } from '#platform/db/db.ts';
import { carrierRequests, parcelClient, runTaskNow } from '#testing/parcel-client.ts';
import type { ParcelClient } from '#testing/parcel-client.ts';
import { offerSf } from '#testing/sf-offer.ts';
import { eventually, exampleOrder, openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';
import { modifyParcelTask } from './queues.ts';

let system: TestSystem;
let clerk: ParcelClient;
beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 10_000_000);
  await offerSf(system, await system.login('admin'));
  clerk = await parcelClient(system);
});
afterEach(() => system.carrier.control('DELETE', 'faults'));
afterAll(() => system.close());

const order = async (changes: Record<string, unknown> = {}) =>
  clerk.until((await clerk.begin({ promise_id: '2', remark: '称重一致', ...changes })).id, 100);

describe('pickup windows of SF Express', () => {
  const places = () => {
    const { sender_name: _, receive_name: __, ...rest } = exampleOrder() as Record<string, unknown>;
    return Object.fromEntries(
      Object.entries(rest).filter(([name]) => /^(?:sender|receive)_(?!id)/.test(name)),
    );
  };
  const offered = async () => {
    const { data } = await system.call<OutputOf<typeof coverExpress>>(
      clerk.token,
      'POST',
      '/api/arco/expresses/coverage',
      { provider: 'sf', promise_id: '2', fresh: 1, ...places() },
    );
    return data.pickup_windows!.map(({ starts_at, ends_at }) => ({
      pickup_from: starts_at,
      pickup_until: ends_at,
    }));
  };
  const edit = async (id: number, changes: object) =>
    clerk.edit(id, { version: (await clerk.get(id)).version, ...changes });
  const updates = async () =>
    (await carrierRequests(system, 'EXP_RECE_UPDATE_ORDER')).map(
      ({ body }) => JSON.parse(new URLSearchParams(body).get('msgData')!) as object,
    );

  it('an order with SF Express can choose one of SF’s pickup windows, and can change to another of them later', async () => {
    const windows = await offered();
    const parcel = await order(windows[0]);
    expect(parcel).toMatchObject(windows[0]!);
    const { status } = await edit(parcel.id, windows.at(-1)!);
    expect(status).toBe(200);
    expect(await clerk.get(parcel.id)).toMatchObject({ state_code: 100, ...windows.at(-1) });
    expect((await updates()).at(-1)).toMatchObject({
      sendStartTm: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      pickupAppointEndtime: expect.stringMatching(/:00$/),
    });
  });

  it('a pickup window of a sent SF parcel cannot be removed, nor replaced by a window that SF does not offer', async () => {
    const windows = await offered();
    const parcel = await order(windows[0]);
    const before = (await updates()).length;
    const hour = 3_600_000;
    const foreign = {
      pickup_from: new Date(Date.now() + 3 * hour).toISOString(),
      pickup_until: new Date(Date.now() + 4 * hour).toISOString(),
    };
    expect(await edit(parcel.id, foreign)).toMatchObject({
      status: 422,
      data: { fields: { pickup_from: { code: 'pickup_window_gone' } } },
    });
    expect(await edit(parcel.id, { pickup_from: null, pickup_until: null })).toMatchObject({
      status: 422,
      data: { fields: { pickup_from: { code: 'carrier_cannot_modify' } } },
    });
    expect(await clerk.get(parcel.id)).toMatchObject(windows[0]!);
    expect(await updates()).toHaveLength(before);
  });

  const stored = async (id: number) =>
    (
      await rowsOf(
        system,
        sql<{ promised_at: Date | null }>`select promised_at from expresses where id = ${id}`,
      )
    )[0]!.promised_at;

  it('a change of an SF parcel’s pickup window also changes the promised delivery time, which is counted from the start of the new window', async () => {
    const windows = await offered();
    const parcel = await order(windows[0]);
    const before = await stored(parcel.id);
    expect((await edit(parcel.id, windows.at(-1)!)).status).toBe(200);
    const after = await stored(parcel.id);
    expect(after!.getTime() - Date.parse(windows.at(-1)!.pickup_from)).toBe(48 * 3_600_000);
    expect(after).not.toEqual(before);
  });

  it('changing the destination of an SF parcel clears its promised delivery time; changing only the receiver’s name does not', async () => {
    const parcel = await order();
    const before = await stored(parcel.id);
    expect(before).not.toBeNull();
    await edit(parcel.id, { receive_name: '李雷' });
    expect(await stored(parcel.id)).toEqual(before);
    const place = { receive_province: '北京市', receive_city: '北京市', receive_county: '朝阳区' };
    expect((await edit(parcel.id, place)).status).toBe(200);
    expect(await stored(parcel.id)).toBeNull();
  });

  it('a change of an SF parcel that SF’s gateway rejects twice requests the pickup windows only once', async () => {
    const windows = await offered();
    const parcel = await order(windows[0]);
    const asked = async () => (await carrierRequests(system, 'EXP_RECE_PRE_ORDER')).length;
    const before = await asked();
    await system.carrier.control('POST', 'faults', {
      kind: 'gateway',
      path: 'EXP_RECE_UPDATE_ORDER',
      times: 2,
    });
    await edit(parcel.id, windows.at(-1)!);
    await eventually(async () => {
      await runTaskNow(system, modifyParcelTask.name);
      return (await clerk.get(parcel.id)).modifying === 0;
    });
    expect(await clerk.get(parcel.id)).toMatchObject(windows.at(-1)!);
    expect(await asked()).toBe(before + 1);
  });

  it('a change of the pickup window is not sent to SF if the window has passed before the call is repeated', async () => {
    const windows = await offered();
    const parcel = await order(windows[0]);
    await system.carrier.control('POST', 'faults', {
      kind: 'gateway',
      path: 'EXP_RECE_UPDATE_ORDER',
    });
    const sent = (await updates()).length;
    const answer = edit(parcel.id, windows.at(-1)!);
    await eventually(async () => (await updates()).length > sent);
    await rowsOf(
      system,
      sql`update express_edits set changes = changes || '{"pickup_from": "2026-01-02T01:00:00Z",
        "pickup_until": "2026-01-02T03:00:00Z"}' where express_id = ${parcel.id} returning id`,
    );
    await eventually(async () => {
      await runTaskNow(system, modifyParcelTask.name);
      return (await clerk.get(parcel.id)).modifying === 0;
    });
    await answer;
    expect(await clerk.get(parcel.id)).toMatchObject(windows[0]!);
    expect(await updates()).toHaveLength(sent + 1);
  });

  it('a missed pickup is no longer an exception after its parcel is changed to another pickup window', async () => {
    const windows = await offered();
    const parcel = await order(windows[0]);
    await rowsOf(
      system,
      sql`update expresses set exception = 'missed', exception_at = now() where id = ${parcel.id}
        returning id`,
    );
    expect((await edit(parcel.id, windows.at(-1)!)).status).toBe(200);
    expect(await clerk.get(parcel.id)).toMatchObject({ exception: null });
  });

  it('an accepted change of the pickup window stores the former window; a refused change, and a change of other fields, stores none', async () => {
    const [first, second] = await offered();
    const { id } = await order(first);
    const left = () =>
      rowsOf(
        system,
        sql<{ status: string; left_from: Date | null; left_until: Date | null }>`select status,
          left_from, left_until from express_edits where express_id = ${id} order by id`,
      );
    const vanished = {
      pickup_from: new Date(Date.now() + 3 * 3_600_000).toISOString(),
      pickup_until: new Date(Date.now() + 4 * 3_600_000).toISOString(),
    };
    expect((await edit(id, vanished)).status).toBe(422);
    await edit(id, second!);
    await edit(id, { receive_name: '李雷' });
    expect(await left()).toEqual([
      { status: 'refused', left_from: null, left_until: null },
      {
        status: 'done',
        left_from: new Date(first!.pickup_from),
        left_until: new Date(first!.pickup_until),
      },
      { status: 'done', left_from: null, left_until: null },
    ]);
  });
});
