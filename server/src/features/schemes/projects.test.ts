import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mostSucceeded } from '@waystation/contract/base/limits.ts';
import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import type {
  ProjectDetails,
  splitProject,
  previewProject,
} from '@waystation/contract/network/project.ts';
import { sql } from '#platform/db/db.ts';
import { exampleOrder, openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { Answer, TestSystem } from '#testing/test-system.ts';

let system: TestSystem;
let admin: string;
let shown: ProjectDetails;
beforeAll(async () => {
  system = await openTestSystem();
  admin = await system.login('admin');
  const [first] = (await call<{ items: [ProjectDetails] }>('GET', '')).data.items;
  shown = (await call('GET', `/${first.id}`)).data;
});
afterAll(() => system.close());

interface Failed {
  code: string;
  fields?: Record<string, { code: string; params?: object }>;
}
const call = <T = ProjectDetails>(
  method: string,
  tail: string,
  body?: object,
): Promise<Answer<T>> => system.call<T>(admin, method, `/api/arco/projects${tail}`, body);
const copied = async (name: string): Promise<ProjectDetails> =>
  (await call('POST', `/${shown.id}/copy`, { name })).data;
const sample = { receive_province: '上海市', receive_city: '上海市', weight: 4_300 };

describe('a freight scheme', () => {
  it('a freight scheme holds one enabled and published template for each delivery time', async () => {
    const [first, second] = shown.vouchers;
    const twin = (
      await rowsOf(
        system,
        sql<{
          id: number;
        }>`insert into vouchers (name, provider, promise_id, weight)
          select '同时效', provider, promise_id, weight from vouchers
          where id = ${first!.voucher_id} returning id`,
      )
    )[0]!.id;
    const create = (voucher_ids: number[]) =>
      call<Failed>('POST', '', { name: '新方案', voucher_ids });
    expect((await create([twin])).data.fields).toEqual({
      voucher_ids: { code: 'voucher_not_usable', params: { name: '同时效' } },
    });
    await rowsOf(
      system,
      sql`insert into voucher_versions (voucher_id, no, valid_from, weight)
        select ${twin}, 1, now(), weight from vouchers where id = ${twin}`,
    );
    expect((await create([first!.voucher_id, twin])).data.fields).toEqual({
      voucher_ids: { code: 'promise_twice', params: { promise_id: first!.promise_id } },
    });
    expect((await create([987_654])).data.fields).toEqual({ voucher_ids: { code: 'not_found' } });
    expect((await create([twin, second!.voucher_id])).status).toBe(200);
    expect((await create([])).data.fields).toEqual({ name: { code: 'taken' } });
  });

  it('a freight scheme can be changed, and a change with an outdated version returns 409', async () => {
    const project = await copied('改动');
    const left = project.vouchers.slice(1).map(({ voucher_id }) => voucher_id);
    const edited = await call('PATCH', `/${project.id}`, {
      version: project.version,
      percent_type: 2,
      voucher_ids: left,
    });
    expect(edited.data).toMatchObject({
      percent_type: 2,
      voucher_count: left.length,
      version: project.version + 1,
      changed_by: 'admin',
    });
    expect(
      (await call<Failed>('PATCH', `/${project.id}`, { version: project.version, percent_type: 3 }))
        .status,
    ).toBe(409);
    const [{ changes }] = (await rowsOf(
      system,
      sql<{ changes: Record<string, unknown[]> }>`select changes from audit_log
        where subject = 'projects' and subject_id = ${project.id} and action = 'edit'`,
    )) as [{ changes: Record<string, unknown[]> }];
    expect(changes['voucher_ids']).toEqual([
      project.vouchers.map(({ voucher_id }) => voucher_id).toSorted((a, b) => a - b),
      left.toSorted((a, b) => a - b),
    ]);
  });

  it('a freight scheme that stations use cannot be disabled, and its usage shows how many stations use it', async () => {
    const refused = await call<Failed>('POST', `/${shown.id}/status`, { status: 0 });
    expect([refused.status, refused.data.code]).toEqual([422, 'project_in_use']);
    expect((await call('GET', `/${shown.id}/usage`)).data).toMatchObject({
      items: [{ what: 'stations', count: shown.station_count }],
    });
    const project = await copied('无人使用');
    expect((await call('POST', `/${project.id}/status`, { status: 0 })).data.status).toBe(0);
    const { id } = system.station('keji');
    expect(
      (await call<Failed>('POST', `/${project.id}/stations`, { station_ids: [id] })).data.code,
    ).toBe('project_disabled');
  });

  it('disabling a freight scheme moves its stations to the replacement scheme, with an audit entry for each station', async () => {
    const [old, next] = [await copied('停用的'), await copied('接替的')];
    const station_ids = [system.station('keji').id, system.station('yuhang').id];
    await call('POST', `/${old.id}/stations`, { station_ids });
    const disable = (successor_id: number) =>
      call<Failed>('POST', `/${old.id}/status`, { status: 0, successor_id });
    await call('POST', `/${next.id}/status`, { status: 0 });
    for (const wrong of [old.id, next.id, 987_654])
      expect((await disable(wrong)).data.fields).toEqual({
        successor_id: { code: 'successor_invalid' },
      });
    expect((await call('GET', `/${old.id}`)).data).toMatchObject({ status: 1, station_count: 2 });
    await call('POST', `/${next.id}/status`, { status: 1 });
    const { status } = await disable(next.id);
    expect(status).toBe(200);
    expect((await call('GET', `/${old.id}`)).data).toMatchObject({ status: 0, station_count: 0 });
    expect((await call('GET', `/${next.id}`)).data).toMatchObject({ status: 1, station_count: 2 });
    const rows = await rowsOf(
      system,
      sql<{
        subject_id: number;
      }>`select subject_id from audit_log where action = 'assign_project'
        and changes = ${JSON.stringify({ project_id: [old.id, next.id] })}::jsonb
        order by subject_id`,
    );
    expect(rows.map(({ subject_id }) => subject_id)).toEqual(station_ids.toSorted((a, b) => a - b));
    await call('POST', `/${shown.id}/stations`, { station_ids });
  });

  it('disabling a freight scheme moves at most 500 stations to the replacement scheme', async () => {
    const [old, next] = [await copied('很多网点的'), await copied('接替很多网点的')];
    await rowsOf(
      system,
      sql`insert into stations (name, project_id)
      select '多站' || n, ${old.id} from generate_series(1, ${mostSucceeded + 1}) n`,
    );
    const disable = () =>
      call<Failed & { params: object }>('POST', `/${old.id}/status`, {
        status: 0,
        successor_id: next.id,
      });
    expect((await disable()).data).toMatchObject({
      code: 'successor_too_many',
      params: { count: mostSucceeded + 1, limit: mostSucceeded },
    });
    await rowsOf(system, sql`update stations set project_id = null where name = '多站1'`);
    expect((await disable()).status).toBe(200);
    expect((await call('GET', `/${next.id}`)).data.station_count).toBe(mostSucceeded);
    await rowsOf(
      system,
      sql`update stations set project_id = null
      where project_id = ${next.id}`,
    );
  });

  it('a freight scheme is assigned to several stations at once after a preview, with an audit entry for each station', async () => {
    const project = await copied('换用');
    await call('PATCH', `/${project.id}`, {
      version: project.version,
      voucher_ids: [project.vouchers[0]!.voucher_id],
    });
    const station_ids = [system.station('keji').id, system.station('yuhang').id];
    const { data } = await call<OutputOf<typeof previewProject>>('POST', `/${project.id}/preview`, {
      station_ids,
      ...sample,
    });
    expect(data.items.map(({ station_id }) => station_id)).toEqual(station_ids);
    for (const { project_name, prices } of data.items) {
      expect(project_name).toBe(shown.name);
      expect(prices.filter(({ before_amount }) => before_amount !== null).length).toBe(
        shown.vouchers.length,
      );
      expect(
        prices
          .filter(({ after_amount }) => after_amount !== null)
          .map(({ promise_id }) => promise_id),
      ).toEqual([project.vouchers[0]!.promise_id]);
    }
    expect((await call('POST', `/${project.id}/stations`, { station_ids })).data).toEqual({
      changed: 2,
    });
    expect((await call('POST', `/${project.id}/stations`, { station_ids })).data).toEqual({
      changed: 0,
    });
    const rows = await rowsOf(
      system,
      sql<{
        changes: object;
      }>`select changes from audit_log where action = 'assign_project'
        and changes -> 'project_id' -> 1 = to_jsonb(${project.id}::bigint) order by id`,
    );
    expect(rows.map(({ changes }) => changes)).toEqual(
      station_ids.map(() => ({ project_id: [shown.id, project.id] })),
    );
    expect((await call('GET', `/stations?project_id=${project.id}`)).data).toMatchObject({
      total: 2,
    });
  });
});

describe('the split of a sample parcel', () => {
  it('the price split of a sample parcel sums to the station’s price for every kind of profit sharing', async () => {
    const station_id = system.station('nanshan').id;
    for (const percent_type of [1, 2, 3]) {
      const { data } = await call<OutputOf<typeof splitProject>>('POST', `/${shown.id}/split`, {
        station_id,
        percent_type,
        guarantee_value_amount: 40_000,
        ...sample,
      });
      expect(data.items.length).toBe(shown.vouchers.length);
      for (const { post_amount, lines } of data.items) {
        expect(lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(post_amount);
        expect(lines.map(({ kind }) => kind)).toEqual(['share', 'guarantee', 'platform']);
      }
    }
  });

  it('the price split of a sample parcel shows the same price and shares as an ordered parcel of that station', async () => {
    await system.topUp('nanshan', 100_000);
    const clerk = await system.login('clerk');
    const { data: parcel } = await system.call<{ id: number; post_amount: number }>(
      { token: clerk, headers: { 'idempotency-key': 'split-against-parcel' } },
      'POST',
      '/api/arco/expresses',
      exampleOrder(),
    );
    const [row] = await rowsOf(
      system,
      sql<{ shares: { amount: number }[]; promise_id: string }>`select shares, promise_id
        from expresses where id = ${parcel.id}`,
    );
    const { data } = await call<OutputOf<typeof splitProject>>('POST', `/${shown.id}/split`, {
      station_id: system.station('nanshan').id,
      ...sample,
    });
    const same = data.items.find(({ promise_id }) => promise_id === row!.promise_id)!;
    expect(same.post_amount).toBe(parcel.post_amount);
    expect(same.lines.filter(({ kind }) => kind === 'share').map(({ amount }) => amount)).toEqual(
      row!.shares.map(({ amount }) => amount),
    );
  });

  it('the price split of a sample parcel shows the reason for an unavailable delivery time', async () => {
    const { data } = await call<OutputOf<typeof splitProject>>('POST', `/${shown.id}/split`, {
      station_id: system.station('nanshan').id,
      ...sample,
      guarantee_value_amount: 9_000_000_000,
    });
    expect(data.items.map(({ post_amount, reason }) => [post_amount, reason?.code])).toEqual(
      shown.vouchers.map(() => [null, 'above_top_tier']),
    );
  });
});
