import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Inbox } from '@waystation/contract/shell/inbox.ts';
import { topUp } from '#domain/ledger/ledger.ts';
import { periodOf } from '#platform/clock.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { runTask } from '#testing/run-task.ts';
import { openTestApi } from '#testing/test-api.ts';
import type { TestApi } from '#testing/test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const stationOf = async (token: string): Promise<number> =>
  (await api.call<{ station_id: number }>(token, 'GET', '/api/arco/personal')).data.station_id;

describe('notifications about a closed month', () => {
  it('closing a month notifies the users who confirm it for stations whose money moved, and no other user', async () => {
    const { station, partner } = await api.loginAll();
    const [own, above] = [await stationOf(station), await stationOf(partner)];
    const at = api.clock.now();
    const period = periodOf(at);
    for (const station_id of [own, above])
      await api.app.db.tx(systemScope('test'), (work) =>
        topUp(work, {
          station_id,
          amount: 100,
          description: 'test',
          cause: `moved ${station_id}`,
          at,
          by: 1,
        }),
      );
    api.clock.advance(31 * 86_400_000);
    const tokens = await api.loginAll();
    const close = (token: string) =>
      api.call(token, 'POST', `/api/arco/periods/${period}/close`, {});
    const notices = () => api.rows(sql`select 1 from inbox_notices where kind = 'month_closed'`);
    for (const token of [tokens.partner, tokens.station, tokens.clerk])
      expect((await close(token)).status).toBe(403);
    expect(await notices()).toEqual([]);
    expect((await close(tokens.super)).status).toBe(200);
    expect(await notices()).toHaveLength(2);
    await runTask(api.app, 'deliver_inbox');
    const closed = async (token: string) =>
      (await api.call<Inbox>(token, 'GET', '/api/arco/inbox')).data.items
        .filter(({ kind }) => kind === 'month_closed')
        .map(({ station_id, month, count }) => [station_id, month, count]);
    const month = { period, confirmed: 0 };
    expect(await closed(tokens.station)).toEqual([[own, month, 1]]);
    // A partner confirms only its own station's month; clerks and administrators confirm none.
    expect(await closed(tokens.partner)).toEqual([[above, month, 1]]);
    expect([await closed(tokens.clerk), await closed(tokens.super)]).toEqual([[], []]);
  });

  it('closing a month again notifies no user if the station has already confirmed the same figures', async () => {
    const tokens = await api.loginAll();
    const own = await stationOf(tokens.station);
    const [{ period } = { period: '' }] = await api.rows(sql<{ period: string }>`select period
      from periods`);
    const confirm = `/api/arco/stations/${own}/statement/confirm`;
    expect((await api.call(tokens.station, 'POST', confirm, { period, closing: 100 })).status).toBe(
      200,
    );
    const path = `/api/arco/periods/${period}`;
    const reason = '补录';
    expect((await api.call(tokens.admin, 'POST', `${path}/reopen`, { reason })).status).toBe(200);
    expect((await api.call(tokens.super, 'POST', `${path}/close`, {})).status).toBe(200);
    expect(
      await api.rows(sql<{ station_id: number }>`select station_id from inbox_notices
        where kind = 'month_closed' and station_id = ${own}`),
    ).toEqual([]);
  });
});
