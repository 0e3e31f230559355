import { openDb } from '#platform/db/db.ts';
import type { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { silentLog } from '#platform/log.ts';
import type { TestApi } from './test-api.ts';

/**
 * Executes a query as the owner of the database and returns its rows. It is used for changes that
 * the application role may not make.
 */
export const ownerRows = async <T>(
  { database }: Pick<TestApi, 'database'>,
  query: ReturnType<typeof sql<T>>,
): Promise<T[]> => {
  const owner = openDb({ connection: database.owner, max: 1, log: silentLog() });
  try {
    const { rows } = await owner.tx(systemScope('test'), (work) => query.execute(work.tx));
    return rows;
  } finally {
    await owner.close();
  }
};
