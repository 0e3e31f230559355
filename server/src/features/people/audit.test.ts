import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditRow } from '@waystation/contract/shell/audit.ts';
import type { Express } from '@waystation/contract/parcels/express.ts';
import { businessDay } from '#platform/clock.ts';
import { sql } from '#platform/db/db.ts';
import { openTestApi } from '#testing/test-api.ts';
import type { TestApi, Tokens } from '#testing/test-api.ts';
import { exampleOrder } from '#testing/test-system.ts';

type Page = { items: AuditRow[]; total: null; next_cursor: string | null };

let api: TestApi;
let tokens: Tokens;
let parcel: Express;
const nanshan = () => api.network.stations.find(({ key }) => key === 'nanshan')!.id;
const pudong = () => api.network.stations.find(({ key }) => key === 'pudong')!.id;
const ask = async (token: string, query: string) =>
  (await api.call<Page>(token, 'GET', `/api/arco/audit?${query}`)).data;

beforeAll(async () => {
  api = await openTestApi();
  tokens = await api.loginAll();
  const { call } = api;
  parcel = (
    await call<Express>(tokens.clerk, 'POST', '/api/arco/expresses', exampleOrder({ draft: 1 }))
  ).data;
  await call(tokens.clerk, 'PATCH', `/api/arco/expresses/${parcel.id}`, {
    version: 1,
    receive_phone: '13911112222',
    remark: '小心轻放',
  });
  await call(tokens.super, 'POST', `/api/arco/stations/${nanshan()}/top-ups`, {
    amount: 12_300,
    description: '年度充值',
  });
  await call(tokens.super, 'POST', `/api/arco/stations/${pudong()}/top-ups`, { amount: 500 });
});
afterAll(() => api.close());

describe('the audit log', () => {
  it('the audit log shows who changed which record, with the action, the reason, and the old and new values', async () => {
    const { items } = await ask(tokens.admin, `subject=stations&subject_id=${nanshan()}`);
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({
      account_name: 'super',
      role: 'super',
      address: '127.0.0.1',
      action: 'top_up',
      station_id: nanshan(),
      reason: '年度充值',
      changes: { money: [0, 12_300] },
    });
    expect(items[0]!.request_id).toMatch(/^[\w-]{36}$/);
  });

  it.each([
    ['account_name=cler', 'clerk'],
    ['action=top_up', 'super'],
    ['subject=expresses', 'clerk'],
    ['q=%E5%B9%B4%E5%BA%A6', 'super'],
  ])('the audit log is filtered by %s, which has no index, within 31 days', async (query, name) => {
    for (const path of ['', '/counts']) {
      const { status, data } = await api.call<{ fields: object }>(
        tokens.super,
        'GET',
        `/api/arco/audit${path}?${query}`,
      );
      expect([status, data.fields]).toEqual([
        422,
        { at_from: { code: 'days_required', params: { days: 31 } } },
      ]);
    }
    const { items } = await ask(
      tokens.super,
      `${query}&at_from=${businessDay(api.app.clock.now())}`,
    );
    expect(items.length).toBeGreaterThan(0);
    expect(new Set(items.map(({ account_name }) => account_name))).toEqual(new Set([name]));
  });

  it('the audit log of one record needs no range of days; a filter by only a record type or only an id needs at most 31 days', async () => {
    const [type, id] = ['subject=stations', `subject_id=${nanshan()}`];
    const { status, data } = await api.call<{ fields: object }>(
      tokens.super,
      'GET',
      `/api/arco/audit?${id}`,
    );
    expect([status, data.fields]).toEqual([
      422,
      { at_from: { code: 'days_required', params: { days: 31 } } },
    ]);
    const today = `at_from=${businessDay(api.app.clock.now())}`;
    const subjects = async (query: string) =>
      new Set((await ask(tokens.super, query)).items.map(({ subject }) => subject));
    expect(await subjects(`${type}&${id}`)).toEqual(new Set(['stations']));
    expect(await subjects(`${type}&${today}`)).toEqual(new Set(['stations']));
    expect(
      (await ask(tokens.super, `${id}&${today}`)).items.map(({ subject_id }) => subject_id),
    ).toContain(nanshan());
  });

  it('the audit log can be filtered by station, request and days', async () => {
    const [first] = (await ask(tokens.super, `station_id=${pudong()}`)).items;
    expect(first).toMatchObject({ subject: 'stations', subject_id: pudong() });
    const counted = async (query: string) =>
      (await api.call<{ total: number }>(tokens.super, 'GET', `/api/arco/audit/counts?${query}`))
        .data.total;
    expect(await counted(`request_id=${first!.request_id}`)).toBe(1);
    expect(await counted('at_to=2020-01-01')).toBe(0);
    expect(await counted('at_from=2020-01-01')).toBeGreaterThan(3);
  });

  it('the next page of the audit log begins after the last returned entry, even if entries were added in the meantime', async () => {
    const seen: number[] = [];
    let cursor = '';
    for (;;) {
      const { items, next_cursor } = await ask(tokens.super, `page_size=2${cursor}`);
      seen.push(...items.map(({ id }) => id));
      if (next_cursor === null) break;
      cursor = `&cursor=${next_cursor}`;
      await api.call(tokens.super, 'POST', `/api/arco/expresses/${parcel.id}/reveal`, {});
      if (seen.length > 60) break;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(seen.toSorted((a, b) => b - a));
  });

  it('a station sees its own record in the audit log, without the IP address of an administrator', async () => {
    const own = await ask(tokens.station, `subject=stations&subject_id=${nanshan()}`);
    expect(own.items).toMatchObject([{ action: 'top_up', account_name: 'super', address: '' }]);
    // A search does not find hidden values either.
    expect(
      (await ask(tokens.station, `subject=stations&subject_id=${nanshan()}&q=127.0`)).items,
    ).toEqual([]);
    expect(
      (await ask(tokens.admin, `subject=stations&subject_id=${nanshan()}&q=127.0`)).items,
    ).toHaveLength(1);
    expect((await ask(tokens.station, `subject=stations&subject_id=${pudong()}`)).items).toEqual(
      [],
    );
    const { status, data } = await api.call<{ fields: object }>(
      tokens.station,
      'GET',
      '/api/arco/audit',
    );
    expect({ status, fields: Object.keys(data.fields) }).toEqual({
      status: 422,
      fields: ['subject', 'subject_id'],
    });
  });
});

describe('the audit log of records outside the reader’s scope', () => {
  it('the audit log of a record hides stations outside the user’s scope and accounts that the user does not manage', async () => {
    await api.rows(sql`insert into audit_log (account_name, role, action, subject, subject_id,
      station_id, changes)
      values ('super', 'super', 'move', 'stations', ${nanshan()}, ${nanshan()},
        ${JSON.stringify({ parent_id: [pudong(), nanshan()] })}::jsonb)`);
    const moved = async (token: string) =>
      (await ask(token, `subject=stations&subject_id=${nanshan()}&action=move`)).items[0]!.changes[
        'parent_id'
      ];
    expect(await moved(tokens.station)).toEqual([null, nanshan()]);
    expect(await moved(tokens.admin)).toEqual([pudong(), nanshan()]);
    const [above] = await api.rows(sql<{ id: number }>`insert into accounts (username,
      password_hash, role, station_id, registered_at)
      values ('another-head', 'x', 'station', ${nanshan()}, now()) returning id`);
    await api.rows(sql`insert into audit_log (account_name, role, address, action, subject,
      subject_id, station_id)
      values ('another-head', 'station', '10.1.2.3', 'login', 'accounts', ${above!.id},
        ${nanshan()})`);
    const countFor = async (token: string) =>
      (await ask(token, `subject=accounts&subject_id=${above!.id}`)).items.length;
    expect([
      await countFor(tokens.station),
      await countFor(tokens.partner),
      await countFor(tokens.admin),
    ]).toEqual([0, 1, 1]);
  });
});

describe('the audit log of a parcel', () => {
  const of = (token: string) =>
    api.call<Page>(token, 'GET', `/api/arco/expresses/${parcel.id}/audit`);

  it('the clerk of a parcel reads its audit log with whole phones, and readers of other stations read it with masked phones', async () => {
    const edit = async (token: string) =>
      (await of(token)).data.items.find(({ action }) => action === 'edit')!.changes;
    expect(await edit(tokens.clerk)).toMatchObject({
      receive_phone: ['13900000001', '13911112222'],
      remark: ['', '小心轻放'],
    });
    for (const token of [tokens.super, tokens.partner])
      for (const phone of (await edit(token))['receive_phone']!)
        expect(phone).toMatch(/^139\*+\d{4}$/);
  });

  it('the audit log of a parcel returns 404 to a user who does not see the parcel', async () => {
    await api.rows(sql`update expresses set user_id = (select id from accounts
      where username = 'station') where id = ${parcel.id}`);
    expect((await of(tokens.clerk)).status).toBe(404);
    expect((await of(tokens.station)).status).toBe(200);
  });
});
