import * as z from 'zod/mini';
import { oneRow, sql } from '#platform/db/db.ts';
import type { RawBuilder, Work } from '#platform/db/db.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { sqlKeyOf, task } from '#platform/jobs/task.ts';

/**
 * The limit in bytes of a small sheet. Small sheets are read while large sheets are read, so that a
 * shop's daily sheet does not wait for a large one.
 */
const smallSheet = 64 * 1024;
/**
 * The number of minutes for which an upload lowers the priority of the next uploads of its user and
 * its station.
 */
const turnMinutes = 10;
const mostTurns = 100;

const ofImport = z.object({ import_id: z.int() });

export const readImportTask = task(
  'read_import',
  z.object({ import_id: z.int(), small: z.exactOptional(z.literal([0, 1])) }),
  { attempts: 6, keyBy: ['import_id'] },
);

/** Jobs on one import run one after another; a user's single order takes precedence. */
const stepTask = (name: string, attempts: number) =>
  task(name, ofImport, {
    attempts,
    keyBy: ['import_id'],
    queue: ({ import_id }) => `import:${import_id}`,
    priority: 10,
  });
export const checkImportTask = stepTask('check_import', 6);
export const quoteImportTask = stepTask('quote_import', 6);
export const runImportTask = stepTask('run_import', 30);

interface ReadingOptions {
  /** True if the file is small, but its content turned out to be large. */
  large?: boolean;
  runAt?: Date;
}

interface Turn {
  is_small: boolean;
  before: number;
}

/**
 * Queues the reading of an import. At most three files are read at a time in the whole
 * installation, so that many uploads need no more memory: a small sheet, a large sheet and a
 * carrier's bill. The more sheets the same user and station uploaded shortly before, the later a
 * sheet is read. Failed and cancelled sheets count. The first sheet of a station is therefore read
 * before the many sheets of another station.
 */
export const queueReading = async (
  work: Work,
  import_id: number,
  { large = false, runAt }: ReadingOptions = {},
): Promise<void> => {
  const { is_small, before } = await oneRow(
    work,
    sql<Turn>`select i.file_bytes <= ${smallSheet} as is_small,
      (select count(*) from (select 1 from imports o where o.user_id = i.user_id
      and o.id < i.id
        and o.created_at > i.created_at - ${turnMinutes} * interval '1 minute'
          limit ${mostTurns}) x)::int
      + (select count(*) from (select 1 from imports o where o.station_id = i.station_id
        and o.id < i.id
        and o.created_at > i.created_at - ${turnMinutes} * interval '1 minute'
          limit ${mostTurns}) x)::int as before
      from imports i where i.id = ${import_id}`,
  );
  const isSmall = is_small && !large;
  const options = {
    queue: isSmall ? 'read_small_workbook' : 'read_workbook',
    priority: 10 + before,
  };
  await addJob(
    work,
    readImportTask,
    { import_id, ...(isSmall && { small: 1 }) },
    { ...options, ...(runAt && { runAt }) },
  );
};

const keyOfImport = (import_id: RawBuilder<unknown>) => sqlKeyOf(readImportTask, { import_id });

/**
 * True if an earlier sheet of the same account is being read, because only one sheet of an account
 * is read at a time.
 */
export const isReadingAnother = async (work: Work, import_id: number): Promise<boolean> => {
  const { rows } = await sql`select 1 from imports i join imports o on o.user_id = i.user_id
    and o.status = 'reading' and o.id <> i.id
    join graphile_worker._private_jobs j on j.key = ${keyOfImport(sql.ref('o.id'))}
      and j.locked_at is not null
    join graphile_worker._private_jobs m on m.key = ${keyOfImport(sql.ref('i.id'))}
      and m.locked_at is not null
    where i.id = ${import_id} and (j.locked_at, o.id) < (m.locked_at, i.id)
      limit 1`.execute(work.tx);
  return rows.length > 0;
};

const queueStep =
  (step: typeof checkImportTask) =>
  (work: Work, import_id: number, runAt?: Date): Promise<void> =>
    addJob(work, step, { import_id }, { ...(runAt && { runAt }) });
export const queueChecking = queueStep(checkImportTask);
export const queuePricing = queueStep(quoteImportTask);
export const queueRunning = queueStep(runImportTask);
