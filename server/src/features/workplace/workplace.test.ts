import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputOf } from '@waystation/contract/endpoint.ts';
import type { workplace } from '@waystation/contract/workplace.ts';
import pg from 'pg';
import { sql } from '#platform/db/db.ts';
import { counterOf, failureOf } from '#testing/counter.ts';
import { openScene, rowsOf } from '#testing/scene.ts';
import type { Scene } from '#testing/scene.ts';

type Board = OutputOf<typeof workplace>;

let scene: Scene;
let admin: string;
beforeAll(async () => {
  scene = await openScene();
  admin = await scene.login('admin');
});
afterAll(() => scene.close());

const board = async (token = admin): Promise<Board> => (await scene.call<Board>(token, 'GET', '/api/arco/workplace')).data;
const done = async (): Promise<string[]> => (await board()).checklist!.filter((step) => step.done === 1).map(({ step }) => step);

describe('the list of what a network needs', () => {
  it('leads the office from carrier account to first parcel, and goes once that is ordered', async () => {
    expect(await done()).toEqual(['merchant', 'goods', 'promise', 'voucher', 'project', 'station', 'account']);
    await rowsOf(scene, sql`update cargos set status = 0`);
    expect(await done()).not.toContain('goods');
    await rowsOf(scene, sql`update cargos set status = 1`);
    await scene.topUp('nanshan', 100_000);
    expect(await done()).toContain('money');
    expect((await board(await scene.login('station'))).checklist).toBeNull();
    await (await counterOf(scene)).order();
    expect((await board()).checklist).toBeNull();
  });
});

describe('what somebody must look at', () => {
  it('is closed once, with who did it, and is there again when it is raised again', async () => {
    const [{ id }] = (await rowsOf(
      scene,
      sql<{ id: number }>`insert into alerts (code, params, key) values ('merchant_paused', '{"text": "x"}', 'test') returning id`,
    )) as [{ id: number }];
    expect((await board()).alerts).toMatchObject([{ id }]);
    for (const _ of [1, 2]) expect((await scene.call(admin, 'POST', `/api/arco/alerts/${id}/close`, { reason: '已更换令牌' })).status).toBe(200);
    expect((await board()).alerts).toEqual([]);
    expect(await rowsOf(scene, sql`select action, reason from audit_log where subject = 'alerts'`)).toEqual([{ action: 'close', reason: '已更换令牌' }]);
  });
});

describe('a station whose proof failed', () => {
  it('takes money again after somebody of the office has looked and said what it was', async () => {
    const { id } = scene.station('nanshan');
    const owner = new pg.Client(scene.database.owner);
    await owner.connect();
    await owner.query(`insert into ledger_blocks (station_id, reason, blocked_at) values ($1, '[]', now())`, [id]);
    await owner.end();
    const clerk = await counterOf(scene);
    expect(failureOf(await clerk.order())).toMatchObject({ code: 'station_blocked' });
    expect((await scene.call(await scene.login('partner'), 'POST', `/api/arco/stations/${id}/unblock`, { reason: '看过了' })).status).toBe(403);
    expect(await scene.call(admin, 'POST', `/api/arco/stations/${id}/unblock`, { reason: '已核对备份' })).toMatchObject({ status: 200, data: { cleared: 1 } });
    expect((await clerk.order()).status).toBe(200);
    expect(await scene.call(admin, 'POST', `/api/arco/stations/${id}/unblock`, { reason: '已核对备份' })).toMatchObject({ data: { cleared: 0 } });
  });
});
