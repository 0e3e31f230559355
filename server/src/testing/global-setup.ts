import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { compileCache, fillCompileCache } from './compile-cache.ts';

/**
 * Starts one real PostgreSQL for all test files. Its data is in .build, and later runs use it
 * again. If WAYSTATION_TEST_CLUSTER contains a connection as JSON, uses that server instead.
 */
export const setup = async (): Promise<(() => Promise<void>) | undefined> => {
  process.env['WAYSTATION_TEST_RUN'] = `${process.pid}_${Date.now()}`;
  fillCompileCache();
  // The threads and packages of the test workers use the same compiled code.
  process.env['NODE_COMPILE_CACHE'] = compileCache;
  if (process.env['WAYSTATION_TEST_CLUSTER']) return undefined;
  // The module is loaded only if it is needed. If another cluster is configured, no embedded
  // PostgreSQL is started.
  const { EmbeddedError, startEmbeddedPostgres } = await import('#platform/embedded/embedded.ts');
  const kept = join(import.meta.dirname, '..', '..', '..', '.build', 'test-postgres');
  const start = (dataDir: string) => {
    mkdirSync(dataDir, { recursive: true });
    const settings = {
      // Several test files run simultaneously, and each of them may open a hundred connections.
      max_connections: '300',
      // With fsync, each created or dropped database would wait for the disk twice. The writes of a
      // killed process survive without fsync too. Tests of power failures have a separate cluster
      // with fsync.
      fsync: 'off',
      full_page_writes: 'off',
      // Test databases are small and exist only for seconds. A cache of gigabytes would only slow
      // them, because each created or dropped database searches the whole cache. Autovacuum is not
      // needed either.
      shared_buffers: '256MB',
      autovacuum_naptime: '1h',
      // One plan per statement and connection: the five plans for given values, which the planner
      // tries first, cost more than they save on tables of ten rows.
      plan_cache_mode: 'force_generic_plan',
    };
    return startEmbeddedPostgres({ dataDir, log: pino({ level: 'silent' }), settings });
  };
  // If another test run is using the data directory, this run starts a PostgreSQL with another
  // directory.
  let dataDir = kept;
  const embedded = await start(kept).catch((error: unknown) => {
    if (!(error instanceof EmbeddedError && error.reason === 'in_use')) throw error;
    dataDir = `${kept}-${process.pid}`;
    return start(dataDir);
  });
  const { openMemoryTablespace } = await import('./memory-tablespace.ts');
  const clean = await openMemoryTablespace(embedded.connection, dataDir);
  process.env['WAYSTATION_TEST_CLUSTER'] = JSON.stringify(embedded.connection);
  return async () => {
    await clean();
    await embedded.stop();
  };
};
