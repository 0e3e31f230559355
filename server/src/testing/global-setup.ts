import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';

/** One real PostgreSQL for all test files, kept in .build between runs; WAYSTATION_TEST_CLUSTER (JSON connection) uses another. */
export const setup = async (): Promise<(() => Promise<void>) | undefined> => {
  if (process.env['WAYSTATION_TEST_CLUSTER']) return undefined;
  // Loaded only when asked for: another cluster needs none of it.
  const { EmbeddedError, startEmbeddedPostgres } = await import('#platform/embedded/embedded.ts');
  const kept = join(import.meta.dirname, '..', '..', '..', '.build', 'test-postgres');
  const start = (dataDir: string) => {
    mkdirSync(dataDir, { recursive: true });
    const settings = {
      // Files that run at once open a hundred connections each.
      max_connections: '300',
      // Each database that is made or dropped would wait for the disk twice. What a killed process has written is kept without it; tests of lost power have their own cluster.
      fsync: 'off',
      full_page_writes: 'off',
    };
    return startEmbeddedPostgres({ dataDir, log: pino({ level: 'silent' }), settings });
  };
  // Another run of the tests has it: this one brings its own.
  const embedded = await start(kept).catch((error: unknown) => {
    if (error instanceof EmbeddedError && error.reason === 'in_use') return start(`${kept}-${process.pid}`);
    throw error;
  });
  process.env['WAYSTATION_TEST_CLUSTER'] = JSON.stringify(embedded.connection);
  return () => embedded.stop();
};
