import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Station } from '@waystation/contract/network/station.ts';
import { openTestSystem } from '#testing/test-system.ts';
import type { Answer, TestSystem } from '#testing/test-system.ts';

interface Problem {
  code: string;
  fields?: Record<string, { code: string; params?: Record<string, string | number> }>;
  current?: Station;
}

const base = '/api/arco/stations';
let system: TestSystem;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  system = await openTestSystem();
  for (const name of ['super', 'admin', 'partner', 'station', 'clerk'])
    tokens[name] = await system.login(name);
});
afterAll(() => system.close());

const idOf = (key: string): number => system.station(key).id;
const ask = <T = Station>(
  who: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer<T>> => system.call<T>(tokens[who]!, method, path, body);
const read = async (id: number): Promise<Station> =>
  (await ask('super', 'GET', `${base}/${id}`)).data;

let made = 0;
/** Creates a station for the test as a super admin. */
const add = async (
  parent_id: number | null,
  terms: Record<string, unknown> = {},
): Promise<Station> => {
  const { status, data } = await ask('super', 'POST', base, {
    name: `测试站 ${++made}`,
    parent_id,
    ...terms,
  });
  expect(status, JSON.stringify(data)).toBe(200);
  return data;
};
const edit = async (
  who: string,
  id: number,
  changes: Record<string, unknown>,
): Promise<Answer<Station>> =>
  ask(who, 'PATCH', `${base}/${id}`, { version: (await read(id)).version, ...changes });
const problems = async (answer: Promise<Answer<unknown>>): Promise<Record<string, string>> => {
  const { data } = await answer;
  return Object.fromEntries(
    Object.entries((data as Problem).fields ?? {}).map(([field, { code }]) => [field, code]),
  );
};
const move = async (who: string, id: number, parent_id: number | null): Promise<Answer<Station>> =>
  ask(who, 'POST', `${base}/${id}/move`, { parent_id, version: (await read(id)).version });

describe('the discount of a station', () => {
  it('a discount better than the parent station’s or worse than a child’s is refused, unless a super admin sets it', async () => {
    const top = await add(null, { discount: 8_000 });
    const child = await add(top.id, { discount: 8_500 });
    expect(await problems(edit('admin', child.id, { discount: 7_900 }))).toEqual({
      discount: 'discount_better_than_parent',
    });
    expect(await problems(edit('admin', top.id, { discount: 8_600 }))).toEqual({
      discount: 'discount_worse_than_child',
    });
    expect((await edit('super', child.id, { discount: 7_900 })).status).toBe(200);
    // A value that only a super admin could set does not prevent changes of other fields.
    expect(
      (await edit('admin', child.id, { northeast_discount: 9_000, address: 'x' })).status,
    ).toBe(200);
    expect((await edit('admin', child.id, { discount: null })).status).toBe(200);
    expect(
      await problems(move('admin', (await add(null, { discount: 7_000 })).id, top.id)),
    ).toEqual({ parent_id: 'discount_better_than_parent' });
  });

  it('a partner cannot set a discount that is better than its own under any template of the scheme', async () => {
    const child = await add(idOf('south'), { project_id: (await read(idOf('south'))).project_id });
    expect(
      await problems(edit('partner', child.id, { discount: 7_400, northeast_discount: 7_900 })),
    ).toEqual({
      discount: 'discount_better_than_parent',
      northeast_discount: 'discount_better_than_parent',
    });
    const below = await add(child.id);
    expect(await problems(edit('partner', below.id, { discount: 7_400 }))).toEqual({
      discount: 'discount_better_than_own',
    });
    expect(
      (await edit('partner', below.id, { discount: 7_500, northeast_discount: 8_000 })).status,
    ).toBe(200);
  });
});

describe('the profit rates of a chain of stations', () => {
  it('a station’s profit rate is refused if the rates of the station, its ancestors and its descendants would exceed 100 % in one chain', async () => {
    const top = await add(null);
    const mid = await add(top.id, { profit: 6_000, enable_profit: 1 });
    const leaf = await add(mid.id, { profit: 4_000, enable_profit: 1 });
    expect(await problems(edit('admin', leaf.id, { profit: 4_001 }))).toEqual({
      profit: 'share_rates_too_high',
    });
    expect(await problems(edit('admin', mid.id, { profit: 6_001 }))).toEqual({
      profit: 'share_rates_too_high',
    });
    expect((await edit('admin', mid.id, { profit: 10_000, enable_profit: 0 })).status).toBe(200);
    expect(await problems(edit('admin', mid.id, { enable_profit: 1 }))).toEqual({
      profit: 'share_rates_too_high',
    });
    await move('super', idOf('south'), leaf.id);
    const child = await add(idOf('south'));
    await edit('super', idOf('south'), { profit_limit: 10_000 });
    expect(await problems(edit('partner', child.id, { profit: 6_001, enable_profit: 1 }))).toEqual({
      profit: 'share_rates_too_high',
    });
    expect((await edit('partner', child.id, { profit: 6_000, enable_profit: 1 })).status).toBe(200);
    await edit('super', idOf('south'), { profit_limit: 500 });
    await move('super', idOf('south'), null);
  });
});

describe('the price preview of a station', () => {
  it('the price preview of a station uses its stored terms, or unsaved terms sent with the request', async () => {
    const quote = (who: string, id: number, body: object = {}) =>
      ask<{
        quotes: { post_amount: number; cheapest: number }[];
        weight: number;
        receive_province: string;
      }>(who, 'POST', `${base}/${id}/price-preview`, body);
    const { data } = await quote('station', idOf('nanshan'));
    const shown = await ask<{ quotes: { post_amount: number }[] }>(
      'station',
      'POST',
      '/api/arco/expresses/quote',
      {
        sender_province: '广东省',
        sender_city: '深圳市',
        receive_province: '广东省',
        receive_city: '广州市',
        weight: 1_000,
      },
    );
    expect(data).toMatchObject({ weight: 1_000, receive_province: '广东省' });
    // A preview with the station's stored terms marks no price as proposed.
    expect(data.quotes).toEqual(shown.data.quotes.map((one) => ({ ...one, proposed: 0 })));
    const trial = await quote('partner', idOf('nanshan'), {
      discount: 10_000,
      weight: 2_000,
      receive_province: '上海市',
    });
    expect(trial.data.quotes[0]!.post_amount).toBeGreaterThan(data.quotes[0]!.post_amount);
    expect(await problems(quote('partner', idOf('nanshan'), { project_id: null }))).toEqual({
      project_id: 'field_not_yours',
    });
    expect((await quote('super', idOf('nanshan'), { project_id: null })).data.quotes).toEqual([]);
  });
});
