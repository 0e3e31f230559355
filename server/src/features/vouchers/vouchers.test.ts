import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { provinceCodes } from '@waystation/contract/parcels/provinces.ts';
import type { TemplateContent } from '@waystation/contract/money/voucher-content.ts';
import type {
  ChangedCell,
  Impact,
  Voucher,
  VoucherVersion,
} from '@waystation/contract/money/voucher.ts';
import type { Express } from '@waystation/contract/parcels/express.ts';
import type { Price } from '@waystation/contract/money/price.ts';
import type { Reason } from '@waystation/contract/base/envelope.ts';
import { sql } from '#platform/db/db.ts';
import { eventually, exampleOrder, openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { Answer, TestSystem } from '#testing/test-system.ts';

let system: TestSystem;
let office: string;
beforeAll(async () => {
  system = await openTestSystem();
  office = await system.login('admin');
});
afterAll(() => system.close());

type Failed = {
  code: string;
  params: Record<string, number>;
  fields?: Record<string, { code: string }>;
  current?: { version: number };
};
const ask = <T = Voucher>(method: string, path = '', body?: object): Promise<Answer<T & Failed>> =>
  system.call(office, method, `/api/arco/vouchers${path}`, body);

/** 四川 has its own price; the islands and Tibet are not served. */
const list = (price: number, step = 200): TemplateContent => ({
  divisor: 8_000,
  origins: [
    {
      provinces: [],
      zones: [
        {
          name: '',
          areas: provinceCodes.filter(
            (code) => !['510000', '540000', '710000', '810000', '820000'].includes(code),
          ),
          not_served: 0,
          first: { max_g: 1_000, price: 1_000 },
          brackets: [],
          minimum: 0,
        },
        {
          name: '四川',
          areas: ['510000'],
          not_served: 0,
          first: { max_g: 1_000, price },
          brackets: [{ up_to_g: 30_000, step_g: 1_000, price: step }],
          minimum: 0,
        },
        { name: '', areas: ['540000', '710000', '810000', '820000'], not_served: 1 },
      ],
    },
  ],
});

let names = 0;
const create = async (changes: object = {}): Promise<Voucher> => {
  const { status, data } = await ask('POST', '', {
    name: `模板 ${++names}`,
    provider: 'jdl',
    promise_id: 'ed-m-0001',
    ...changes,
  });
  expect(status, JSON.stringify(data)).toBe(200);
  return data;
};
const tomorrow = (days = 1): string =>
  new Date(Date.now() + 8 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10);

describe('a freight template', () => {
  it('a new freight template is a draft without prices; its name must be unique and its delivery time must be of its carrier', async () => {
    const draft = await create();
    expect(draft).toMatchObject({
      no: null,
      latest_no: null,
      changed: 1,
      zones: 0,
      weight: { divisor: null, origins: [] },
    });
    expect(
      (await ask('POST', '', { name: draft.name, provider: 'jdl', promise_id: 'ed-m-0001' })).data
        .fields,
    ).toMatchObject({ name: { code: 'taken' } });
    expect(
      (await ask('POST', '', { name: 'x', provider: 'jdl', promise_id: 'nowhere' })).data.fields,
    ).toMatchObject({
      promise_id: { code: 'promise_unknown' },
    });
    expect(
      (await ask('POST', '', { name: 'x', provider: 'sf', promise_id: 'ed-m-0001' })).data.fields,
    ).toMatchObject({ promise_id: { code: 'promise_unknown' } });
    expect((await ask('POST', `/${draft.id}/publish`, { version: 1 })).data.code).toBe(
      'voucher_empty',
    );
  });

  it('an edit of a template’s prices is stored in the draft, and an invalid price is refused with the position of its cell', async () => {
    const { id } = await create();
    const edited = await ask('PATCH', `/${id}`, {
      version: 1,
      weight: list(1_200),
      discount: 9_000,
    });
    expect(edited.data).toMatchObject({ zones: 3, discount: 9_000, version: 2 });
    const bad = list(1_200);
    Object.assign(bad.origins[0]!.zones[1]!, {
      brackets: [{ up_to_g: 30_000, step_g: 7_000, price: 1 }],
    });
    expect((await ask('PATCH', `/${id}`, { version: 2, weight: bad })).data.fields).toMatchObject({
      'weight.origins.0.zones.1.brackets.0.step_g': { code: 'step_not_dividing' },
    });
    const late = await ask('PATCH', `/${id}`, { version: 1, name: 'late' });
    expect([late.status, late.data.current]).toEqual([
      409,
      expect.objectContaining({ version: 2 }),
    ]);
  });

  it('publishing a template creates an unchangeable version that is in force from the chosen day', async () => {
    const { id } = await create({ weight: list(1_200) });
    const first = await ask('POST', `/${id}/publish`, { version: 1 });
    expect(first.data).toMatchObject({ no: 1, latest_no: 1, changed: 0 });
    expect((await ask('POST', `/${id}/publish`, { version: 1 })).data).toMatchObject({
      code: 'voucher_unchanged',
      params: { no: 1 },
    });
    await ask('PATCH', `/${id}`, { version: 1, weight: list(1_300) });
    expect(
      (await ask('POST', `/${id}/publish`, { version: 2, valid_from: tomorrow(-1) })).data.fields,
    ).toMatchObject({
      valid_from: { code: 'valid_from_past' },
    });
    const second = await ask('POST', `/${id}/publish`, { version: 2, valid_from: tomorrow(2) });
    expect(second.data).toMatchObject({ no: 1, next_no: 2, latest_no: 2, changed: 0 });
    expect(second.data.next_from).toBe(`${tomorrow(1)}T16:00:00.000Z`);
    const { data: versions } = await ask<{ items: VoucherVersion[] }>('GET', `/${id}/versions`);
    expect(
      versions.items.map(({ no, published_by, valid_until }) => ({
        no,
        published_by,
        valid_until,
      })),
    ).toEqual([
      { no: 2, published_by: 'admin', valid_until: null },
      { no: 1, published_by: 'admin', valid_until: second.data.next_from },
    ]);
    expect(
      (await ask<{ weight: TemplateContent }>('GET', `/${id}/versions/1`)).data.weight,
    ).toEqual(list(1_200));
    expect((await ask('GET', `/${id}/versions/3`)).status).toBe(404);
    const { data: compared } = await ask<{ cells: ChangedCell[] }>(
      'GET',
      `/${id}/compare?from=1&to=0`,
    );
    expect(compared.cells).toEqual([
      { senders: [], area: '510000', field: 'first.price', before: 1_200, after: 1_300 },
    ]);
  });

  it('a template cannot be published while one of its checks fails', async () => {
    const content = list(1_200);
    content.origins[0]!.zones.pop();
    const { id } = await create({ weight: content });
    expect((await ask('POST', `/${id}/publish`, { version: 1 })).data).toMatchObject({
      code: 'voucher_not_ready',
      params: { count: 1 },
    });
    const { data } = await ask<{ findings: { code: string; severity: string }[] }>(
      'POST',
      `/${id}/check`,
      {},
    );
    expect(data.findings[0]).toMatchObject({ code: 'region_uncovered', severity: 'error' });
  });

  it('a template’s delivery time cannot change after the first publication, but a copy of the template can have another delivery time', async () => {
    const { id } = await create({ weight: list(1_200) });
    const other = (
      await rowsOf(
        system,
        sql<{ promise_id: string }>`select promise_id
      from promises where promise_id <> 'ed-m-0001' limit 1`,
      )
    )[0]!.promise_id;
    expect((await ask('PATCH', `/${id}`, { version: 1, promise_id: other })).data.promise_id).toBe(
      other,
    );
    await ask('POST', `/${id}/publish`, { version: 2 });
    expect(
      (await ask('PATCH', `/${id}`, { version: 2, promise_id: 'ed-m-0001' })).data.fields,
    ).toMatchObject({
      promise_id: { code: 'voucher_promise_fixed' },
    });
    const copied = await ask('POST', `/${id}/copy`, {
      name: `副本 ${id}`,
      promise_id: 'ed-m-0001',
    });
    expect(copied.data).toMatchObject({
      promise_id: 'ed-m-0001',
      latest_no: null,
      weight: list(1_200),
    });
  });

  it('a template is not disabled while a freight scheme of a station offers it, and the response shows where the template is used', async () => {
    const [used] = await rowsOf(
      system,
      sql<{ id: number }>`select id from vouchers
      where promise_id = 'ed-m-0001' order by id limit 1`,
    );
    expect((await ask('POST', `/${used!.id}/status`, { status: 0 })).data).toMatchObject({
      code: 'voucher_in_use',
      params: { count: 1 },
    });
    const { data } = await ask<{ items: { what: string; count: number }[] }>(
      'GET',
      `/${used!.id}/usage`,
    );
    expect(data.items.map(({ what }) => what)).toEqual(['projects', 'stations']);
    const free = await create();
    expect((await ask('POST', `/${free.id}/status`, { status: 0 })).data.status).toBe(0);
  });
});

type Quoted = { price: Price | null; reason: Reason | null };

describe('the price calculator', () => {
  it('the price calculator explains a template’s price for a version, for the stored draft, and for an unsaved draft', async () => {
    const { id } = await create({ weight: list(1_200) });
    await ask('POST', `/${id}/publish`, { version: 1 });
    await ask('PATCH', `/${id}`, { version: 1, weight: list(1_500) });
    const from = { sender_code: '440305', receive_code: '510100', weight: 2_500 };
    const quoted = async (more: object): Promise<Quoted> =>
      (await ask<Quoted>('POST', `/${id}/quote`, { ...from, ...more })).data;
    expect((await quoted({ no: 1 })).price).toMatchObject({
      post_amount: 1_600,
      cal_weight: 3_000,
    });
    const draft = (await quoted({})).price!;
    expect(draft.lines.map(({ rule, result }) => [rule, result])).toEqual([
      ['first', 1_500],
      ['step', 400],
    ]);
    expect(draft.lines[0]).toMatchObject({ input: { voucher_version: 2 } });
    const unsaved = { draft: { discount: 8_000, northeast_discount: null, weight: list(2_000) } };
    expect((await quoted(unsaved)).price).toMatchObject({
      pre_amount: 2_400,
      discount_amount: 480,
      post_amount: 1_920,
    });
    expect(await quoted({ receive_code: '540100' })).toMatchObject({
      price: null,
      reason: { code: 'not_served' },
    });
    expect(
      (
        await quoted({
          draft: {
            discount: null,
            northeast_discount: null,
            weight: { divisor: null, origins: [] },
          },
        })
      ).reason,
    ).toMatchObject({
      code: 'no_origin',
    });
    expect(
      (await quoted({ ...unsaved, station_id: system.station('nanshan').id })).price!.lines.at(-1),
    ).toMatchObject({ input: { source: 'station' } });
  });
});

describe('the impact estimate of a draft template', () => {
  let voucher: Voucher;
  beforeAll(async () => {
    await system.topUp('nanshan', 100_000_000);
    const clerk = await system.login('clerk');
    for (const [key, receive_province, receive_city, receive_county] of [
      ['a', '四川省', '成都市', '锦江区'],
      ['b', '四川省', '成都市', '锦江区'],
      ['c', '四川省', '成都市', '锦江区'],
      ['d', '西藏自治区', '拉萨市', '城关区'],
    ]) {
      const order = exampleOrder({ receive_province, receive_city, receive_county });
      const { data } = await system.call<Express>(
        { token: clerk, headers: { 'idempotency-key': `impact-parcel-${key}` } },
        'POST',
        '/api/arco/expresses',
        order,
      );
      expect(data.state_code).toBe(100);
    }
    const [row] = await rowsOf(
      system,
      sql<{ id: number }>`select voucher_id as id
      from expresses where promise_id = 'ed-m-0001' limit 1`,
    );
    voucher = (await ask('GET', `/${row!.id}`)).data;
    voucher = (
      await ask('PATCH', `/${row!.id}`, {
        version: voucher.version,
        weight: list(1_200),
        discount: null,
        northeast_discount: null,
      })
    ).data;
  });

  it('the impact estimate of a draft template sums last month’s parcels per station and province, and lists parcels without a price', async () => {
    const [paid] = await rowsOf(
      system,
      sql<{ old: number }>`select sum(post_amount)::bigint as old from expresses
        where voucher_id = ${voucher.id} and receive_province = '四川省'`,
    );
    const answer = await ask<Impact>('POST', `/${voucher.id}/impact`, {});
    expect(answer.data).toMatchObject({ total: 4, asked_by: 'admin' });
    const impact = await eventually(async () => {
      const { data } = await ask<{ impact: Impact }>('GET', `/${voucher.id}/impact`);
      return data.impact.status === 'done' && data.impact;
    });
    // 4.3 kg are billed as 5 kg: 12.00 + 4 × 2.00 yuan, with the station's own discount, which the
    // draft does not change.
    const [{ discount }] = (await rowsOf(
      system,
      sql<{ discount: number }>`select discount
      from stations where id = ${system.station('nanshan').id}`,
    )) as [{ discount: number }];
    const each = Math.round((2_000 * discount) / 10_000);
    expect(impact).toMatchObject({
      is_current: 1,
      done: 4,
      parcels: 3,
      old_amount: paid!.old,
      new_amount: 3 * each,
      unpriced: 1,
    });
    expect(impact.stations).toEqual([
      {
        station_id: system.station('nanshan').id,
        name: expect.any(String),
        parcels: 3,
        old_amount: paid!.old,
        new_amount: 3 * each,
        unpriced: 1,
      },
    ]);
    expect(impact.provinces.map(({ province, unpriced }) => [province, unpriced])).toEqual([
      ['510000', 0],
      ['540000', 1],
    ]);
    await rowsOf(
      system,
      sql`update vouchers set northeast_discount = 9999
      where id = ${voucher.id}`,
    );
    expect(
      (await ask<{ impact: Impact }>('GET', `/${voucher.id}/impact`)).data.impact.is_current,
    ).toBe(0);
    await rowsOf(
      system,
      sql`update vouchers v set northeast_discount = i.northeast_discount
        from voucher_impacts i where i.voucher_id = v.id and v.id = ${voucher.id}`,
    );
    const none = await ask<Impact>('POST', `/${voucher.id}/impact`, {
      station_id: system.station('pudong').id,
    });
    expect(none.data).toMatchObject({ total: 0, station_id: system.station('pudong').id });
  });

  it('the check and the impact estimate of a draft template list the prices that are below the carrier’s cost', async () => {
    await rowsOf(
      system,
      sql`update expresses set jd_amount = 5000
      where voucher_id = ${voucher.id}`,
    );
    const { data } = await ask<{ findings: { code: string; params: object; path: string }[] }>(
      'POST',
      `/${voucher.id}/check`,
      {},
    );
    expect(data.findings.filter(({ code }) => code === 'below_cost')).toEqual([
      expect.objectContaining({
        path: 'origins.0.zones.1',
        params: expect.objectContaining({ region: '510000', parcels: 3, cost_amount: 15_000 }),
      }),
    ]);
  });
});
