import { startEmbeddedPostgres } from '#platform/embedded/embedded.ts';
import type { EmbeddedPostgres } from '#platform/embedded/embedded.ts';
import type { Log } from '#platform/log.ts';
import { archiveSettings, startArchiver } from './archiver.ts';
import type { WalConfig } from './archiver.ts';

/**
 * Starts the embedded PostgreSQL. If a folder for the log archive is configured, archives the
 * database log there until PostgreSQL has stopped.
 */
export const startArchivedPostgres = async (
  config: WalConfig,
  log: Log,
  settings: Record<string, string> = {},
): Promise<EmbeddedPostgres> => {
  const embedded = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    log,
    settings: { ...settings, ...archiveSettings(config) },
  });
  const archiver = await startArchiver(config, log);
  return {
    ...embedded,
    stop: async () => {
      await embedded.stop();
      await archiver.stop();
    },
  };
};
