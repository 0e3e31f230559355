import { present } from '@waystation/contract/base/present.ts';
import { sql } from '#platform/db/db.ts';
import type { Db, Work } from '#platform/db/db.ts';
import type { RawBuilder } from 'kysely';
import { systemScope } from '#platform/db/scope.ts';
import type { Task } from './task.ts';

/** The data that a process's heartbeat needs about the workers of the process. */
export interface Heartbeat {
  /** The names of this process's workers, in which its jobs are locked. */
  workers: ReadonlySet<string>;
  /** The ids of the jobs that this process is running now. */
  running: ReadonlySet<string>;
  /**
   * The jobs that are locked by this process but not run by it. A key consists of a job's id and
   * attempt; the value is the time in milliseconds at which the job was first seen.
   */
  unrun: Map<string, number>;
  everyMs: number;
  /** Milliseconds without a heartbeat after which a worker counts as dead. */
  deadAfterMs: number;
}

interface LockedJob {
  id: string;
  attempts: number;
}

/**
 * Stores a heartbeat and frees the jobs that nobody runs. Such a job is locked by a worker without
 * recent heartbeats. It may also be locked by this process but not run for two heartbeats, for
 * example if the response to the locking statement was lost. The workers of this process never
 * count as dead, because a heartbeat that is stored late proves nothing.
 */
export const storeHeartbeat = (
  db: Db,
  { workers, running, unrun, everyMs, deadAfterMs }: Heartbeat,
): Promise<void> =>
  db.tx(systemScope('worker heartbeat'), async (work) => {
    const names = [...workers];
    await sql`insert into worker_heartbeats (worker_id, seen_at, job_ids)
      select name, clock_timestamp(), ${[...running]}::bigint[]
      from unnest(${names}::text[]) name
      on conflict (worker_id) do update set seen_at = excluded.seen_at,
        job_ids = excluded.job_ids`.execute(work.tx);
    const { rows: dead } = await sql<{ locked_by: string }>`select distinct j.locked_by
      from graphile_worker._private_jobs j left
        join worker_heartbeats h on h.worker_id = j.locked_by
      where j.locked_by <> all(${names}::text[])
        and coalesce(h.seen_at,
          j.locked_at) < clock_timestamp() - ${deadAfterMs} * interval '1 millisecond'`.execute(
      work.tx,
    );
    if (dead.length > 0) {
      const ids = dead.map(({ locked_by }) => locked_by);
      await renumber(work, sql`locked_by = any(${ids}::text[])`);
      await sql`select graphile_worker.force_unlock_workers(${ids}::text[])`.execute(work.tx);
    }
    const { rows: ours } = await sql<LockedJob>`select id, attempts
      from graphile_worker._private_jobs where locked_by = any(${names}::text[])`.execute(work.tx);
    const lost = noteUnrun(ours, { running, unrun }, everyMs);
    if (lost.length > 0) await unlockJobs(work, lost);
    await sql`delete from worker_heartbeats
      where seen_at < clock_timestamp() - interval '1 day'`.execute(work.tx);
  });

/**
 * Returns the ids of jobs that neither run now nor ran at the previous heartbeats. A single
 * heartbeat proves nothing: the response to the locking statement, or the end of a job, may still
 * be on its way.
 */
const noteUnrun = (
  locked: readonly LockedJob[],
  { running, unrun }: Pick<Heartbeat, 'running' | 'unrun'>,
  everyMs: number,
): string[] => {
  const now = performance.now();
  const seen = locked
    .filter(({ id }) => !running.has(String(id)))
    .map(({ id, attempts }) => ({ id: String(id), key: `${id}/${attempts}` }));
  const keys = new Set(seen.map(({ key }) => key));
  for (const key of unrun.keys()) if (!keys.has(key)) unrun.delete(key);
  for (const { key } of seen) if (!unrun.has(key)) unrun.set(key, now);
  // The factor 1.5 allows for heartbeats that come a little early or late.
  return seen
    .filter(({ key }) => now - present(unrun.get(key)) > 1.5 * everyMs)
    .map(({ id }) => id);
};

/**
 * Gives jobs new ids, because the library ends a job only by its id. A process that was merely
 * paused would otherwise, at the end of its job, remove a later job with the same key. A job
 * without attempts left is not changed, because it was queued again meanwhile.
 */
const renumber = (work: Work, condition: RawBuilder<unknown>) =>
  sql<{ id: string }>`update graphile_worker._private_jobs
    set id = default, attempts = greatest(attempts - 1, 0),
      flags = coalesce(flags, '{}') || jsonb_build_object('interrupted',
        coalesce((flags ->> 'interrupted')::int, 0) + 1)
    where ${condition} and attempts < max_attempts returning id`.execute(work.tx);

/**
 * Unlocks these jobs, and the queues that are locked for them. The workers that lock them are still
 * running.
 */
const unlockJobs = async (work: Work, ids: readonly string[]): Promise<void> => {
  const { rows: renumbered } = await renumber(
    work,
    sql`id = any(${ids}::bigint[])
    and locked_by is not null`,
  );
  await sql`with freed as (
      update graphile_worker._private_jobs set locked_by = null, locked_at = null
      where id = any(${[...ids, ...renumbered.map(({ id }) => id)]}::bigint[])
        and locked_by is not null returning job_queue_id)
    update graphile_worker._private_job_queues q set locked_by = null, locked_at = null
      from freed where q.id = freed.job_queue_id`.execute(work.tx);
};

/**
 * SQL that is true if a job with this key waits or runs. A job that has been locked since before
 * `lockedBefore` counts as running only if a heartbeat lists it.
 */
export const hasJob = (key: RawBuilder<string>, lockedBefore: Date): RawBuilder<boolean> =>
  sql<boolean>`exists (select from graphile_worker._private_jobs j where j.key = ${key}
    and (j.locked_at is null or j.locked_at >= ${lockedBefore}
    or exists (select from worker_heartbeats h where h.worker_id = j.locked_by
      and j.id = any(h.job_ids))))`;

/** True if a worker has locked a job of this task whose payload contains these values. */
export const isJobRunning = async (
  work: Work,
  task: Pick<Task<never>, 'name'>,
  payload: Readonly<Record<string, number>>,
): Promise<boolean> => {
  const { rows } = await sql`select 1 from graphile_worker._private_jobs j
    join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = ${task.name} and j.locked_at is not null
      and j.payload::jsonb @> ${JSON.stringify(payload)}::jsonb limit 1`.execute(work.tx);
  return rows.length > 0;
};
