import { limitMs } from '@waystation/server/testing/limits.ts';
import { sql } from '@waystation/server/testing/product.ts';
import { rowsOf } from '@waystation/server/testing/test-system.ts';
import type { TestSystem } from '@waystation/server/testing/test-system.ts';
import type { Load } from './load.ts';
import { isRight, judge } from './verdict.ts';
import type { Verdict } from './verdict.ts';

const pause = (milliseconds: number): Promise<void> =>
  new Promise((later) => setTimeout(later, milliseconds));
/**
 * The maximum wait in milliseconds. It is more than a minute, because a recovery takes long while
 * the disk is busy.
 */
const patienceMs = limitMs(150_000);

/**
 * Counts the jobs that wait, run, or are locked by a dead worker. Jobs that are planned for later,
 * such as the repeat of an unanswered call, become due now. If the job library replaced a job while
 * the job was locked, the old job has no attempts left and never runs again.
 */
export const openJobs = async (system: TestSystem): Promise<number> => {
  await rowsOf(
    system,
    sql`select graphile_worker.reschedule_jobs(array_agg(j.id), run_at => now())
      from graphile_worker._private_jobs j
      where j.locked_at is null and j.run_at > now() and j.attempts < j.max_attempts
        having count(*) > 0`,
  );
  return (
    await rowsOf(
      system,
      sql<{ n: number }>`select count(*) as n
    from graphile_worker._private_jobs where attempts < max_attempts`,
    )
  )[0]!.n;
};

/**
 * Reads the waybill numbers of parcels whose waybill was unknown because they were on hold or the
 * carrier had not answered.
 */
const learnWaybills = async (system: TestSystem, load: Load): Promise<void> => {
  const waiting = load.parcels.filter(({ waybill }) => waybill === null);
  if (waiting.length === 0) return;
  const rows = await rowsOf(
    system,
    sql<{
      id: number;
      delivery_id: string | null;
    }>`select id, delivery_id from expresses where id = any(${waiting.map(({ id }) => id)})
      and delivery_id is not null`,
  );
  for (const { id, delivery_id } of rows) {
    const parcel = waiting.find((one) => one.id === id)!;
    parcel.waybill = delivery_id;
    parcel.stage = 'ordered';
  }
};

/** True if no work is left: every push of the carrier was delivered, and no job is open. */
const isQuiet = async (system: TestSystem, load: Load): Promise<boolean> => {
  await system.carrier.control('POST', 'pushes/settle', { within_ms: 5_000 });
  if ((await openJobs(system)) > 0) return false;
  await learnWaybills(system, load);
  return true;
};

export const untilQuiet = async (system: TestSystem, load: Load): Promise<void> => {
  for (const until = Date.now() + patienceMs; !(await isQuiet(system, load)) && Date.now() < until;)
    await pause(40);
};

/**
 * Describes the open jobs and the exceptions. An exception is the reason why a parcel is not in its
 * expected state.
 */
const unfinished = async (system: TestSystem): Promise<string[]> => {
  const jobs = await rowsOf(
    system,
    sql<{
      what: string;
    }>`select format('an open job: %s %s, attempt %s, locked by %s at %s, to run at %s, last error %s',
      t.identifier, j.payload, j.attempts, j.locked_by, j.locked_at, j.run_at,
        left(j.last_error, 200)) as what
      from graphile_worker._private_jobs j
        join graphile_worker._private_tasks t on t.id = j.task_id
        where j.attempts < j.max_attempts limit 10`,
  );
  const exceptions = await rowsOf(
    system,
    sql<{ what: string }>`select format('an exception: parcel %s, %s', id, exception) as what
      from expresses where exception is not null limit 10`,
  );
  return [...jobs, ...exceptions].map(({ what }) => what);
};

/**
 * Waits until no work is left, and then checks everything. If there is a difference, it repeats the
 * check for up to `patienceMs`. A difference that remains counts as lost.
 */
export const whenQuiet = async (system: TestSystem, load: Load): Promise<Verdict> => {
  for (const since = Date.now(); ;) {
    const late = Date.now() - since > patienceMs;
    if ((await isQuiet(system, load)) || late) {
      const verdict = await judge(system, load);
      if (isRight(verdict)) return verdict;
      if (late) return { ...verdict, broken: [...verdict.broken, ...(await unfinished(system))] };
    }
    await pause(40);
  }
};
