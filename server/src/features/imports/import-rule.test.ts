import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import type { FailureData } from '@waystation/contract/base/envelope.ts';
import type { Import, ImportRow } from '@waystation/contract/imports/import.ts';
import type { Station } from '@waystation/contract/network/station.ts';
import type { priceExpress, quoteExpress } from '@waystation/contract/parcels/express-calls.ts';
import { errorText } from '@waystation/contract/base/errors.ts';
import { leastLaneParcels } from '@waystation/contract/base/limits.ts';
import { orderEveryMs } from '#domain/imports/slots.ts';
import { sql } from '#platform/db/db.ts';
import { parcelClient } from '#testing/parcel-client.ts';
import { offerSf } from '#testing/sf-offer.ts';
import { eventually, openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';

let system: TestSystem;
let office: string;
let clerk: string;
let station: number;

const ask = <T>(method: string, path: string, body?: object, token = office) =>
  system.call<T>(
    { token, headers: { 'idempotency-key': `rule-key-${++keys}` } },
    method,
    `/api/arco/${path}`,
    body,
  );
let keys = 0;
const down = (provider: 'sf' | 'jdl', isDown: boolean) =>
  rowsOf(
    system,
    sql`update merchants set down_since = case when ${isDown} then now() end
      where provider = ${provider}`,
  );
const setRule = async (rule: object, token = office) => {
  const { data } = await ask<Station>('GET', `stations/${station}`);
  return ask<Station & FailureData>(
    'PATCH',
    `stations/${station}`,
    { version: data.version, ...rule },
    token,
  );
};

beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 10_000_000);
  office = await system.login('admin');
  clerk = await system.login('clerk');
  await offerSf(system, office);
  const [own] = await rowsOf(
    system,
    sql<{ id: number }>`select station_id as id from accounts where username = 'clerk'`,
  );
  station = own!.id;
});
beforeEach(async () => {
  await down('sf', false);
  expect(
    (
      await setRule({
        allow_select: 1,
        offer_rule: 'cheapest',
        offer_carriers: {},
        offer_fallback: 0,
      })
    ).status,
  ).toBe(200);
});
afterAll(() => system.close());

const titles = ['收件人', '手机', '省', '市', '区', '详细地址', '物品', '重量(kg)', '时效'];
const places = { sf: ['上海市', '上海市', '浦东新区'], jdl: ['北京市', '北京市', '朝阳区'] };
let files = 0;
const line = (to: keyof typeof places, product = '') => [
  '示例收件人',
  `139${20_000_000 + ++files}`,
  ...places[to],
  `示例路 ${files} 号`,
  '文件',
  '4.3',
  product,
];
const read = async (id: number): Promise<Import> =>
  (await ask<Import>('GET', `imports/${id}`, undefined, clerk)).data;
const until = async (id: number, is: (found: Import) => boolean): Promise<Import> => {
  let found = await read(id);
  await eventually(async () => {
    found = await read(id);
    return is(found);
  });
  return found;
};
const rowsIn = async (id: number): Promise<ImportRow[]> =>
  (await ask<{ items: ImportRow[] }>('GET', `imports/${id}/rows?nos=1,2,3`, undefined, clerk)).data
    .items;
const price = async ({ id, version }: Import): Promise<Import> => {
  await ask('POST', `imports/${id}/quote`, { version }, clerk);
  return until(id, ({ quote }) => quote !== null);
};
/** Uploads a file with these lines, and returns the import with its prices. */
const priced = async (...lines: string[][]): Promise<Import> => {
  const form = new FormData();
  const text = [titles, ...lines].map((cells) => cells.join(',')).join('\n');
  form.append('file', new File([text], `规则 ${++files}.csv`));
  const answer = await fetch(`${system.url}/api/arco/imports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${clerk}`, 'idempotency-key': `rule-file-${files}` },
    body: form,
  });
  const { data } = (await answer.json()) as { data: Import };
  return price(await until(data.id, ({ status }) => status === 'ready' || status === 'failed'));
};
const ordered = async ({ id, version, quote }: Import): Promise<ImportRow[]> => {
  const expected_amount = quote!.post_amount;
  const body = { version, expected_amount, rows: 'all' };
  expect(await ask('POST', `imports/${id}/confirm`, body, clerk)).toMatchObject({ status: 200 });
  await until(id, ({ status }) => status === 'done');
  return rowsIn(id);
};
const providersOf = async (rows: readonly ImportRow[]): Promise<string[]> =>
  (
    await rowsOf(
      system,
      sql<{ provider: string }>`select provider from expresses
        where id = any(${rows.map(({ express_id }) => express_id)}::bigint[]) order by id`,
    )
  ).map(({ provider }) => provider);
/**
 * The times until which carrier calls are reserved, in milliseconds, added up over all carrier
 * accounts.
 */
const slotsTaken = async (): Promise<number> =>
  (
    await rowsOf(
      system,
      sql<{ taken: number }>`select coalesce(sum(extract(epoch from until) * 1000), 0)::float8
        as taken from carrier_slots`,
    )
  )[0]!.taken;
/** The rule's reason for the choice of a parcel's product, as the details of the parcel show it. */
const choiceOf = async (id: number) =>
  (await ask<OutputOf<typeof priceExpress>>('GET', `expresses/${id}/price`, undefined, clerk)).data
    .pricings[0]!.choice;
const quoted = async () =>
  (
    await ask<OutputOf<typeof quoteExpress>>(
      'POST',
      'expresses/quote',
      {
        sender_province: '广东省',
        sender_city: '深圳市',
        sender_county: '南山区',
        receive_province: '上海市',
        receive_city: '上海市',
        receive_county: '浦东新区',
        weight: 4_300,
      },
      clerk,
    )
  ).data;
const proposed = async () => {
  const { quotes, choice } = await quoted();
  const [offer, ...others] = quotes.filter((one) => one.proposed === 1);
  expect(others).toEqual([]);
  return { offer: offer!, choice };
};

describe('a station’s rule that chooses the product of an import row', () => {
  it('an import row without a product is ordered with the preferred carrier of its province, and stores the reason', async () => {
    await setRule({ offer_rule: 'preferred', offer_carriers: { default: 'jdl', 310000: 'sf' } });
    const found = await priced(line('sf'), line('jdl'), line('sf', '京东标快'));
    const rows = await rowsIn(found.id);
    expect(rows.map(({ choice }) => choice)).toMatchObject(
      [
        {
          rule: 'preferred',
          because: 'preferred',
          provider: 'sf',
          promise_name: '顺丰标快',
          other: { provider: 'jdl' },
          skipped: null,
        },
        { because: 'preferred', provider: 'jdl', other: { provider: 'sf' } },
      ].concat(null as never),
    );
    const { offer, choice } = await proposed();
    expect([offer.provider, offer.post_amount]).toEqual(['sf', rows[0]!.post_amount]);
    expect(choice).toEqual(rows[0]!.choice);
    const done = await ordered(found);
    expect(await providersOf(done)).toEqual(['sf', 'jdl', 'jdl']);
    // Each parcel keeps the reason of its row. A parcel whose product was given in the sheet has no
    // reason.
    expect(await Promise.all(done.map(({ express_id }) => choiceOf(express_id!)))).toEqual([
      rows[0]!.choice,
      rows[1]!.choice,
      undefined,
    ]);
    // The rule is changed after the import.
    await setRule({ offer_rule: 'cheapest' });
    expect((await rowsIn(found.id)).map((row) => row.choice)).toEqual(
      rows.map((row) => row.choice),
    );
  });

  it('the cheapest product is proposed by default, with the number of offers and the extra price of the other carrier', async () => {
    const { quotes } = await quoted();
    const amounts = (of: (provider: string) => boolean) =>
      Math.min(...quotes.filter(({ provider }) => of(provider)).map((one) => one.post_amount!));
    const { offer, choice } = await proposed();
    expect(offer.cheapest).toBe(1);
    expect(choice).toMatchObject({
      rule: 'cheapest',
      because: 'cheapest',
      offers: quotes.length,
      other: { more_amount: amounts((one) => one !== offer.provider) - offer.post_amount! },
    });
    const [row] = await rowsIn((await priced(line('sf'))).id);
    expect(row!.choice).toEqual(choice);
  });

  it.each([
    [1, 'jdl', 'sf'],
    [0, 'sf', null],
  ] as const)(
    'while the preferred carrier accepts no calls, another carrier’s product is chosen only if the station wants that (offer_fallback %d)',
    async (offer_fallback, provider, skipped) => {
      await setRule({
        offer_rule: 'preferred',
        offer_carriers: { default: 'sf' },
        offer_fallback,
      });
      await down('sf', true);
      const [row] = await rowsIn((await priced(line('sf'))).id);
      expect(row!.choice).toMatchObject({ provider, skipped });
      expect((await proposed()).offer.provider).toBe(provider);
    },
  );

  it('an import row is not ordered, and can be priced again, if the rule now chooses another product than when the row was priced', async () => {
    await setRule({
      offer_rule: 'preferred',
      offer_carriers: { default: 'sf' },
      offer_fallback: 1,
    });
    const found = await priced(line('sf'));
    await down('sf', true);
    const taken = await slotsTaken();
    const [refused] = await ordered(found);
    expect(refused).toMatchObject({
      mark: 'refused',
      express_id: null,
      reason: {
        code: 'import_choice_changed',
        params: { was_provider: 'sf', was: '顺丰标快', provider: 'jdl' },
      },
    });
    const { code, params } = refused!.reason!;
    expect(errorText(code, { ...params, was_en: 'Standard', now_en: 'Economy' }, 'en')).toBe(
      'The station’s rule chose SF Express Standard and now chooses JD Logistics Economy; not ordered; include the row again and price it',
    );
    // An order that was never sent delays neither carrier's account.
    expect(await slotsTaken()).toBe(taken);
    const { data } = await ask<{ changed: number }>(
      'POST',
      `imports/${found.id}/edits`,
      { version: (await read(found.id)).version, action: 'include', marks: ['refused'] },
      clerk,
    );
    expect(data.changed).toBe(1);
    const again = await price(await until(found.id, ({ status }) => status !== 'checking'));
    const rows = await ordered(again);
    expect(rows).toMatchObject([{ mark: 'ordered', choice: { provider: 'jdl', skipped: 'sf' } }]);
    expect(await providersOf(rows)).toEqual(['jdl']);
  });

  it('the quote of an import shows how many rows each product has, with the rule’s reason if the rule chose it, not the import file', async () => {
    await setRule({
      offer_rule: 'preferred',
      offer_carriers: { default: 'sf' },
      offer_fallback: 1,
    });
    const named = await priced(
      line('sf'),
      line('sf'),
      line('sf', '顺丰标快'),
      line('jdl', '京东标快'),
    );
    expect(named.quote!.promises).toMatchObject([
      {
        provider: 'sf',
        promise_name: '顺丰标快',
        rows: 3,
        why: [
          { because: 'preferred', skipped: null, rows: 2 },
          { because: null, skipped: null, rows: 1 },
        ],
      },
      { provider: 'jdl', rows: 1, why: [{ because: null, skipped: null, rows: 1 }] },
    ]);
    await down('sf', true);
    const [product, ...others] = (await priced(line('sf'), line('jdl'))).quote!.promises;
    expect(others).toEqual([]);
    expect(product).toMatchObject({ provider: 'jdl', rows: 2, why: [{ skipped: 'sf', rows: 2 }] });
  });

  it('an import row refused for a changed price uses no call slot of its carrier account, and the next order uses that slot', async () => {
    const found = await priced(line('sf'), line('jdl'), line('sf'));
    await rowsOf(
      system,
      sql`update import_prices set post_amount = post_amount + case no when 1 then 100 else -100 end
        where import_id = ${found.id} and no in (1, 2)`,
    );
    // Reserves each account's calls for the next hour, beyond the end of this test, so that the
    // slots taken can be counted exactly.
    await rowsOf(
      system,
      sql`insert into carrier_slots (merchant_id, until)
        select id, now() + interval '1 hour' from merchants
        on conflict (merchant_id) do update set until = excluded.until`,
    );
    const before = await slotsTaken();
    const body = { version: found.version, expected_amount: found.quote!.post_amount, rows: 'all' };
    await ask('POST', `imports/${found.id}/confirm`, body, clerk);
    await until(found.id, ({ counts }) => counts.waiting === 0 && counts.ordered > 0);
    expect((await rowsIn(found.id)).map(({ mark }) => mark)).toEqual([
      'refused',
      'refused',
      'ordered',
    ]);
    expect(Math.round((await slotsTaken()) - before)).toBe(orderEveryMs);
    await rowsOf(system, sql`update carrier_slots set until = now()`);
    await ask('POST', `imports/${found.id}/cancel`, {}, clerk);
  });

  it('the rule “fastest” chooses the product with the least average time on the lane, or the cheapest if fewer than two times are known', async () => {
    await setRule({ offer_rule: 'fastest' });
    expect((await proposed()).choice).toMatchObject({ because: 'no_times', average_hours: null });
    const { quotes } = await quoted();
    for (const [at, { provider, promise_id }] of quotes.entries())
      await rowsOf(
        system,
        sql`insert into express_lanes (station_id, lane, day, signed, minutes, due, on_time)
          select ${station}::bigint, express_lane_key(${provider}, ${promise_id}, '深圳市', '上海市'),
            business_day(now()), ${leastLaneParcels}::int,
            ${leastLaneParcels * (provider === 'sf' ? 20 : 40 + at) * 60}::int, 0, 0`,
      );
    const { offer, choice } = await proposed();
    expect(offer.provider).toBe('sf');
    expect(choice).toMatchObject({ because: 'fastest', provider: 'sf', average_hours: 20 });
    const [row] = await rowsIn((await priced(line('sf'))).id);
    expect(row!.choice).toEqual(choice);
  });

  it('a parcel ordered with the product that a rule proposed stores the rule’s reason, unless the rule now chooses another product', async () => {
    await setRule({ offer_rule: 'preferred', offer_carriers: { default: 'sf' } });
    const { offer, choice } = await proposed();
    const client = await parcelClient(system);
    const order = async (changes: object) => choiceOf((await client.order({ ...changes })).data.id);
    expect(await order({ promise_id: offer.promise_id, by_rule: 1 })).toMatchObject({
      because: 'preferred',
      provider: choice!.provider,
    });
    expect(await order({ promise_id: offer.promise_id })).toBeUndefined();
    expect(await order({ promise_id: 'ed-m-0001', by_rule: 1 })).toBeUndefined();
  });

  it('a station that may not choose a product always gets the cheapest product, whatever its rule is', async () => {
    await setRule({ allow_select: 0, offer_rule: 'preferred', offer_carriers: { default: 'sf' } });
    const { offer, choice } = await proposed();
    expect([offer.cheapest, choice!.rule, choice!.because]).toEqual([1, 'cheapest', 'cheapest']);
  });

  it('administrators set a station’s product rule; the station’s manager cannot, and unknown provinces and carriers are refused', async () => {
    const rule = { offer_rule: 'preferred', offer_carriers: { 440000: 'sf' } };
    const { data } = await setRule(rule);
    expect(data).toMatchObject(rule);
    const [entry] = await rowsOf(
      system,
      sql<{ changes: object }>`select changes from audit_log where subject = 'stations'
        and subject_id = ${String(station)} order by id desc limit 1`,
    );
    expect(entry!.changes).toMatchObject({
      offer_rule: ['cheapest', 'preferred'],
      offer_carriers: [{}, { 440000: 'sf' }],
    });
    expect((await setRule(rule, await system.login('station'))).data.fields).toMatchObject({
      offer_rule: { code: 'field_not_yours' },
      offer_carriers: { code: 'field_not_yours' },
    });
    for (const offer_carriers of [{ 440300: 'sf' }, { default: 'none' }, { nowhere: 'sf' }])
      expect((await setRule({ offer_carriers })).status).toBe(422);
    const stale = await ask('PATCH', `stations/${station}`, { version: 1, offer_rule: 'fastest' });
    expect(stale.status).toBe(409);
  });
});
