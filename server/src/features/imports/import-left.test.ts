import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FailureData } from '@waystation/contract/base/envelope.ts';
import { readTable, writeWorkbook } from '#domain/workbook/workbook.ts';
import { sql } from '#platform/db/db.ts';
import { openImports, sheetTitles } from '#testing/import-sheets.ts';
import type { TestImports } from '#testing/import-sheets.ts';
import { parcelClient } from '#testing/parcel-client.ts';
import { openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';

let system: TestSystem;
let imports: TestImports;
let token: string;
beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 10_000_000);
  imports = await openImports(system);
  token = await system.login('clerk');
});
afterAll(() => system.close());

const left = async (id: number, language = 'zh'): Promise<Uint8Array<ArrayBuffer>> => {
  const answer = await fetch(
    `${system.url}/api/arco/imports/${id}/failed.xlsx?language=${language}`,
    { headers: { authorization: `Bearer ${token}` } },
  );
  expect(answer.status).toBe(200);
  return new Uint8Array(await answer.arrayBuffer());
};
const table = async (id: number, language?: string): Promise<(readonly string[])[]> =>
  Array.fromAsync(readTable('xlsx', await left(id, language)));
const edit = async (id: number, no: number, values: object): Promise<void> => {
  const row = (await imports.rows(id))[no - 1]!;
  expect(
    (await imports.call('PATCH', `/${id}/rows/${no}`, { version: row.version, values })).status,
  ).toBe(200);
};
const workbook = async (titles: string[] | null, ...lines: string[][]): Promise<File> => {
  const [head, ...rows] = titles === null ? lines : [titles, ...lines];
  async function* cells(): AsyncGenerator<string[]> {
    yield* rows;
  }
  const columns = head!.map((title) => ({ title, kind: 'text' as const }));
  return new File(
    [
      Buffer.concat(
        await Array.fromAsync(writeWorkbook('xlsx', { name: '表', columns, rows: cells() })),
      ),
    ],
    '表.xlsx',
  );
};

describe('the file of an import’s unordered rows', () => {
  it('each download of an import’s unordered rows is in the audit log with the number of its rows', async () => {
    const { id } = await imports.checked(
      imports.sheet(
        imports.line({ 物品: '没有这种' }),
        imports.line(),
        imports.line({ 手机: '1' }),
      ),
    );
    await left(id);
    await left(id);
    const entries = await rowsOf(
      system,
      sql`select account_name, action, station_id, changes from audit_log
        where subject = 'imports' and subject_id = ${id} and action = 'export' order by id`,
    );
    const entry = {
      account_name: 'clerk',
      action: 'export',
      station_id: system.station('nanshan').id,
      changes: { rows: [null, 2], format: [null, 'xlsx'] },
    };
    expect(entries).toEqual([entry, entry]);
  });

  it('the file of an import’s unordered rows contains edited texts, in added columns if needed, and gives the same rows when uploaded', async () => {
    const found = await imports.checked(
      imports.sheet(imports.line({ 物品: '没有这种' }), imports.line({ 物品: '没有这种' })),
    );
    await edit(found.id, 1, {
      receive_name: '示例改名',
      remark: '易碎',
      sender_name: '示例寄件人',
    });
    expect(await table(found.id)).toEqual([
      [...sheetTitles, '备注', '寄件人姓名', '失败原因'],
      [
        '示例改名',
        ...Array.from({ length: 7 }, () => expect.any(String)),
        '',
        '易碎',
        '示例寄件人',
        expect.stringContaining('没有这种'),
      ],
      [
        '示例收件人',
        ...Array.from({ length: 7 }, () => expect.any(String)),
        '',
        '',
        '',
        expect.stringContaining('没有这种'),
      ],
    ]);
    const again = await imports.checked(new File([await left(found.id)], '未下单.xlsx'));
    expect(again).toMatchObject({ status: 'ready', rows_total: 2, counts: { error: 2 } });
    expect((await imports.rows(again.id)).map(({ values }) => values)).toEqual(
      (await imports.rows(found.id)).map(({ values }) => expect.objectContaining(values)),
    );
    // The file of unordered rows of this second import has the same layout.
    expect((await table(again.id))[0]).toEqual([...sheetTitles, '备注', '寄件人姓名', '失败原因']);
  });

  it('in the file of unordered rows, kilograms typed into a gram column have their unit, so that a new import reads the same weight', async () => {
    const titles = sheetTitles.map((title) => (title === '重量(kg)' ? '重量(g)' : title));
    const found = await imports.checked(
      await workbook(titles, imports.line({ 物品: '没有这种', '重量(kg)': '30' })),
    );
    expect((await imports.rows(found.id))[0]!.values.weight).toBe('0.03');
    await edit(found.id, 1, { weight: '2' });
    expect((await table(found.id))[1]![7]).toBe('2kg');
    const again = await imports.checked(new File([await left(found.id)], '未下单.xlsx'));
    expect((await imports.rows(again.id))[0]!.values.weight).toBe('2');
  });

  it('the file of unordered rows of an import with manually assigned columns can be imported again with the same assignment', async () => {
    const first = await imports.upload(
      await workbook(
        ['甲栏', '乙栏', '丙栏'],
        ['示例零', '13900139000', '上海市浦东新区示例路 3 号'],
        ['示例一', '1.39E+10', '上海市浦东新区示例路 1 号'],
      ),
    );
    const asked = await imports.settled(first.id);
    const mapping = { receive_name: 0, receive_phone: 1, receive_address: 2 };
    await imports.call('POST', `/${first.id}/mapping`, {
      version: asked.version,
      mapping,
      defaults: { goods: '文件', weight: '1' },
    });
    await imports.settled(first.id);
    await edit(first.id, 2, { weight: '2' });
    expect((await table(first.id, 'en'))[0]).toEqual([
      '甲栏',
      '乙栏',
      '丙栏',
      'Weight (kg)',
      'Reason',
    ]);
    const again = await imports.checked(new File([await left(first.id, 'en')], 'left.xlsx'));
    expect(again).toMatchObject({
      status: 'ready',
      mapping: { ...mapping, weight: 3 },
      defaults: { goods: '文件' },
    });
    expect((await imports.rows(again.id))[0]!.values).toMatchObject({ weight: '2', goods: '文件' });
  });

  it('the file of unordered rows of an import without a title row has column titles, so that it can be imported again', async () => {
    const first = await imports.upload(
      await workbook(null, ['赵六', '12345', '上海市浦东新区示例大道8号', '1.5', '无题']),
    );
    const asked = await imports.settled(first.id);
    const mapping = { receive_name: 0, receive_phone: 1, receive_address: 2, weight: 3 };
    await imports.call('POST', `/${first.id}/mapping`, {
      version: asked.version,
      mapping,
      header_at: -1,
      defaults: { goods: '文件' },
    });
    await imports.settled(first.id);
    expect((await table(first.id))[0]).toEqual([
      '收件人姓名',
      '收件人电话',
      '详细地址',
      '重量（kg）',
      '',
      '失败原因',
    ]);
    const again = await imports.checked(new File([await left(first.id)], '未下单.xlsx'));
    expect(again).toMatchObject({
      status: 'ready',
      mapping,
      defaults: { goods: '文件' },
      counts: { error: 1 },
    });
  });

  it('the file of an import’s unordered rows contains the rows that the carrier refused, with the reason, and can be imported again', async () => {
    // The simulator refuses an order with this address.
    const found = await imports.checked(
      imports.sheet(
        imports.line(),
        imports.line({ 详细地址: '超区路 1 号', 订单号: '被拒的一单' }),
      ),
    );
    await imports.ordered(found);
    await imports.until(found.id, ({ pending_parcels }) => pending_parcels === 0);
    expect(await imports.get(found.id)).toMatchObject({
      failed_parcels: 1,
      pending_parcels: 0,
      counts: { ordered: 2 },
    });
    expect((await table(found.id)).slice(1)).toEqual([
      [
        ...Array.from({ length: 8 }, () => expect.any(String)),
        '被拒的一单',
        '承运商拒绝：收件地址超区，不在服务范围内',
      ],
    ]);
    const again = await imports.checked(new File([await left(found.id)], '未下单.xlsx'));
    expect(again).toMatchObject({ status: 'ready', counts: { ok: 1 } });
    const state = (code: number) =>
      rowsOf(
        system,
        sql`update expresses set state_code = ${code}
        where id = (select express_id from import_rows where import_id = ${found.id}
        and no = 2)`,
      );

    // A parcel on hold is shown in the warning, too.
    await state(10);
    expect(await imports.get(found.id)).toMatchObject({
      failed_parcels: 0,
      pending_parcels: 0,
      on_hold_parcels: 1,
    });

    // The parcel was ordered again from the list of parcels after the row was checked. The
    // confirmation shows no warning.
    await state(100);
    expect(await imports.ordered(again)).toMatchObject({
      status: 'done',
      counts: { ordered: 0, refused: 1 },
    });
    const [row] = await imports.rows(again.id);
    expect(row).toMatchObject({ mark: 'refused', reason: { code: 'import_ordered_before' } });
    expect(
      await rowsOf(
        system,
        sql`select 1 from expresses
      where thr_order_id = '被拒的一单'`,
      ),
    ).toHaveLength(1);
    // After a new check the row shows the warning, so that a confirmation accepts it.
    await edit(again.id, 1, { remark: '再寄一件' });
    expect((await imports.rows(again.id))[0]).toMatchObject({
      mark: 'warning',
      problems: [{ reason: { code: 'import_ordered_before' } }],
    });
    expect(await imports.ordered(await imports.get(again.id))).toMatchObject({
      counts: { ordered: 1 },
    });
  });

  it('an import row that repeats a cancelled parcel gets no warning', async () => {
    const line = imports.line({ 订单号: '取消的一单' });
    const { id } = await imports.ordered(await imports.checked(imports.sheet(line)));
    await imports.until(id, ({ pending_parcels }) => pending_parcels === 0);
    const [row] = await rowsOf(
      system,
      sql<{ express_id: number }>`select express_id
      from import_rows where import_id = ${id}`,
    );
    const clerk = await parcelClient(system);
    await clerk.act(row!.express_id, 'cancel', { reason: '下错了' });
    await clerk.until(row!.express_id, 500);
    expect(await imports.checked(imports.sheet(line, imports.line()))).toMatchObject({
      status: 'ready',
      counts: { ok: 2 },
    });
  });

  it('the file of an import’s unordered rows is refused while the import is still being read', async () => {
    await system.worker.stop();
    const { id } = await imports.upload(imports.sheet(imports.line()));
    const answer = await imports.call<FailureData>('GET', `/${id}/failed.xlsx`);
    await imports.restart();
    expect([answer.status, answer.data.code]).toEqual([409, 'import_status']);
  });
});
