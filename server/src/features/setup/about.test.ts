import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '#platform/db/db.ts';
import { describe as describeProduct } from './about.ts';
import { scope } from '#testing/money.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';

let app: TestApp;

beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const isSimulated = async (): Promise<boolean> =>
  (await describeProduct({ ...app, config: { ...app.config, demo: true } })).simulated;

const account = (simulated: 0 | 1, status: 0 | 1): Promise<unknown> =>
  app.db.tx(scope, (work) =>
    sql`insert into merchants (name, provider, customer_code, base_url, simulated, status)
      values (${`示例${simulated}${status}`}, 'jdl', ${`C${simulated}${status}`},
        'https://example.com', ${simulated}, ${status})`.execute(work.tx),
  );

it('the carrier is shown as simulated until an account with a real carrier exists, even if that real account is disabled', async () => {
  await account(1, 1);
  expect(await isSimulated()).toBe(true);
  // The parcels of an account with a real carrier stay real after the account is disabled.
  await account(0, 0);
  expect(await isSimulated()).toBe(false);
});

it('no carrier is reported as simulated if the database does not answer', async () => {
  const db = { ...app.db, tx: () => Promise.reject(new Error('away')) };
  const about = await describeProduct({ ...app, db, config: { ...app.config, demo: true } });
  expect(about.simulated).toBe(false);
});
