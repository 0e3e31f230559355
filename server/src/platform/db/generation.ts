import pg from 'pg';
import type { Log } from '#platform/log.ts';
import { MigrationError } from './migration-error.ts';

/**
 * Raises the sequences of all ids and numbers if this is not the same database as at the last check
 * (restored or promoted). Such a database may lack the newest rows (server/sql/numbers.sql). Does
 * nothing in an older database that does not have the SQL function.
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

/**
 * Stores the number of this installation in a database; connects as its owner. From then on, all
 * new ids and order numbers are in the range of this installation. Throws a MigrationError if the
 * database already has numbers of a higher installation.
 */
export const useInstallation = async (
  owner: pg.ClientConfig,
  installation: number,
  log: Log,
): Promise<void> => {
  const client = new pg.Client({ application_name: 'waystation numbers', ...owner });
  await client.connect();
  try {
    const { rows } = await client.query<{ raised: string | null }>(
      'select use_installation($1) as raised',
      [installation],
    );
    if (rows[0]?.raised != null)
      log.info({ installation }, 'new numbers are in the range of this installation');
  } catch (error) {
    if ((error as { code?: string }).code !== 'WS002') throw error;
    throw new MigrationError(
      `WAYSTATION_INSTALLATION is ${installation}, but ${(error as Error).message}.`,
    );
  } finally {
    await client.end();
  }
};
