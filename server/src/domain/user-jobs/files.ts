import { personFileHours, personalData } from '@waystation/contract/people/personal-data.ts';
import { daysBefore } from '#platform/clock.ts';
import { sql } from '#platform/db/db.ts';
import type { Db, Work } from '#platform/db/db.ts';
import { removeWithParts } from '#platform/db/prune.ts';
import { systemScope } from '#platform/db/scope.ts';
import type { Scope } from '#platform/db/scope.ts';
import { readSetting } from '#platform/settings.ts';
import type { JobRow } from './store.ts';

const scope = systemScope('file of a job');
/** The number of bytes of one stored piece of a file. */
const pieceBytes = 1_048_576;

/**
 * Writes a file piece by piece while it is created, and deletes pieces of an earlier attempt.
 * Returns the size of the file.
 */
export const storeFile = async (
  db: Db,
  job_id: number,
  file: AsyncIterable<Uint8Array>,
): Promise<number> => {
  await db.tx(scope, (work) =>
    sql`delete from user_job_files
    where job_id = ${job_id}`.execute(work.tx),
  );
  let waiting: Uint8Array[] = [];
  let held = 0;
  let no = 0;
  let total = 0;
  const write = async (): Promise<void> => {
    const content = Buffer.concat(waiting);
    waiting = [];
    held = 0;
    await db.tx(scope, (work) =>
      sql`insert into user_job_files (job_id, no, content)
      values (${job_id}, ${no++}, ${content})`.execute(work.tx),
    );
  };
  for await (const chunk of file) {
    waiting.push(chunk);
    held += chunk.byteLength;
    total += chunk.byteLength;
    if (held >= pieceBytes) await write();
  }
  if (held > 0) await write();
  return total;
};

/**
 * Stores the number of rows that the file will have, so that the progress of its job can be shown.
 */
export const countedJob = async (db: Db, job_id: number, total: number): Promise<void> => {
  await db.tx(scope, (work) =>
    sql`update user_jobs set total = ${total}
    where id = ${job_id}`.execute(work.tx),
  );
};

/**
 * Completes the file of a job: the job has one result for each row of the file. `stations` is the
 * list of all stations whose rows are in the file.
 */
export const storedFile = async (
  db: Db,
  job_id: number,
  file: { name: string; type: string; bytes: number; rows: number; stations: number[] },
): Promise<void> => {
  await db.tx(scope, (work) =>
    sql`update user_jobs set file_name = ${file.name}, file_type = ${file.type},
      file_bytes = ${file.bytes}, total = ${file.rows}, done = ${file.rows}, ok = ${file.rows},
      params = params || jsonb_build_object('stations', ${file.stations}::bigint[])
      where id = ${job_id}`.execute(work.tx),
  );
};

/**
 * Reads the file of a job piece by piece while it is sent, within the scope `reader`. The caller
 * must have checked that the user owns the job.
 */
export async function* fileOf(
  db: Db,
  reader: Scope,
  { id }: Pick<JobRow, 'id'>,
): AsyncGenerator<Uint8Array> {
  for (let no = 0; ; no++) {
    const piece = await db.tx(reader, (work) =>
      work.tx
        .selectFrom('user_job_files')
        .select('content')
        .where('job_id', '=', id)
        .where('no', '=', no)
        .executeTakeFirst(),
    );
    if (piece === undefined) return;
    yield piece.content;
  }
}

/**
 * Files with one person's data can no longer be downloaded if they were created before this time.
 */
const personFilesBefore = (now: Date): Date =>
  new Date(now.getTime() - personFileHours * 3_600_000);

/** True if the file of a job has one person's data and is too old to be downloaded. */
export const isPersonFileOver = ({ list, created_at }: JobRow, now: Date): boolean =>
  list === personalData && created_at < personFilesBefore(now);

/** The cost of removing one piece of a file, in rows: it takes as long as removing 50 rows. */
const pieceCost = 50;

/**
 * Removes pieces of old files until the cost `most` is reached. A file is old if its job is older
 * than the setting. A file with a person's data has a shorter limit. A file that lost a piece can
 * no longer be downloaded. Returns the cost.
 */
export const removeOldFiles = async (work: Work, now: Date, most: number): Promise<number> => {
  const before = daysBefore(now, await readSetting(work, 'export_file_days'));
  const { rows } = await sql<{ job_id: number }>`delete from user_job_files
    where (job_id, no) in (select f.job_id, f.no from user_job_files f
      join user_jobs j on j.id = f.job_id where j.created_at < ${personFilesBefore(now)}
        and (j.created_at < ${before} or j.list = ${personalData})
      order by j.created_at limit ${Math.ceil(most / pieceCost)})
    returning job_id`.execute(work.tx);
  if (rows.length > 0)
    await sql`update user_jobs set file_bytes = null where file_bytes is not null
      and id = any(${rows.map(({ job_id }) => job_id)}::bigint[])`.execute(work.tx);
  return rows.length * pieceCost;
};

/** Removes jobs that ended and are older than the setting, with their results and files. */
export const removeOldJobs = async (work: Work, now: Date, most: number): Promise<number> => {
  const before = daysBefore(now, await readSetting(work, 'job_days'));
  return removeWithParts(work, most, {
    table: 'user_jobs',
    cost: 20,
    parts: [
      { table: 'user_job_items', column: 'job_id', cost: 1 },
      { table: 'user_job_files', column: 'job_id', cost: pieceCost },
    ],
    next: async () => {
      const { rows } = await sql<{ id: number }>`select id from user_jobs
        where created_at < ${before} and status in ('done', 'failed')
        order by created_at limit 1 for update skip locked`.execute(work.tx);
      return rows[0]?.id ?? null;
    },
  });
};
