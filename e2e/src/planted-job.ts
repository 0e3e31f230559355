import { asOwner } from './database-owner.ts';

/**
 * Puts a job without remaining attempts into the queue of the running product, and returns the
 * job's id. Users cannot create such a job, and a real job would need minutes to fail.
 */
export const plantFailedJob = (task: string, payload: object, error: string): Promise<number> =>
  asOwner(async (client) => {
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
  });
