import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import type { workplace } from '@waystation/contract/shell/workplace.ts';
import pg from 'pg';
import { sql } from '#platform/db/db.ts';
import { parcelClient, failureOf } from '#testing/parcel-client.ts';
import { openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';

type Board = OutputOf<typeof workplace>;

let system: TestSystem;
let admin: string;
beforeAll(async () => {
  system = await openTestSystem();
  admin = await system.login('admin');
});
afterAll(() => system.close());

const board = async (token = admin): Promise<Board> =>
  (await system.call<Board>(token, 'GET', '/api/arco/workplace')).data;
const done = async (): Promise<string[]> =>
  (await board()).checklist!.filter((step) => step.done === 1).map(({ step }) => step);

describe('the setup list of a new network', () => {
  it('the setup list guides administrators from the carrier account to the first parcel, and disappears after the first order', async () => {
    expect(await done()).toEqual([
      'merchant',
      'goods',
      'promise',
      'voucher',
      'project',
      'station',
      'account',
    ]);
    await rowsOf(system, sql`update cargos set status = 0`);
    expect(await done()).not.toContain('goods');
    await rowsOf(system, sql`update cargos set status = 1`);
    await system.topUp('nanshan', 100_000);
    expect(await done()).toContain('money');
    expect((await board(await system.login('station'))).checklist).toBeNull();
    await (await parcelClient(system)).order();
    expect((await board()).checklist).toBeNull();
  });
});

describe('closing an alert', () => {
  it('closing an alert twice records one close with its reason, and the alert opens again when it is raised again', async () => {
    const [{ id }] = (await rowsOf(
      system,
      sql<{ id: number }>`insert into alerts (code, params, key)
        values ('merchant_paused', '{"text": "x"}', 'test') returning id`,
    )) as [{ id: number }];
    expect((await board()).alerts).toMatchObject([{ id }]);
    for (const _ of [1, 2])
      expect(
        (await system.call(admin, 'POST', `/api/arco/alerts/${id}/close`, { reason: '已更换令牌' }))
          .status,
      ).toBe(200);
    expect((await board()).alerts).toEqual([]);
    expect(
      await rowsOf(
        system,
        sql`select action, reason from audit_log
      where subject = 'alerts'`,
      ),
    ).toEqual([{ action: 'close', reason: '已更换令牌' }]);
  });
});

describe('a station suspended by a failed ledger check', () => {
  it('a station suspended by a failed ledger check resumes payments after an administrator has entered the cause', async () => {
    const { id } = system.station('nanshan');
    const owner = new pg.Client(system.database.owner);
    await owner.connect();
    await owner.query(
      `insert into ledger_blocks (station_id, reason, blocked_at) values ($1, '[]', now())`,
      [id],
    );
    await owner.end();
    const clerk = await parcelClient(system);
    expect(failureOf(await clerk.order())).toMatchObject({ code: 'station_blocked' });
    expect(
      (
        await system.call(
          await system.login('partner'),
          'POST',
          `/api/arco/stations/${id}/unblock`,
          { reason: '看过了' },
        )
      ).status,
    ).toBe(403);
    expect(
      await system.call(admin, 'POST', `/api/arco/stations/${id}/unblock`, {
        reason: '已核对备份',
      }),
    ).toMatchObject({ status: 200, data: { cleared: 1 } });
    expect((await clerk.order()).status).toBe(200);
    expect(
      await system.call(admin, 'POST', `/api/arco/stations/${id}/unblock`, {
        reason: '已核对备份',
      }),
    ).toMatchObject({ data: { cleared: 0 } });
  });
});
