import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Express } from '@waystation/contract/parcels/express.ts';
import type { Erasure } from '@waystation/contract/people/erasure.ts';
import { jsonText, sql } from '#platform/db/db.ts';
import { runTask } from '#testing/run-task.ts';
import { openTestApi } from '#testing/test-api.ts';
import type { TestApi, Tokens } from '#testing/test-api.ts';
import { exampleOrder } from '#testing/test-system.ts';

/** Two people have this phone, and the name of one begins with the name of the other. */
const phone = '13877665544';
const name = '王芳';
const longer = '王芳芳';
const reason = '工单 2049';
const base = '/api/arco/personal-data';
const password = 'waystation-demo';

let api: TestApi;
let tokens: Tokens;

const cancelled = async (body: object): Promise<Express> => {
  const { data } = await api.call<Express>(
    tokens.clerk,
    'POST',
    '/api/arco/expresses',
    exampleOrder({ ...body }),
  );
  const path = `/api/arco/expresses/${data.id}/cancel`;
  return (await api.call<Express>(tokens.clerk, 'POST', path, { reason: '不寄了' })).data;
};
/** Makes all parcels old enough for an erasure, by the database's clock and the test's. */
const age = async (): Promise<void> => {
  const old = sql`now() - interval '900 days'`;
  await api.rows(sql`update expresses set created_at = ${old}, ordered_at = null,
    canceled_at = case when canceled_at is null then null else ${old} end, handled_at = null`);
};
const request = (names = [name], of = phone) =>
  api.call<{ id: number; code?: string }>(tokens.super, 'POST', `${base}/erasures`, {
    phone: of,
    names,
    reason,
    password,
  });
const approved = async (of = phone): Promise<number> => {
  const { data } = await request([name], of);
  const { status } = await api.call(tokens.admin, 'POST', `${base}/erasures/${data.id}/approve`, {
    password,
  });
  expect(status).toBe(200);
  return data.id;
};
/** The number of audit entries about requests for erasure. */
const requested = async (): Promise<number> =>
  (await api.rows(sql`select 1 from audit_log where action = 'request_erasure'`)).length;
const run = (erasure_id: number) => runTask(api.app, 'erase_person', { erasure_id });
const listed = async (id: number): Promise<Erasure | undefined> =>
  (await api.call<{ items: Erasure[] }>(tokens.admin, 'GET', `${base}/erasures`)).data.items.find(
    (one) => one.id === id,
  );
const importWith = async (status: string, rows: readonly [string, string][]): Promise<number> => {
  const [one] = await api.rows(sql<{ id: number }>`insert into imports (station_id, user_id,
      file_name, file_type, file_bytes, file_hash, status) select
      ${api.station('pudong').id}, (select id from accounts where username = 'clerk'),
      ${`${name}.csv`}, 'csv', 1, sha256(gen_random_uuid()::text::bytea), ${status}
    returning id`);
  await api.rows(sql`insert into import_files (import_id, content) values (${one!.id}, 'x')`);
  for (const [at, [receiver, number]] of rows.entries())
    await api.rows(sql`insert into import_rows (import_id, no, line, cells, "values", mark)
      values (${one!.id}, ${at + 1}, ${at + 2}, ${jsonText([receiver, number])}::jsonb,
        ${jsonText({ receive_name: receiver, receive_phone: number })}::jsonb, 'error')`);
  return one!.id;
};
const rowsOf = (id: number) =>
  api.rows(sql<{ cells: string[] }>`select cells from import_rows where import_id = ${id}
    order by no`);
const pushed = async (body: string, outcome = 'taken'): Promise<number> => {
  const [one] = await api.rows(sql<{ id: number }>`insert into carrier_pushes (merchant_id, body,
      hash, outcome) select id, ${body}, sha256(convert_to(${body}, 'UTF8')), ${outcome}
    from merchants limit 1 returning id`);
  return one!.id;
};
const bodyOf = async (id: number): Promise<string | undefined> =>
  (await api.rows(sql<{ body: string }>`select body from carrier_pushes where id = ${id}`))[0]
    ?.body;
const viewOf = async (search: object, title: string): Promise<number> => {
  const [one] = await api.rows(sql<{ id: number }>`insert into saved_views (account_id, list,
      title, search) select id, 'expresses', ${title}, ${jsonText(search)}::jsonb from accounts
    where username = 'clerk' returning id`);
  return one!.id;
};
const viewsNow = (ids: readonly number[]) =>
  api.rows(sql`select title, search from saved_views where id = any(${[...ids]}::bigint[])
    order by id`);

beforeAll(async () => {
  api = await openTestApi();
  tokens = await api.loginAll();
  await cancelled({ receive_phone: phone, receive_name: name });
  await cancelled({ receive_phone: phone, receive_name: longer });
  await age();
});
afterAll(() => api.close());

describe('an erasure and the data of other people', () => {
  it.each(['theme', '王', '王芳网点'])(
    'an erasure request is refused and recorded if one of its names (%s) belongs to no parcel or contact with the phone',
    async (other) => {
      const before = await requested();
      const { status, data } = await request([name, other]);
      expect([status, data.code]).toEqual([422, 'person_not_found']);
      const preview = await api.call<{ code: string }>(
        tokens.super,
        'POST',
        `${base}/erasures/preview`,
        { phone, names: [name, other], reason },
      );
      expect(preview.data.code).toBe('person_not_found');
      expect((await requested()) - before).toBe(1);
    },
  );

  it('an erasure request that is refused because of an open import is recorded', async () => {
    const id = await importWith('mapping', [[name, phone]]);
    const before = await requested();
    const { data } = await request();
    expect(data.code).toBe('erasure_import_open');
    expect((await requested()) - before).toBe(1);
    await api.rows(sql`update imports set status = 'cancelled' where id = ${id}`);
  });

  it('an erasure does not wait for an open import in which only the name or only the phone matches the person', async () => {
    const id = await importWith('mapping', [
      [longer, phone],
      [name, '13800000000'],
    ]);
    const { data } = await request();
    expect(data.code).toBeUndefined();
    await api.call(tokens.admin, 'POST', `${base}/erasures/${data.id}/cancel`, {});
    expect(await rowsOf(id)).toEqual([
      { cells: [longer, phone] },
      { cells: [name, '13800000000'] },
    ]);
    await api.rows(sql`update imports set status = 'done' where id = ${id}`);
  });

  it('an erasure keeps rows, saved views, pushes and contacts of other people with the same phone or a longer name', async () => {
    const closed = await importWith('failed', [
      [name, '+86 138 7766 5544'],
      [longer, phone],
      [name, '13800000000'],
    ]);
    const views = [
      await viewOf({ q: name, sort: 'id' }, name),
      await viewOf({ q: longer }, longer),
      await viewOf({ phone }, '电话'),
      await viewOf({ receive_name: '王芳网点' }, '王芳网点'),
    ];
    const account = sql`(select id from accounts where username = 'clerk')`;
    const preferences = { theme: 'dark', note: name, [name]: 1 };
    await api.rows(sql`insert into preferences (account_id, name, value)
      values (${account}, 'workplace.cards', ${jsonText(preferences)}::jsonb)`);
    await api.rows(sql`insert into inbox_entries (account_id, kind, thread, data, at)
      values (${account}, 'setup', 'x', ${jsonText({ name, phone: `${name} ${phone}` })}::jsonb,
        now())`);
    const pushes = [
      await pushed(jsonText({ receiver: name, mobile: phone })),
      await pushed(jsonText({ receiver: longer, mobile: phone })),
      await pushed(jsonText({ receiver: name, mobile: `${phone}1` })),
    ];
    const [moved] = await api.rows(sql<{ id: number }>`insert into contacts (station_id, kind,
        name, phone, province, city, county, address) values (${api.station('pudong').id},
        'sender', ${name}, ${phone}, '', '', '', '') returning id`);
    const id = await approved();
    await api.rows(sql`update contacts set phone = '13800000000' where id = ${moved!.id}`);
    await run(id);
    expect(await listed(id)).toMatchObject({
      status: 'done',
      counts: { parcels: 1, import_rows: 2, pushes: 1, views: 1 },
    });
    expect(await rowsOf(closed)).toEqual([
      { cells: ['', ''] },
      { cells: [longer, phone] },
      { cells: [name, '13800000000'] },
    ]);
    expect(await viewsNow(views)).toEqual([
      { title: `[erased] ${views[0]}`, search: { sort: 'id' } },
      { title: longer, search: { q: longer } },
      { title: '电话', search: { phone } },
      { title: '王芳网点', search: { receive_name: '王芳网点' } },
    ]);
    expect(
      await api.rows(sql`select value from preferences where name = 'workplace.cards'`),
    ).toEqual([{ value: preferences }]);
    expect(await api.rows(sql`select data from inbox_entries where thread = 'x'`)).toEqual([
      { data: { name, phone: '' } },
    ]);
    expect(await Promise.all(pushes.map(bodyOf))).toEqual([
      '',
      jsonText({ receiver: longer, mobile: phone }),
      jsonText({ receiver: name, mobile: `${phone}1` }),
    ]);
    expect(await api.rows(sql`select name, phone from contacts where id = ${moved!.id}`)).toEqual([
      { name, phone: '13800000000' },
    ]);
    expect(
      await api.rows(sql`select receive_name from expresses where receive_phone = ${phone}`),
    ).toEqual([{ receive_name: longer }]);
  });
});

describe('an erasure during imports, exports and deliveries', () => {
  const own = '13877665545';

  it('an import opened after the approval of an erasure delays the erasure until the import has ended', async () => {
    await cancelled({ receive_phone: own, receive_name: name });
    await cancelled({ receive_phone: own, receive_name: name, remark: '二' });
    await age();
    const id = await approved(own);
    const open = await importWith('ordering', [[name, own]]);
    await expect(run(id)).rejects.toThrow(`Import ${open} has the person`);
    expect(await rowsOf(open)).toEqual([{ cells: [name, own] }]);
    expect(await api.rows(sql`select content from import_files where import_id = ${open}`)).toEqual(
      [{ content: Buffer.from('x') }],
    );
    await api.rows(sql`update imports set status = 'done' where id = ${open}`);
    await run(id);
    expect(await rowsOf(open)).toEqual([{ cells: ['', ''] }]);
    expect(await api.rows(sql`select file_name from imports where id = ${open}`)).toEqual([
      { file_name: '[erased].csv' },
    ]);
    expect((await listed(id))?.status).toBe('done');
  });

  it('an erasure clears the sender and receiver defaults of imports and mappings if they are of the person, and keeps those of other people', async () => {
    await cancelled({ receive_phone: own, receive_name: name });
    await age();
    const side = (of: string) => ({ sender_name: of, sender_phone: own, sender_city: '上海市' });
    const ids = [await importWith('done', []), await importWith('done', [])];
    for (const [at, of] of [name, longer].entries()) {
      const defaults = jsonText({ ...side(of), goods: '书' });
      await api.rows(sql`update imports set defaults = ${defaults}::jsonb where id = ${ids[at]}`);
      await api.rows(sql`insert into import_mappings (station_id, fingerprint, mapping, defaults)
        values (${api.station('pudong').id}, ${of}, '{}', ${defaults}::jsonb)`);
    }
    await run(await approved(own));
    const kept = [{ defaults: { goods: '书' } }, { defaults: { ...side(longer), goods: '书' } }];
    expect(
      await api.rows(sql`select defaults from imports where id = any(${ids}::bigint[])
        order by id`),
    ).toEqual(kept);
    expect(
      await api.rows(sql`select defaults from import_mappings
        where fingerprint in (${name}, ${longer}) order by fingerprint`),
    ).toEqual(kept);
  });

  it('an erasure blanks carrier pushes about the person’s waybills, keeps pushes of longer numbers, and waits for unread pushes', async () => {
    const parcel = await cancelled({ receive_phone: own, receive_name: name });
    await api.rows(sql`update expresses set delivery_id = 'JDX100' where id = ${parcel.id}`);
    await age();
    const id = await approved(own);
    const pushes = [
      await pushed('{"waybillCode":"JDX100"}'),
      await pushed('{"waybillCode":"JDX100-1-2-"}'),
      await pushed('{"waybillCode":"JDX1001"}'),
      await pushed('{"waybillCode":"AJDX100"}'),
    ];
    const waiting = await pushed('{"waybillCode":"JDX100","at":2}', 'received');
    await expect(run(id)).rejects.toThrow('A push that has the person waits to be read');
    expect(await bodyOf(waiting)).not.toBe('');
    await api.rows(sql`update carrier_pushes set outcome = 'taken' where id = ${waiting}`);
    await run(id);
    expect(await Promise.all([...pushes, waiting].map(bodyOf))).toEqual([
      '',
      '',
      '{"waybillCode":"JDX1001"}',
      '{"waybillCode":"AJDX100"}',
      '',
    ]);
    await expect(pushed('{"waybillCode":"JDX100"}')).rejects.toThrow('unique');
  });

  it('an erasure waits until a running export has ended, even if the export began after the approval', async () => {
    await cancelled({ receive_phone: own, receive_name: name });
    await age();
    const id = await approved(own);
    const [job] = await api.rows(sql<{ id: number }>`insert into user_jobs (account_id, kind,
        list, action, total, status, created_at)
      select id, 'export', 'expresses', 'export', 1, 'running', now() + interval '1 minute'
      from accounts where username = 'clerk' returning id`);
    await expect(run(id)).rejects.toThrow('An export that may have the person runs');
    await api.rows(sql`update user_jobs set status = 'done' where id = ${job!.id}`);
    await run(id);
    expect((await listed(id))?.status).toBe('done');
  });

  it('a parcel that is in transit when an approved erasure runs is skipped, counted and listed, and the erasure ends', async () => {
    const one = await cancelled({ receive_phone: own, receive_name: name });
    const two = await cancelled({ receive_phone: own, receive_name: name });
    await age();
    const id = await approved(own);
    await api.rows(sql`update expresses set state_code = 200 where id = ${one.id}`);
    await run(id);
    expect(await listed(id)).toMatchObject({
      status: 'done',
      counts: { parcels: 1, skipped: 1 },
      names: [],
    });
    const [entry] = await api.rows(sql<{ changes: object }>`select changes from audit_log
      where action = 'erase_person' order by id desc limit 1`);
    expect(entry?.changes).toMatchObject({ parcels: [null, 1], skipped: [null, one.order_id] });
    expect(
      await api.rows(sql`select receive_name from expresses
        where id in (${one.id}, ${two.id}) order by id`),
    ).toEqual([{ receive_name: name }, { receive_name: '[erased]' }]);
  });
});
