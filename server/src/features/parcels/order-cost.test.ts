import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Express } from '@waystation/contract/express.ts';
import { topUp } from '#domain/ledger/ledger.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { openTestApi } from '#testing/test-api.ts';
import type { TestApi } from '#testing/test-api.ts';
import { exampleOrder } from '#testing/test-system.ts';

let api: TestApi;
let clerk: string;
/** Statements that went to the database. */
const sent: string[] = [];
/** How often a connection was written to without an answer outstanding. */
let roundTrips = 0;

beforeAll(async () => {
  api = await openTestApi();
  const { id, station_id } = (await api.rows(sql<{ id: number; station_id: number }>`select id, station_id from accounts where username = 'clerk'`))[0]!;
  const at = new Date();
  await api.app.db.tx(systemScope('test'), (tx) => topUp(tx, { station_id, amount: 1_000_000, description: 'test', cause: 'test order cost', at, by: id }));
  clerk = await api.login('clerk');
  const counted = new WeakSet<pg.PoolClient>();
  api.app.db.pool.on('acquire', (client) => {
    if (counted.has(client)) return;
    counted.add(client);
    const query = client.query.bind(client) as (...parts: unknown[]) => Promise<unknown>;
    let unanswered = 0;
    client.query = ((first: string | { text: string }, ...rest: unknown[]) => {
      sent.push(typeof first === 'string' ? first : first.text);
      if (unanswered++ === 0) roundTrips++;
      const answered = query(first, ...rest);
      const end = (): void => void unanswered--;
      answered.then(end, end);
      return answered;
    }) as typeof client.query;
  });
});
afterAll(() => api.close());

const order = () => api.call<Express>(clerk, 'POST', '/api/arco/expresses', exampleOrder({ wait: 0 }));

it('an order with wait: 0 answers at the commit in state 20, also where no worker sends it', async () => {
  const ordered = await order();
  expect([ordered.status, ordered.data.state_code, ordered.data.delivery_id]).toEqual([200, 20, null]);
  expect((await api.call<Express>(clerk, 'GET', `/api/arco/expresses/${ordered.data.id}`)).data.state_code).toBe(20);
});

it('an order takes a bounded number of round trips to the database', async () => {
  await order();
  roundTrips = 0;
  await order();
  expect(roundTrips).toBeLessThanOrEqual(5);
});

it('an order locks its station in the round trip of its commit', async () => {
  sent.length = 0;
  await order();
  const locks = sent.findIndex((text) => text.includes('ledger_post'));
  const after = sent.slice(locks, sent.indexOf('commit', locks) + 1);
  expect(sent.slice(0, locks).filter((text) => text.includes('for no key update'))).toEqual([]);
  expect(after.length).toBeGreaterThan(3);
  expect(after.some((text) => /returning/.test(text))).toBe(false);
});

it('an order sends no statement whose columns are a star, which would be planned each time', async () => {
  sent.length = 0;
  await order();
  expect(sent.length).toBeGreaterThan(5);
  expect(sent.filter((text) => text.replaceAll('count(*)', '').includes('*'))).toEqual([]);
});
