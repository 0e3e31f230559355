import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import { watchPlans } from '#testing/plans.ts';
import { failedJobs, jobFigures } from './job-figures.ts';

const all = systemScope('test');
const most = 100;
let app: TestApp;
let plans: ReturnType<typeof watchPlans>;
beforeAll(async () => {
  app = await createTestApp();
  plans = watchPlans(app);
});
afterAll(() => app.close());

it('the job queue’s metrics read a few hundred rows when 60,000 jobs wait, run or have failed', async () => {
  await app.db.tx(all, async ({ tx }) => {
    await sql`select graphile_worker.add_job(name, '{}'::json, run_at => now() + interval '1 day')
      from unnest(array['a', 'b', 'c']) name`.execute(tx);
    // Three of four jobs are planned for later. The last jobs of each task have failed.
    await sql`insert into graphile_worker._private_jobs (task_id, priority, run_at, attempts,
        max_attempts, updated_at)
      select t.id, case t.identifier when 'a' then -5 when 'b' then 0 else 10 end,
        now() + case when n % 4 = 0 then -1 else 1 end * n * interval '1 second',
        case when n > 19900 then 3 else 0 end, 3, now() - n * interval '1 second'
      from graphile_worker._private_tasks t, generate_series(1, 20000) n
      where t.identifier in ('a', 'b', 'c')`.execute(tx);
    await sql`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'w'
      where id = (select min(id) + 10 from graphile_worker._private_jobs)`.execute(tx);
    await sql`insert into worker_heartbeats (worker_id, seen_at, job_ids)
      select 'w', clock_timestamp(), array[min(id) + 10] from graphile_worker._private_jobs`.execute(
      tx,
    );
  });
  await app.db
    .tx(all, ({ tx }) => sql`analyze graphile_worker._private_jobs`.execute(tx))
    .catch(() => {});
  let figures: unknown;
  const read = await plans.readBy(() =>
    app.db.tx(all, async ({ tx }) => {
      ({ rows: figures } = await jobFigures(most).execute(tx));
      await failedJobs(50).execute(tx);
    }),
  );
  expect(figures).toMatchObject([
    { task: 'a', waiting: most + 1 },
    { task: 'b', waiting: most + 1 },
    { task: 'c', waiting: most + 1 },
  ]);
  const sums = (figures as { running: number; failed: number }[]).reduce(
    (sum, { running, failed }) => [sum[0]! + running, sum[1]! + failed],
    [0, 0],
  );
  expect(sums).toEqual([1, most + 1]);
  expect(read).toHaveLength(2);
  for (const { rows } of read) expect(rows).toBeLessThan(8 * most);
});
