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
    // Files that run at once open a hundred connections each.
    return startEmbeddedPostgres({ dataDir, log: pino({ level: 'silent' }), settings: { max_connections: '300' } });
  };
  // Another run of the tests has it: this one brings its own.
  const embedded = await start(kept).catch((error: unknown) => {
    if (error instanceof EmbeddedError && error.reason === 'in_use') return start(`${kept}-${process.pid}`);
    throw error;
  });
  process.env['WAYSTATION_TEST_CLUSTER'] = JSON.stringify(embedded.connection);
  return () => embedded.stop();
};
