import { afterAll, beforeAll, expect, it } from 'vitest';
import { provinceCodes } from '@waystation/contract/parcels/provinces.ts';
import type { DraftContent } from '@waystation/contract/money/voucher-content.ts';
import type { PriceList } from '@waystation/contract/money/price-list.ts';
import type { PriceSheet, Voucher } from '@waystation/contract/money/voucher.ts';
import { readTable } from '#domain/workbook/workbook.ts';
import { openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { Answer, TestSystem } from '#testing/test-system.ts';
import { sql } from '#platform/db/db.ts';

let system: TestSystem;
let office: string;
beforeAll(async () => {
  system = await openTestSystem();
  office = await system.login('admin');
});
afterAll(() => system.close());

const served = (name: string, areas: string[], price: number, brackets = 1) => ({
  name,
  areas,
  not_served: 0 as const,
  first: { max_g: 1_000, price },
  brackets: Array.from({ length: brackets }, (_, index) => ({
    up_to_g: 1_000 + (index + 1) * 10_000,
    step_g: 500,
    price: 125 - index,
  })),
  minimum: 0,
});
const beyond = ['710000', '810000', '820000'];
/**
 * Prices for two groups of senders. One zone contains a city and codes that several places share,
 * and its name looks like a spreadsheet formula.
 */
const list: DraftContent = {
  divisor: 8_000,
  origins: [
    {
      provinces: [],
      zones: [
        served(
          '',
          provinceCodes.filter((code) => !beyond.includes(code) && code !== '510000'),
          1_000,
        ),
        served('=1+1', ['510000', '440300', '429000', '500100'], 1_205, 3),
        { name: '港澳台', areas: beyond, not_served: 1 },
      ],
    },
    { provinces: ['440000', '150000'], zones: [{ ...served('近', ['440000'], 0), minimum: 350 }] },
  ],
};

let names = 0;
const create = async (weight: DraftContent = list): Promise<Voucher> => {
  const { status, data } = await system.call<Voucher>(office, 'POST', '/api/arco/vouchers', {
    name: `价格表 ${++names}`,
    provider: 'jdl',
    promise_id: 'ed-m-0001',
    weight,
  });
  expect(status, JSON.stringify(data)).toBe(200);
  return data;
};
const download = async (id: number, query = ''): Promise<Buffer<ArrayBuffer>> => {
  const answer = await fetch(`${system.url}/api/arco/vouchers/${id}/prices.xlsx${query}`, {
    headers: { authorization: `Bearer ${office}` },
  });
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
};
type Failed = { code: string; fields?: Record<string, { code: string; params?: object }> };
const upload = (
  id: number,
  bytes: Uint8Array<ArrayBuffer> | string,
  name = '价格.xlsx',
  language = 'zh',
): Promise<Answer<PriceSheet & Failed>> => {
  const form = new FormData();
  form.set('language', language);
  form.set('file', new File([bytes], name));
  return system.call(office, 'POST', `/api/arco/vouchers/${id}/prices`, form);
};
const tableOf = async (bytes: Buffer): Promise<string[][]> => {
  const rows: string[][] = [];
  for await (const row of readTable('xlsx', bytes)) rows.push([...row]);
  return rows;
};
const csv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\r\n');

it.each(['zh', 'en'])(
  'an unchanged download of a template’s prices uploads without a change, whatever the language (%s)',
  async (language) => {
    const { id, weight } = await create();
    const answer = await upload(
      id,
      await download(id, `?language=${language}`),
      'x.xlsx',
      language,
    );
    expect(answer.data).toEqual({
      weight,
      rows: 34 + 3 + 1,
      cells: 0,
      problems: [],
      problems_total: 0,
    });
  },
);

it('the price sheet of a template without prices lists all provinces, and can be filled in and uploaded as the first prices', async () => {
  const { id } = await create({ divisor: null, origins: [] });
  const [titles, ...rows] = await tableOf(await download(id));
  expect(titles).toEqual([
    '寄件省份',
    '收件省份',
    '收件城市',
    '分区',
    '首重（kg）',
    '首重价（元）',
    '续重 1 上限（kg）',
    '续重 1 单位（kg）',
    '续重 1 单价（元）',
    '最低收费（元）',
  ]);
  expect(rows).toHaveLength(34);
  expect(rows[0]).toEqual(['其余省份', '北京']);
  expect((await upload(id, await download(id))).data.fields).toMatchObject({
    file: { code: 'price_sheet_empty' },
  });
  const filled = rows.map((row) => [...row, '', '一区', '1', '9.5', '30', '1', '2']);
  const { data } = await upload(id, csv([titles!, ...filled]), '价格.csv');
  expect(data).toMatchObject({ rows: 34, problems: [] });
  expect(data.weight!.origins).toEqual([
    {
      provinces: [],
      zones: [
        {
          name: '一区',
          areas: expect.any(Array),
          not_served: 0,
          first: { max_g: 1_000, price: 950 },
          brackets: [{ up_to_g: 30_000, step_g: 1_000, price: 200 }],
          minimum: 0,
        },
      ],
    },
  ]);
  expect(new Set(data.weight!.origins[0]!.zones[0]!.areas)).toEqual(new Set(provinceCodes));
});

it('an edited price in an uploaded price sheet changes only that price, and is saved as an ordinary edit of the draft', async () => {
  const { id, version } = await create();
  const rows = await tableOf(await download(id));
  const at = rows.findIndex((row) => row[1] === '四川');
  rows[at]![5] = '13.00';
  const { data } = await upload(id, csv(rows), '价格.csv');
  expect(data).toMatchObject({ cells: 1, problems_total: 0 });
  const saved = await system.call<Voucher>(office, 'PATCH', `/api/arco/vouchers/${id}`, {
    version,
    weight: data.weight,
  });
  expect(saved.status).toBe(200);
  const [audited] = await rowsOf<{ changes: object }>(
    system,
    sql`select changes from audit_log where subject = 'vouchers'
      and subject_id = ${String(id)} and action = 'edit'`,
  );
  expect(audited!.changes).toEqual({ '510000 first.price': [1_205, 1_300] });
});

it('no cell of a downloaded price sheet is a formula, even if its text looks like one', async () => {
  const { id } = await create();
  const bytes = await download(id);
  expect((await tableOf(bytes)).some((row) => row[3] === '=1+1')).toBe(true);
  const [audited] = await rowsOf<{ action: string; changes: object }>(
    system,
    sql`select action, changes from audit_log where subject = 'vouchers'
      and subject_id = ${String(id)} order by id desc limit 1`,
  );
  expect(audited).toEqual({
    action: 'export',
    changes: { rows: [null, 71], format: [null, 'xlsx'] },
  });
});

it('the price sheet of a published template version contains the published prices even after the draft has changed', async () => {
  const voucher = await create({
    divisor: null,
    origins: [{ provinces: [], zones: [served('', [...provinceCodes], 800)] }],
  });
  await system.call(office, 'POST', `/api/arco/vouchers/${voucher.id}/publish`, {
    version: voucher.version,
  });
  await system.call(office, 'PATCH', `/api/arco/vouchers/${voucher.id}`, {
    version: voucher.version,
    weight: list,
  });
  expect((await tableOf(await download(voucher.id, '?no=1')))[1]!.slice(0, 6)).toEqual([
    '其余省份',
    '北京',
    '',
    '',
    '1',
    '8',
  ]);
});

it('every wrong cell of an uploaded price sheet is returned with its row, column, title, value and the expected value', async () => {
  const { id } = await create();
  const titles = [
    '寄件省份',
    '收件省份',
    '收件城市',
    '分区',
    '首重（kg）',
    '首重价',
    '续重 1 上限',
    '续重1单位（kg）',
    '续重 1 单价',
    '最低收费',
    '备注',
  ];
  const { data } = await upload(
    id,
    csv([
      ['2027 年价格'],
      titles,
      ['', '广冬', '', '', '1', '9'],
      ['', '广东', '杭州', '', '1', '9'],
      ['广东、江酥', '北京', '', '', '1', '9'],
      ['', '北京', '', '', '一公斤', '九元', '', '', '', '-1'],
      ['', '上海', '', '', '1', '9', '0.5', '1', '2'],
      ['', '天津', '', '', '1', '9', '30', '2', '2'],
      ['', '河北', '', '', '', '9'],
      ['', '山西', '', '', '1', '100000.01'],
      ['', '辽宁', '', '很'.repeat(41), '1', '9'],
      ['', '吉林', '', '', '1', '9'],
      ['', '吉林省', '', '', '1', '9'],
    ]),
    '价格.csv',
  );
  expect(data.weight).toBeNull();
  expect(
    data.problems.map(({ line, column, value, reason }) => [line, column, value, reason.code]),
  ).toEqual([
    [2, 'K', '备注', 'price_sheet_title_unknown'],
    [3, 'B', '广冬', 'price_sheet_province'],
    [4, 'C', '杭州', 'price_sheet_city'],
    [5, 'A', '广东、江酥', 'price_sheet_senders'],
    [6, 'E', '一公斤', 'price_sheet_weight'],
    [6, 'F', '九元', 'price_sheet_price'],
    [6, 'J', '-1', 'price_sheet_price_bounds'],
    [7, 'G', '0.5', 'price_sheet_not_ascending'],
    [8, 'H', '2', 'price_sheet_step'],
    [9, 'E', '', 'price_sheet_missing'],
    [10, 'F', '100000.01', 'price_sheet_price_bounds'],
    [11, 'D', '很'.repeat(41), 'price_sheet_name_length'],
    [13, 'B', '吉林省', 'price_sheet_repeated'],
  ]);
  expect(data.problems.at(-1)!.reason.params).toEqual({ line: 12 });
});

it('an uploaded file that is not a valid price sheet is refused with the reason, and with the limit if it is too large', async () => {
  const { id } = await create();
  const codeOf = async (bytes: string, name: string) =>
    (await upload(id, bytes, name)).data.fields?.['file'];
  expect(await codeOf('a,b\n1,2', 'x.csv')).toEqual({
    code: 'price_sheet_titles',
    params: { names: '收件省份、首重（kg）、首重价（元）' },
  });
  expect(await codeOf('收件省份,首重价\n北京,2', 'x.csv')).toEqual({
    code: 'price_sheet_titles',
    params: { names: '首重（kg）' },
  });
  expect(await codeOf('', 'x.csv')).toMatchObject({ code: 'file_empty' });
  expect(await codeOf('PK\u0003\u0004nonsense', 'x.xlsx')).toMatchObject({
    code: 'file_unreadable',
  });
  expect(await codeOf('text', 'x.pdf')).toMatchObject({ code: 'file_type_unknown' });
  expect(await codeOf(`收件省份,首重,首重价\n${'北京,1,9\n'.repeat(20_001)}`, 'x.csv')).toEqual({
    code: 'price_sheet_too_many_rows',
    params: { limit: 20_000 },
  });
  expect((await upload(id, '1'.repeat(2 * 1024 * 1024 + 1), 'x.csv')).data).toMatchObject({
    code: 'price_sheet_too_large',
    params: { limit: 2 },
  });
  const many = provinceCodes.flatMap((one, index) =>
    provinceCodes.slice(index + 1).map((other) => `${one}/${other},北京,1,9`),
  );
  expect(
    await codeOf(`寄件省份,收件省份,首重,首重价\n${many.slice(0, 51).join('\n')}`, 'x.csv'),
  ).toEqual({
    code: 'price_sheet_too_many_senders',
    params: { limit: 50 },
  });
});

it('the check of an uploaded price sheet lists the first 200 wrong cells and counts all of them', async () => {
  const { id } = await create();
  const { data } = await upload(id, `收件省份,首重,首重价\n${'不知,重,贵\n'.repeat(150)}`, 'x.csv');
  expect([data.problems.length, data.problems_total]).toEqual([200, 450]);
});

it('an uploaded price list with another layout is read with the column choices sent with it, and is not stored', async () => {
  const { id, version } = await create();
  const send = (choices?: string) => {
    const form = new FormData();
    if (choices !== undefined) form.set('choices', choices);
    form.set(
      'file',
      new File(
        [
          csv([
            ['续重', '目的地', '首重'],
            ['2', '粤桂', '8'],
          ]),
        ],
        '报价.csv',
      ),
    );
    return system.call<PriceList & Failed>(
      office,
      'POST',
      `/api/arco/vouchers/${id}/price-list`,
      form,
    );
  };
  expect((await send()).data).toMatchObject({
    needs: ['column', 'price'],
    zones: null,
    sheets: [{ used: 1, columns: [{ role: null }, { role: 'province' }, { role: null }] }],
  });
  const choices = {
    sheets: [{ index: 0, used: 1, header_at: 0, roles: ['step_price', 'province', 'first_price'] }],
    first_g: 1_000,
    step_g: 1_000,
    up_to_g: 30_000,
  };
  expect((await send(JSON.stringify(choices))).data).toMatchObject({
    needs: [],
    zones: [
      {
        has_minimum: 0,
        zone: {
          areas: ['440000', '450000'],
          first: { max_g: 1_000, price: 800 },
          brackets: [{ up_to_g: 30_000, step_g: 1_000, price: 200 }],
        },
      },
    ],
  });
  for (const wrong of ['{', '[]', JSON.stringify({ ...choices, first_g: -1 })])
    expect((await send(wrong)).data.fields).toEqual({ choices: { code: 'invalid' } });
  const { data } = await system.call<Voucher>(office, 'GET', `/api/arco/vouchers/${id}`);
  expect(data.version).toBe(version);
  const clerk = await system.login('clerk');
  const form = new FormData();
  form.set('file', new File(['a'], 'x.csv'));
  expect(
    (await system.call(clerk, 'POST', `/api/arco/vouchers/${id}/price-list`, form)).status,
  ).toBe(403);
});
