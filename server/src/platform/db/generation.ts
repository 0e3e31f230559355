import type pg from 'pg';
import type { Log } from '#platform/log.ts';

/**
 * Raises all numbers if the database is not the one that was seen last, because it may have lost
 * its newest rows (server/sql/numbers.sql). Does nothing in an older database, which lacks the
 * function.
 */
export const raiseNumbersIfMoved = async (client: pg.ClientBase, log: Log): Promise<void> => {
  try {
    const { rows } = await client.query<{ moved: string | null }>(
      'select raise_generation_if_moved() as moved',
    );
    const moved = rows[0]?.moved ?? null;
    if (moved !== null)
      log.warn(
        { moved },
        'the database was promoted, recovered or loaded elsewhere: its numbers are raised, so that none comes again',
      );
  } catch (error) {
    if ((error as { code?: string }).code !== '42883') throw error;
  }
};
