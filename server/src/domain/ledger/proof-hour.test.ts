import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import { queueDueProof } from './proof-hour.ts';

const all = systemScope('test');
let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/**
 * Runs the task at this time in Shanghai, and returns the number of queued proofs. Removes the
 * queued proofs afterwards.
 */
const queuedAt = async (time: string): Promise<number> => {
  app.clock.set(new Date(`${time}+08:00`));
  await queueDueProof(app);
  return app.db.tx(all, async (work) => {
    const { rows } = await sql<{ n: number }>`select count(*) as n
      from graphile_worker._private_jobs where key = 'ledger_proof_nightly'`.execute(work.tx);
    await sql`delete from graphile_worker._private_jobs`.execute(work.tx);
    return rows[0]!.n;
  });
};

test('the full ledger check is queued once a day, at the configured time or within an hour after it', async () => {
  expect(await queuedAt('2026-03-02T02:29:59')).toBe(0);
  expect(await queuedAt('2026-03-02T02:30:00')).toBe(1);
  expect(await queuedAt('2026-03-02T02:31:00')).toBe(0);
  await app.db.tx(all, (work) =>
    sql`insert into settings (name, value)
    values ('proof_time', '"23:15"')`.execute(work.tx),
  );
  expect(await queuedAt('2026-03-03T02:30:00')).toBe(0);
  expect(await queuedAt('2026-03-03T23:59:59')).toBe(1);
  expect(await queuedAt('2026-03-05T00:15:00')).toBe(0);
});
