import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Express } from '@waystation/contract/parcels/express.ts';
import type { Erasure, ErasurePreview } from '@waystation/contract/people/erasure.ts';
import type { FoundPerson } from '@waystation/contract/people/personal-data.ts';
import { prove } from '#domain/ledger/ledger.ts';
import { jsonText, sql } from '#platform/db/db.ts';
import { runTask } from '#testing/run-task.ts';
import { openTestApi } from '#testing/test-api.ts';
import type { TestApi, Tokens } from '#testing/test-api.ts';
import { exampleOrder } from '#testing/test-system.ts';

const phone = '13955667788';
const reason = '工单 2048';
const names = ['欧阳靖'];
const base = '/api/arco/personal-data';
const password = 'waystation-demo';

let api: TestApi;
let tokens: Tokens;
let ended: Express;
let other: Express;

const order = async (body: object): Promise<Express> =>
  (await api.call<Express>(tokens.clerk, 'POST', '/api/arco/expresses', exampleOrder({ ...body })))
    .data;
const preview = (of = names, token = tokens.super) =>
  api.call<ErasurePreview & { code?: string }>(token, 'POST', `${base}/erasures/preview`, {
    phone,
    names: of,
    reason,
  });
const request = (changes: object = {}, token = tokens.super) =>
  api.call<{ id: number; code?: string }>(token, 'POST', `${base}/erasures`, {
    phone,
    names,
    reason,
    password,
    ...changes,
  });
const decide = (id: number, what: 'approve' | 'cancel', token = tokens.admin) =>
  api.call<{ code?: string }>(
    token,
    'POST',
    `${base}/erasures/${id}/${what}`,
    what === 'approve' ? { password } : {},
  );
const listed = async (token = tokens.admin): Promise<Erasure[]> =>
  (await api.call<{ items: Erasure[] }>(token, 'GET', `${base}/erasures`)).data.items;
const breaks = async () => (await prove(api.app, { full: true, at: api.clock.now() })).breaks;
/**
 * Moves all times of the parcels into the past, because their age is measured by the database's
 * clock.
 */
const age = (by: string) =>
  api.rows(sql`update expresses set created_at = created_at - ${by}::interval,
    ordered_at = ordered_at - ${by}::interval, signed_at = signed_at - ${by}::interval,
    canceled_at = canceled_at - ${by}::interval, last_event_at = last_event_at - ${by}::interval,
    charged_at = charged_at - ${by}::interval, handled_at = handled_at - ${by}::interval`);
/** The names of the tables that contain the text. */
const tablesWith = async (text: string): Promise<string[]> => {
  const tables = await api.rows(sql<{ name: string }>`select c.relname as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind = 'r' order by 1`);
  const having: string[] = [];
  for (const { name } of tables) {
    const rows = await api.rows(sql`select 1 from ${sql.table(name)} r
      where position(${text} in r::text) > 0 limit 1`);
    if (rows.length > 0) having.push(name);
  }
  return having;
};

const importWith = async (status: string, name: string): Promise<number> => {
  const [one] = await api.rows(sql<{ id: number }>`insert into imports (station_id, user_id,
      file_name, file_type, file_bytes, file_hash, status, columns) select
      ${api.station('pudong').id}, (select id from accounts where username = 'clerk'), 'a.csv',
      'csv', 1, 'x', ${status}, ${jsonText([{ index: 0, title: '姓名', samples: [name] }])}::jsonb
    returning id`);
  await api.rows(sql`insert into import_files (import_id, content)
    values (${one!.id}, ${Buffer.from(`${name},${phone}`)})`);
  await api.rows(sql`insert into import_rows (import_id, no, line, cells, "values", mark) values
    (${one!.id}, 1, 2, ${jsonText([name, '139 5566 7788'])}::jsonb,
      ${jsonText({ receive_name: name })}::jsonb, 'error')`);
  return one!.id;
};

beforeAll(async () => {
  api = await openTestApi();
  tokens = await api.loginAll();
  // The station has no money, so that the parcel is on hold; it is then cancelled.
  const held = await order({
    receive_phone: phone,
    receive_name: '欧阳靖',
    remark: '交给欧阳靖',
  });
  const cancelled = await api.call<Express>(
    tokens.clerk,
    'POST',
    `/api/arco/expresses/${held.id}/cancel`,
    { reason: '欧阳靖不寄了' },
  );
  ended = cancelled.data;
  other = await order({ draft: 1, receive_phone: phone, receive_name: '别人乙' });
  await order({ draft: 1, sender_phone: phone, sender_name: '欧阳靖', receive_name: '别人甲' });
  await api.rows(sql`insert into contacts (station_id, kind, name, phone, province, city, county,
      address, pinyin) values (${api.station('pudong').id}, 'receive', '欧阳靖', ${phone}, '上海市',
      '上海市', '浦东新区', '秘密路9号', 'ouyangjing oyj')`);
  await api.rows(sql`insert into express_messages (express_id, station_id, source, operation_time,
      rank, hash, title, raw) values (${ended.id}, ${ended.station_id}, 'trace', now(), 1,
      'x', '欧阳靖已签收', '{"phone": "13955667788"}')`);
  await api.rows(sql`insert into audit_log (account_name, role, action, subject, subject_id,
      station_id, changes) values ('clerk', 'user', 'edit', 'expresses', ${ended.id},
      ${ended.station_id}, ${jsonText({ receive_name: ['欧阳', '欧阳靖'], weight: [1, 2] })}::jsonb)`);
  await api.rows(sql`insert into audit_log (account_name, role, action, subject, changes)
    values ('clerk', 'user', 'edit_rows', 'imports',
      ${jsonText({ row: ['', `欧阳靖 ${phone}`] })}::jsonb)`);
  await api.rows(sql`insert into carrier_pushes (merchant_id, body, hash, outcome)
    select id, '{"phone":"13955667788","name":"欧阳靖"}', 'x', 'taken' from merchants limit 1`);
  await api.rows(sql`insert into saved_views (account_id, list, title, search)
    select id, 'expresses', '常用', ${jsonText({ q: '欧阳靖' })}::jsonb from accounts
      where username = 'clerk'`);
  await importWith('failed', '欧阳靖');
});
afterAll(() => api.close());

describe('an erasure', () => {
  it('an erasure is refused while the person has a parcel younger than the configured age, and the preview lists the parcel', async () => {
    const { status, data } = await preview();
    expect(status).toBe(200);
    expect(data.counts).toMatchObject({ parcels: 2, contacts: 1, messages: 1 });
    expect(data.blocked.map(({ at }) => typeof at)).toEqual(['string', 'string']);
    expect((await request()).data.code).toBe('erasure_blocked');
  });

  it('an unfinished parcel prevents an erasure, and is listed in the preview without a day', async () => {
    await age('900 days');
    await api.rows(sql`update expresses set state_code = 200 where id = ${ended.id}`);
    expect((await preview()).data.blocked).toEqual([{ number: ended.order_id, at: null }]);
    expect((await request()).data.code).toBe('erasure_blocked');
    await api.rows(sql`update expresses set state_code = ${ended.state_code}
      where id = ${ended.id}`);
    expect((await preview()).data).toMatchObject({ blocked: [], more: 0 });
  });

  it('only a super previews and requests an erasure, and a partner, a station and a clerk neither see nor decide it', async () => {
    for (const token of [tokens.admin, tokens.partner, tokens.station, tokens.clerk]) {
      expect((await preview(names, token)).status).toBe(403);
      expect((await request({}, token)).status).toBe(403);
    }
    for (const token of [tokens.partner, tokens.station, tokens.clerk]) {
      expect((await api.call(token, 'GET', `${base}/erasures`)).status).toBe(403);
      expect((await decide(1, 'approve', token)).status).toBe(403);
    }
  });

  it('an erasure request is refused with a wrong password, or while an open import contains the person', async () => {
    expect((await request({ password: 'wrong' })).status).toBe(422);
    const id = await importWith('mapping', '欧阳靖');
    expect((await request()).data.code).toBe('erasure_import_open');
    await api.rows(sql`delete from imports where id = ${id}`);
    expect((await request({ names: ['没有人'] })).data.code).toBe('person_not_found');
  });

  it('an erasure needs a second person’s approval, and a withdrawn erasure keeps no data of the person', async () => {
    const { data } = await request();
    expect((await request()).data.code).toBe('erasure_open');
    expect((await decide(data.id, 'approve', tokens.super)).data.code).toBe(
      'second_person_required',
    );
    expect(await listed()).toMatchObject([
      { status: 'waiting', phone: '139****7788', names, mine: 0 },
    ]);
    expect((await decide(data.id, 'cancel')).status).toBe(200);
    expect((await decide(data.id, 'approve')).data.code).toBe('statement_not_pending');
    expect(await tablesWith('欧阳靖')).not.toContain('erasures');
  });

  it('approving an erasure is refused if a contact of the person was added after the request', async () => {
    const { data } = await request();
    const [added] = await api.rows(sql<{ id: number }>`insert into contacts (station_id, kind,
        name, phone, province, city, county, address) values (${api.station('pudong').id},
        'sender', '欧阳靖', ${phone}, '', '', '', '') returning id`);
    expect((await decide(data.id, 'approve')).data.code).toBe('erasure_changed');
    await api.rows(
      sql`update contacts set name = '丙', phone = '13900000001' where id = ${added!.id}`,
    );
    await decide(data.id, 'cancel');
  });

  it('an approved erasure that is interrupted blanks the person everywhere in its next run, and the ledger check still passes', async () => {
    expect(await breaks()).toEqual([]);
    const { data } = await request();
    expect((await decide(data.id, 'approve')).status).toBe(200);
    // The first run fails, because a running export may have read the person.
    const [job] = await api.rows(sql<{ id: number }>`insert into user_jobs (account_id, kind, list,
        action, total, status, created_at) select id, 'export', 'expresses', 'export', 1, 'running',
        now() - interval '1 minute'
      from accounts where username = 'clerk' returning id`);
    const run = () => runTask(api.app, 'erase_person', { erasure_id: data.id });
    await expect(run()).rejects.toThrow('An export');
    expect(await listed()).toMatchObject([{ status: 'running' }, {}, {}]);
    await api.rows(sql`update user_jobs set status = 'done' where id = ${job!.id}`);
    await run();
    await run();
    const [{ counts } = { counts: {} }] = await listed();
    expect(counts).toMatchObject({
      parcels: 2,
      versions: 1,
      messages: 1,
      contacts: 1,
      import_rows: 1,
      pushes: 1,
      views: 1,
    });
    expect(await tablesWith('欧阳靖')).toEqual([]);
    expect(await tablesWith('秘密路9号')).toEqual([]);
    expect(await tablesWith('ouyangjing')).toEqual([]);
    // Only parcels of other people still contain the phone, in their search keys.
    expect(await tablesWith([...phone].toReversed().join(''))).toEqual(['express_keys']);
    expect(await breaks()).toEqual([]);
  });

  it('a search for the phone after an erasure finds only other people, and with the erased name shows when it was erased', async () => {
    const search = async (name?: string) =>
      (
        await api.call<{ names: FoundPerson[]; erased: string[] }>(
          tokens.super,
          'POST',
          `${base}/search`,
          { phone, reason, ...(name !== undefined && { name }) },
        )
      ).data;
    expect((await search()).names).toMatchObject([{ name: '别人乙', received: 1 }]);
    expect((await search('欧阳靖')).erased).toHaveLength(1);
    expect((await search('别人乙')).erased).toEqual([]);
    expect(await api.rows(sql`select receive_phone from expresses where id = ${other.id}`)).toEqual(
      [{ receive_phone: phone }],
    );
  });

  it('an erased parcel keeps its amounts, weight and city, and can no longer be edited, ordered or printed', async () => {
    const { data } = await api.call<Express>(
      tokens.clerk,
      'GET',
      `/api/arco/expresses/${ended.id}`,
    );
    expect(data).toMatchObject({
      receive_name: '[erased]',
      receive_phone: '',
      receive_address: '',
      receive_city: ended.receive_city,
      weight: ended.weight,
      post_amount: ended.post_amount,
      remark: '',
    });
    const edit = await api.call<{ code: string }>(
      tokens.clerk,
      'PATCH',
      `/api/arco/expresses/${ended.id}`,
      { version: data.version, receive_name: '新人' },
    );
    expect(edit.data.code).toMatch(/parcel_erased|state_forbids/);
    const print = await api.call<{ failures: { reason: { code: string } }[] }>(
      tokens.clerk,
      'POST',
      '/api/arco/labels',
      { ids: [ended.id], format: '76x130' },
    );
    expect(JSON.stringify(print.data)).toContain('parcel_erased');
  });

  it('the audit log contains an erasure, its requester and its approver, and no data of the person', async () => {
    const entries = await api.rows(sql<{ action: string; account_name: string; changes: object }>`
      select action, account_name, changes from audit_log where subject = 'personal_data'
        and action in ('request_erasure', 'approve_erasure', 'erase_person') order by id desc limit 3`);
    expect(entries.map(({ action, account_name }) => [action, account_name])).toEqual([
      ['erase_person', 'system'],
      ['approve_erasure', 'admin'],
      ['request_erasure', 'super'],
    ]);
    expect(entries[0]!.changes).toMatchObject({ parcels: [null, 2] });
    const kept = await api.rows(sql<{ changes: object }>`select changes from audit_log
      where subject = 'expresses' and subject_id = ${ended.id} and action = 'edit'`);
    expect(kept).toEqual([{ changes: { weight: [1, 2] } }]);
  });
});
