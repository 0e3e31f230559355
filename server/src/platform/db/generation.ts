import { oneRow, sql } from './db.ts';
import type { Db } from './db.ts';
import { systemScope } from './scope.ts';
import type { Log } from '#platform/log.ts';

/**
 * Raises all numbers if the database is another one than at the last look, which may have lost its
 * newest rows (server/sql/numbers.sql).
 */
export const raiseNumbersIfMoved = async (db: Db, log: Log): Promise<void> => {
  const { moved } = await db.tx(systemScope('number generation'), (work) =>
    oneRow(work, sql<{ moved: string | null }>`select raise_generation_if_moved() as moved`),
  );
  if (moved !== null)
    log.warn(
      { moved },
      'the database was promoted, recovered or loaded elsewhere: its numbers are raised, so that none comes again',
    );
};
