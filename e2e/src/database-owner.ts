import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inject } from 'vitest';

interface Client {
  connect(): Promise<void>;
  query<R>(text: string, values: unknown[]): Promise<{ rows: R[] }>;
  end(): Promise<void>;
}
type Driver = { default: { Client: new (to: object) => Client } };

const driver = pathToFileURL(
  join(import.meta.dirname, '..', '..', 'node_modules', 'pg', 'lib', 'index.js'),
).href;

/**
 * Runs SQL statements as the owner of the run's database. Journeys use it to create states that a
 * user cannot create quickly enough.
 */
export const asOwner = async <T>(run: (client: Client) => Promise<T>): Promise<T> => {
  const lines = readFileSync(
    join(inject('product').data, 'postgres', 'postmaster.pid'),
    'utf8',
  ).split('\n');
  const { default: pg } = (await import(driver)) as Driver;
  const client = new pg.Client({
    host: lines[4],
    port: Number(lines[3]),
    user: 'waystation',
    database: 'waystation',
  });
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
};
