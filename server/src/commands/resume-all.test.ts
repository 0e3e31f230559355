import { afterAll, beforeAll, expect, it } from 'vitest';
import { resumeAllCommand } from './resume-all.ts';
import { blockedNow } from './prove.ts';
import { openDb, sql } from '#platform/db/db.ts';
import type { Db } from '#platform/db/db.ts';
import { silentLog } from '#platform/log.ts';
import { systemScope } from '#platform/db/scope.ts';
import { addStation } from '#testing/stations.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';

const scope = systemScope('test');
let app: TestApp;
let owner: Db;
beforeAll(async () => {
  app = await createTestApp();
  owner = openDb({ connection: app.owner, max: 1, log: silentLog() });
});
afterAll(async () => {
  await owner.close();
  await app.close();
});

it('the resume-all command needs a reason and ends the suspension of all stations, but a station that was suspended alone stays suspended', async () => {
  const station = await addStation(app.db);
  await owner.tx(scope, (work) =>
    sql`insert into ledger_blocks (station_id, reason, blocked_at)
      values (null, 'all', now()), (${station}, 'one', now())`.execute(work.tx),
  );
  expect(await resumeAllCommand({ owner: app.owner }, 'too short')).toMatchObject({ code: 1 });
  expect(await blockedNow(app)).toHaveLength(2);
  const reason = 'a row was edited by hand, and is restored';
  expect(await resumeAllCommand({ owner: app.owner }, reason)).toMatchObject({
    code: 0,
    text: expect.stringContaining('Payments are resumed'),
  });
  expect(await blockedNow(app)).toMatchObject([{ station_id: station }]);
  const { rows } = await app.db.tx(scope, (work) =>
    sql`select action, reason from audit_log where subject = 'stations'
      and action = 'unblock'`.execute(work.tx),
  );
  expect(rows).toEqual([{ action: 'unblock', reason }]);
  expect((await resumeAllCommand({ owner: app.owner }, reason)).text).toContain('not suspended');
  await expect(resumeAllCommand({ owner: null }, reason)).rejects.toThrow('set DATABASE_URL');
});
