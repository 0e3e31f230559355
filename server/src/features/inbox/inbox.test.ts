import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Express } from '@waystation/contract/parcels/express.ts';
import type { Inbox, InboxEntry } from '@waystation/contract/shell/inbox.ts';
import { adjustment, topUp } from '#domain/ledger/ledger.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { exampleOrder } from '#testing/test-system.ts';
import { openTestApi } from '#testing/test-api.ts';
import type { TestApi, Tokens } from '#testing/test-api.ts';
import { runTask } from '#testing/run-task.ts';

const all = systemScope('test');
const minute = 60_000;

let api: TestApi;
let tokens: Tokens;

beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  tokens = await api.loginAll();
  await api.rows(sql`delete from inbox_notices`);
  await api.rows(sql`delete from inbox_entries`);
  api.clock.advance(minute);
});

const deliver = async (): Promise<void> => {
  await runTask(api.app, 'deliver_inbox');
};
const inbox = async (token: string): Promise<Inbox> =>
  (await api.call<Inbox>(token, 'GET', '/api/arco/inbox')).data;
const unread = async (token: string): Promise<number> => (await inbox(token)).unread;
const read = async (token: string, body: object) =>
  (await api.call<{ unread: number }>(token, 'POST', '/api/arco/inbox/read', body)).data.unread;
const order = async (changes: object = {}): Promise<Express> => {
  api.clock.advance(minute);
  return (
    await api.call<Express>(
      tokens.clerk,
      'POST',
      '/api/arco/expresses',
      exampleOrder({ wait: 0, ...changes }),
    )
  ).data;
};
/** Sets a parcel's state, as a carrier push would. */
const becomes = async (id: number, state: number): Promise<void> => {
  await api.rows(sql`update expresses set state_code = ${state},
    updated_at = ${api.clock.now()} where id = ${id}`);
};
const kinds = ({ items }: Inbox): [InboxEntry['kind'], number][] =>
  items.map(({ kind, count }) => [kind, count]);
const stationOf = async (token: string): Promise<number> =>
  (await api.call<{ station_id: number }>(token, 'GET', '/api/arco/personal')).data.station_id;

describe('inbox entries about imports', () => {
  it('an inbox entry is made when an import ends, cannot continue or cannot be read, but not when a user pauses the import', async () => {
    const [clerk] = await api.rows(sql<{ id: number; station_id: number }>`select id,
      station_id from accounts where username = 'clerk'`);
    const become = async (status: string, reason: string | null = null): Promise<void> => {
      await api.rows(sql`update imports set status = 'ordering'`);
      await api.rows(
        sql`update imports set status = ${status},
          reason = ${reason === null ? null : JSON.stringify({ code: reason })}::jsonb,
          updated_at = ${api.clock.now()}`,
      );
      await deliver();
    };
    await api.rows(sql`insert into imports (station_id, user_id, file_name, file_type,
      file_bytes, file_hash, status, counts)
      values (${clerk!.station_id}, ${clerk!.id}, '六月.xlsx', 'xlsx', 1, 'x', 'ready',
        '{"ordered":297,"refused":1,"error":2}')`);
    await become('paused');
    expect(await unread(tokens.clerk)).toBe(0);
    await become('paused', 'station_blocked');
    await become('done');
    const { items } = await inbox(tokens.clerk);
    expect(items).toMatchObject([
      {
        kind: 'import',
        count: 2,
        import: { file_name: '六月.xlsx', status: 'done', ordered: 297, left: 3, reason: null },
        parcel: null,
      },
    ]);
    for (const token of [tokens.station, tokens.partner, tokens.super])
      expect(await unread(token)).toBe(0);
    await api.rows(sql`delete from imports`);
    expect((await inbox(tokens.clerk)).items).toMatchObject([{ kind: 'import', import: null }]);
  });
});

describe('inbox entries about parcels', () => {
  it('when a parcel is put on hold, only its clerk and its station’s manager get an inbox entry with its number', async () => {
    const parcel = await order();
    expect(parcel.state_code).toBe(10);
    await deliver();
    for (const token of [tokens.clerk, tokens.station]) {
      const { items, unread: open } = await inbox(token);
      expect(items).toHaveLength(1);
      expect(items[0]).toMatchObject({
        kind: 'on_hold',
        subject_id: parcel.id,
        station_id: parcel.station_id,
        station_name: parcel.station_name,
        count: 1,
        is_read: 0,
        parcel: { number: parcel.order_id, receive_name: parcel.receive_name },
        request: null,
        job: null,
      });
      expect(open).toBe(1);
    }
    for (const token of [tokens.partner, tokens.admin, tokens.super])
      expect(await unread(token)).toBe(0);
    const owners = await api.rows(sql<{ username: string }>`select a.username
      from inbox_entries e join accounts a on a.id = e.account_id order by 1`);
    expect(owners.map(({ username }) => username)).toEqual(['clerk', 'station']);
  });

  it('a second parcel is added to an inbox entry of its kind and station if the entry is unread; otherwise a new entry is made', async () => {
    await order();
    await deliver();
    const second = await order();
    await deliver();
    const [entry] = (await inbox(tokens.clerk)).items;
    expect(entry).toMatchObject({ count: 2, subject_id: second.id });
    expect(await read(tokens.clerk, { ids: [entry!.id] })).toBe(0);
    expect(await unread(tokens.station)).toBe(1);
    await order();
    await deliver();
    expect((await inbox(tokens.clerk)).items.map(({ count, is_read }) => [count, is_read])).toEqual(
      [
        [1, 0],
        [2, 1],
      ],
    );
    expect(kinds(await inbox(tokens.station))).toEqual([['on_hold', 3]]);
  });

  it('an inbox entry about a parcel has a kind for its event: refused by the carrier, delivery exception, or returning', async () => {
    const at = new Date();
    await api.app.db.tx(all, (work) =>
      topUp(work, {
        station_id: api.station('nanshan').id,
        amount: 1_000_000,
        description: 'test',
        cause: 'test inbox',
        at,
        by: 1,
      }),
    );
    const refused = await order();
    const failing = await order();
    await becomes(refused.id, 90);
    for (const state of [100, 200, 400, 410]) await becomes(failing.id, state);
    await deliver();
    expect(
      new Set(
        (await inbox(tokens.clerk)).items.map(({ kind, subject_id }) => `${kind} ${subject_id}`),
      ),
    ).toEqual(
      new Set([`refused ${refused.id}`, `exception ${failing.id}`, `returning ${failing.id}`]),
    );
  });

  it('an event older than three days makes no inbox entry when the worker runs again', async () => {
    await order();
    api.clock.advance(4 * 24 * 60 * minute);
    await deliver();
    expect(await unread(await api.login('clerk'))).toBe(0);
    expect(await api.rows(sql`select 1 from inbox_notices`)).toEqual([]);
  });

  it('an inbox entry disappears for a user whose account moved to another station', async () => {
    await order();
    await deliver();
    const station = await stationOf(tokens.station);
    await api.rows(sql`update accounts set station_id = ${api.station('keji').id}
      where username = 'station'`);
    expect(await inbox(tokens.station)).toEqual({ items: [], unread: 0 });
    await api.rows(sql`update accounts set station_id = ${station}
      where username = 'station'`);
  });
});

describe('inbox entries about money requests', () => {
  const request = async (amount: number) =>
    (
      await api.call<{ id: number }>(
        tokens.station,
        'POST',
        `/api/arco/stations/${await stationOf(tokens.station)}/top-ups`,
        { amount, description: '充值' },
      )
    ).data.id;

  it('administrators get an inbox entry about money requests that shows how many requests are waiting now', async () => {
    const ids = [await request(100), await request(200)];
    await deliver();
    for (const token of [tokens.super, tokens.admin])
      expect((await inbox(token)).items).toMatchObject([
        { kind: 'request', count: 2, subject_id: ids[1], station_id: null, waiting: 2 },
      ]);
    expect(await unread(tokens.station)).toBe(0);
    for (const id of ids)
      await api.call(tokens.super, 'POST', `/api/arco/statements/${id}/decline`, {
        reason: '没有收到款',
      });
    expect((await inbox(tokens.admin)).items).toMatchObject([{ kind: 'request', waiting: 0 }]);
  });

  it('a money request does not notify a former administrator who was moved to a station', async () => {
    await request(500);
    await deliver();
    expect(await unread(tokens.admin)).toBe(1);
    await api.rows(sql`update accounts set role = 'station',
      station_id = ${api.station('keji').id} where username = 'admin'`);
    expect(await inbox(tokens.admin)).toEqual({ items: [], unread: 0 });
    await api.rows(sql`update accounts set role = 'admin', station_id = null
      where username = 'admin'`);
  });

  it('the requester of a money request is notified of the decision and its reason, but not if the request was withdrawn', async () => {
    const [declined, retracted] = [await request(300), await request(400)];
    await api.call(tokens.super, 'POST', `/api/arco/statements/${declined}/decline`, {
      reason: '没有收到款',
    });
    await api.call(tokens.station, 'POST', `/api/arco/statements/${retracted}/retract`, {});
    await deliver();
    expect((await inbox(tokens.station)).items).toMatchObject([
      {
        kind: 'decided',
        subject_id: declined,
        request: { type: 'top_up', status: 'declined', amount: 300, reason: '没有收到款' },
      },
    ]);
  });
});

describe('inbox entries about background jobs', () => {
  it('a finished background job makes an inbox entry with its result for the user who started it', async () => {
    const parcel = await order({ draft: 1 });
    const { job_id } = (
      await api.call<{ job_id: number }>(tokens.clerk, 'POST', '/api/arco/expresses/bulk', {
        action: 'cancel',
        ids: [parcel.id],
        reason: '测试',
      })
    ).data;
    await api.runJob(job_id);
    await deliver();
    expect((await inbox(tokens.clerk)).items).toMatchObject([
      {
        kind: 'job',
        subject_id: job_id,
        job: { list: 'expresses', action: 'cancel', status: 'done', ok: 1, skipped: 0, failed: 0 },
      },
    ]);
    expect(await unread(tokens.station)).toBe(0);
  });
});

describe('inbox entries about low balances', () => {
  it('users who can top up a station get an inbox entry about its low balance at most once in three days', async () => {
    const { id, available } = (
      await api.rows(sql<{ id: number; available: number }>`select id, available from stations
        where id = ${await stationOf(tokens.station)}`)
    )[0]!;
    const at = api.clock.now();
    await api.app.db.tx(all, (work) =>
      adjustment(work, {
        station_id: id,
        amount: -1 - available,
        description: 'test',
        cause: 'low',
        at,
        by: 1,
      }),
    );
    const warn = async (): Promise<void> => {
      await runTask(api.app, 'note_low_balances');
      await deliver();
    };
    await warn();
    await warn();
    const { items } = await inbox(tokens.station);
    expect(items.filter(({ kind }) => kind === 'low_balance')).toMatchObject([
      { station_id: id, count: 1, balance: { available: -1, days_left: 0 } },
    ]);
    expect(kinds(await inbox(tokens.clerk))).toEqual([]);
    await read(tokens.station, { until: api.clock.now().toISOString() });
    api.clock.advance(4 * 24 * 60 * minute);
    await warn();
    expect((await inbox(await api.login('station'))).items.map(({ is_read }) => is_read)).toEqual([
      0, 1,
    ]);
    // A station below its own limit gets a warning even without costs. A station below only the
    // network's limit gets no warning without costs. The balance here is below the network's limit.
    const warned = async (low_balance: number | null, amount: number): Promise<object[]> => {
      await api.rows(sql`delete from inbox_entries where kind = 'low_balance'`);
      await api.rows(sql`update stations set low_balance = ${low_balance} where id = ${id}`);
      const [{ left } = { left: 0 }] = await api.rows(sql<{
        left: number;
      }>`select ${amount} - available as left
        from stations where id = ${id}`);
      const cause = `low ${low_balance} ${amount}`;
      if (left !== 0)
        await api.app.db.tx(all, (work) =>
          adjustment(work, { station_id: id, amount: left, description: 'test', cause, at, by: 1 }),
        );
      await warn();
      const token = await api.login('station');
      return (await inbox(token)).items.flatMap(({ kind, balance }) =>
        kind === 'low_balance' && balance ? [balance] : [],
      );
    };
    expect(await warned(null, 9_000)).toEqual([]);
    expect(await warned(9_000, 9_000)).toEqual([]);
    expect(await warned(50_000, 9_000)).toEqual([
      { available: 9_000, days_left: null, low_limit: 50_000 },
    ]);
    expect(await warned(null, -1)).toEqual([{ available: -1, days_left: 0, low_limit: 10_000 }]);
  });
});

describe('marking inbox entries as read', () => {
  it('a user can mark inbox entries as read by ids or up to a time, but later entries and entries of other users stay unread', async () => {
    await order();
    await deliver();
    const [theirs] = (await inbox(tokens.station)).items;
    expect(await read(tokens.clerk, { ids: [theirs!.id] })).toBe(1);
    expect(await unread(tokens.station)).toBe(1);
    const [mine] = (await inbox(tokens.clerk)).items;
    expect(
      await read(tokens.clerk, { until: new Date(Date.parse(mine!.at) - 1).toISOString() }),
    ).toBe(1);
    expect(await read(tokens.clerk, { until: mine!.at })).toBe(0);
    const { status, data } = await api.call<{ fields: object }>(
      tokens.clerk,
      'POST',
      '/api/arco/inbox/read',
      {},
    );
    expect([status, data.fields]).toEqual([422, { ids: { code: 'required' } }]);
  });

  it('when a user gets a new inbox entry or marks entries as read, a live event sends the user the new count of unread entries', async () => {
    await api.rows(sql`delete from live_events`);
    await order();
    await deliver();
    await read(tokens.clerk, { until: (await inbox(tokens.clerk)).items[0]!.at });
    const events = await api.rows(sql<{ unread: number }>`select e.data->'unread' as unread
      from live_events e join accounts a on a.id = e.account_id
      where e.kind = 'inbox' and a.username = 'clerk' order by e.tx, e.id`);
    expect(events.map(({ unread: open }) => open)).toEqual([1, 0]);
  });
});
