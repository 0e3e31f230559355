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
 * Puts a job without attempts left into the queue of the run's product, as its owner: no user can
 * make one, and a real one takes minutes to fail. Returns its number.
 */
export const plantFailedJob = async (
  task: string,
  payload: object,
  error: string,
): Promise<number> => {
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
    const { rows } = await client.query<{ id: string }>(
      `with job as (select id from graphile_worker.add_job($1, $2::json,
          run_at => now() + interval '1 year', max_attempts => 6))
        select id from job`,
      [task, JSON.stringify(payload)],
    );
    const id = Number(rows[0]!.id);
    await client.query(
      `update graphile_worker._private_jobs set attempts = 6, last_error = $2, updated_at = now()
        where id = $1`,
      [id, error],
    );
    return id;
  } finally {
    await client.end();
  }
};
