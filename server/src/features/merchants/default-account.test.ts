import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mostChosen } from '@waystation/contract/base/limits.ts';
import type { Merchant } from '@waystation/contract/network/merchant.ts';
import { sql } from '#platform/db/db.ts';
import { openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { Answer, TestSystem } from '#testing/test-system.ts';

let system: TestSystem;
let office: string;
beforeAll(async () => {
  system = await openTestSystem();
  office = await system.login('admin');
});
afterAll(() => system.close());

const base = '/api/arco/merchants';
type Failed = { code: string; fields?: Record<string, { code: string }>; current?: object };
const ask = <T = Merchant>(method: string, path = '', body?: object): Promise<Answer<T & Failed>> =>
  system.call(office, method, base + path, body);

const secrets = {
  app_key: 'key-that-nobody-may-see-1111',
  app_secret: 'secret-that-nobody-may-see-2222',
  access_token: 'token-that-nobody-may-see-3333',
};
let codes = 0;
const create = (changes: object = {}): Promise<Answer<Merchant & Failed>> =>
  ask('POST', '', {
    name: '新商家',
    provider: 'jdl',
    customer_code: `CODE-${++codes}`,
    ...secrets,
    base_url: system.carrier.url,
    sender_name: '仓库',
    sender_phone: '138 0000 0001',
    ...changes,
  });

describe('the default account of a carrier', () => {
  it('a carrier has exactly one default account, which can be changed and cannot be disabled while it is the default', async () => {
    const old = system.network.merchant_id;
    expect((await ask('POST', `/${old}/status`, { status: 0 })).data.code).toBe(
      'merchant_is_default',
    );
    const { data } = await create();
    expect(data.is_default).toBe(0);
    expect((await ask('POST', `/${data.id}/default`, {})).data.is_default).toBe(1);
    expect((await ask('GET', `/${old}`)).data.is_default).toBe(0);
    expect(
      await rowsOf(
        system,
        sql`select id from merchants where provider = 'jdl'
      and is_default = 1`,
      ),
    ).toEqual([{ id: data.id }]);
    expect((await ask('POST', `/${old}/status`, { status: 0 })).data.status).toBe(0);
    expect((await ask('POST', `/${old}/default`, {})).data.code).toBe('merchant_not_enabled');
    await ask('POST', `/${old}/status`, { status: 1 });
    await ask('POST', `/${old}/default`, {});
  });

  it('disabling a default carrier account moves its stations to the replacement account, which becomes the default', async () => {
    const old = system.network.merchant_id;
    const { customer_code } = (await ask('GET', `/${old}`)).data;
    const { data: next } = await create();
    const station = system.station('keji').id;
    await rowsOf(
      system,
      sql`update stations set customer_code = ${customer_code}
      where id = ${station}`,
    );
    const disable = (id: number, successor_id: number) =>
      ask('POST', `/${id}/status`, { status: 0, successor_id });
    await ask('POST', `/${next.id}/status`, { status: 0 });
    for (const wrong of [old, next.id, 987_654])
      expect((await disable(old, wrong)).data.fields).toEqual({
        successor_id: { code: 'successor_invalid' },
      });
    await ask('POST', `/${next.id}/status`, { status: 1 });
    expect((await disable(old, next.id)).data).toMatchObject({ status: 0, is_default: 0 });
    expect((await ask('GET', `/${next.id}`)).data).toMatchObject({ status: 1, is_default: 1 });
    expect(
      await rowsOf(
        system,
        sql`select customer_code from stations
      where id = ${station}`,
      ),
    ).toEqual([{ customer_code: next.customer_code }]);
    const entries = await rowsOf(
      system,
      sql<{
        changes: object;
      }>`select changes from audit_log where subject = 'stations' and subject_id = ${station}
        and changes ? 'customer_code' order by id desc limit 1`,
    );
    expect(entries).toEqual([{ changes: { customer_code: [customer_code, next.customer_code] } }]);

    await ask('POST', `/${old}/status`, { status: 1 });
    expect((await disable(next.id, old)).data.status).toBe(0);
    expect((await ask('GET', `/${old}`)).data.is_default).toBe(1);
    await rowsOf(system, sql`update stations set customer_code = '' where id = ${station}`);
  });

  it('a simulated carrier account cannot replace a real carrier account, and a real account cannot replace a simulated one', async () => {
    const [{ data: real }, { data: spare }, { data: simulated }] = [
      await create({ base_url: 'https://api.jdl.com' }),
      await create({ base_url: 'https://api.jdl.com' }),
      await create(),
    ];
    const disable = (id: number, successor_id: number) =>
      ask('POST', `/${id}/status`, { status: 0, successor_id });
    expect((await disable(real.id, simulated.id)).data.fields).toEqual({
      successor_id: { code: 'successor_simulated' },
    });
    expect((await disable(simulated.id, real.id)).data.fields).toEqual({
      successor_id: { code: 'successor_simulated' },
    });
    expect((await ask('GET', `/${real.id}`)).data.status).toBe(1);
    // A real account may replace a simulated default account when a network goes live. The reverse
    // is refused.
    const old = system.network.merchant_id;
    expect((await ask('GET', `/${old}`)).data).toMatchObject({ simulated: 1, is_default: 1 });
    expect((await ask('POST', `/${real.id}/default`, {})).data.is_default).toBe(1);
    for (const id of [old, simulated.id])
      expect((await ask('POST', `/${id}/default`, {})).data.code).toBe('default_simulated');
    expect((await ask('GET', `/${real.id}`)).data.is_default).toBe(1);
    expect((await ask('POST', `/${spare.id}/default`, {})).data.is_default).toBe(1);
    await rowsOf(system, sql`update merchants set is_default = 0 where id = ${spare.id}`);
    expect((await ask('POST', `/${old}/default`, {})).data.is_default).toBe(1);
    expect((await disable(real.id, spare.id)).data.status).toBe(0);
  });

  it('the uses of a carrier account include the number of drafts and failed parcels that have chosen it, up to a limit', async () => {
    const { data } = await create();
    const station = system.station('nanshan').id;
    const add = (state_code: number, own: string, terms: string, count: number) =>
      rowsOf(
        system,
        sql`insert into expresses (station_id, user_id, order_id, state_code, customer_code,
          terms)
          select ${station}, ${system.network.office},
            ${`${data.customer_code}-${own}-${terms}-${state_code}-`} || n, ${state_code},
            ${own},
            case when ${terms} = '' then null
              else jsonb_build_object('customer_code', ${terms}::text) end
              from generate_series(1, ${count}) n`,
      );
    await add(0, data.customer_code, '', 3);
    await add(0, 'ANOTHER', data.customer_code, 1);
    await add(90, 'ANOTHER', data.customer_code, 2);
    await add(90, data.customer_code, '', 1);
    await add(100, data.customer_code, data.customer_code, 1);
    const uses = async () =>
      (await ask<{ items: object[] }>('GET', `/${data.id}/usage`)).data.items;
    expect(await uses()).toEqual([
      { what: 'drafts', count: 3 },
      { what: 'failed_parcels', count: 2 },
    ]);
    await add(0, 'ANOTHER', '', mostChosen - 1);
    expect(await uses()).toEqual([
      { what: 'drafts', count: 1, more: 1 },
      { what: 'failed_parcels', count: 2 },
    ]);
  });

  it('disabling a carrier account that stations use is refused with their number if no replacement account is given', async () => {
    const { data } = await create();
    await rowsOf(
      system,
      sql`update stations set customer_code = ${data.customer_code}
      where id = ${system.station('keji').id}`,
    );
    expect((await ask('POST', `/${data.id}/status`, { status: 0 })).data).toMatchObject({
      code: 'merchant_in_use',
      params: { count: 1 },
    });
  });
});
