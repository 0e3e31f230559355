import { createHash } from 'node:crypto';
import { mostImportBytes } from '@waystation/contract/base/limits.ts';
import { formatOf } from '#domain/workbook/workbook.ts';
import { daysBefore } from '#platform/clock.ts';
import { sql } from '#platform/db/db.ts';
import type { RowOf, Work } from '#platform/db/db.ts';
import { removeWithParts } from '#platform/db/prune.ts';
import { readSetting } from '#platform/settings.ts';
import { fail, failFields } from '#platform/fail.ts';
import { queueReading } from './queues.ts';
import { requireRoom } from './store.ts';

export interface NewImport {
  station_id: number;
  user_id: number;
  again: 0 | 1;
  file: { name: string; bytes: Buffer };
}

/**
 * Stores an uploaded sheet, queues its reading and returns the import's id. If the user has
 * uploaded the same bytes for the same station before, that import is returned and `fresh` is
 * false. An earlier import that failed, or was cancelled before a row was ordered, does not count.
 */
export const storeImport = async (
  work: Work,
  { station_id, user_id, again, file }: NewImport,
): Promise<{ id: number; fresh: boolean }> => {
  if (file.bytes.length === 0) failFields({ file: { code: 'file_empty' } });
  if (file.bytes.length > mostImportBytes) fail('too_large');
  const type = formatOf(file);
  if (typeof type !== 'string') return failFields({ file: { code: type.refused } });
  const hash = createHash('sha256').update(file.bytes).digest();
  // Uploads of one user run one after another, so that the limit of open imports is kept.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`imports ${user_id}`},
    0))`.execute(work.tx);
  const { rows: before } = await sql<RowOf<'imports', 'id'>>`select id from imports
    where station_id = ${station_id} and user_id = ${user_id}
    and file_hash = ${hash} and status <> 'failed'
      and (status <> 'cancelled' or (counts ->> 'ordered')::int > 0) order by id desc
      limit 1`.execute(work.tx);
  if (before[0] && again === 0) return { id: before[0].id, fresh: false };
  await requireRoom(work, user_id);
  const { id } = await work.tx
    .insertInto('imports')
    .values({
      station_id,
      user_id,
      file_name: file.name,
      file_type: type,
      file_bytes: file.bytes.length,
      file_hash: hash,
      again: before[0] ? 1 : 0,
      status: 'reading',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await work.tx.insertInto('import_files').values({ import_id: id, content: file.bytes }).execute();
  await queueReading(work, id);
  return { id, fresh: true };
};

/**
 * The number of days for which a failed or cancelled import is stored if none of its rows became a
 * parcel.
 */
const storedDaysOfNothing = 7;

/**
 * Locks the oldest import that was not changed for the number of days in the network settings. A
 * failed or cancelled import without an order is locked after fewer days. An import that is being
 * ordered is not locked. The import is cancelled first, because its rows are removed in several
 * transactions and must not be ordered meanwhile.
 */
const nextOldImport = async (work: Work, before: Date, now: Date): Promise<number | null> => {
  const { rows } = await sql<{ id: number; changeable: boolean }>`select id,
      status not in ('failed', 'cancelled') as changeable from imports
    where status <> 'ordering' and (updated_at < ${before}
      or (updated_at < ${daysBefore(now, storedDaysOfNothing)}
        and status in ('failed', 'cancelled') and coalesce((counts ->> 'ordered')::int, 0) = 0))
    order by id limit 1 for update skip locked`.execute(work.tx);
  const [found] = rows;
  if (!found) return null;
  if (found.changeable)
    await sql`update imports set status = 'cancelled', version = version + 1,
      finished_at = ${now} where id = ${found.id}`.execute(work.tx);
  return found.id;
};

/** Removes old imports with their files and rows; their parcels stay. */
export const removeOldImports = async (work: Work, now: Date, most: number): Promise<number> => {
  const before = daysBefore(now, await readSetting(work, 'import_days'));
  return removeWithParts(work, most, {
    table: 'imports',
    // Removing an import costs as much as 100 rows, because it also removes its file and the steps
    // of its edits.
    cost: 100,
    parts: [
      { table: 'import_step_rows', column: 'import_id', cost: 1 },
      { table: 'import_prices', column: 'import_id', cost: 1 },
      { table: 'import_rows', column: 'import_id', cost: 1 },
    ],
    next: () => nextOldImport(work, before, now),
  });
};
