import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Import, ImportRow } from '@waystation/contract/imports/import.ts';
import { openImports } from '#testing/import-sheets.ts';
import type { TestImports } from '#testing/import-sheets.ts';
import { openTestSystem } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';

let system: TestSystem;
let imports: TestImports;
beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 10_000_000);
  imports = await openImports(system);
});
afterAll(() => system.close());

const uploaded = async (file: string): Promise<Import> => {
  const bytes = readFileSync(
    new URL(`../../testing/public-reports/sheets/${file}`, import.meta.url),
  );
  return imports.settled((await imports.upload(new File([new Uint8Array(bytes)], file))).id);
};
const cancelled = async ({ id }: Import): Promise<void> => {
  await imports.call('POST', `/${id}/cancel`, { version: (await imports.get(id)).version });
};
/** Returns the problems of a row that were not repaired. */
const saysOf = ({ problems }: ImportRow): string[] =>
  problems
    .filter(({ level }) => level !== 'repaired')
    .map(({ field, reason }) => `${field ?? 'row'} ${reason.code}`);
const read = async (file: string) => {
  const found = await uploaded(file);
  const rows = await imports.rows(found.id);
  await cancelled(found);
  return {
    ...found,
    rows,
    recipients: rows.map(
      ({ values }) =>
        `${values.receive_name ?? ''} ${values.receive_phone ?? ''} ${values.receive_address ?? ''}`,
    ),
    says: rows.map(saysOf),
  };
};
const none = (rows: number): string[][] => Array.from({ length: rows }, () => []);
const sent = {
  sender_name: '仓库甲',
  sender_phone: '13900000099',
  sender_city: '上海市',
  sender_address: '世纪大道1号',
};

describe('imports of sheets from public reports', () => {
  it.each([
    [
      'bracket-roles.xlsx',
      [
        '王小明 13800011000 科技园路1号',
        '李华 13800011001 科技园路2号',
        '赵敏 13800011002 科技园路3号',
      ],
    ],
    [
      'contact-titles.xlsx',
      [
        '王小明 13800011000 科技园路1号',
        '李华 13800011001 科技园路2号',
        '赵敏 13800011002 科技园路3号',
      ],
    ],
    [
      'dup-titles.xlsx',
      [
        '王小明 13800011000 科技园路1号',
        '李华 13800011001 科技园路2号',
        '赵敏 13800011002 科技园路3号',
      ],
    ],
    ['two-row-titles.xlsx', ['王小明 13800015011 科技园路1号', '李华 13800015012 科技园路2号']],
    ['roles-sender-first.xlsx', ['王小明 13800019001 科技园路1号', '李华 13800019002 科技园路2号']],
    [
      'roles-recipient-first.xlsx',
      ['王小明 13800019001 科技园路1号', '李华 13800019002 科技园路2号'],
    ],
  ])(
    'an import of the reported sheet %s has its recipients and its senders',
    async (file, recipients) => {
      const found = await read(file);
      expect(found).toMatchObject({ status: 'ready', recipients, says: none(recipients.length) });
      for (const { values } of found.rows) expect(values).toMatchObject(sent);
    },
  );

  it.each([
    ['hidden-lists.xlsx', ['王小明 13800015011 科技园路1号', '李华 13800015012 科技园路2号']],
    ['breaks.csv', ['王小明 13800014004 科技园路1号 A栋']],
    ['semicolon.csv', ['王小明 13800014001 科技园路1号 A栋', '李华 13800014002 科技园路2号']],
    ['tab.xls', ['王小明 13800014003 科技园路1号']],
    [
      'text-in-one.xlsx',
      [
        '王小明 13800015031 科技园路1号',
        '李华 13800015032 科技园路2号',
        '赵敏 13800015033-1234 科技园路3号',
      ],
    ],
  ])('an import of the reported sheet %s is read without a question', async (file, recipients) => {
    expect(await read(file)).toMatchObject({
      status: 'ready',
      recipients,
      says: none(recipients.length),
    });
  });

  it('a weight with a decimal comma in an import is read in kilograms', async () => {
    expect((await read('semicolon.csv')).rows.map(({ values }) => values.weight)).toEqual([
      '1.5',
      '2',
    ]);
  });

  it('a row of totals is excluded from an import whose titles are in the fourth row', async () => {
    const { header_at, rows, says } = await read('titles-row4.xlsx');
    expect([header_at, rows.map(({ line, mark }) => [line, mark]), says.slice(0, 2)]).toEqual([
      2,
      [
        [5, 'ok'],
        [6, 'ok'],
        [7, 'excluded'],
      ],
      none(2),
    ]);
  });

  it.each(['odd-strings.xlsx', 'prefixed.xlsx'])(
    'an import of the reported sheet %s, which has the same parcel three times, reports the repeats',
    async (file) => {
      const { recipients, says } = await read(file);
      expect([new Set(recipients).size, says]).toEqual([
        1,
        [[], ['row import_repeats_row'], ['row import_repeats_row']],
      ]);
    },
  );

  it('invisible characters in a cell of an import are ignored', async () => {
    const { rows, says } = await read('invisible.xlsx');
    expect([rows.length, new Set(rows.map(({ mark }) => mark)), says]).toEqual([
      12,
      new Set(['ok']),
      none(12),
    ]);
    expect(rows[9]!.values.thr_order_id).toBe('A12');
  });

  it('if an import file has a cover sheet, notes above the orders or titles in the first column, the user must choose the columns', async () => {
    for (const file of ['cover-first.xlsx', 'notes-first.xlsx', 'transposed.xlsx'])
      expect(await read(file)).toMatchObject({
        status: 'mapping',
        reason: { code: 'import_columns_unknown' },
      });
    const cover = await uploaded('cover-first.xlsx');
    expect(cover.sheets.map(({ name }) => name)).toEqual(['Overview', 'Orders']);
    await imports.call('POST', `/${cover.id}/mapping`, {
      version: cover.version,
      sheet: 1,
      mapping: {},
      defaults: {},
    });
    const orders = await imports.settled(cover.id);
    expect([
      orders.status,
      (await imports.rows(cover.id)).map(({ values }) => values.receive_phone),
    ]).toEqual(['ready', ['13800015011', '13800015012']]);
    await cancelled(orders);
  });

  it('numbers in an import are read as their cells show them, and an order number with lost digits gets a warning', async () => {
    const { rows, says } = await read('number-formats.xlsx');
    const values = (field: 'thr_order_id' | 'receive_phone' | 'weight') =>
      rows.map((row) => row.values[field]);
    expect(values('thr_order_id').slice(0, 2)).toEqual(['00001234', '261101123456789000']);
    expect(values('receive_phone').slice(4, 6)).toEqual(['13800011004', '0755-26000000']);
    expect(values('weight').slice(6, 10)).toEqual(['1.5', '1.5', '1.5', '0.3']);
    expect(says).toEqual([
      [],
      ['thr_order_id import_digits_lost'],
      ['thr_order_id import_digits_lost', 'thr_order_id import_same_order'],
      ['thr_order_id import_digits_lost'],
      ...none(6),
      ['goods import_cell_error'],
      [],
      ['package_count import_number_unreadable'],
      ['thr_order_id import_day'],
      [],
      [],
      ['receive_address import_day'],
    ]);
  });
});

describe('imports of shop exports', () => {
  it.each([
    [
      'douyin.csv',
      '王小明 13800017004 粤海街道科技园路1号',
      '6912345678901234567',
      ['weight required'],
    ],
    [
      'taobao.csv',
      '王小明 13800014005 粤海街道 科技园路1号',
      '2611011234567890123',
      ['goods required', 'weight required'],
    ],
    ['youzan.csv', '王小明 13800017001 科技园路1号', 'E20261101000001', ['weight required']],
    [
      'shopify.csv',
      '王小明 13800016001 科技园路1号A栋',
      undefined,
      ['receive_county division_county_required', 'weight required'],
    ],
  ])(
    'an import of the shop export %s has its recipients, and lists the missing fields',
    async (file, recipient, order, says) => {
      const found = await read(file);
      expect([
        found.status,
        found.recipients[0],
        found.rows[0]!.values.thr_order_id,
        found.says[0],
      ]).toEqual(['ready', recipient, order, says]);
      expect(found.rows[0]!.values.remark ?? '').not.toContain('null');
    },
  );

  it('the shop export pdd.csv shows errors for a recipient with masked data, and a recipient’s phone extension is read', async () => {
    const { recipients, says } = await read('pdd.csv');
    expect(says[0]).toEqual([
      'receive_name import_masked',
      'receive_address import_masked',
      'receive_phone phone_masked',
      'weight required',
    ]);
    expect(recipients[1]).toBe('李华[3456] 18400017003-3456 粤海街道科技园路2号[3456]');
  });

  it('the shop export woo.csv contains the payer’s phone but no recipient’s phone, so that the user must choose that column', async () => {
    const { status, mapping } = await read('woo.csv');
    expect([status, mapping.receive_phone, mapping.receive_name, mapping.receive_address]).toEqual([
      'mapping',
      undefined,
      11,
      13,
    ]);
  });
});

describe('a shop’s order numbers in an import', () => {
  it('a repeated order number in an import shows the line where the number first occurs, even if the recipients differ', async () => {
    expect((await read('order-lines.xlsx')).says.slice(0, 3)).toEqual([
      [],
      ['thr_order_id import_same_order'],
      [],
    ]);
    const { rows } = await read('same-order-two-people.xlsx');
    expect(rows.map(({ problems }) => problems)).toEqual([
      [],
      [
        {
          field: 'thr_order_id',
          level: 'warning',
          reason: { code: 'import_same_order', params: { line: 2 } },
        },
      ],
    ]);
  });

  it('an import row gets a warning at the check, and again at ordering, if another import or a parcel has the same order number', async () => {
    const day = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);
    const first = await uploaded('same-order-again.xlsx');
    const second = await uploaded('order-lines.xlsx');
    const elsewhere = {
      field: 'thr_order_id',
      level: 'warning',
      reason: { code: 'import_order_elsewhere', params: { day, line: 2 } },
    };
    expect((await imports.rows(second.id))[0]!.problems).toEqual([elsewhere]);
    await cancelled(second);
    const unwarned = await imports.checked(imports.sheet(imports.line({ 订单号: 'later-1' })));
    await cancelled(first);
    const ordered = await imports.ordered(
      await imports.checked(
        imports.sheet(imports.line({ 订单号: 'e1001' }), imports.line({ 订单号: 'Later-1' })),
      ),
    );
    expect(ordered.counts.ordered).toBe(2);
    const third = await uploaded('same-order-two-people.xlsx');
    await cancelled(third);
    const again = await imports.checked(
      imports.sheet(imports.line({ 订单号: 'E1001' }), imports.line()),
    );
    expect((await imports.rows(again.id)).map(({ problems }) => problems)).toEqual([
      [
        {
          field: 'thr_order_id',
          level: 'warning',
          reason: { code: 'import_order_before', params: { day } },
        },
      ],
      [],
    ]);
    // A row without a warning is refused if a parcel with its order number was ordered meanwhile.
    await imports.ordered(unwarned);
    expect((await imports.rows(unwarned.id))[0]).toMatchObject({
      mark: 'refused',
      reason: { code: 'import_order_before', params: { day } },
    });
    await cancelled(again);
  });

  it('changing the order number of an import row compares the row again, and also the rows with the previous number', async () => {
    const { id } = await imports.checked(
      imports.sheet(...['N-1', 'N-1', 'N-2'].map((number) => imports.line({ 订单号: number }))),
    );
    const lines = async () =>
      (await imports.rows(id)).map(({ problems }) =>
        problems.map(({ reason }) => reason.params?.['line']),
      );
    expect(await lines()).toEqual([[], [2], []]);
    const change = async (no: number, thr_order_id: string) => {
      const row = (await imports.rows(id))[no - 1]!;
      await imports.call('PATCH', `/${id}/rows/${no}`, {
        version: row.version,
        values: { thr_order_id },
      });
    };
    await change(1, 'N-2');
    expect(await lines()).toEqual([[], [], [2]]);
    await change(3, '');
    expect(await lines()).toEqual([[], [], []]);
    await imports.edit(id, { action: 'set', nos: [2, 3], field: 'thr_order_id', value: 'n-2' });
    expect(await lines()).toEqual([[], [2], [2]]);
    await imports.call('POST', `/${id}/undo`, { version: (await imports.get(id)).version });
    expect(await lines()).toEqual([[], [], []]);
  });
});
