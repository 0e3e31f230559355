import type { Reason } from '@waystation/contract/base/envelope.ts';
import type { JobGroup, JobItem, JobResult } from '@waystation/contract/shell/jobs.ts';
import { jsonText, oneRow, sql } from '#platform/db/db.ts';
import type { RawBuilder, Work } from '#platform/db/db.ts';
import { listRows, namedRows } from '#platform/db/rows.ts';
import type { Listed, Paging } from '#platform/db/paging.ts';

interface ItemFilters {
  result?: JobResult | undefined;
  /** Only rows whose reason has this code. */
  code?: string | undefined;
}

/**
 * A row that was given to the carrier's queue; the carrier's answer will be the result of the row.
 */
export interface HandedItem {
  id: number;
  subject_id: number;
  handed_at: Date;
}

export interface ItemOutcome {
  id: number;
  result: JobResult;
  reason: Reason | null;
}

/**
 * Adds the rows of a job in order, each with its name, in one statement. Returns the number of rows
 * that have a name.
 */
export const addItems = async (
  work: Work,
  job_id: number,
  ids: readonly number[],
  nameOf: (id: RawBuilder<number>) => RawBuilder<string | null>,
): Promise<number> => {
  const { known } = await oneRow(
    work,
    sql<{
      known: number;
    }>`with named as materialized (select i.id, i.n, ${nameOf(sql.ref('i.id'))} as name
      from unnest(${ids}::bigint[]) with ordinality i (id, n)),
      added as (insert into user_job_items (job_id, subject_id, name)
        select ${job_id}, id, coalesce(name, '') from named order by n)
    select count(name) as known from named`,
  );
  return known;
};

/** The rows of a job in order. The caller must have checked that the user owns the job. */
export const itemsOf = (
  work: Work,
  job_id: number,
  { result, code, ...paging }: Paging & ItemFilters,
): Promise<Listed<JobItem>> =>
  listRows<JobItem>(
    work,
    namedRows('id job_id subject_id name result reason', sql`user_job_items`),
    {
      conditions: [
        sql<boolean>`r.job_id = ${job_id}`,
        ...(result === undefined ? [] : [sql<boolean>`r.result = ${result}`]),
        ...(code === undefined ? [] : [sql<boolean>`r.reason ->> 'code' = ${code}`]),
      ],
      paging,
      sortable: ['id'],
    },
  );

/**
 * Rows of a job that have a reason, grouped by result and code. The groups of failed rows come
 * first, and then the largest groups.
 */
export const groupsOf = async (work: Work, job_id: number): Promise<JobGroup[]> => {
  const { rows } = await sql<JobGroup>`select result,
    (array_agg(reason order by id))[1] as reason,
      case when count(distinct reason -> 'params') <= 1 then 1 else 0
        end as same, count(*) as count
    from user_job_items where job_id = ${job_id} and reason is not null
    group by result, reason ->> 'code' order by result = 'fail' desc, count(*) desc, result,
      reason ->> 'code'`.execute(work.tx);
  return rows;
};

/**
 * The next rows without a result, in order. All rows up to the row `after` have their results and
 * are not read again.
 */
export const nextItems = async (
  work: Work,
  job_id: number,
  after: number,
  count: number,
): Promise<{ id: number; subject_id: number }[]> => {
  const rows = await work.tx
    .selectFrom('user_job_items')
    .select(['id', 'subject_id'])
    .where('job_id', '=', job_id)
    .where('id', '>', after)
    .where('result', 'is', null)
    .where('handed_at', 'is', null)
    .orderBy('id')
    .limit(count)
    .execute();
  return rows;
};

/**
 * Locks a row before the job processes it. Returns false if the row already has a result or was
 * given to the carrier's queue.
 */
export const takeItem = async (work: Work, item_id: number): Promise<boolean> => {
  const { rows } = await sql`select 1 from user_job_items where id = ${item_id}
    and result is null and handed_at is null for update`.execute(work.tx);
  return rows.length > 0;
};

const counter = { ok: sql.ref('ok'), skip: sql.ref('skipped'), fail: sql.ref('failed') } as const;

/** Writes the result of a row if it has none yet, and counts it. */
export const itemResult = async (
  work: Work,
  item_id: number,
  result: JobResult,
  reason: Reason | null,
): Promise<void> => {
  const row = await work.tx
    .updateTable('user_job_items')
    .set({ result, reason: reason === null ? null : jsonText(reason) })
    .where('id', '=', item_id)
    .where('result', 'is', null)
    .returning('job_id')
    .executeTakeFirst();
  if (!row) return;
  const column = counter[result];
  await sql`update user_jobs set done = done + 1, ${column} = ${column} + 1
    where id = ${row.job_id}`.execute(work.tx);
};

/** Records that a row was given to the carrier's queue, so that its result will follow. */
export const handItem = async (work: Work, item_id: number, at: Date): Promise<void> => {
  await work.tx
    .updateTable('user_job_items')
    .set({ handed_at: at })
    .where('id', '=', item_id)
    .execute();
};

/** The rows of a job that still wait for their carrier's answer, in order. */
export const handedItems = async (work: Work, job_id: number): Promise<HandedItem[]> => {
  const { rows } = await sql<HandedItem>`select id, subject_id, handed_at from user_job_items
    where job_id = ${job_id} and result is null and handed_at is not null
      order by id`.execute(work.tx);
  return rows;
};

/** Writes the results of several rows that have none yet, and counts them. */
export const itemResults = async (
  work: Work,
  job_id: number,
  results: readonly ItemOutcome[],
): Promise<void> => {
  if (results.length === 0) return;
  await sql`with written as (
      update user_job_items i set result = r.result, reason = r.reason
      from jsonb_to_recordset(${jsonText(results)}::jsonb) as r (id bigint, result text,
        reason jsonb)
      where i.id = r.id and i.job_id = ${job_id} and i.result is null returning i.result)
    update user_jobs j set done = j.done + w.done, ok = j.ok + w.ok,
      skipped = j.skipped + w.skipped, failed = j.failed + w.failed
    from (select count(*) as done, count(*) filter (where result = 'ok') as ok,
      count(*) filter (where result = 'skip') as skipped,
      count(*) filter (where result = 'fail') as failed from written) w
        where j.id = ${job_id}`.execute(work.tx);
};
