import { join } from 'node:path';
import { createApp } from '#app.ts';
import { readConfig } from '#config.ts';
import { fillDemo } from '#features/demo/demo.ts';
import { migrate, readSchema } from '#platform/db/migrate.ts';
import { migrateJobs } from '#platform/jobs/jobs.ts';
import { silentLog } from '#platform/log.ts';
import type { OwnerConnection } from '#platform/embedded/embedded.ts';

export const appRole = { name: 'waystation_app', password: null };
export const secretKey = '5ca1e'.padEnd(64, '0');
/** The number of parcels in the example network. All other parcels are copies of these. */
const patterns = 4_000;

const serverFolder = join(import.meta.dirname, '..', '..', '..');
export const schemaNow = () => readSchema(serverFolder);

/**
 * Fills a migrated database with the example network. The large network copies its parcels, prices,
 * messages and movements.
 */
export const fillBase = async (
  owner: OwnerConnection,
  step: (text: string) => void,
): Promise<void> => {
  await migrate(owner, schemaNow(), {
    appRole,
    log: silentLog(),
    after: (client) => migrateJobs(client, owner, appRole.name),
  });
  const config = {
    ...readConfig({
      WAYSTATION_SECRET_KEY: secretKey,
      WAYSTATION_LOG: 'silent',
      WAYSTATION_DATA: '/nonexistent',
      WAYSTATION_HEADS_FILE: 'off',
      WAYSTATION_DEMO_PARCELS: String(patterns),
    }),
  };
  const app = createApp(config, { ...owner, user: appRole.name }, silentLog());
  try {
    await fillDemo(app, step, async () => false);
  } finally {
    await app.close();
  }
};
