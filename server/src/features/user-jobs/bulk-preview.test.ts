import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cargo } from '@waystation/contract/parcels/cargo.ts';
import type { Reason } from '@waystation/contract/base/envelope.ts';
import { sql } from '#platform/db/db.ts';
import { eventually, openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { Answer, TestSystem } from '#testing/test-system.ts';

interface Preview {
  total: number;
  tried: number;
  ready: number;
  skipped: { reason: Reason; count: number; names: string[] }[];
  code?: string;
  fields?: Record<string, Reason>;
}

let system: TestSystem;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  system = await openTestSystem();
  for (const name of ['admin', 'partner', 'clerk']) tokens[name] = await system.login(name);
});
afterAll(() => system.close());

const preview = (who: string, body: object): Promise<Answer<Preview>> =>
  system.call<Preview>(tokens[who]!, 'POST', '/api/arco/bulk/preview', body);
const goods = async (): Promise<Cargo[]> =>
  (await system.call<{ items: Cargo[] }>(tokens['admin']!, 'GET', '/api/arco/cargos?page_size=200'))
    .data.items;

describe('the preview of a bulk action', () => {
  it('the preview of a bulk action counts the rows it would change and, for each reason, the rows it would skip, and changes nothing', async () => {
    const before = await goods();
    const log = await rowsOf(system, sql`select count(*) as n from audit_log`);
    const ids = before.map(({ id }) => id);
    const { data } = await preview('admin', {
      list: 'cargos',
      action: 'disable',
      ids: [...ids, 999_999],
    });
    const last = data.skipped.find(({ reason }) => reason.code === 'last_cargo');
    expect(data).toMatchObject({
      total: ids.length + 1,
      tried: ids.length + 1,
      ready: ids.length - 1,
    });
    // Each row is tried after the rows before it, as in the job, so the last goods of the carrier
    // are skipped.
    expect(last).toMatchObject({ count: 1, names: [before.at(-1)!.name] });
    expect(data.skipped.find(({ reason }) => reason.code === 'not_found')).toMatchObject({
      count: 1,
      names: [],
    });
    expect(await goods()).toEqual(before);
    expect(await rowsOf(system, sql`select count(*) as n from audit_log`)).toEqual(log);
  });

  it('the preview of a bulk action counts rows that already have the value as skipped, like the action itself', async () => {
    const rows = await goods();
    const ids = rows.map(({ id }) => id);
    expect((await preview('admin', { list: 'cargos', action: 'enable', ids })).data).toMatchObject({
      ready: 0,
      skipped: [
        {
          reason: { code: 'already_enabled' },
          count: ids.length,
          names: rows.slice(0, 5).map(({ name }) => name),
        },
      ],
    });
    const { data } = await system.call<{ job_id: number }>(
      tokens['admin']!,
      'POST',
      '/api/arco/cargos/bulk',
      { action: 'enable', ids },
    );
    const job = await eventually(async () => {
      const { data: now } = await system.call<{ status: string; ok: number; skipped: number }>(
        tokens['admin']!,
        'GET',
        `/api/arco/jobs/${data.job_id}`,
      );
      return now.status === 'done' && now;
    });
    expect(job).toMatchObject({ ok: 0, skipped: ids.length });
  });

  it('the preview of a bulk action by a list filter is refused if the filter selects no row or is invalid', async () => {
    const { data } = await preview('admin', {
      list: 'cargos',
      action: 'disable',
      filter: { status: 1, q: '没有这个物品' },
    });
    expect(data.code).toBe('selection_empty');
    expect(
      (await preview('admin', { list: 'cargos', action: 'disable', filter: { nonsense: 1 } })).data
        .fields,
    ).toHaveProperty('filter');
  });

  it('the preview of a bulk action refuses lists and actions that the user may not use, and counts only rows within the scope', async () => {
    expect((await preview('clerk', { list: 'cargos', action: 'disable', ids: [1] })).status).toBe(
      403,
    );
    expect((await preview('admin', { list: 'nothing', action: 'disable', ids: [1] })).status).toBe(
      422,
    );
    expect((await preview('admin', { list: 'cargos', action: 'cancel', ids: [1] })).status).toBe(
      422,
    );
    expect((await preview('admin', { list: 'expresses', action: 'cancel', ids: [1] })).status).toBe(
      422,
    );
    const all = await rowsOf<{ id: number }>(
      system,
      sql`select id from stations
      order by id`,
    );
    const seen = (
      await system.call<{ total: number }>(tokens['partner']!, 'GET', '/api/arco/stations')
    ).data.total;
    const { data } = await preview('partner', {
      list: 'stations',
      action: 'disable',
      ids: all.map(({ id }) => id),
    });
    const strangers = data.skipped.find(({ reason }) => reason.code === 'not_found');
    expect(strangers).toMatchObject({ count: all.length - seen, names: [] });
  });
});
