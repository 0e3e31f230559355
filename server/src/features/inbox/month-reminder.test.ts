import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Inbox } from '@waystation/contract/shell/inbox.ts';
import { hold, topUp } from '#domain/ledger/ledger.ts';
import { periodOf } from '#platform/clock.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { holdOf } from '#testing/money.ts';
import { runTask } from '#testing/run-task.ts';
import { openTestApi } from '#testing/test-api.ts';
import type { Refused, TestApi, Tokens } from '#testing/test-api.ts';

let api: TestApi;
let tokens: Tokens;
let period: string;
beforeAll(async () => {
  api = await openTestApi();
  period = periodOf(api.clock.now());
  for (const key of ['nanshan', 'south', 'pudong']) await moved(key);
  await api.rows(sql`insert into accounts (username, role, station_id, password_hash)
    select 'pudong', 'station', ${api.station('pudong').id}, password_hash from accounts
      where username = 'station'`);
  api.clock.advance(31 * 86_400_000);
  tokens = await api.loginAll();
});
afterAll(() => api.close());

const moved = (key: string): Promise<number> =>
  api.app.db.tx(systemScope('test'), (work) =>
    topUp(work, {
      station_id: api.station(key).id,
      amount: 100,
      description: 'test',
      cause: `moved ${key}`,
      at: api.clock.now(),
      by: 1,
    }),
  );
const remind = (token: string, of = period) =>
  api.call<Refused & { stations: number }>(token, 'POST', `/api/arco/periods/${of}/remind`, {});
const refusal = async (token: string, of = period) => {
  const { status, data } = await remind(token, of);
  return [status, data.code, data.params];
};
const reminded = async (): Promise<number[]> =>
  (
    await api.rows(
      sql<{ station_id: number }>`select station_id from inbox_notices
        where kind = 'month_reminder' order by station_id`,
    )
  ).map(({ station_id }) => station_id);

describe('the reminder of a closed month', () => {
  it('a reminder to confirm a month is refused if the month is still open, and for partners, stations and clerks', async () => {
    for (const who of ['partner', 'station', 'clerk'] as const)
      expect((await remind(tokens[who])).status, who).toBe(403);
    expect(await refusal(tokens.admin)).toEqual([409, 'period_open', { period }]);
    expect(await refusal(tokens.admin, '2020-01')).toEqual([
      409,
      'period_open',
      { period: '2020-01' },
    ]);
    expect(await reminded()).toEqual([]);
  });

  it('a reminder of a closed month notifies only the stations that have not confirmed it, at most once a day per month', async () => {
    const { status } = await api.call(
      tokens.super,
      'POST',
      `/api/arco/periods/${period}/close`,
      {},
    );
    expect(status).toBe(200);
    const { id } = api.station('nanshan');
    await api.call(tokens.station, 'POST', `/api/arco/stations/${id}/statement/confirm`, {
      period,
      closing: 100,
    });
    expect((await remind(tokens.admin)).data).toEqual({ stations: 2, unheard: [] });
    expect(await reminded()).toEqual(['south', 'pudong'].map((key) => api.station(key).id));
    const again = await refusal(tokens.super);
    expect(again).toEqual([409, 'period_reminded', { period, time: expect.any(String) }]);
    expect(await reminded()).toHaveLength(2);
    await runTask(api.app, 'deliver_inbox');
    const kinds = async (token: string): Promise<string[]> =>
      (await api.call<Inbox>(token, 'GET', '/api/arco/inbox')).data.items
        .map(({ kind }) => kind)
        .filter((kind) => kind === 'month_reminder');
    // The station that has confirmed gets no entry, nor do administrators. The partner gets an
    // entry only for its own station.
    expect([await kinds(tokens.station), await kinds(tokens.clerk)]).toEqual([[], []]);
    expect([await kinds(tokens.partner), await kinds(tokens.super)]).toEqual([
      ['month_reminder'],
      [],
    ]);
  });

  it('only one of two simultaneous reminders of a closed month is sent', async () => {
    api.clock.advance(86_400_000);
    tokens = await api.loginAll();
    const both = await Promise.all([remind(tokens.super), remind(tokens.admin)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const audited = await api.rows(sql`select 1 from audit_log where action = 'remind_period'`);
    expect(audited).toHaveLength(2);
  });

  it('the confirmations of a month show the last reminder, and only administrators can read them', async () => {
    const path = `/api/arco/periods/${period}/confirmations`;
    const { data } = await api.call<{ items: object[]; reminded: object }>(
      tokens.admin,
      'GET',
      path,
    );
    expect(data.items).toHaveLength(3);
    expect(data.reminded).toMatchObject({ stations: 2, at: api.clock.now().toISOString() });
    for (const who of ['partner', 'station', 'clerk'] as const)
      expect((await api.call(tokens[who], 'GET', path)).status).toBe(403);
  });

  it('a reminder of a closed month is not sent to a disabled station or a station with only clerks, and the response lists them', async () => {
    api.clock.advance(86_400_000);
    tokens = await api.loginAll();
    const pudong = api.station('pudong').id;
    const south = api.station('south').id;
    await api.rows(sql`update stations set status = 0 where id = ${pudong}`);
    const before = (await reminded()).length;
    const [{ name }] = (await api.rows(
      sql<{ name: string }>`select name from stations where id = ${pudong}`,
    )) as [{ name: string }];
    expect((await remind(tokens.super)).data).toEqual({ stations: 1, unheard: [name] });
    expect((await reminded()).length - before).toBe(1);
    api.clock.advance(86_400_000);
    tokens = await api.loginAll();
    await api.rows(sql`update accounts set status = 0 where station_id = ${south}
      and role in ('station', 'partner')`);
    const [status, code, params] = await refusal(tokens.super);
    expect([status, code]).toEqual([409, 'period_unheard']);
    expect(params).toMatchObject({ names: expect.stringContaining('、') });
    await api.rows(sql`update stations set status = 1 where id = ${pudong}`);
    await api.rows(sql`update accounts set status = 1 where station_id = ${south}`);
  });

  it('sending reminders for a closed month is refused if every station has confirmed the month', async () => {
    await api.rows(sql`insert into statement_confirmations (station_id, period, opening, "in",
      "out", closing, frozen, lines, confirmed_by, confirmed_by_name, at, note)
      select s.id, ${period}, 0, 100, 0, 100, 0, 1, 1, 'test', now(), '' from stations s
      on conflict do nothing returning id`);
    api.clock.advance(86_400_000);
    tokens = await api.loginAll();
    expect(await refusal(tokens.admin)).toEqual([409, 'period_confirmed', { period }]);
  });
});

describe('the notification about a month with only holds', () => {
  it('a station that only held money in a month, without any charge, is also notified when the month is closed', async () => {
    const other = await openTestApi();
    const at = other.clock.now();
    await other.app.db.tx(systemScope('test'), (work) =>
      topUp(work, {
        station_id: other.station('nanshan').id,
        amount: 100_000,
        description: 'test',
        cause: 'before',
        at: new Date(at.getTime() - 40 * 86_400_000),
        by: 1,
      }),
    );
    await other.app.db.tx(systemScope('test'), (work) =>
      hold(work, { ...holdOf(other.station('nanshan').id, 1), at }),
    );
    const lines = await other.rows(sql<{ type: string; amount: number }>`select type, amount
      from statements where period = ${periodOf(at)}`);
    expect(lines).toEqual([{ type: 'hold', amount: 0 }]);
    other.clock.advance(31 * 86_400_000);
    const { super: office } = await other.loginAll();
    const before = periodOf(new Date(at.getTime() - 40 * 86_400_000));
    for (const month of [before, '2026-02', periodOf(at)])
      await other.call(office, 'POST', `/api/arco/periods/${month}/close`, {});
    expect(
      await other.rows(sql<{ period: string }>`select data ->> 'period' as period
        from inbox_notices where kind = 'month_closed' and station_id =
          ${other.station('nanshan').id} order by 1`),
    ).toEqual([{ period: before }, { period: periodOf(at) }]);
    await other.close();
  });
});
