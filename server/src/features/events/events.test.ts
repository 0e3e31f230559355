import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { LiveEvent, LiveEvents } from '@waystation/contract/shell/events.ts';
import type { Express } from '@waystation/contract/parcels/express.ts';
import { topUp } from '#domain/ledger/ledger.ts';
import { pruneEvents } from '#domain/live-events/live-events.ts';
import { openDb, sql } from '#platform/db/db.ts';
import { silentLog } from '#platform/log.ts';
import { systemScope } from '#platform/db/scope.ts';
import { eventually, exampleOrder } from '#testing/test-system.ts';
import { listenTo } from '#testing/event-client.ts';
import type { EventClient } from '#testing/event-client.ts';
import { openTestApi } from '#testing/test-api.ts';
import type { TestApi, Tokens } from '#testing/test-api.ts';

let api: TestApi;
let tokens: Tokens;
const open: EventClient[] = [];

beforeAll(async () => {
  api = await openTestApi({ processes: 2 });
  const { id, station_id } = (
    await api.rows(sql<{ id: number; station_id: number }>`select id,
    station_id from accounts where username = 'clerk'`)
  )[0]!;
  const at = new Date();
  await api.app.db.tx(systemScope('test'), (work) =>
    topUp(work, {
      station_id,
      amount: 10_000_000,
      description: 'test',
      cause: 'test live events',
      at,
      by: id,
    }),
  );
});
beforeEach(async () => {
  tokens = await api.loginAll();
  return () => {
    for (const client of open.splice(0)) client.close();
  };
});
afterAll(() => api.close());

const listen = async (
  token: string,
  cursor: string | null = null,
  process = 0,
): Promise<EventClient> => {
  const { port } = api.servers[process]!.server.address() as { port: number };
  const client = await listenTo(`http://127.0.0.1:${port}/api/arco/events`, token, cursor);
  open.push(client);
  await eventually(async () => client.cursor !== null || client.status !== 200);
  return client;
};

const order = async (token = tokens.clerk, changes: object = {}): Promise<Express> =>
  (
    await api.call<Express>(
      token,
      'POST',
      '/api/arco/expresses',
      exampleOrder({ wait: 0, ...changes }),
    )
  ).data;

const parcels = ({ events }: { events: LiveEvent[] }): number[] =>
  events.flatMap((event) => (event.kind === 'parcel' ? [event.express_id] : []));
const untilReceived = (client: EventClient, id: number): Promise<true> =>
  eventually(async () => parcels(client).includes(id));
/** Runs a query as the owner of the tables. */
const ownerRows = async (query: ReturnType<typeof sql>): Promise<void> => {
  const db = openDb({ connection: api.database.owner, max: 1, log: silentLog() });
  await db.rows(systemScope('test'), query);
  await db.close();
};
const poll = async (token: string, after?: string): Promise<LiveEvents> =>
  (
    await api.call<LiveEvents>(
      token,
      'GET',
      `/api/arco/events${after === undefined ? '' : `?after=${after}`}`,
    )
  ).data;

it('the live event of a new parcel reaches its clerk, its station and the office with id and state, at each process', async () => {
  const clients = [
    await listen(tokens.clerk),
    await listen(tokens.station, null, 1),
    await listen(tokens.super, null, 1),
  ];
  const parcel = await order();
  for (const client of clients) await untilReceived(client, parcel.id);
  expect(clients.map(({ events }) => events)).toEqual(
    [1, 0, 0].map((mine) => [
      {
        kind: 'parcel',
        change: 'created',
        express_id: parcel.id,
        station_id: parcel.station_id,
        mine,
        state_code: 20,
        from_code: null,
      },
    ]),
  );
});

it('a live event is sent when a request to the carrier about a parcel begins and when it ends', async () => {
  const client = await listen(tokens.station);
  const { id } = await order();
  for (const change of [
    sql`confirming = 300`,
    sql`confirming = null`,
    sql`modifying = 1`,
    sql`modifying = 0`,
    sql`intercepting = 1`,
    sql`cancel_requested_at = now()`,
    sql`cancel_requested_at = null`,
    // This change concerns no column that screens show.
    sql`polled_at = now()`,
  ])
    await api.rows(sql`update expresses set ${change} where id = ${id}`);
  await untilReceived(client, (await order()).id);
  const changes = client.events.filter(
    (event) => event.kind === 'parcel' && event.express_id === id,
  );
  expect(changes.map((event) => event.kind === 'parcel' && event.change)).toEqual([
    'created',
    ...Array.from({ length: 7 }, () => 'asked'),
  ]);
});

it('an event stream is not compressed, and its headers forbid proxies to store or buffer it', async () => {
  const { headers } = await listen(tokens.clerk);
  expect(
    Object.fromEntries(
      ['content-type', 'cache-control', 'x-accel-buffering', 'content-encoding'].map((name) => [
        name,
        headers.get(name),
      ]),
    ),
  ).toEqual({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    'content-encoding': null,
  });
});

it('the live event of a parcel reaches neither users of another station nor a colleague, by stream or by poll', async () => {
  const other = api.station('pudong').id;
  const clients = [await listen(tokens.station), await listen(tokens.clerk)];
  const since = await Promise.all(
    [tokens.station, tokens.clerk].map(async (token) => (await poll(token)).cursor),
  );
  const stranger = await order(tokens.super, { station_id: other });
  const colleague = await order(tokens.super, { station_id: (await order()).station_id });
  const last = await order();
  for (const client of clients) await untilReceived(client, last.id);
  const polled = await Promise.all(
    [tokens.station, tokens.clerk].map(async (token, at) => parcels(await poll(token, since[at]))),
  );
  for (const ids of [...clients.map(parcels), ...polled]) expect(ids).not.toContain(stranger.id);
  expect([parcels(clients[0]!), polled[0]].map((ids) => ids!.includes(colleague.id))).toEqual([
    true,
    true,
  ]);
  expect([parcels(clients[1]!), polled[1]].map((ids) => ids!.includes(colleague.id))).toEqual([
    false,
    false,
  ]);
});

it('an interrupted client of live events resumes at another process and neither misses nor repeats an event', async () => {
  const first = await listen(tokens.station);
  const ids = [(await order()).id];
  await untilReceived(first, ids[0]!);
  first.close();
  for (let n = 0; n < 3; n++) ids.push((await order()).id);
  const second = await listen(tokens.station, first.cursor, 1);
  ids.push((await order()).id);
  await untilReceived(second, ids.at(-1)!);
  expect([...parcels(first), ...parcels(second)]).toEqual(ids);
  expect([...first.messages, ...second.messages].every(({ reset }) => reset === 0)).toBe(true);
});

it('if a change commits after a newer change, its live event is still received by stream and by poll', async () => {
  const client = await listen(tokens.station);
  const { cursor } = await poll(tokens.station);
  const { id: slow } = await order();
  await untilReceived(client, slow);
  const later = await api.app.db.tx(systemScope('test'), async (work) => {
    await sql`update expresses set state_code = 100 where id = ${slow}`.execute(work.tx);
    const { id } = await order();
    await untilReceived(client, id);
    expect(parcels(await poll(tokens.station, cursor))).toEqual([slow, id]);
    return id;
  });
  const { cursor: between } = client;
  await eventually(async () => client.events.length === 3);
  expect(
    client.events.map((event) => event.kind === 'parcel' && [event.express_id, event.change]),
  ).toEqual([
    [slow, 'created'],
    [later, 'created'],
    [slow, 'state'],
  ]);
  // A client whose cursor is at the later change also gets the earlier change.
  expect(parcels(await poll(tokens.station, between!))).toEqual([slow]);
});

it('an event stream ends at logout, when the account is disabled and when the session is idle; an open stream does not extend the session', async () => {
  const seen = (): Promise<{ at: Date }[]> =>
    api.rows(sql<{ at: Date }>`select max(last_seen_at) as at
    from sessions`);
  const clients = [
    await listen(tokens.clerk),
    await listen(tokens.station, null, 1),
    await listen(tokens.partner),
  ];
  await api.call(tokens.clerk, 'POST', '/api/arco/logout');
  await eventually(async () => clients[0]!.ended);
  await api.rows(sql`update accounts set status = 0 where username = 'station'`);
  await eventually(async () => clients[1]!.ended);
  await api.rows(sql`update accounts set status = 1 where username = 'station'`);
  const before = await seen();
  const { idleMinutes } = api.app.config.session;
  api.clock.advance((idleMinutes - 1) * 60_000);
  await poll(tokens.partner);
  expect((await listen(tokens.partner, null, 1)).status).toBe(200);
  expect(await seen()).toEqual(before);
  expect(clients[2]!.ended).toBe(false);
  api.clock.advance(2 * 60_000);
  // A stream reads rights again after any change of rights, as it does at each heartbeat.
  await api.rows(sql`insert into live_events (kind) values ('access')`);
  await eventually(async () => clients[2]!.ended);
});

it('a user who is moved to another station receives no more live events of the previous station', async () => {
  const client = await listen(tokens.station);
  const { id: before, station_id } = await order();
  await untilReceived(client, before);
  await api.rows(sql`update accounts set station_id = ${api.station('pudong').id}
    where username = 'station'`);
  const { id: old } = await order();
  const { id: own } = await order(tokens.super, { station_id: api.station('pudong').id });
  await untilReceived(client, own);
  expect(parcels(client)).not.toContain(old);
  await api.rows(sql`update accounts set station_id = ${station_id}
    where username = 'station'`);
});

it('a session may open a limited number of live-event streams; one more returns 429, and closing one allows another', async () => {
  const { perSession } = api.app.config.streams;
  const clients = [];
  for (let n = 0; n < perSession; n++) clients.push(await listen(tokens.clerk));
  // Each process counts its own streams, so the same server is used again.
  const { port } = api.servers[0]!.server.address() as { port: number };
  const refused = await fetch(`http://127.0.0.1:${port}/api/arco/events`, {
    headers: { authorization: `Bearer ${tokens.clerk}`, accept: 'text/event-stream' },
  });
  const { data, message } = (await refused.json()) as { data: { code: string }; message: string };
  expect([refused.status, data.code, message.includes(String(perSession))]).toEqual([
    429,
    'too_many_streams',
    true,
  ]);
  clients[0]!.close();
  await eventually(async () => (await listen(tokens.clerk)).status === 200);
});

it('many parcels changed by one SQL statement are reported as numbers in one live event', async () => {
  const client = await listen(tokens.station);
  const { id } = await order();
  await untilReceived(client, id);
  const columns = (
    await api.rows(sql<{ name: string }>`select column_name as name
      from information_schema.columns where table_name = 'expresses'
    and is_generated = 'NEVER' and column_name not in ('id', 'order_id')`)
  ).map(({ name }) => name);
  const list = sql.join(columns.map((name) => sql.ref(name)));
  await api.rows(sql`insert into expresses (order_id, ${list}) select 'many' || n, ${list}
    from expresses, generate_series(1, 60) n where id = ${id}`);
  await eventually(async () => client.events.length === 2);
  expect(client.events[1]).toEqual({ kind: 'parcels', created: 60, changed: 0 });
});

it('the progress of a job is sent as a live event only to the account that started it', async () => {
  const clients = [await listen(tokens.station), await listen(tokens.super)];
  const { id } = await order(tokens.station, { draft: 1, wait: undefined });
  const { job_id } = (
    await api.call<{ job_id: number }>(tokens.station, 'POST', '/api/arco/expresses/bulk', {
      action: 'cancel',
      ids: [id],
      reason: 'test',
    })
  ).data;
  await api.runJob(job_id);
  const jobs = (client: EventClient) => client.events.filter((event) => event.kind === 'job');
  await eventually(async () => jobs(clients[0]!).some(({ status }) => status === 'done'));
  expect(jobs(clients[0]!).at(-1)).toMatchObject({ job_id, total: 1, done: 1 });
  expect(jobs(clients[1]!)).toEqual([]);
});

it('a live-event poll returns a reset if its cursor is too old, unknown or from before a database crash', async () => {
  const { cursor } = await poll(tokens.station);
  const { id } = await order();
  expect(await poll(tokens.station, cursor)).toMatchObject({
    reset: 0,
    events: [{ express_id: id }],
  });
  await pruneEvents(api.app.db, { minutes: 0, rows: 1 });
  expect(await poll(tokens.station, cursor)).toMatchObject({ reset: 1, events: [] });
  const { cursor: current } = await poll(tokens.station);
  const client = await listen(tokens.station, cursor);
  await eventually(async () => client.messages.length > 0);
  expect(client.messages[0]).toMatchObject({ reset: 1, events: [] });
  // A crash of PostgreSQL leaves its unlogged tables empty.
  await ownerRows(sql`truncate live_events, live_event_log`);
  await eventually(async () => client.messages.at(-1)!.reset === 1 && client.messages.length > 1);
  expect(await poll(tokens.station, current)).toMatchObject({ reset: 1 });
  expect(await poll(tokens.station, 'x'.repeat(80))).toMatchObject({ reset: 1 });
  // After a crash, the first reader begins the log again. A cursor from the time before is reset
  // once more.
  await eventually(
    async () => (await poll(tokens.station, (await poll(tokens.station)).cursor)).reset === 0,
  );
});

it('if the event log is emptied, each live-event stream gets exactly one reset, even while older database transactions are open', async () => {
  const older = new pg.Client(api.database.owner);
  await older.connect();
  await older.query('begin; select pg_current_xact_id()');
  const clients = [await listen(tokens.station), await listen(tokens.station, null, 1)];
  await ownerRows(sql`truncate live_events, live_event_log`);
  const resets = () =>
    clients.map(({ messages }) => messages.filter(({ reset }) => reset === 1).length);
  await eventually(async () => resets().every((count) => count > 0));
  // Each process reads the event log several more times.
  for (let read = 0; read < 3; read++) {
    const { id } = await order();
    await eventually(async () =>
      clients.every(({ events }) =>
        events.some((event) => event.kind === 'parcel' && event.express_id === id),
      ),
    );
  }
  expect(resets()).toEqual([1, 1]);
  await older.end();
});

it('a process that stops closes its live-event streams instead of waiting until they end', async () => {
  const client = await listen(tokens.clerk, null, 1);
  await api.servers[1]!.close();
  await eventually(async () => client.ended);
});
