import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '#platform/embedded/embedded.ts';
import type { EmbeddedPostgres } from '#platform/embedded/embedded.ts';
import { silentLog } from '#platform/log.ts';
import { quickFolder } from './quick-folder.ts';

/**
 * Starts a separate PostgreSQL with the product's supervisor. It gets the product's settings and
 * the given additional settings. Until it is stopped, test databases are created in it.
 */
export const openOwnCluster = async (
  name: string,
  settings: Record<string, string> = {},
): Promise<EmbeddedPostgres & { dataDir: string }> => {
  // The templates of a cluster are remembered under its connection. Each cluster therefore gets a
  // new folder, so that its connection differs.
  const folder = quickFolder(`waystation-${name}-`);
  chmodSync(folder, 0o711);
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir);
  const before = process.env['WAYSTATION_TEST_CLUSTER'];
  const embedded = await startEmbeddedPostgres({ dataDir, log: silentLog(), settings });
  process.env['WAYSTATION_TEST_CLUSTER'] = JSON.stringify(embedded.connection);
  return {
    ...embedded,
    dataDir,
    stop: async () => {
      await embedded.stop();
      if (before === undefined) delete process.env['WAYSTATION_TEST_CLUSTER'];
      else process.env['WAYSTATION_TEST_CLUSTER'] = before;
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/**
 * Runs `work` with the PostgreSQL in WAYSTATION_TEST_CLUSTER. If that variable is not set, starts a
 * separate PostgreSQL for it.
 */
export const withCluster = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
  if (process.env['WAYSTATION_TEST_CLUSTER']) return work();
  const own = await openOwnCluster(name);
  try {
    return await work();
  } finally {
    await own.stop();
  }
};
