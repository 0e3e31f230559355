import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handled } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { openTestApi } from '#testing/test-api.ts';
import type { Refused, TestApi } from '#testing/test-api.ts';

const connections = 4;
/**
 * The number of extra waiting transactions. They are needed because the process itself sometimes
 * uses a connection.
 */
const spare = 2;
let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await openTestApi({ config: { poolSize: connections } });
  token = await api.login('station');
});
afterAll(() => api.close());

/**
 * Keeps every connection busy while `run` runs. `each` transactions wait for each connection, plus
 * as many transactions as jobs may run simultaneously.
 */
const whileWaiting = async (each: number, run: () => Promise<void>): Promise<void> => {
  const { db, config } = api.app;
  const waiting = each * connections + config.worker.concurrency;
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const held: Promise<void>[] = [];
  try {
    while (db.waiting() < waiting + spare) {
      held.push(handled(db.tx(systemScope('test'), () => released)));
      await new Promise(setImmediate);
    }
    await run();
  } finally {
    release();
    await Promise.all(held);
  }
};

const list = '/api/arco/expresses';
const refusedIn = async (headers: Record<string, string> = {}) => {
  const answer = await api.call<Refused>({ token, headers }, 'GET', list);
  return {
    status: answer.status,
    code: answer.data.code,
    after: Number(answer.headers.get('retry-after')),
  };
};

describe('a process whose database connections are all in use', () => {
  it('a user’s request gets 503 with Retry-After while too many requests wait for a database connection, and 200 afterwards', async () => {
    await whileWaiting(3, async () => {
      const { after, ...refused } = await refusedIn();
      expect(refused).toEqual({ status: 503, code: 'overloaded' });
      expect(after).toBeGreaterThanOrEqual(1);
      expect(after).toBeLessThanOrEqual(5);
    });
    expect(await refusedIn()).toMatchObject({ status: 200 });
  });

  it('a logout succeeds while all database connections of the process are in use', async () => {
    const ending = await api.login('partner');
    let left: Promise<{ status: number }> | undefined;
    await whileWaiting(3, async () => {
      const before = api.app.db.waiting();
      left = api.call(ending, 'POST', '/api/arco/logout', {});
      await expect.poll(() => api.app.db.waiting()).toBeGreaterThan(before);
    });
    expect(await left).toMatchObject({ status: 200 });
    expect(await api.statusAtEachProcess(ending)).toEqual([401]);
  });

  it('if few database connections are free, pushes of carriers are refused first, background requests next, and users’ requests last', async () => {
    const background = { 'x-background': '1' };
    const secret = api.network.push_secret;
    const push = (): Promise<Response> =>
      fetch(`${api.url}/api/carriers/jdl/push/${secret}`, { method: 'POST', body: '{}' });
    let person: ReturnType<typeof refusedIn> | undefined;
    await whileWaiting(2, async () => {
      expect(await refusedIn(background)).toMatchObject({ status: 503, code: 'overloaded' });
      const before = api.app.db.waiting();
      person = refusedIn();
      await expect.poll(() => api.app.db.waiting()).toBeGreaterThan(before);
    });
    expect(await person).toMatchObject({ status: 200 });
    await whileWaiting(1, async () => {
      const refused = await push();
      expect(refused.status).toBe(503);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await refused.json()).toEqual({ code: '500', msg: 'try again' });
    });
    expect((await push()).status).not.toBe(503);
  });
});
