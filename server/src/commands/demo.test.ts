import { afterAll, beforeAll, expect, it } from 'vitest';
import { demoCommand, requireDemo } from './demo.ts';
import { ConfigError } from '#config.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { isDaily } from '#testing/slices.ts';
import { createTestApp } from '#testing/test-app.ts';
import { openTestApi } from '#testing/test-api.ts';
import type { TestApi } from '#testing/test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

it('the demo command refuses a database with other content, and a configuration without WAYSTATION_DEMO=1', async () => {
  await expect(demoCommand(api.app)).rejects.toThrow(ConfigError);
  await expect(demoCommand(api.app)).rejects.toThrow(/is not empty and holds no finished demo/);
  expect(() => requireDemo({ demo: false })).toThrow(/WAYSTATION_DEMO=1/);
  expect(() => requireDemo({ demo: true })).not.toThrow();
});

// This test runs only daily, because the browser tests fill a demo with the same functions at every
// start.
if (isDaily)
  it('the demo command fills an empty database with the example network, and a second run of the command changes nothing', async () => {
    const app = await createTestApp({ demoParcels: 40 });
    const demo = () => demoCommand(app, undefined, async () => false);
    const counts = () =>
      app.db.rows(
        systemScope('test'),
        sql<{ accounts: number; parcels: number }>`select
          (select count(*)::int from accounts) as accounts,
          (select count(*)::int from expresses) as parcels`,
      );
    expect((await demo()).text).toMatch(/^The example network is filled/);
    const [before] = await counts();
    expect(before!.accounts).toBeGreaterThanOrEqual(5);
    expect(before!.parcels).toBeGreaterThanOrEqual(40);
    expect((await demo()).text).toMatch(/is there already/);
    expect(await counts()).toEqual([before]);
    await app.close();
  });
