/**
 * A worker that runs only the background jobs of users. It does not send, poll or change any parcel
 * of the network.
 */
import { createApp } from '#app.ts';
import { readConfig } from '#config.ts';
import { embeddedConnections } from '#connections.ts';
import type { OwnerConnection } from '#platform/embedded/embedded.ts';
import { startWorker } from '#platform/jobs/worker.ts';
import { silentLog } from '#platform/log.ts';
import { alertAbandoned, tasks } from '#tasks.ts';
import { secretKey } from './base.ts';

const owner = JSON.parse(process.argv[2]!) as OwnerConnection;
const config = readConfig({
  WAYSTATION_SECRET_KEY: secretKey,
  WAYSTATION_LOG: 'silent',
  WAYSTATION_DATA: '/nonexistent',
  WAYSTATION_HEADS_FILE: 'off',
});
const log = silentLog();
const app = createApp(config, embeddedConnections(owner).app, log);
await startWorker({
  app,
  db: app.db,
  tasks: tasks.filter(({ name }) => name === 'run_user_job'),
  byClock: false,
  abandoned: alertAbandoned,
  concurrency: 2,
  deadAfterMs: 20_000,
  log,
});
process.send?.('ready');
