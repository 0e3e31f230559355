import { businessDay, businessTime } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import { sql } from '#platform/db/db.ts';
import type { Db } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { noPayload, task } from '#platform/jobs/task.ts';
import { readSetting } from '#platform/settings.ts';

/** The full check, piece by piece. */
export const proveAllTask = task('ledger_proof_nightly', noPayload, {
  attempts: 4,
  keyBy: [],
});

/**
 * The number of minutes after the configured time within which a proof still starts. A server that
 * starts later waits for the next night.
 */
const windowMinutes = 60;

const minutesOf = (time: string): number =>
  Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/**
 * Task, every minute: queues the full proof once per business day, at the time of day in the
 * network settings or within an hour after it.
 */
export const queueDueProof = async ({ db, clock }: { db: Db; clock: Clock }): Promise<void> => {
  const now = clock.now();
  const today = businessDay(now);
  await db.tx(systemScope('proof hour'), async (work) => {
    const late =
      minutesOf(businessTime(now).slice(-5)) - minutesOf(await readSetting(work, 'proof_time'));
    if (late < 0 || late >= windowMinutes) return;
    const { rows } = await sql`insert into settings (name, value)
      values ('proof_day', to_jsonb(${today}::text))
      on conflict (name) do update set value = excluded.value, updated_at = now()
        where settings.value <> excluded.value returning name`.execute(work.tx);
    if (rows.length > 0) await addJob(work, proveAllTask, {});
  });
};
