import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '#platform/embedded/embedded.ts';
import type { EmbeddedPostgres } from '#platform/embedded/embedded.ts';
import { silentLog } from '#platform/log.ts';

/** A PostgreSQL of our own, by the product's own supervisor and with its own settings but for those given, below .build; it is where test databases are made meanwhile. */
export const openOwnCluster = async (name: string, settings: Record<string, string> = {}): Promise<EmbeddedPostgres> => {
  const dataDir = join(import.meta.dirname, '..', '..', '..', '.build', `${name}-${process.pid}`);
  mkdirSync(dataDir, { recursive: true });
  const before = process.env['WAYSTATION_TEST_CLUSTER'];
  const embedded = await startEmbeddedPostgres({ dataDir, log: silentLog(), settings });
  process.env['WAYSTATION_TEST_CLUSTER'] = JSON.stringify(embedded.connection);
  return {
    ...embedded,
    stop: async () => {
      await embedded.stop();
      if (before === undefined) delete process.env['WAYSTATION_TEST_CLUSTER'];
      else process.env['WAYSTATION_TEST_CLUSTER'] = before;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
};

/** The PostgreSQL that WAYSTATION_TEST_CLUSTER names, else one of our own. */
export const withCluster = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
  if (process.env['WAYSTATION_TEST_CLUSTER']) return work();
  const own = await openOwnCluster(name);
  try {
    return await work();
  } finally {
    await own.stop();
  }
};
