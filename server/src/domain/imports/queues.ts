import { oneRow, sql } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';
import { addJob } from '#platform/jobs/jobs.ts';

/** Bytes of a sheet that is read beside the large ones: a shop's day fits, and a large sheet does not hold it up. */
const smallSheet = 64 * 1024;
/** Minutes that an upload counts against the next one of its account and station. */
const turnMinutes = 10;
const mostTurns = 100;

interface ReadingOptions {
  /** A small file that turned out to be large inside. */
  large?: boolean;
  runAt?: Date;
}

interface Turn {
  is_small: boolean;
  before: number;
}

/**
 * Three files at a time in the whole installation, a small sheet, a large one and a bill, so that many uploads need no more memory than three. Sheets wait by
 * how many their account and their station uploaded shortly before, those that failed or were cancelled too, so that a pile of one gives way to the first of another.
 */
export const queueReading = async (tx: Tx, import_id: number, { large = false, runAt }: ReadingOptions = {}): Promise<void> => {
  const { is_small, before } = await oneRow(
    tx,
    sql<Turn>`select i.file_bytes <= ${smallSheet} as is_small, (select count(*) from (select 1 from imports o where o.user_id = i.user_id and o.id < i.id
        and o.created_at > i.created_at - ${turnMinutes} * interval '1 minute' limit ${mostTurns}) x)::int
      + (select count(*) from (select 1 from imports o where o.station_id = i.station_id and o.id < i.id
        and o.created_at > i.created_at - ${turnMinutes} * interval '1 minute' limit ${mostTurns}) x)::int as before
      from imports i where i.id = ${import_id}`,
  );
  const isSmall = is_small && !large;
  const options = { key: `read_import:${import_id}`, queue: isSmall ? 'read_small_workbook' : 'read_workbook', priority: 10 + before };
  await addJob(tx, 'read_import', { import_id, ...(isSmall && { small: 1 }) }, { ...options, ...(runAt && { runAt }) });
};

/** Whether another sheet of the same account is being read, which began before: an account has one at a time. */
export const isReadingAnother = async (tx: Tx, import_id: number): Promise<boolean> => {
  const { rows } = await sql`select 1 from imports i join imports o on o.user_id = i.user_id and o.status = 'reading' and o.id <> i.id
    join graphile_worker._private_jobs j on j.key = 'read_import:' || o.id and j.locked_at is not null
    join graphile_worker._private_jobs m on m.key = 'read_import:' || i.id and m.locked_at is not null
    where i.id = ${import_id} and (j.locked_at, o.id) < (m.locked_at, i.id) limit 1`.execute(tx);
  return rows.length > 0;
};

/** Work on one import runs one after another; a person's single order goes before it. */
const queueStep =
  (task: string) =>
  (tx: Tx, import_id: number, runAt?: Date): Promise<void> =>
    addJob(tx, task, { import_id }, { key: `${task}:${import_id}`, queue: `import:${import_id}`, priority: 10, ...(runAt && { runAt }) });
export const queueChecking = queueStep('check_import');
export const queuePricing = queueStep('quote_import');
export const queueRunning = queueStep('run_import');
