import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '#app.ts';
import type { App } from '#app.ts';
import { actorOfAccount } from '#platform/auth/actor-of-account.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { silentLog } from '#platform/log.ts';
import { testConfig } from '#testing/test-app.ts';
import { openTestApi } from '#testing/test-api.ts';
import type { TestApi } from '#testing/test-api.ts';
import { routes } from './routes.ts';

/** The application of an API whose transactions may not write, as on a replica. */
let readOnly: App;
let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
  readOnly = createApp(
    testConfig(),
    { ...api.database.connection, options: '-c default_transaction_read_only=on' },
    silentLog(),
    api.clock,
  );
});
afterAll(async () => {
  await readOnly.close();
  await api.close();
});

const context = { signal: new AbortController().signal, request_id: '', address: '' };
const stale = routes.filter(({ endpoint }) => endpoint.reads === 'stale');

describe('an endpoint whose answer may be stale', () => {
  it('an endpoint that may return stale data cannot write to the database', async () => {
    await expect(
      readOnly.db.tx(systemScope('test'), (work) =>
        sql`update sessions
      set last_seen_at = now()`.execute(work.tx),
      ),
    ).rejects.toMatchObject({
      code: '25006',
    });
  });

  it.each(stale.map((one) => [one.endpoint.path, one] as const))(
    'the endpoint %s, whose answer may be stale, works on a read-only database',
    async (_path, { endpoint, handle }) => {
      const username = endpoint.roles.includes('super' as never) ? 'super' : 'partner';
      const [account] = await api.rows(sql<{ id: number }>`select id from accounts
        where username = ${username}`);
      const actor = await actorOfAccount(api.app.db, account!.id);
      await expect(
        handle(readOnly, actor as never, {} as never, context as never),
      ).resolves.toBeTypeOf('object');
    },
  );
});
