import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DeliveryPromise } from '@waystation/contract/parcels/promise.ts';
import { sql } from '#platform/db/db.ts';
import { exampleOrder, openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { Answer, TestSystem } from '#testing/test-system.ts';

let system: TestSystem;
let admin: string;
let clerk: string;
beforeAll(async () => {
  system = await openTestSystem();
  [admin, clerk] = await Promise.all([system.login('admin'), system.login('clerk')]);
});
afterAll(() => system.close());

interface Failed {
  code: string;
  fields?: Record<string, { code: string }>;
}
const base = '/api/arco/promises';
const create = <T = DeliveryPromise>(body: object): Promise<Answer<T>> =>
  system.call<T>(admin, 'POST', base, { provider: 'jdl', promise_name: '时效', ...body });
const list = async (query = ''): Promise<DeliveryPromise[]> =>
  (await system.call<{ items: DeliveryPromise[] }>(admin, 'GET', `${base}${query}`)).data.items;
const known = async (): Promise<DeliveryPromise> => (await list('?q=ed-m-0001&provider=jdl'))[0]!;

describe('delivery times', () => {
  it('the code of a delivery time is unique per carrier and cannot be changed', async () => {
    expect((await create<Failed>({ promise_id: 'ed-m-0001' })).data.fields).toEqual({
      promise_id: { code: 'taken' },
    });
    const { data } = await create({
      promise_id: 'ed-m-0001',
      provider: 'sf',
      promise_name_en: 'Express',
      cutoff_time: '18:30',
    });
    expect(data).toMatchObject({
      promise_name_en: 'Express',
      cutoff_time: '18:30',
      voucher_count: 0,
      used_count: 0,
      average_hours: null,
    });
    expect(
      (await create<Failed>({ promise_id: 'x', cutoff_time: '24:00' })).data.fields,
    ).toMatchObject({ cutoff_time: { code: 'invalid' } });
    const { data: edited } = await system.call<DeliveryPromise>(
      admin,
      'PATCH',
      `${base}/${data.id}`,
      { version: 1, promise_id: 'other', sort: 3 },
    );
    expect(edited).toMatchObject({ promise_id: 'ed-m-0001', sort: 3 });
  });

  it('the order form lists delivery times in the order of their positions', async () => {
    const offered = async () =>
      (
        await system.call<{ promises: DeliveryPromise[] }>(
          clerk,
          'GET',
          '/api/arco/expresses/options',
        )
      ).data.promises.map((one) => one.promise_id);
    const before = await offered();
    const last = (await list()).find((one) => one.promise_id === before.at(-1))!;
    await system.call(admin, 'PATCH', `${base}/${last.id}`, { version: last.version, sort: 0 });
    expect((await offered())[0]).toBe(before.at(-1));
  });

  it('delivery times show how often they are used and their average delivery time in hours', async () => {
    await system.call(
      { token: clerk, headers: { 'idempotency-key': 'promise-draft-1' } },
      'POST',
      '/api/arco/expresses',
      exampleOrder({ draft: 1 }),
    );
    await rowsOf(
      system,
      sql`update expresses
      set ordered_at = now() - interval '50 hours', signed_at = now() - interval '2 hours'`,
    );
    const promise = await known();
    expect(promise).toMatchObject({ voucher_count: 1, used_count: 1, average_hours: 48 });
    const usage = await system.call(admin, 'GET', `${base}/${promise.id}/usage`);
    expect(usage.data).toMatchObject({
      items: [
        { what: 'vouchers', count: 1, names: [expect.stringContaining('示例')] },
        { what: 'projects', count: 1, names: ['示例运费方案'] },
        { what: 'parcels', count: 1 },
      ],
    });
  });

  it('delivery times show how many parcels are past their promised time, and what share of these was delivered in time', async () => {
    const become = (state: number, signed: string | null, promised: string) =>
      rowsOf(
        system,
        sql`update expresses set state_code = ${state},
        signed_at = now() + ${signed}::interval, promised_at = now() + ${promised}::interval`,
      );
    const rate = async () => {
      const { due_count, on_time_rate } = await known();
      return [due_count, on_time_rate];
    };
    expect(await rate()).toEqual([0, null]);
    await become(300, '-27 hours', '-25 hours');
    expect(await rate()).toEqual([1, 10_000]);
    await become(300, '-23 hours', '-25 hours');
    expect(await rate()).toEqual([1, 0]);
    await rowsOf(system, sql`select express_uses_roll_up()`);
    expect(await rate()).toEqual([1, 0]);
    // The states of parcels that are in transit, lost, or returned.
    for (const state of [210, 400, 420]) {
      await become(state, state === 420 ? '-26 hours' : null, '-25 hours');
      expect(await rate()).toEqual([1, 0]);
    }
    // A cancelled parcel does not count, nor does a parcel whose promised time has not passed.
    await become(500, null, '-25 hours');
    expect(await rate()).toEqual([0, null]);
    await become(210, null, '25 hours');
    expect(await rate()).toEqual([0, null]);
    await rowsOf(
      system,
      sql`update expresses
      set state_code = 0, signed_at = null, ordered_at = null, promised_at = null`,
    );
  });

  it('the coverage of a delivery time lists the origins and destinations of its templates', async () => {
    const { data } = await system.call<{
      vouchers: { lanes: { from: string[]; to: string[] }[] }[];
    }>(admin, 'GET', `${base}/${(await known()).id}/coverage`);
    expect(data.vouchers.length).toBe(1);
    expect(data.vouchers[0]!.lanes[0]!.from).toEqual([]);
    expect(data.vouchers[0]!.lanes[0]!.to).toEqual(expect.arrayContaining(['310000', '440000']));
  });

  it('a disabled delivery time is no longer offered by any freight scheme', async () => {
    const promise = await known();
    await system.call(admin, 'POST', `${base}/${promise.id}/status`, { status: 0 });
    const refused = await system.call<Failed>(
      { token: clerk, headers: { 'idempotency-key': 'promise-disabled' } },
      'POST',
      '/api/arco/expresses',
      exampleOrder(),
    );
    expect(refused.data.fields).toMatchObject({ promise_id: { code: 'promise_not_offered' } });
  });
});
