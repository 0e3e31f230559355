import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FailureData } from '@waystation/contract/base/envelope.ts';
import type { Import, ImportRow } from '@waystation/contract/imports/import.ts';
import { orderEveryMs, reserveSlots } from '#domain/imports/slots.ts';
import { readTable } from '#domain/workbook/workbook.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { inconsistencies } from '#testing/consistency.ts';
import { rounds } from '#testing/slices.ts';
import { eventually, openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { Answer, TestSystem } from '#testing/test-system.ts';

let system: TestSystem;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 10_000_000);
  for (const name of ['admin', 'station', 'clerk']) tokens[name] = await system.login(name);
});
afterAll(() => system.close());

const base = '/api/arco/imports';
let keys = 0;
const call = <T = Import>(
  who: string,
  method: string,
  path: string,
  body?: object,
): Promise<Answer<T>> =>
  system.call<T>(
    { token: tokens[who]!, headers: { 'idempotency-key': `import-${++keys}` } },
    method,
    `${base}${path}`,
    body,
  );

let files = 0;
const titles = ['收件人', '手机', '省', '市', '区', '详细地址', '物品', '重量(kg)', '订单号'];
/** A valid line of a sheet, with the given cells changed. */
const line = (changes: Record<string, string> = {}): string[] => {
  const cells: Record<string, string> = {
    收件人: '示例收件人',
    手机: `139${10_000_000 + files}`,
    省: '上海市',
    市: '上海市',
    区: '浦东新区',
    详细地址: `示例路 ${++files} 号`,
    物品: '文件',
    '重量(kg)': '1.5',
    订单号: '',
    ...changes,
  };
  return titles.map((title) => cells[title]!);
};
const sheet = (...lines: string[][]): File =>
  new File([[titles, ...lines].map((cells) => cells.join(',')).join('\n')], `表 ${++files}.csv`);

const upload = async (
  file: File,
  fields: Record<string, string> = {},
  who = 'clerk',
): Promise<Answer<Import>> => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', file);
  return call(who, 'POST', '', form);
};
const until = (id: number, done: (found: Import) => unknown, who = 'clerk'): Promise<Import> =>
  eventually(async () => {
    const { data } = await call(who, 'GET', `/${id}`);
    return done(data) ? data : null;
  });
const checked = async (file: File): Promise<Import> => {
  const { data } = await upload(file);
  return until(data.id, ({ status }) => status === 'ready');
};
const rows = async (id: number): Promise<ImportRow[]> =>
  (await call<{ items: ImportRow[] }>('clerk', 'GET', `/${id}/rows?page_size=200`)).data.items;
const priced = async (found: Import): Promise<Import> => {
  await call('clerk', 'POST', `/${found.id}/quote`, { version: found.version });
  return until(found.id, ({ quote }) => quote !== null);
};
const ordered = async (found: Import): Promise<Import> => {
  const { id, version, quote } = await priced(found);
  const answer = await call('clerk', 'POST', `/${id}/confirm`, {
    version,
    expected_amount: quote!.post_amount,
    rows: 'all',
  });
  expect(answer.status).toBe(200);
  return until(id, ({ status }) => status === 'done' || status === 'paused');
};
const parcelsOf = (id: number) =>
  rowsOf(
    system,
    sql<{
      id: number;
      thr_order_id: string;
      receive_province: string;
      weight: number;
    }>`select e.id, e.thr_order_id, e.receive_province, e.weight from expresses e
      join import_rows w on w.express_id = e.id where w.import_id = ${id} order by w.no`,
  );

describe('importing a sheet of parcels', () => {
  it('an import recognizes its columns, checks and prices its rows, and orders each row once, in the order of the file', async () => {
    const found = await checked(
      sheet(
        line({ 订单号: 'I1' }),
        line({
          订单号: 'I2',
          省: '广东',
          市: '深圳',
          区: '南山',
          手机: '１３９００１３９００２',
          收件人: '示例全角',
        }),
        line({ 订单号: 'I3', '重量(kg)': '500g' }),
      ),
    );
    expect(found).toMatchObject({
      rows_total: 3,
      reason: null,
      counts: { ok: 1, repaired: 2, error: 0 },
    });
    const shown = await rows(found.id);
    expect(shown[1]!.values).toMatchObject({
      receive_province: '广东省',
      receive_city: '深圳市',
      receive_county: '南山区',
      receive_phone: '13900139002',
    });
    expect(shown[1]!.problems).toContainEqual({
      field: 'receive_phone',
      level: 'repaired',
      reason: { code: 'import_repaired', params: { was: '１３９００１３９００２' } },
      was: '１３９００１３９００２',
    });
    const done = await ordered(found);
    expect(done).toMatchObject({ status: 'done', counts: { ordered: 3, waiting: 0, refused: 0 } });
    expect(
      (await parcelsOf(found.id)).map(({ thr_order_id, weight }) => [thr_order_id, weight]),
    ).toEqual([
      ['I1', 1_500],
      ['I2', 1_500],
      ['I3', 500],
    ]);
    const listed = await system.call<{ items: { thr_order_id: string }[] }>(
      tokens['clerk']!,
      'GET',
      `/api/arco/expresses?import_id=${found.id}&fields=thr_order_id`,
    );
    expect(listed.data.items.map(({ thr_order_id }) => thr_order_id)).toEqual(['I3', 'I2', 'I1']);
    expect(await inconsistencies(system)).toEqual([]);
  });

  it('uploading the same file again opens the first import, unless the user requests a second import of the file', async () => {
    const lines = [line(), line()];
    const file = (): File =>
      new File([[titles, ...lines].map((cells) => cells.join(',')).join('\n')], '同一文件.csv');
    const first = await upload(file());
    expect(first.data).toMatchObject({ existed: 0 });
    expect((await upload(file())).data).toMatchObject({ id: first.data.id, existed: 1 });
    const anew = await upload(file(), { again: '1' });
    expect(anew.data).toMatchObject({ again: 1, existed: 0 });
    expect(anew.data.id).not.toBe(first.data.id);
    // A colleague's upload of the same file is a separate import.
    expect((await upload(file(), {}, 'station')).data.id).not.toBe(first.data.id);
  });

  it('an import with unrecognized columns waits until the user assigns them, and the next sheet with equal columns reuses the choice', async () => {
    const unknown = (): File =>
      new File(
        [
          `甲栏,乙栏,丙栏\n示例一,13900139000,上海市浦东新区示例路 ${++files} 号\n示例二,13900139001,上海市浦东新区示例路 ${++files} 号`,
        ],
        `未知 ${++files}.csv`,
      );
    const { data } = await upload(unknown());
    const waiting = await until(data.id, ({ status }) => status === 'mapping');
    expect(waiting).toMatchObject({
      reason: { code: 'import_columns_unknown' },
      columns: [{ title: '甲栏' }, { title: '乙栏' }, { title: '丙栏' }],
    });
    const mapping = { receive_name: 0, receive_phone: 1, receive_address: 2 };
    const wrong = await call<FailureData>('clerk', 'POST', `/${data.id}/mapping`, {
      version: waiting.version,
      mapping: { receive_name: 0 },
    });
    expect(wrong.data.fields).toEqual({ 'mapping.receive_phone': { code: 'required' } });
    await call('clerk', 'POST', `/${data.id}/mapping`, {
      version: waiting.version,
      mapping,
      defaults: { goods: '文件', weight: '1' },
    });
    const ready = await until(data.id, ({ status }) => status === 'ready');
    expect(ready.counts.error).toBe(0);
    expect((await rows(data.id))[0]!.values).toMatchObject({
      receive_province: '上海市',
      receive_county: '浦东新区',
      goods: '文件',
    });
    const next = await upload(unknown());
    expect(await until(next.data.id, ({ status }) => status === 'ready')).toMatchObject({
      mapping,
      defaults: { goods: '文件', weight: '1' },
    });
  });

  it('an import file that cannot be read fails with the reason, and a file in the old Excel format is refused at upload', async () => {
    const old = await upload(
      new File([new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1])], '旧.xls'),
    );
    expect((old.data as unknown as FailureData).fields).toEqual({ file: { code: 'file_old_xls' } });
    const broken = await upload(new File(['PK\u0003\u0004 not a workbook'], '坏.xlsx'));
    expect(await until(broken.data.id, ({ status }) => status === 'failed')).toMatchObject({
      reason: { code: 'file_unreadable' },
    });
  });
});

describe('an import row with an error', () => {
  it('an import row with an error is not ordered; editing the row checks only this row and makes the import’s price outdated', async () => {
    const found = await priced(
      await checked(sheet(line(), line({ 手机: '1.39E+10' }), line({ 区: '朝阳区' }))),
    );
    expect(found).toMatchObject({ counts: { ok: 1, error: 2 }, quote: { rows: 1 } });
    const marks = await call<{ marks: string }>('clerk', 'GET', `/${found.id}/marks`);
    expect(marks.data.marks).toBe('oee');
    const [, phone] = await rows(found.id);
    expect(phone!.problems).toEqual([
      {
        field: 'receive_phone',
        level: 'error',
        reason: { code: 'import_phone_scientific', params: { text: '1.39E+10' } },
      },
    ]);
    const edit = await call<{ row: ImportRow; counts: Import['counts'] }>(
      'clerk',
      'PATCH',
      `/${found.id}/rows/2`,
      {
        version: phone!.version,
        values: { receive_phone: '13900139005' },
      },
    );
    expect(edit.data).toMatchObject({
      row: { mark: 'ok', problems: [] },
      counts: { ok: 2, error: 1 },
    });
    const stale = await call<FailureData>('clerk', 'PATCH', `/${found.id}/rows/2`, {
      version: phone!.version,
      values: { goods: '文件' },
    });
    expect([stale.status, stale.data.code]).toEqual([409, 'version_conflict']);
    const after = await call('clerk', 'GET', `/${found.id}`);
    expect(after.data.quote).toBeNull();
    const early = await call<FailureData>('clerk', 'POST', `/${found.id}/confirm`, {
      version: after.data.version,
      expected_amount: 0,
      rows: 'all',
    });
    expect(early.data.code).toBe('import_unpriced');
    const done = await ordered(after.data);
    expect(done.counts).toMatchObject({ ordered: 2, error: 1 });
  });

  it('one edit changes many import rows, and rows with errors can be excluded', async () => {
    const found = await checked(
      sheet(line({ 物品: '没有这种' }), line({ 物品: '没有这种' }), line({ 物品: '没有这种' })),
    );
    expect(found.counts.error).toBe(3);
    const set = await call<{ changed: number; import: Import }>(
      'clerk',
      'POST',
      `/${found.id}/edits`,
      {
        version: found.version,
        action: 'set',
        field: 'goods',
        value: '文件',
        marks: ['error'],
      },
    );
    expect(set.data).toMatchObject({ changed: 3, import: { counts: { ok: 3, error: 0 } } });
    const out = await call<{ changed: number; import: Import }>(
      'clerk',
      'POST',
      `/${found.id}/edits`,
      {
        version: set.data.import.version,
        action: 'exclude',
        nos: [2],
      },
    );
    expect(out.data.import.counts).toMatchObject({ ok: 2, excluded: 1 });
    const back = await call<{ changed: number; import: Import }>(
      'clerk',
      'POST',
      `/${found.id}/edits`,
      {
        version: out.data.import.version,
        action: 'include',
        nos: [2],
      },
    );
    expect(back.data.import.counts).toMatchObject({ ok: 3, excluded: 0 });
  });
});

describe('an edit of more import rows than are checked at once', () => {
  it('an edit of many import rows stores the new values immediately, and a background task checks the rows', async () => {
    const found = await checked(sheet(...Array.from({ length: 2_100 }, () => line())));
    const set = await call<{ changed: number; import: Import }>(
      'clerk',
      'POST',
      `/${found.id}/edits`,
      {
        version: found.version,
        action: 'set',
        field: 'weight',
        value: '2',
      },
    );
    expect(set.data).toMatchObject({ changed: 2_100, import: { status: 'checking' } });
    const ready = await until(found.id, ({ status }) => status === 'ready');
    expect(ready.counts).toMatchObject({ ok: 2_100 });
    expect((await rows(found.id))[0]!.values.weight).toBe('2');
    await call('clerk', 'POST', `/${found.id}/cancel`, {});
  });
});

describe('an import row that repeats a parcel', () => {
  it('an import row that repeats another row shows the line of that row, until the other row is excluded', async () => {
    const twin = line();
    const found = await checked(sheet(twin, line(), twin));
    expect(
      (await rows(found.id)).map(({ problems }) => problems.map(({ reason }) => reason)),
    ).toEqual([[], [], [{ code: 'import_repeats_row', params: { line: 2 } }]]);
    const [first] = await rows(found.id);
    const left = await call<{ touched: { no: number; mark: string }[] }>(
      'clerk',
      'PATCH',
      `/${found.id}/rows/1`,
      { version: first!.version, excluded: 1 },
    );
    expect(left.data.touched).toEqual([{ no: 3, mark: 'ok' }]);
  });

  it('an import row that repeats a recently ordered parcel gets a warning that shows only the day of that parcel', async () => {
    const twin = line({ 收件人: '示例旧客', 手机: '13900139077' });
    await ordered(await checked(sheet(twin)));
    const again = await checked(sheet(twin, line()));
    const [row] = await rows(again.id);
    expect(row).toMatchObject({
      mark: 'warning',
      problems: [
        {
          field: null,
          level: 'warning',
          reason: {
            code: 'import_ordered_before',
            params: { day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
          },
        },
      ],
    });
  });
});

describe('ordering an import', () => {
  it('a paused import orders no rows until it is resumed, and a cancelled import orders nothing more and frees its rows', async () => {
    const found = await priced(await checked(sheet(...Array.from({ length: 3 }, () => line()))));
    await system.worker.stop();
    await call('clerk', 'POST', `/${found.id}/confirm`, {
      version: found.version,
      expected_amount: found.quote!.post_amount,
      rows: 'all',
    });
    expect((await call('clerk', 'POST', `/${found.id}/pause`, {})).data).toMatchObject({
      status: 'paused',
      counts: { waiting: 3 },
    });
    system.worker = await system.startWorker();
    expect((await call('clerk', 'POST', `/${found.id}/cancel`, {})).data).toMatchObject({
      status: 'cancelled',
      counts: { waiting: 0, ok: 3 },
    });
    expect(await parcelsOf(found.id)).toEqual([]);
    expect((await call<FailureData>('clerk', 'POST', `/${found.id}/resume`, {})).data.code).toBe(
      'import_status',
    );
  });

  it('all imports together send no more orders per second than the carrier accepts', async () => {
    const now = new Date();
    const merchant = (
      await rowsOf(
        system,
        sql<{ id: number }>`select id from merchants
      order by id limit 1`,
      )
    )[0]!.id;
    const [one, other] = await Promise.all(
      [30, 20].map((count) =>
        system.app.db.tx(systemScope('test'), (work) => reserveSlots(work, merchant, count, now)),
      ),
    );
    const times = [...one!, ...other!].map((time) => time.getTime()).toSorted((a, b) => a - b);
    expect(times[0]).toBeGreaterThanOrEqual(now.getTime());
    expect(times.slice(1).map((time, at) => time - times[at]!)).toEqual(
      times.slice(1).map(() => orderEveryMs),
    );
  });

  it('two workers that order an import at once create one parcel per row', async () => {
    const second = await system.startWorker();
    const rows = rounds(30, 120);
    const lines = Array.from({ length: rows }, () => line());
    const done = await ordered(await checked(sheet(...lines)));
    await second.stop();
    expect(done.counts).toMatchObject({ ordered: rows, waiting: 0 });
    expect(new Set((await parcelsOf(done.id)).map(({ id }) => id)).size).toBe(rows);
    await eventually(
      async () =>
        (
          await rowsOf(
            system,
            sql`select 1 from expresses
      where state_code = 20`,
          )
        ).length === 0,
    );
    expect(await inconsistencies(system)).toEqual([]);
  });

  it('an import row whose price changed after the confirmation is refused, and is returned in a file of the same layout', async () => {
    const found = await priced(
      await checked(sheet(line({ 订单号: 'P1' }), line({ 订单号: 'P2' }))),
    );
    await system.worker.stop();
    await call('clerk', 'POST', `/${found.id}/confirm`, {
      version: found.version,
      expected_amount: found.quote!.post_amount,
      rows: 'all',
    });
    await rowsOf(
      system,
      sql`update import_prices set post_amount = post_amount + 1
      where import_id = ${found.id} and no = 2`,
    );
    system.worker = await system.startWorker();
    const done = await until(found.id, ({ status }) => status === 'done');
    expect(done.counts).toMatchObject({ ordered: 1, refused: 1 });
    const answer = await fetch(`${system.url}${base}/${found.id}/failed.xlsx`, {
      headers: { authorization: `Bearer ${tokens['clerk']}` },
    });
    const lines = await Array.fromAsync(
      readTable('xlsx', new Uint8Array(await answer.arrayBuffer())),
    );
    expect(lines).toHaveLength(2);
    expect(lines[0]).toEqual([...titles, '失败原因']);
    expect(lines[1]!.slice(0, 1)).toEqual(['示例收件人']);
    expect(lines[1]!.at(-1)).toMatch(/价格/);
  });
});

describe('the users who see an import', () => {
  it('an import of a colleague is hidden from a clerk and visible to the manager', async () => {
    const mine = await upload(sheet(line()), {}, 'station');
    expect((await call('clerk', 'GET', `/${mine.data.id}`)).status).toBe(404);
    const theirs = await upload(sheet(line()));
    expect((await call('station', 'GET', `/${theirs.data.id}`)).status).toBe(200);
    expect((await call('clerk', 'GET', `/${mine.data.id}/rows`)).status).toBe(404);
  });
});
