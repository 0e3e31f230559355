import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Express } from '@waystation/contract/parcels/express.ts';
import type { FoundPerson } from '@waystation/contract/people/personal-data.ts';
import { jsonText, sql } from '#platform/db/db.ts';
import { runTask } from '#testing/run-task.ts';
import { openTestApi } from '#testing/test-api.ts';
import type { TestApi, Tokens } from '#testing/test-api.ts';
import { exampleOrder } from '#testing/test-system.ts';

const phone = '13955667788';
const reason = '本人申请查阅';
const base = '/api/arco/personal-data';

let api: TestApi;
let tokens: Tokens;
let sent: Express;
let received: Express;
const order = async (body: object): Promise<Express> =>
  (await api.call<Express>(tokens.clerk, 'POST', '/api/arco/expresses', body)).data;
const find = (typed: string, token = tokens.super) =>
  api.call<{ names: FoundPerson[]; more: number; code?: string }>(token, 'POST', `${base}/search`, {
    phone: typed,
    reason,
  });

beforeAll(async () => {
  api = await openTestApi();
  tokens = await api.loginAll();
  received = await order(
    exampleOrder({ draft: 1, receive_phone: phone, receive_name: '欧阳靖', remark: '易碎' }),
  );
  sent = await order(
    exampleOrder({ draft: 1, sender_phone: phone, sender_name: '欧阳靖', receive_name: '别人甲' }),
  );
  await order(exampleOrder({ draft: 1, receive_phone: phone, receive_name: '别人乙' }));
  await order(exampleOrder({ draft: 1, receive_name: '欧阳靖', receive_phone: '13900000001' }));
  for (const [name, number] of [
    ['欧阳靖', phone],
    ['欧阳靖', `${phone}-12`],
    ['欧阳靖', `${phone.slice(0, -1)}9`],
  ])
    await api.rows(sql`insert into contacts (station_id, kind, name, phone, province, city, county,
        address) values (${api.station('pudong').id}, 'receive', ${name}, ${number}, '上海市',
        '上海市', '浦东新区', '秘密路9号')`);
  await api.rows(sql`insert into audit_log (account_name, role, action, subject, subject_id,
      station_id, changes) values ('clerk', 'user', 'edit', 'expresses', ${received.id},
      ${received.station_id}, ${jsonText({
        receive_name: ['欧阳', '欧阳靖'],
        sender_name: ['另一人', '示例深圳南山站'],
        remark: ['', '易碎'],
      })}::jsonb)`);
  await api.rows(sql`insert into express_messages (express_id, station_id, source, operation_time,
      rank, hash, title, raw) values (${received.id}, ${received.station_id}, 'trace', now(), 1,
      'x', '派送中', '{"phone": "13955667788"}')`);
});
afterAll(() => api.close());

const lastAudit = async (): Promise<object | undefined> =>
  (
    await api.rows(sql<{ action: string }>`select action, reason, changes from audit_log
      where subject = 'personal_data' order by id desc limit 1`)
  )[0];
const auditsOf = async (): Promise<number> =>
  (await api.rows(sql`select 1 from audit_log where subject = 'personal_data'`)).length;

/** The files in a ZIP archive, by name. */
const filesOf = (zip: Buffer): Map<string, unknown> => {
  const files = new Map<string, unknown>();
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const size = zip.readUInt32LE(at + 20);
    const length = zip.readUInt16LE(at + 28);
    const local = zip.readUInt32LE(at + 42);
    const name = zip.toString('utf8', at + 46, at + 46 + length);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    files.set(name, JSON.parse(inflateRawSync(zip.subarray(start, start + size)).toString()));
    at += 46 + length + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return files;
};

describe('a search for a person', () => {
  it('a search for a person by phone lists the names of senders, recipients and address book entries of all stations', async () => {
    const { status, data } = await find('139 5566 7788');
    expect(status).toBe(200);
    expect(data.more).toBe(0);
    expect(data.names.toSorted((one, other) => other.sent - one.sent)).toMatchObject([
      { name: '欧阳靖', sent: 1, received: 1, open: 0, contacts: 2 },
      { name: '别人乙', sent: 0, received: 1, open: 0, contacts: 0 },
    ]);
  });

  it('a search for a person’s data counts the person’s unfinished parcels', async () => {
    await api.rows(sql`update expresses set state_code = 10 where id = ${sent.id}`);
    const { data } = await find(phone);
    expect(data.names.find(({ name }) => name === '欧阳靖')?.open).toBe(1);
    await api.rows(sql`update expresses set state_code = 0 where id = ${sent.id}`);
  });

  it('a search for a person’s data is audited with a masked phone, and counts toward the hourly limit of phone searches', async () => {
    const [entry] = await api.rows(
      sql<{ subject: string; reason: string; changes: object }>`select subject, reason, changes
        from audit_log where action = 'find_person' order by id desc limit 1`,
    );
    expect(entry).toEqual({
      subject: 'personal_data',
      reason,
      changes: { phone: [null, '139****7788'], parcels: [null, 3], contacts: [null, 2] },
    });
    const limit = (count: number) =>
      api.rows(sql`insert into settings (name, value)
        values ('phone_searches_per_hour', ${String(count)}::jsonb)
        on conflict (name) do update set value = excluded.value`);
    await limit(1);
    expect((await find('13900000009')).data.code).toBe('too_many_reveals');
    expect((await find(phone)).status).toBe(200);
    await limit(60);
  });

  it('only a super admin can search for a person’s data, with a complete phone and a reason', async () => {
    for (const token of [tokens.admin, tokens.partner, tokens.station, tokens.clerk])
      expect((await find(phone, token)).status).toBe(403);
    expect((await find('7788')).status).toBe(422);
    expect(
      (await api.call(tokens.super, 'POST', `${base}/search`, { phone, reason: '' })).status,
    ).toBe(422);
  });

  it('a search for a person by a phone of more than a thousand parcels is refused, because it is a station’s phone', async () => {
    await api.rows(sql`insert into express_keys (station_id, user_id, express_id, kind, key)
      select 1, 1, 900000 + n, 3, '00000000931' from generate_series(1, 1001) n`);
    const { status, data } = await find('13900000000');
    expect([status, data.code]).toEqual([422, 'person_too_many']);
    expect(await lastAudit()).toEqual({
      action: 'find_person',
      reason,
      changes: { phone: [null, '139****0000'], parcels: [null, 0], contacts: [null, 0] },
    });
    await api.rows(sql`delete from express_keys where express_id > 900000`);
  });

  it('a refused search or export of a person’s data counts toward the hourly limit of phone searches and stays in the audit log', async () => {
    const counted = async () => (await api.rows(sql`select 1 from phone_searches`)).length;
    const [before, audits] = [await counted(), await auditsOf()];
    const guess = (typed: string) =>
      api.call<{ code: string }>(tokens.super, 'POST', `${base}/export`, {
        phone: typed,
        names: ['猜测'],
        reason,
      });
    expect((await guess('13700000021')).data.code).toBe('person_not_found');
    expect((await guess('13700000022')).data.code).toBe('person_not_found');
    expect([await counted(), await auditsOf()]).toEqual([before + 2, audits + 2]);
    expect(await lastAudit()).toMatchObject({
      action: 'export_person',
      changes: { phone: [null, '137****0022'], parcels: [null, 0] },
    });
  });

  it('a search or export of a person with too many contacts requires a name', async () => {
    const many = '13600000055';
    await api.rows(sql`insert into contacts (station_id, kind, name, phone, province, city, county,
        address) select ${api.station('pudong').id}, 'receive', '甲' || n, ${many}, '', '', '', ''
      from generate_series(1, 1001) n`);
    expect((await find(many)).data.code).toBe('person_too_many');
    const search = await api.call<{ names: FoundPerson[] }>(
      tokens.super,
      'POST',
      `${base}/search`,
      {
        phone: many,
        reason,
        name: '甲7',
      },
    );
    expect(search.data.names).toMatchObject([{ name: '甲7', contacts: 1 }]);
    const { status } = await api.call(tokens.super, 'POST', `${base}/export`, {
      phone: many,
      names: ['甲7'],
      reason,
    });
    expect(status).toBe(200);
  });

  it('a search for a person by a phone with an extension finds only rows with this extension', async () => {
    const { data } = await find(`${phone}转12`);
    expect(data.names).toMatchObject([{ name: '欧阳靖', sent: 0, received: 0, contacts: 1 }]);
    expect(await lastAudit()).toMatchObject({ changes: { phone: [null, '139****7788-****'] } });
    expect((await find(`${phone}-13`)).data.names).toEqual([]);
  });

  it('a search for a person’s phone also lists the station senders and accounts that have this phone', async () => {
    const theirs = '13611112222';
    await api.rows(sql`update stations set sender_name = '柳青', sender_phone = ${theirs}
      where id = ${api.station('pudong').id}`);
    await api.rows(sql`update accounts set nickname = '柳青', phone = ${theirs}
      where username = 'clerk'`);
    expect((await find(theirs)).data.names).toMatchObject([
      { name: '柳青', sent: 0, stations: 1, accounts: 1 },
    ]);
  });
});

describe('the personal data file of a person', () => {
  const start = (names: string[], token = tokens.super) =>
    api.call<{ job_id: number; code?: string }>(token, 'POST', `${base}/export`, {
      phone,
      names,
      reason,
    });

  it('a personal data file contains the data of the requested phone and names, but only the place of a parcel’s other party', async () => {
    const { status, data } = await start(['欧阳靖']);
    expect(status).toBe(200);
    const [job] = await api.rows(sql<{ params: object }>`select params from user_jobs
      where id = ${data.job_id}`);
    expect(JSON.stringify(job)).not.toMatch(/欧阳|13955667788/);
    await runTask(api.app, 'run_user_job', { job_id: data.job_id });
    const { bytes } = await api.call(tokens.super, 'GET', `/api/arco/jobs/${data.job_id}/file`);
    const files = filesOf(bytes);
    expect([...files.keys()].toSorted()).toEqual(
      [
        'about',
        'accounts',
        'audit',
        'bill_lines',
        'carrier_calls',
        'channels',
        'contacts',
        'contacts_audit',
        'edits',
        'import_rows',
        'parcels',
        'prints',
        'stations',
        'tracking',
      ].map((name) => `${name}.json`),
    );
    expect(files.get('parcels.json')).toMatchObject([
      { id: sent.id, side: 'sender', name: '欧阳靖', phone, other_city: '上海市' },
      { id: received.id, side: 'receive', name: '欧阳靖', phone, remark: '易碎' },
    ]);
    expect(JSON.stringify(files.get('parcels.json'))).not.toContain('别人甲');
    expect(files.get('contacts.json')).toMatchObject([{ phone }, { phone: `${phone}-12` }]);
    expect(files.get('tracking.json')).toMatchObject([
      { parcel: received.id, title: '派送中', as_received: { phone } },
    ]);
    expect(files.get('audit.json')).toMatchObject([
      { action: 'draft' },
      { action: 'draft' },
      { action: 'edit', changes: { receive_name: ['欧阳', '欧阳靖'], remark: ['', '易碎'] } },
    ]);
    expect(JSON.stringify(files.get('audit.json'))).not.toContain('另一人');
    const [made] = await api.rows(sql<{ changes: object }>`select changes from audit_log
      where action = 'export_file' and subject = 'personal_data'`);
    expect(made!.changes).toEqual({ job_id: [null, data.job_id], rows: [null, 4] });
  });

  it('a personal data file contains the audit log of contacts, station senders and accounts, and lists the omitted data', async () => {
    const mine = '13622223333';
    const [contact] = await api.rows(sql<{ id: number }>`insert into contacts (station_id, kind,
        name, phone, province, city, county, address) values (${api.station('pudong').id},
        'receive', '柳青', ${mine}, '', '', '', '') returning id`);
    await api.rows(sql`insert into audit_log (account_name, role, action, subject, subject_id,
        changes) values ('clerk', 'user', 'edit', 'contacts', ${contact!.id},
        ${jsonText({ name: ['柳', '柳青'] })}::jsonb)`);
    await api.rows(sql`update stations set sender_name = '柳青', sender_phone = ${mine}
      where id = ${api.station('pudong').id}`);
    await api.rows(sql`update accounts set nickname = '柳青', phone = ${mine}
      where username = 'clerk'`);
    for (const [kind, hint] of [
      ['mail', 'l***@example.com'],
      ['dingtalk', '***wxyz'],
    ])
      await api.rows(sql`insert into notice_channels (account_id, kind, name, address, address_hash,
          hint, language, kinds, status, asked_from, resume_at)
        select id, ${kind}, '柳青的', 'sealed', 'hashed', ${hint}, 'zh', '{job}', 'live', now(), now()
          from accounts where username = 'clerk'`);
    const { data } = await api.call<{ job_id: number }>(tokens.super, 'POST', `${base}/export`, {
      phone: mine,
      names: ['柳青'],
      reason,
    });
    await runTask(api.app, 'run_user_job', { job_id: data.job_id });
    const { bytes } = await api.call(tokens.super, 'GET', `/api/arco/jobs/${data.job_id}/file`);
    const files = filesOf(bytes);
    expect(files.get('contacts_audit.json')).toMatchObject([
      { contact: contact!.id, action: 'edit', changes: { name: ['柳', '柳青'] } },
    ]);
    expect(files.get('stations.json')).toMatchObject([{ name: '柳青', phone: mine }]);
    expect(files.get('accounts.json')).toMatchObject([
      { username: 'clerk', name: '柳青', phone: mine },
    ]);
    expect(JSON.stringify(files.get('accounts.json'))).not.toContain('password');
    expect(files.get('channels.json')).toMatchObject([
      { kind: 'mail', name: '柳青的', address: 'l***@example.com', status: 'live' },
      { kind: 'dingtalk', address: null },
    ]);
    expect(JSON.stringify(files.get('channels.json'))).not.toMatch(/sealed|hash|wxyz/);
    const left = JSON.stringify(files.get('about.json'));
    expect(left).toContain('后来改为其他号码的运单');
    expect(left).toContain('快递员姓名');
  });

  it('each download of a personal data file is audited, and after 24 hours the file is refused and removed', async () => {
    const { data } = await start(['欧阳靖']);
    await runTask(api.app, 'run_user_job', { job_id: data.job_id });
    const load = () =>
      api.call<{ code?: string }>(tokens.super, 'GET', `/api/arco/jobs/${data.job_id}/file`);
    await load();
    await load();
    expect(
      await api.rows(sql`select account_name, changes from audit_log
        where action = 'download_file' and changes -> 'job_id' ->> 1 = ${String(data.job_id)}`),
    ).toMatchObject(
      ['super', 'super'].map((account_name) => ({
        account_name,
        changes: { job_id: [null, data.job_id] },
      })),
    );
    const pieces = async () =>
      (await api.rows(sql`select 1 from user_job_files where job_id = ${data.job_id}`)).length;
    const age = (hours: number) =>
      api.rows(sql`update user_jobs
        set created_at = ${new Date(api.clock.now().getTime() - hours * 3_600_000)}
        where id = ${data.job_id}`);
    await age(23);
    await runTask(api.app, 'tidy');
    expect([(await load()).status, await pieces()]).toEqual([200, 1]);
    await age(25);
    const late = await load();
    expect([late.status, late.data.code]).toEqual([404, 'file_removed']);
    await runTask(api.app, 'tidy');
    expect(await pieces()).toBe(0);
  });

  it('a personal data export is refused if the given name does not occur with the phone, and to admins always', async () => {
    expect((await start(['陌生人'])).data.code).toBe('person_not_found');
    expect((await start(['欧阳靖'], tokens.admin)).status).toBe(403);
  });

  it('an export of a person’s data makes no file if its user is no longer a super admin', async () => {
    const { data } = await start(['欧阳靖']);
    await api.rows(sql`update accounts set role = 'admin' where username = 'super'`);
    await runTask(api.app, 'run_user_job', { job_id: data.job_id });
    const [job] = await api.rows(sql<{ reason: object }>`select status, reason from user_jobs
      where id = ${data.job_id}`);
    expect(job).toMatchObject({ status: 'failed', reason: { code: 'forbidden' } });
    await api.rows(sql`update accounts set role = 'super' where username = 'super'`);
  });
});
