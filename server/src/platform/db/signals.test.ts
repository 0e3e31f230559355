import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import { silentLog } from '#platform/log.ts';
import { sql } from './db.ts';
import { systemScope } from './scope.ts';
import { listen } from './signals.ts';
import type { Signals } from './signals.ts';

let app: TestApp;
let signals: Signals;
const say = (payload: string) =>
  app.db.tx(systemScope('test'), (work) =>
    sql`select pg_notify('test_channel',
  ${payload})`.execute(work.tx),
  );
/**
 * Waits until a notification arrives, because listening begins some time after the connection was
 * opened.
 */
const connected = async (): Promise<void> => {
  for (const since = Date.now(); ;) {
    const { arrived } = signals.wait('are you there', 200);
    await say('are you there').catch(() => {});
    if (await arrived) return;
    if (Date.now() - since > 15_000) throw new Error('waited in vain');
  }
};
beforeAll(async () => {
  app = await createTestApp();
  signals = listen(app.db, 'test_channel', silentLog());
  await connected();
});
afterAll(async () => {
  await signals.close();
  await app.close();
});

describe('database signals', () => {
  it('a database signal ends all waits for its payload, and no wait for another payload', async () => {
    const [one, two, other] = [
      signals.wait('7', 5_000),
      signals.wait('7', 5_000),
      signals.wait('8', 300),
    ];
    await say('7');
    expect(await Promise.all([one.arrived, two.arrived])).toEqual([true, true]);
    expect(await other.arrived).toBe(false);
  });

  it('a database signal arrives only once the transaction that sent it has committed', async () => {
    const { arrived } = signals.wait('9', 400);
    await app.db
      .tx(systemScope('test'), async (work) => {
        await sql`select pg_notify('test_channel', '9')`.execute(work.tx);
        throw new Error('rolled back');
      })
      .catch(() => {});
    expect(await arrived).toBe(false);
  });

  it('if one wait for a database signal is cancelled, it never ends, and other waits for the same signal end normally', async () => {
    const left = signals.wait('10', 60_000);
    left.cancel();
    const stayed = signals.wait('10', 2_000);
    await say('10');
    expect(await stayed.arrived).toBe(true);
    expect(await Promise.race([left.arrived, 'never'])).toBe('never');
  });

  it('database signals still arrive after the connection was lost twice, and only one connection listens', async () => {
    const owner = new pg.Client(app.owner);
    await owner.connect();
    const listeners = async () =>
      (
        await owner.query<{ n: number }>(
          `select count(*)::int as n from pg_stat_activity where datname = current_database() and query ilike 'listen test_channel%'`,
        )
      ).rows[0]!.n;
    for (let cut = 0; cut < 2; cut++) {
      await owner.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
      );
      await connected();
    }
    // real delay: an additional connection would be opened with the next attempt, after a second
    await new Promise((later) => setTimeout(later, 1_500));
    expect(await listeners()).toBe(1);
    await owner.end();
  });
});
