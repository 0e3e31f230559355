import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { createApi } from '#api.ts';
import { createApp } from '#app.ts';
import type { App } from '#app.ts';
import type { Connections } from '#connections.ts';
import { silentLog } from '#platform/log.ts';
import { startWorker } from '#platform/jobs/worker.ts';
import { alertAbandoned, tasks } from '#tasks.ts';
import { appRole, clusterConnection } from './cluster.ts';
import { exampleOrder } from './test-system.ts';
import type { TestSystem } from './test-system.ts';

export interface EmptyDatabase {
  connections: Connections;
  /** Executes a statement as the owner without a scope, and returns its rows. */
  rows<R extends pg.QueryResultRow>(text: string): Promise<R[]>;
  drop(): Promise<void>;
}

/**
 * Creates an empty database whose owner is not a superuser. An external PostgreSQL may have such an
 * owner.
 */
export const createEmptyDatabase = async (): Promise<EmptyDatabase> => {
  const name = `empty_${randomBytes(6).toString('hex')}`;
  const asAdmin = async (...texts: string[]): Promise<void> => {
    const client = new pg.Client({ ...clusterConnection(), database: 'postgres' });
    await client.connect();
    for (const text of texts) await client.query(text);
    await client.end();
  };
  await asAdmin(
    `create role ${name} login nosuperuser nobypassrls`,
    `create database ${name} owner ${name}`,
  );
  const owner = { ...clusterConnection(), user: name, database: name };
  return {
    connections: { owner, app: { ...owner, user: appRole.name }, role: appRole },
    rows: async <R extends pg.QueryResultRow>(text: string) => {
      const client = new pg.Client(owner);
      await client.connect();
      try {
        await client.query(`set waystation.scope = 'all'`);
        return (await client.query<R>(text)).rows;
      } finally {
        await client.end();
      }
    },
    drop: () =>
      asAdmin(`drop database if exists ${name} with (force)`, `drop role if exists ${name}`),
  };
};

export interface RestoredSystem {
  app: App;
  /** Orders one parcel as the demo clerk. Returns its id, order number and waybill. */
  order(): Promise<{ id: number; order_id: string; delivery_id: string | null }>;
  close(): Promise<void>;
}

let keys = 0;

/**
 * Opens an API and a worker on another database. Their other settings, and the carrier, are those
 * of `system`.
 */
export const openRestored = async (
  system: TestSystem,
  { connections }: Pick<EmptyDatabase, 'connections'>,
): Promise<RestoredSystem> => {
  const app = createApp(system.app.config, connections.app, silentLog());
  const http = await createApi(app, { checkOutput: true });
  const worker = await startWorker({
    app,
    db: app.db,
    tasks,
    byClock: false,
    abandoned: alertAbandoned,
    concurrency: 4,
    deadAfterMs: app.config.worker.deadAfterMs,
    log: app.log,
  });
  const post = async <T>(url: string, payload: object, headers: Record<string, string>) => {
    const answer = await http.inject({ method: 'POST', url, payload, headers });
    if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${answer.body}`);
    return (answer.json() as { data: T }).data;
  };
  const { access_token } = await post<{ access_token: string }>(
    '/api/arco/login/password',
    { username: 'clerk', password: app.config.demoPassword },
    {},
  );
  return {
    app,
    order: () =>
      post('/api/arco/expresses', exampleOrder(), {
        authorization: `Bearer ${access_token}`,
        'idempotency-key': `restored-key-${++keys}`,
      }),
    close: async () => {
      await worker.stop();
      await http.close();
      await app.close();
    },
  };
};
