import { chmodSync, rmSync } from 'node:fs';
// real delay: clerks and browsers pause between two calls
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Express } from '@waystation/contract/parcels/express.ts';
import { sql } from '#platform/db/db.ts';
import type { EmbeddedPostgres } from '#platform/embedded/embedded.ts';
import { limitMs } from '#testing/limits.ts';
import { openDatabaseProxy } from '#testing/database-proxy.ts';
import type { DatabaseProxy } from '#testing/database-proxy.ts';
import { listenTo } from '#testing/event-client.ts';
import type { EventClient } from '#testing/event-client.ts';
import { openOwnCluster } from '#testing/own-cluster.ts';
import { quickFolder } from '#testing/quick-folder.ts';
import { startStandby } from '#testing/standby.ts';
import type { Tokens } from '#testing/test-api.ts';
import { eventually, exampleOrder, openTestSystem } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';

let primary: EmbeddedPostgres & { dataDir: string };
let standby: EmbeddedPostgres;
let standbyDir: string;
let proxy: DatabaseProxy;
let system: TestSystem;
let tokens: Tokens;

const onServer = async (server: EmbeddedPostgres, text: string): Promise<unknown[]> => {
  const client = new pg.Client(server.connection);
  await client.connect();
  const { rows } = await client.query(text);
  await client.end();
  return rows;
};

beforeAll(async () => {
  primary = await openOwnCluster('failover');
  system = await openTestSystem({
    processes: 2,
    through: async (connection) => {
      proxy = await openDatabaseProxy(connection);
      return { ...connection, host: '127.0.0.1', port: proxy.port };
    },
  });
  await system.topUp('nanshan', 100_000_000);
  tokens = await system.loginAll();
  standbyDir = quickFolder('waystation-standby-');
  chmodSync(standbyDir, 0o711);
  standby = await startStandby(primary.dataDir, primary.connection, standbyDir);
  // A write is acknowledged only when it is on the standby too, as in Patroni's synchronous mode.
  await onServer(primary, `alter system set synchronous_standby_names = '*'`);
  await onServer(primary, 'select pg_reload_conf()');
});
afterAll(async () => {
  await system.close();
  await proxy.close();
  await standby.stop();
  await primary.stop();
  rmSync(standbyDir, { recursive: true, force: true });
});

interface Seen {
  at: number;
  what: string;
  status: number;
  retryAfter: string | null;
}

const seen: Seen[] = [];
const acknowledged: number[] = [];
let isOver = false;

const call = async <T>(what: string, ...request: Parameters<TestSystem['call']>) => {
  const answer = await system.call<T>(...request);
  const { status } = answer;
  seen.push({ at: Date.now(), what, status, retryAfter: answer.headers.get('retry-after') });
  return answer;
};

/**
 * Orders parcels one after another. Each order is sent again with the same idempotency key until it
 * succeeds.
 */
const order = async (clerk: number): Promise<void> => {
  for (let n = 0; !isOver; n++) {
    const headers = { 'idempotency-key': `failover-${clerk}-${n}` };
    for (;;) {
      const made = exampleOrder({ thr_order_id: `failover ${clerk} ${n}` });
      const { status, data } = await call<Express>(
        'order',
        { token: tokens.clerk, headers },
        'POST',
        '/api/arco/expresses',
        made,
      );
      if (status === 200) acknowledged.push(data.id);
      if (status === 200) break;
      await wait(50);
    }
  }
};

const paths = [
  '/api/arco/expresses',
  '/api/arco/workplace',
  '/api/arco/personal',
  '/api/arco/events',
  '/api/arco/statements',
];
const read = async (): Promise<void> => {
  for (let n = 0; !isOver; n++) {
    const path = paths[n % paths.length]!;
    await call(path, tokens.station, 'GET', path);
    await wait(100);
  }
};

/** The event streams of one browser, one after the other. */
type Follower = EventClient[];
const resetsOf = (follower: Follower): number =>
  follower.flatMap(({ messages }) => messages).filter(({ reset }) => reset === 1).length;

/**
 * Follows a process's events as a browser does: after a disconnection it connects again and
 * continues after the last message.
 */
const follow = async (process: number, follower: Follower): Promise<void> => {
  const { port } = system.servers[process]!.server.address() as { port: number };
  const url = `http://127.0.0.1:${port}/api/arco/events`;
  while (!isOver) {
    const client = await listenTo(url, tokens.station, follower.at(-1)?.cursor ?? null);
    follower.push(client);
    while (!isOver && !client.ended) await wait(50);
    client.close();
    await wait(200);
  }
};

const refusedSince = (at: number): number =>
  seen.filter((one) => one.at >= at && one.status === 503).length;

it(
  'during a database failover the API fails only with 503 and Retry-After, loses and doubles no order, and resets each stream once',
  async () => {
    const followers: Follower[] = [[], [], [], []];
    const running = [
      ...[1, 2, 3].map(order),
      ...[1, 2, 3].map(read),
      ...followers.map((follower, n) => follow(n % 2, follower)),
    ];
    await eventually(async () => acknowledged.length > 10);
    await primary.stop();
    await eventually(async () => refusedSince(0) > 10);
    // The balancer sends connections to the standby before its promotion, as may happen in
    // practice.
    proxy.switchTo({ ...standby.connection });
    const switched = Date.now();
    await eventually(async () => refusedSince(switched) > 30);
    const before = acknowledged.length;
    const promoting = Date.now();
    await onServer(standby, 'select pg_promote()');
    await eventually(
      async () => acknowledged.length > before + 10 && followers.every((one) => resetsOf(one) > 0),
    );
    // Gives the followers time for many further reads of events, in which another reset would be
    // seen.
    const again = acknowledged.length;
    await eventually(async () => acknowledged.length > again + 20);
    isOver = true;
    await Promise.all(running);

    const wrong = seen.filter(
      ({ status, retryAfter }) => status !== 200 && (status !== 503 || retryAfter === null),
    );
    expect(wrong).toEqual([]);
    // No read succeeds while the balancer leads to a server that is not the primary.
    expect(
      seen.filter(({ at, status }) => status === 200 && at > switched + 200 && at < promoting),
    ).toEqual([]);
    const firstSuccess = (is: (one: Seen) => boolean): number =>
      seen.find((one) => one.at > promoting && one.status === 200 && is(one))!.at - promoting;
    expect(firstSuccess(({ what }) => what === 'order')).toBeLessThan(limitMs(10_000));
    expect(followers.map(resetsOf)).toEqual([1, 1, 1, 1]);

    const stored = await system.rows(sql<{
      id: number;
      thr_order_id: string;
    }>`select id, thr_order_id
    from expresses where thr_order_id like 'failover %'`);
    expect(new Set(stored.map(({ thr_order_id }) => thr_order_id)).size).toBe(stored.length);
    expect(stored.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(
      acknowledged.toSorted((a, b) => a - b),
    );
    await eventually(
      async () =>
        (
          await system.rows(
            sql`select id from expresses where thr_order_id like 'failover %' and state_code < 100`,
          )
        ).length === 0,
    );
  },
  limitMs(180_000),
);
