import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mostBalance } from '@waystation/contract/base/limits.ts';
import type { Station } from '@waystation/contract/network/station.ts';
import { sql } from '#platform/db/db.ts';
import { openTestApi } from '#testing/test-api.ts';
import type { Answer, TestApi, Tokens } from '#testing/test-api.ts';

interface Problem {
  fields?: Record<string, { code: string; params?: Record<string, string | number> }>;
}

const base = '/api/arco/stations';
let api: TestApi;
let tokens: Tokens;
beforeAll(async () => {
  api = await openTestApi();
  tokens = await api.loginAll();
});
afterAll(() => api.close());

const idOf = (key: string): number =>
  api.network.stations.find((station) => station.key === key)!.id;
const read = async (id: number): Promise<Station> =>
  (await api.call<Station>(tokens.super, 'GET', `${base}/${id}`)).data;
const edit = async (
  who: keyof Tokens,
  id: number,
  changes: object,
): Promise<Answer<Station & Problem>> =>
  api.call(tokens[who], 'PATCH', `${base}/${id}`, {
    version: (await read(id)).version,
    ...changes,
  });

describe('the profit share that a partner sets for a station below it', () => {
  it('a partner can set the profit share of a station below up to its own station’s limits, and a higher share is refused', async () => {
    const [own, child] = [idOf('south'), idOf('tianhe')];
    expect(
      (await edit('admin', own, { profit_limit: 500, fixed_profit_limit: 120 })).data,
    ).toMatchObject({ profit_limit: 500, fixed_profit_limit: 120 });
    expect((await edit('partner', child, { profit: 500, fixed_profit: 120 })).status).toBe(200);
    const above = await edit('partner', child, { profit: 501, fixed_profit: 121 });
    expect(above.status).toBe(422);
    expect(above.data.fields).toEqual({
      profit: { code: 'profit_above_limit', params: { percent: '5' } },
      fixed_profit: { code: 'fixed_profit_above_limit', params: { limit_amount: 120 } },
    });
    expect(await read(child)).toMatchObject({ profit: 500, fixed_profit: 120 });
    // A lowered limit changes no stored value, but a value above it can no longer be set or
    // switched on.
    await edit('admin', own, { profit_limit: 100, fixed_profit_limit: 0 });
    expect((await edit('partner', child, { profit: 500, address: '示例大道5号' })).status).toBe(
      200,
    );
    expect((await edit('partner', child, { profit: 400 })).status).toBe(422);
    expect((await edit('partner', child, { enable_profit: 0 })).status).toBe(200);
    expect((await edit('partner', child, { enable_profit: 1 })).data.fields).toMatchObject({
      profit: { code: 'profit_above_limit' },
      fixed_profit: {},
    });
    expect(
      (await edit('partner', child, { enable_profit: 1, profit: 100, fixed_profit: 0 })).status,
    ).toBe(200);
  });

  it('a new station of a partner gets the partner’s profit limits, which are zero until an administrator sets others', async () => {
    await edit('admin', idOf('south'), { profit_limit: 0, fixed_profit_limit: 0 });
    const create = (name: string, terms: object) =>
      api.call<Station & Problem>(tokens.partner, 'POST', base, { name, ...terms });
    expect((await create('上限站一', { profit: 1 })).data.fields).toMatchObject({
      profit: { params: { percent: '0' } },
    });
    expect((await create('上限站二', { fixed_profit: 1, enable_profit: 1 })).status).toBe(422);
    expect((await create('上限站三', { enable_profit: 1 })).data).toMatchObject({
      profit: 0,
      fixed_profit: 0,
      profit_limit: 0,
      fixed_profit_limit: 0,
    });
  });

  it('administrators are not bound by a station’s profit limits, and only administrators can change these limits', async () => {
    expect(
      (await edit('admin', idOf('tianhe'), { profit: 3_000, fixed_profit: 999, enable_profit: 1 }))
        .status,
    ).toBe(200);
    for (const id of [idOf('south'), idOf('tianhe')])
      expect(
        (await edit('partner', id, { profit_limit: 1, fixed_profit_limit: 1 })).data.fields,
      ).toEqual({
        profit_limit: { code: 'field_not_yours' },
        fixed_profit_limit: { code: 'field_not_yours' },
      });
    expect(
      (await edit('admin', idOf('south'), { profit_limit: 10_001 })).data.fields,
    ).toMatchObject({ profit_limit: { code: 'too_big' } });
    const kept = await api.rows<{ changes: object }>(
      sql`select changes from audit_log where subject = 'stations'
        and subject_id = ${idOf('south')} and changes ? 'profit_limit' order by id limit 1`,
    );
    expect(kept).toEqual([{ changes: { profit_limit: [500, 100], fixed_profit_limit: [120, 0] } }]);
  });
});

describe('the limit of a low balance', () => {
  it('the filter for low balances uses the station’s own limit, or the network’s limit if the station has none', async () => {
    const { available } = await read(idOf('tianhe'));
    const own = idOf('tianhe');
    const lows = async (who: keyof Tokens): Promise<number[]> =>
      (
        await api.call<{ items: Station[] }>(tokens[who], 'GET', `${base}?low=1&page_size=200`)
      ).data.items.map(({ id }) => id);
    const isFound = async (): Promise<boolean> => (await lows('partner')).includes(own);
    expect((await edit('admin', own, { low_balance: available + 1 })).data).toMatchObject({
      low_balance: available + 1,
      low_limit: available + 1,
    });
    expect(await isFound()).toBe(true);
    expect(await lows('station')).not.toContain(own);
    expect((await edit('admin', own, { low_balance: 0 })).data.low_limit).toBe(0);
    expect(await isFound()).toBe(false);
    expect((await edit('admin', own, { low_balance: null })).data).toMatchObject({
      low_balance: null,
      low_limit: 10_000,
    });
    for (const value of [available + 1, available]) {
      const [{ version } = { version: 0 }] = (
        await api.call<{ items: { name: string; version: number }[] }>(
          tokens.super,
          'GET',
          '/api/arco/settings',
        )
      ).data.items.filter(({ name }) => name === 'low_balance');
      await api.call(tokens.super, 'PATCH', '/api/arco/settings/low_balance', { value, version });
      expect((await read(own)).low_limit).toBe(value);
      expect(await isFound()).toBe(value > available);
    }
    for (const low_balance of [-1, mostBalance + 1])
      expect((await edit('admin', own, { low_balance })).status).toBe(422);
    expect((await edit('admin', own, { low_balance: mostBalance })).status).toBe(200);
    expect((await edit('partner', own, { low_balance: 1 })).data.fields).toEqual({
      low_balance: { code: 'field_not_yours' },
    });
    expect((await edit('station', idOf('nanshan'), { low_balance: 1 })).data.fields).toEqual({
      low_balance: { code: 'field_not_yours' },
    });
  });
});
