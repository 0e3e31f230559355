import { afterAll, beforeAll, expect, it } from 'vitest';
import { standingClock } from '#platform/clock.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { openOwner } from '#testing/money.ts';
import { addAccount } from '#testing/stations.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import { createCallers } from './callers.ts';
import { openSession } from './sessions.ts';

const all = systemScope('test');
const limits = { idleMinutes: 30, absoluteHours: 24 };
const opened = new Date('2026-03-02T09:00:00+08:00');
const later = new Date(opened.getTime() + 5 * 60_000);

let app: TestApp;
let account_id: number;
beforeAll(async () => {
  app = await createTestApp();
  account_id = await addAccount(app.db, 'super');
});
afterAll(() => app.close());

const open = (): Promise<string> =>
  app.db.tx(all, (work) =>
    openSession(work, { account_id, address: '', user_agent: '', now: opened, limits }),
  );
const seen = async (): Promise<string[]> =>
  (
    await app.db.rows(
      all,
      sql<{ at: Date }>`select max(last_seen_at) as at from sessions
      union all select last_seen_at from accounts where id = ${account_id}`,
    )
  ).map(({ at }) => at.toISOString());

it('a caller is authenticated even if a lock delays the storing of its last use, which is stored once for two simultaneous requests', async () => {
  const callers = createCallers({ ...app, clock: standingClock(later) }, limits);
  const token = await open();
  const owner = openOwner(app);
  const client = await owner.client();
  await client.query('begin');
  await client.query('select 1 from sessions for update');
  const both = await Promise.all([callers.actorOf(token, true), callers.actorOf(token, true)]);
  expect(both.map((actor) => actor?.account_id)).toEqual([account_id, account_id]);
  const { rows } = await client.query(
    `select 1 from pg_stat_activity where datname = current_database() and query like 'update "sessions"%' and wait_event_type = 'Lock'`,
  );
  expect(rows.length).toBeLessThanOrEqual(1);
  await client.query('commit');
  client.release();
  await owner.close();
  await callers.settled();
  expect(await seen()).toEqual([later.toISOString(), later.toISOString()]);
});

it('if storing a session’s last use takes over a minute, the next request waits for it, so that the active session does not expire', async () => {
  const token = await open();
  let now = later;
  const callers = createCallers({ ...app, clock: { now: () => now } }, limits);
  expect(await callers.actorOf(token, true)).not.toBeNull();
  now = new Date(later.getTime() + 29 * 60_000);
  expect(await callers.actorOf(token, true)).not.toBeNull();
  await callers.settled();
});

it('a failure to store a caller’s last use is logged, and the request succeeds', async () => {
  const lines: unknown[] = [];
  const log = {
    ...app.log,
    warn: (...line: unknown[]) => void lines.push(line),
  } as unknown as TestApp['log'];
  const db = { ...app.db, tx: () => Promise.reject(new Error('no connection')) };
  const callers = createCallers({ db, clock: standingClock(later), log }, limits);
  expect((await callers.actorOf(await open(), true))?.account_id).toBe(account_id);
  await callers.settled();
  expect(lines).toHaveLength(1);
});
