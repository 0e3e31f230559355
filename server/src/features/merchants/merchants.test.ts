import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Merchant, MerchantCall } from '@waystation/contract/network/merchant.ts';
import { exampleKeys } from '#features/demo/network.ts';
import { sql } from '#platform/db/db.ts';
import { openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { Answer, TestSystem } from '#testing/test-system.ts';
import { tidyCalls } from './calls.ts';
import { watchTokens } from './merchants.ts';

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
const working = () => ({
  app_key: exampleKeys.app_key,
  app_secret: exampleKeys.app_secret,
  access_token: exampleKeys.access_token,
});
const alertsOf = (id: number) =>
  rowsOf(
    system,
    sql<{ code: string }>`select code from alerts
  where merchant_id = ${id} and closed_at is null order by code`,
  );

describe('the secrets of a carrier account', () => {
  it('a carrier account shows only the last four characters of its secrets; no response, audit entry or row contains them whole', async () => {
    const { data } = await create();
    expect(data.secret_tails).toEqual({
      app_key: '1111',
      app_secret: '2222',
      access_token: '3333',
    });
    await ask('PATCH', `/${data.id}`, {
      version: 1,
      app_secret: 'another-that-nobody-may-see-4444',
    });
    const answers = [
      data,
      (await ask('GET', `/${data.id}`)).data,
      (await ask<object>('GET')).data,
      (await ask('PATCH', `/${data.id}`, { version: 1 })).data,
    ];
    const audit = await rowsOf(
      system,
      sql`select * from audit_log where subject = 'merchants'
      and subject_id = ${data.id}`,
    );
    const stored = await rowsOf(
      system,
      sql`select to_jsonb(m) as m from merchants m
      where id = ${data.id}`,
    );
    expect(JSON.stringify([answers, audit, stored])).not.toContain('nobody-may-see');
    expect(JSON.stringify(answers)).not.toMatch(/push_secret/);
    expect(JSON.stringify(audit)).toContain('"app_secret":[null,null]');
  });

  it('simultaneous connection tests and requests for the push URL all succeed and create only one secret', async () => {
    const { data } = await create();
    const some = Array.from({ length: 12 }, (_, at) =>
      ask<{ path: string }>('POST', `/${data.id}/${at % 2 ? 'test' : 'push-address'}`),
    );
    const answers = await Promise.all(some);
    expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
    expect(new Set(answers.flatMap(({ data: { path } }) => path ?? [])).size).toBe(1);
  });

  it('a change of a carrier account that omits its secrets keeps them, and an empty access token removes the stored token', async () => {
    const { data } = await create();
    const renamed = await ask('PATCH', `/${data.id}`, { version: 1, name: '改名' });
    expect(renamed.data.secret_tails).toEqual(data.secret_tails);
    const without = await ask('PATCH', `/${data.id}`, { version: 2, access_token: '' });
    expect(without.data.secret_tails).toEqual({
      app_key: '1111',
      app_secret: '2222',
      access_token: null,
    });
    expect(
      (await ask('PATCH', `/${data.id}`, { version: 3, app_secret: '' })).data.fields,
    ).toMatchObject({ app_secret: { code: 'carrier_field_required' } });
  });
});

describe('a carrier account that moves to another host', () => {
  it('moving a carrier account to another host requires entering its secrets again', async () => {
    const { data } = await create({ base_url: 'https://api.jdl.com' });
    const move = (version: number, changes: object) =>
      ask('PATCH', `/${data.id}`, { version, base_url: 'https://elsewhere.example', ...changes });
    const again = { code: 'merchant_secret_again' };
    expect((await move(1, {})).data.fields).toEqual({
      app_key: again,
      app_secret: again,
      access_token: again,
    });
    expect((await move(1, { app_key: 'k', app_secret: 's' })).data.fields).toEqual({
      access_token: again,
    });
    expect((await move(1, { base_url: 'https://api.jdl.com/relay' })).status).toBe(200);
    expect((await move(2, { ...secrets, access_token: '' })).status).toBe(200);
  });
});

describe('a carrier account', () => {
  it('a carrier account is refused for a carrier without an adapter, and with an error for each missing required field', async () => {
    expect((await create({ provider: 'zto' })).data.code).toBe('invalid_input');
    expect((await create({ provider: 'sf', app_key: '' })).data.fields).toMatchObject({
      app_key: { code: 'carrier_field_required' },
    });
    expect((await create({ app_secret: '' })).data.fields).toMatchObject({
      app_secret: { code: 'carrier_field_required' },
    });
    expect((await create({ customer_code: exampleKeys.customer_code })).data.fields).toMatchObject({
      customer_code: { code: 'taken' },
    });
  });

  it('a carrier account is refused if outgoing calls to its URL are not allowed', async () => {
    for (const [base_url, code] of [
      ['http://10.0.0.8', 'carrier_url_denied'],
      ['https://192.168.1.1', 'carrier_url_denied'],
      ['http://api.jdl.com', 'carrier_url_denied'],
      ['https://user:pass@api.jdl.com', 'carrier_url'],
      ['jdl', 'carrier_url'],
    ] as const)
      expect((await create({ base_url })).data.fields, base_url).toMatchObject({
        base_url: { code },
      });
    expect((await create({ base_url: 'https://api.jdl.com' })).data.simulated).toBe(0);
  });

  it('a carrier account is marked as simulated if its URL is the carrier simulator’s, even if the request says otherwise', async () => {
    expect((await create({ simulated: 0 })).data.simulated).toBe(1);
  });

  it('the customer code of a carrier account cannot be changed once parcels have used it', async () => {
    const { data } = await create();
    expect(
      (await ask('PATCH', `/${data.id}`, { version: 1, customer_code: 'FREE' })).data.customer_code,
    ).toBe('FREE');
    const id = system.network.merchant_id;
    const station = system.station('nanshan').id;
    await rowsOf(
      system,
      sql`insert into expresses (station_id, user_id, order_id, state_code, merchant_id)
        values (${station}, ${system.network.office}, 'WS-MERCHANT-1', 0, ${id})`,
    );
    const answer = await ask('PATCH', `/${id}`, {
      version: (await ask('GET', `/${id}`)).data.version,
      customer_code: 'OTHER',
    });
    expect(answer.data.fields).toMatchObject({ customer_code: { code: 'customer_code_fixed' } });
    expect((await ask<{ items: object[] }>('GET', `/${id}/usage`)).data.items).toEqual([
      { what: 'parcels', count: 1 },
    ]);
  });
});

describe('the connection test of a carrier account', () => {
  it('a connection test of a carrier account calls the carrier and stores the result without secrets, but creates no order there', async () => {
    const { data } = await ask('POST', `/${system.network.merchant_id}/test`, {});
    expect(data.proof).toMatchObject({ ok: 1, reason: null });
    expect(data.calls_24h).toBeGreaterThan(0);
    const { data: calls } = await ask<{ items: MerchantCall[] }>(
      'GET',
      `/${system.network.merchant_id}/calls`,
    );
    expect(calls.items[0]).toMatchObject({
      operation: 'precheck',
      outcome: 'ok',
      express_id: null,
    });
    expect(JSON.stringify(calls)).not.toContain(exampleKeys.app_secret);
  });

  it('the connection test of a carrier account reports a wrong secret, a wrong token and a URL that may not be called', async () => {
    const wrongSecret = await create({ ...working(), app_secret: 'wrong-wrong-wrong' });
    expect((await ask('POST', `/${wrongSecret.data.id}/test`, {})).data.proof).toMatchObject({
      ok: 0,
      reason: { code: 'merchant_test_signature' },
    });
    const wrongToken = await create({ ...working(), access_token: 'wrong-wrong-wrong' });
    expect((await ask('POST', `/${wrongToken.data.id}/test`, {})).data.proof).toMatchObject({
      ok: 0,
      reason: { code: 'merchant_test_token' },
    });
    const closed = await create(working());
    await rowsOf(
      system,
      sql`update merchants set base_url = 'http://127.0.0.1:9'
      where id = ${closed.data.id}`,
    );
    expect((await ask('POST', `/${closed.data.id}/test`, {})).data.proof).toMatchObject({
      ok: 0,
      reason: { code: 'carrier_url_denied' },
    });
    expect((await ask('GET', `/${closed.data.id}`)).data).toMatchObject({
      calls_24h: 1,
      answered_24h: 0,
    });
  });
});

describe('alerts of carrier accounts', () => {
  it('a paused carrier account continues when a user resumes it, and its alert closes', async () => {
    const { data } = await create();
    await rowsOf(
      system,
      sql`update merchants set paused_at = now(), paused_reason = 'token'
      where id = ${data.id}`,
    );
    await rowsOf(
      system,
      sql`insert into alerts (code, merchant_id, key)
      values ('merchant_paused', ${data.id}, 'x')`,
    );
    const resumed = await ask('POST', `/${data.id}/resume`, {});
    expect(resumed.data).toMatchObject({ paused_at: null, paused_reason: '' });
    expect(await alertsOf(data.id)).toEqual([]);
  });

  it('a carrier account’s token that expires within a week raises one alert, which closes when a later expiry is stored', async () => {
    const soon = new Date(Date.now() + 3 * 86_400_000).toISOString();
    const { data } = await create({
      token_expires_at: new Date(Date.now() + 30 * 86_400_000).toISOString(),
    });
    expect(await alertsOf(data.id)).toEqual([]);
    await rowsOf(
      system,
      sql`update merchants set token_expires_at = ${soon}
      where id = ${data.id}`,
    );
    await watchTokens(system.app);
    await watchTokens(system.app);
    expect(await alertsOf(data.id)).toEqual([{ code: 'merchant_token_ends' }]);
    await ask('PATCH', `/${data.id}`, {
      version: 1,
      token_expires_at: new Date(Date.now() + 90 * 86_400_000).toISOString(),
    });
    expect(await alertsOf(data.id)).toEqual([]);
  });

  it('records of carrier calls are kept for thirty days', async () => {
    const { data } = await create();
    for (const days of [31, 29])
      await rowsOf(
        system,
        sql`insert into carrier_calls (merchant_id, operation, outcome, ms, at)
          values (${data.id}, 'trace', 'ok', 1, now() - ${days} * interval '1 day')`,
      );
    await tidyCalls(system.app);
    expect(
      await rowsOf(
        system,
        sql`select count(*) as n from carrier_calls
      where merchant_id = ${data.id}`,
      ),
    ).toEqual([{ n: 1 }]);
  });
});
