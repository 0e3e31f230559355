import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditRow } from '@waystation/contract/shell/audit.ts';
import type { Cargo } from '@waystation/contract/parcels/cargo.ts';
import type { Station } from '@waystation/contract/network/station.ts';
import { mostUndone } from '@waystation/contract/shell/undo.ts';
import type { UndoState } from '@waystation/contract/shell/undo.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { openTestApi } from '#testing/test-api.ts';
import type { TestApi, Tokens } from '#testing/test-api.ts';

let api: TestApi;
let tokens: Tokens;
let project_id: number;
beforeAll(async () => {
  api = await openTestApi();
  tokens = await api.loginAll();
  project_id = (
    await api.rows(sql<{ id: number }>`select id from projects order by id
    limit 1`)
  )[0]!.id;
});
afterAll(() => api.close());

type Failed = { code: string; params: Record<string, string | number> };
const post = <T = Failed>(token: string, path: string, body: object = {}) =>
  api.call<T & Failed>(token, 'POST', `/api/arco${path}`, body);
const get = async <T>(token: string, path: string): Promise<T> =>
  (await api.call<T>(token, 'GET', `/api/arco${path}`)).data;
const latest = async (
  subject: string,
  subject_id: number | null,
  action: string,
): Promise<AuditRow> =>
  (
    await api.rows(
      sql<AuditRow>`select * from audit_log where subject = ${subject}
        and subject_id is not distinct from ${subject_id} and action = ${action}
        order by id desc limit 1`,
    )
  )[0]!;
const stateOf = (id: number, token = tokens.super): Promise<UndoState> =>
  get(token, `/audit/${id}/undo`);
const undo = (id: number, token = tokens.super) =>
  post<{ rows: number }>(token, `/audit/${id}/undo`);

let made = 0;
const add = async (terms: object = {}, token = tokens.super): Promise<Station> =>
  (await post<Station>(token, '/stations', { name: `撤销站 ${++made}`, ...terms })).data;
const readStation = (id: number): Promise<Station> => get(tokens.super, `/stations/${id}`);
const edit = async (id: number, values: object, token = tokens.super): Promise<AuditRow> => {
  const { version } = await readStation(id);
  const { status, data } = await api.call<Failed>(token, 'PATCH', `/api/arco/stations/${id}`, {
    version,
    ...values,
  });
  expect(status, JSON.stringify(data)).toBe(200);
  return latest('stations', id, 'edit');
};
const addGoods = async (count: number): Promise<number[]> => {
  const ids: number[] = [];
  for (let n = 0; n < count; n++)
    ids.push(
      (
        await post<Cargo>(tokens.super, '/cargos', {
          name: `撤销物品 ${++made}`,
          type: '1',
          provider: 'jdl',
        })
      ).data.id,
    );
  return ids;
};
const bulk = async (
  list: string,
  action: string,
  ids: number[],
  token = tokens.super,
): Promise<AuditRow> => {
  const { status, data } = await post<{ job_id: number }>(token, `/${list}/bulk`, { action, ids });
  expect(status, JSON.stringify(data)).toBe(200);
  const entry = await latest(list, null, `bulk_${action}`);
  expect(await stateOf(entry.id, token)).toMatchObject({
    possible: 0,
    reason: { code: 'undo_running' },
  });
  await api.runJob(data.job_id);
  return entry;
};
const statuses = async (table: string, ids: number[]): Promise<number[]> =>
  (
    await api.rows(sql<{ status: number }>`select status from ${sql.table(table)}
    where id = any(${ids}::bigint[]) order by id`)
  ).map(({ status }) => status);

describe('undo of a bulk status change', () => {
  it('undoing a bulk status change restores only the rows that it changed, and is audited', async () => {
    const ids = await addGoods(3);
    await post(tokens.super, `/cargos/${ids[0]}/status`, { status: 0 });
    const entry = await bulk('cargos', 'disable', ids);
    expect(await statuses('cargos', ids)).toEqual([0, 0, 0]);
    expect(await stateOf(entry.id)).toEqual({ possible: 1, rows: 2, reason: null, since: [] });
    expect((await undo(entry.id, tokens.admin)).data).toEqual({ rows: 2 });
    expect(await statuses('cargos', ids)).toEqual([0, 1, 1]);
    const act = await latest('cargos', null, 'undo');
    expect(act).toMatchObject({
      account_name: 'admin',
      changes: { undone: [null, entry.id], rows: [null, 2] },
    });
    const rows = await api.rows(
      sql<{ subject_id: number }>`select subject_id from audit_log
        where request_id = ${act.request_id} and action = 'enable' order by subject_id`,
    );
    expect(rows.map(({ subject_id }) => subject_id)).toEqual(ids.slice(1));
  });

  it('undoing a bulk status change is refused if a status was changed again, but not if only other fields were edited', async () => {
    const ids = await addGoods(2);
    const entry = await bulk('cargos', 'disable', ids);
    const { version } = (await get<Cargo>(tokens.super, `/cargos/${ids[0]}`)) as Cargo & {
      version: number;
    };
    await api.call(tokens.super, 'PATCH', `/api/arco/cargos/${ids[0]}`, {
      version,
      name: `另一名称 ${made}`,
    });
    expect(await stateOf(entry.id)).toMatchObject({ possible: 1 });
    await post(tokens.admin, `/cargos/${ids[1]}/status`, { status: 1 });
    expect(await stateOf(entry.id)).toMatchObject({
      possible: 0,
      reason: { code: 'undo_changed' },
      since: [
        {
          account_name: 'admin',
          role: 'admin',
          action: 'enable',
          subject: 'cargos',
          subject_id: ids[1],
        },
      ],
    });
    expect(await undo(entry.id)).toMatchObject({ status: 409, data: { code: 'undo_changed' } });
    expect(await statuses('cargos', ids)).toEqual([0, 1]);
  });

  it('undoing a bulk status change restores no row if a rule forbids the change of one row', async () => {
    const one = await add({ project_id });
    const scheme = async (name: string) =>
      (
        await post<{ id: number }>(tokens.super, '/projects', {
          name: `${name} ${++made}`,
          percent_type: 1,
          voucher_ids: [],
        })
      ).data.id;
    const ids = [await scheme('方案甲'), await scheme('方案乙')];
    await api.rows(sql`update projects set status = 0 where id = any(${ids}::bigint[])`);
    const entry = await bulk('projects', 'enable', ids);
    await edit(one.id, { project_id: ids[1] });
    expect(await undo(entry.id)).toMatchObject({ status: 422, data: { code: 'project_in_use' } });
    expect(await statuses('projects', ids)).toEqual([1, 1]);
    expect(await latest('projects', null, 'undo')).toBeUndefined();
  });

  it('undoing a bulk status change of too many rows is refused with the limit', async () => {
    const [id] = await addGoods(1);
    const entry = await bulk('cargos', 'disable', [id!]);
    await api.rows(sql`insert into audit_log (account_name, role, address, request_id, action,
      subject, subject_id, changes)
      select 'super', 'super', '', ${entry.request_id}, 'disable', 'cargos', 9000000 + n,
        '{"status": [1, 0]}' from generate_series(1, ${mostUndone}) n`);
    expect(await undo(entry.id)).toMatchObject({
      status: 422,
      data: { code: 'undo_too_many', params: { limit: mostUndone } },
    });
  });

  it('only one of two simultaneous undos succeeds; the other returns 409 because the action is undone already', async () => {
    const ids = await addGoods(3);
    const entry = await bulk('cargos', 'disable', ids);
    const answers = await Promise.all([undo(entry.id), undo(entry.id, tokens.admin)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)!.data).toMatchObject({ code: 'undo_done' });
    expect(await statuses('cargos', ids)).toEqual([1, 1, 1]);
    expect(
      await api.rows(sql`select 1 from audit_log where action = 'undo'
      and changes -> 'undone' -> 1 = to_jsonb(${entry.id}::bigint)`),
    ).toHaveLength(1);
  });
});

describe('undo of a station’s prices', () => {
  it('undoing a change of a station’s prices restores all price fields that it changed', async () => {
    const { id } = await add({ discount: 9_000, project_id });
    const entry = await edit(id, { discount: 8_000, northeast_discount: 9_500, project_id: null });
    expect((await undo(entry.id)).data).toEqual({ rows: 1 });
    expect(await readStation(id)).toMatchObject({
      discount: 9_000,
      northeast_discount: null,
      project_id,
    });
    expect(await stateOf(entry.id)).toMatchObject({
      possible: 0,
      reason: { code: 'undo_done', params: { account: 'super' } },
    });
  });

  it('an audit entry of a station can be undone only if it changed prices and nothing else', async () => {
    const { id } = await add();
    const mixed = await edit(id, { discount: 9_000, address: '示例路3号' });
    expect(await undo(mixed.id)).toMatchObject({ status: 422, data: { code: 'undo_unsupported' } });
    expect(await undo((await latest('stations', id, 'create')).id)).toMatchObject({
      status: 422,
      data: { code: 'undo_unsupported' },
    });
  });

  it('if a change of a station’s prices and the undo of an earlier change run simultaneously, one succeeds and the other returns 409', async () => {
    const { id } = await add({ discount: 9_000 });
    const entry = await edit(id, { discount: 8_000 });
    const { version } = await readStation(id);
    const path = `/api/arco/stations/${id}`;
    const [changed, undone] = await Promise.all([
      api.call<Failed>(tokens.admin, 'PATCH', path, { version, discount: 7_000 }),
      undo(entry.id),
    ]);
    const { discount } = await readStation(id);
    if (undone.status === 200) {
      expect([changed.status, changed.data.code, discount]).toEqual([
        409,
        'version_conflict',
        9_000,
      ]);
    } else {
      expect([undone.status, undone.data.code, changed.status, discount]).toEqual([
        409,
        'undo_changed',
        200,
        7_000,
      ]);
    }
  });

  it('an undo of a price change is refused if another price change commits while the undo waits for the lock on the station’s row', async () => {
    const { id } = await add({ discount: 9_000 });
    const entry = await edit(id, { discount: 8_000 });
    let waiting: ReturnType<typeof undo> | undefined;
    await api.app.db.tx(systemScope('test'), async (work) => {
      await sql`update stations set discount = 7000, version = version + 1
        where id = ${id}`.execute(work.tx);
      await sql`insert into audit_log (account_name, role, address, request_id, action,
        subject, subject_id, station_id, changes)
        values ('admin', 'admin', '', 'r', 'edit', 'stations', ${id}, ${id},
          '{"discount": [8000, 7000]}')`.execute(work.tx);
      waiting = undo(entry.id);
      // The loop ends when the undo has read the row and waits for its lock.
      for (;;) {
        const { rows } = await sql`select 1 from pg_stat_activity
          where wait_event_type = 'Lock' and datname = current_database()`.execute(work.tx);
        if (rows.length > 0) break;
        await new Promise((later) => setImmediate(later));
      }
    });
    expect(await waiting).toMatchObject({ status: 409, data: { code: 'undo_changed' } });
    expect(await readStation(id)).toMatchObject({ discount: 7_000 });
  });

  it('undoing an assignment of a freight scheme returns each station to its previous scheme', async () => {
    const [one, two] = [await add({ project_id: null }), await add({ project_id })];
    const { id: other } = (
      await post<{ id: number }>(tokens.super, '/projects', {
        name: `方案丙 ${++made}`,
        percent_type: 1,
        voucher_ids: [],
      })
    ).data;
    await post(tokens.super, `/projects/${other}/stations`, { station_ids: [one.id, two.id] });
    const entry = await latest('projects', other, 'assign');
    expect(await stateOf(entry.id)).toMatchObject({ possible: 1, rows: 2 });
    expect((await undo(entry.id, tokens.admin)).data).toEqual({ rows: 2 });
    expect([
      (await readStation(one.id)).project_id,
      (await readStation(two.id)).project_id,
    ]).toEqual([null, project_id]);
  });

  it('undoing an assignment of a replacement scheme is refused while the previous scheme is disabled', async () => {
    const scheme = async (name: string) =>
      (
        await post<{ id: number; name: string }>(tokens.super, '/projects', {
          name: `${name} ${++made}`,
          percent_type: 1,
          voucher_ids: [],
        })
      ).data;
    const [old, next] = [await scheme('停用的方案'), await scheme('接替的方案')];
    const one = await add({ project_id: old.id });
    expect(
      (await post(tokens.super, `/projects/${old.id}/status`, { status: 0, successor_id: next.id }))
        .status,
    ).toBe(200);
    const entry = await latest('projects', next.id, 'assign');
    const reason = { code: 'project_disabled', params: { name: old.name } };
    expect(await stateOf(entry.id)).toEqual({ possible: 0, rows: 1, reason, since: [] });
    expect(await stateOf((await latest('stations', one.id, 'assign_project')).id)).toMatchObject({
      possible: 0,
      reason,
    });
    expect(await undo(entry.id)).toMatchObject({ status: 422, data: reason });
    expect(await readStation(one.id)).toMatchObject({ project_id: next.id });
    await post(tokens.super, `/projects/${old.id}/status`, { status: 1 });
    expect(await stateOf(entry.id)).toMatchObject({ possible: 1, reason: null });
    expect((await undo(entry.id)).data).toEqual({ rows: 1 });
    expect(await readStation(one.id)).toMatchObject({ project_id: old.id });
  });

  it('a partner can undo changes of stations below, except fields that only administrators set, and no changes of other stations', async () => {
    const south = api.station('south').id;
    const own = await add({ parent_id: south, discount: 9_000 });
    const entry = await edit(own.id, { discount: 9_500 }, tokens.partner);
    expect((await undo(entry.id, tokens.partner)).status).toBe(200);
    const scheme = await edit(own.id, { project_id: null });
    expect(await undo(scheme.id, tokens.partner)).toMatchObject({
      status: 422,
      data: { code: 'invalid_input' },
    });
    const others = await edit((await add({ parent_id: api.station('east').id })).id, {
      discount: 9_900,
    });
    expect((await undo(others.id, tokens.partner)).status).toBe(404);
    expect(
      (await api.call(tokens.partner, 'GET', `/api/arco/audit/${others.id}/undo`)).status,
    ).toBe(404);
    expect((await undo(entry.id, tokens.clerk)).status).toBe(403);
  });
});
