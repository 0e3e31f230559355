import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Reason } from '@waystation/contract/base/envelope.ts';
import type { Project } from '@waystation/contract/network/project.ts';
import type { Station } from '@waystation/contract/network/station.ts';
import { sql } from '#platform/db/db.ts';
import { eventually, openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { Answer, TestSystem } from '#testing/test-system.ts';

interface Preview {
  ready: number;
  changes: { name: string; fields: { field: string; before: unknown; after: unknown }[] }[];
  skipped: { reason: Reason; count: number; names: string[] }[];
  code?: string;
  fields?: Record<string, Reason>;
}

let system: TestSystem;
let admin: string;
let partner: string;
beforeAll(async () => {
  system = await openTestSystem();
  [admin, partner] = [await system.login('admin'), await system.login('partner')];
});
afterAll(() => system.close());

const call = <T>(token: string, path: string, body: object): Promise<Answer<T>> =>
  system.call<T>(token, 'POST', `/api/arco${path}`, body);
const preview = (token: string, ids: number[], values: object) =>
  call<Preview>(token, '/bulk/preview', { list: 'stations', action: 'price', ids, values });
const stationOf = async (id: number): Promise<Station> =>
  (await system.call<Station>(admin, 'GET', `/api/arco/stations/${id}`)).data;

it('a bulk change sets the scheme and the discount of many stations after a preview, is audited for each station, and can be undone', async () => {
  const { items: projects } = (
    await system.call<{ items: Project[] }>(admin, 'GET', '/api/arco/projects?status=1')
  ).data;
  const copy = await call<Project>(admin, `/projects/${projects[0]!.id}/copy`, {
    name: '批量定价方案',
  });
  const rows = await rowsOf<{ id: number; name: string }>(
    system,
    sql`select id, name from stations s where not exists (select 1 from stations c
      where c.parent_id = s.id) order by name, id`,
  );
  const ids = rows.map(({ id }) => id);
  const before = await Promise.all(ids.map(stationOf));
  const values = { project_id: copy.data.id, discount: 9_000 };

  const { data } = await preview(admin, ids, values);
  expect(data).toMatchObject({ ready: ids.length, skipped: [] });
  expect(data.changes[0]).toEqual({
    name: rows[0]!.name,
    fields: [
      {
        field: 'project_id',
        before: projects.find(({ id }) => id === before[0]!.project_id)?.name ?? null,
        after: '批量定价方案',
      },
      ...(before[0]!.discount === 9_000
        ? []
        : [{ field: 'discount', before: before[0]!.discount, after: 9_000 }]),
    ],
  });
  expect(await stationOf(ids[0]!)).toEqual(before[0]);

  const started = await call<{ job_id: number }>(admin, '/stations/bulk', {
    action: 'price',
    ids,
    values,
  });
  const ended = (job_id: number) =>
    eventually(async () => {
      const { data: now } = await system.call<{ status: string; ok: number; skipped: number }>(
        admin,
        'GET',
        `/api/arco/jobs/${job_id}`,
      );
      return now.status === 'done' && now;
    });
  expect(await ended(started.data.job_id)).toMatchObject({ ok: ids.length });
  for (const id of ids) expect(await stationOf(id)).toMatchObject(values);
  const entries = await rowsOf<{ subject_id: number }>(
    system,
    sql`select subject_id from audit_log where action = 'edit' and subject = 'stations'
      and changes ? 'project_id' order by 1`,
  );
  expect(entries.map(({ subject_id }) => subject_id)).toEqual(ids.toSorted((a, b) => a - b));

  // A parent station must not pay more than the stations below it.
  const above = await rowsOf<{ id: number }>(
    system,
    sql`select distinct parent_id as id
    from stations where parent_id is not null`,
  );
  const worse = (
    await preview(
      admin,
      above.map(({ id }) => id),
      { discount: 9_500 },
    )
  ).data;
  expect(worse.skipped.map(({ reason }) => reason.code)).toContain('discount_worse_than_child');

  // A second run changes nothing and reports that.
  expect((await preview(admin, ids, values)).data).toMatchObject({
    ready: 0,
    changes: [],
    skipped: [{ reason: { code: 'already_priced' }, count: ids.length }],
  });

  const [entry] = await rowsOf<{ id: number }>(
    system,
    sql`select id from audit_log
    where action = 'bulk_price'`,
  );
  expect((await call<{ rows: number }>(admin, `/audit/${entry!.id}/undo`, {})).data).toEqual({
    rows: ids.length,
  });
  for (const one of before)
    expect(await stationOf(one.id)).toMatchObject({
      project_id: one.project_id,
      discount: one.discount,
    });
});

it('a bulk change of stations’ prices follows the rules of a single edit, and wrong values are refused before anything begins', async () => {
  const all = (
    await rowsOf<{ id: number }>(
      system,
      sql`select id from stations
    order by id`,
    )
  ).map(({ id }) => id);
  const own = (await system.call<{ items: Station[] }>(partner, 'GET', '/api/arco/stations')).data
    .items;
  const { data } = await preview(partner, all, { discount: 9_900 });
  const reasons = new Map(data.skipped.map(({ reason, count }) => [reason.code, count]));
  expect(reasons.get('not_found')).toBe(all.length - own.length);
  // A partner can neither change its own station's price nor assign a scheme.
  expect(data.changes.map(({ name }) => name)).not.toContain(
    own.find(({ parent_id }) => !own.some(({ id }) => id === parent_id))!.name,
  );
  expect((await preview(partner, all, { project_id: 1 })).data).toMatchObject({ ready: 0 });

  for (const values of [
    {},
    { discount: 0 },
    { discount: 10_001 },
    { has_amount: 0 },
    { project_id: null, nonsense: 1 },
  ]) {
    expect((await preview(admin, all, values)).status, JSON.stringify(values)).toBe(422);
    expect(
      (await call(admin, '/stations/bulk', { action: 'price', ids: all, values })).status,
      JSON.stringify(values),
    ).toBe(422);
  }
  expect(
    (await call<Preview>(admin, '/stations/bulk', { action: 'price', ids: all })).data.fields,
  ).toEqual({ values: { code: 'required' } });
  expect(
    (
      await call<Preview>(admin, '/stations/bulk', {
        action: 'disable',
        ids: all,
        values: { discount: 9_000 },
      })
    ).data.fields,
  ).toEqual({
    values: { code: 'invalid' },
  });
});

it('after a bulk change removes the discount of stations, they pay with the discount of their freight template', async () => {
  const { data: station } = await system.call<Station>(admin, 'POST', '/api/arco/stations', {
    name: '清除折扣站',
    discount: 8_800,
  });
  const { data } = await preview(admin, [station.id], { discount: null });
  expect(data.changes).toEqual([
    { name: '清除折扣站', fields: [{ field: 'discount', before: 8_800, after: null }] },
  ]);
  await call(admin, '/stations/bulk', {
    action: 'price',
    ids: [station.id],
    values: { discount: null },
  });
  await eventually(async () => (await stationOf(station.id)).discount === null);
});

it('stations within the user’s scope are counted per province with their total balance, and can be filtered by province', async () => {
  interface Province {
    province: string;
    stations: number;
    enabled: number;
    available: number;
  }
  const place = { province: '海南省', city: '海口市', county: '美兰区' };
  const { id: parent_id } = system.station('nanshan');
  const below = await system.call<Station>(admin, 'POST', '/api/arco/stations', {
    name: '海口一站',
    parent_id,
    ...place,
  });
  await system.call(admin, 'POST', '/api/arco/stations', { name: '海口二站', ...place });
  const of = async (token: string): Promise<Province[]> =>
    (await system.call<{ items: Province[] }>(token, 'GET', '/api/arco/stations/provinces')).data
      .items;
  const hainan = (items: Province[]) => items.find(({ province }) => province === '海南省');
  expect(hainan(await of(admin))).toEqual({
    province: '海南省',
    stations: 2,
    enabled: 2,
    money: 0,
    freeze: 0,
    available: 0,
    parcels_30d: 0,
  });
  for (const token of [admin, partner, await system.login('station')]) {
    const items = await of(token);
    const listed = async (query = '') =>
      (
        await system.call<{ total: number; sums: { available: number } }>(
          token,
          'GET',
          `/api/arco/stations${query}`,
        )
      ).data;
    const { total, sums } = await listed();
    const sum = (key: 'stations' | 'available') => items.reduce((all, item) => all + item[key], 0);
    expect([sum('stations'), sum('available')]).toEqual([total, sums.available]);
    const named = items.find(({ province }) => province !== '');
    if (named)
      expect((await listed(`?province=${encodeURIComponent(named.province)}`)).total).toBe(
        named.stations,
      );
  }
  const found = await system.call<{ items: Station[] }>(
    admin,
    'GET',
    `/api/arco/stations?province=${encodeURIComponent('海南省')}&parent_id=${parent_id}`,
  );
  expect(found.data.items.map(({ id }) => id)).toEqual([below.data.id]);
});
