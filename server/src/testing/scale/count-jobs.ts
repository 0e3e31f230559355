import type pg from 'pg';
import { follow, removeJob, startWorker } from './jobs.ts';
import { scopeOf } from './samples.ts';
import type { Side } from './sides.ts';

/**
 * Makes the same count directly in the database. Returns its result and its duration in seconds.
 */
const countBare = async (
  owner: pg.Client,
  list: string,
  username: string,
  since: string | null,
): Promise<{ total: number; seconds: number }> => {
  const { stations } = await scopeOf(owner, username);
  const start = performance.now();
  const { rows } = await owner.query<{ total: number }>(
    `select count(*)::integer as total from ${list} where ($2 or station_id = any ($1::bigint[])) and ($3::date is null or created_at >= $3::date::timestamp at time zone 'Asia/Shanghai')`,
    [stations, username === 'super', since],
  );
  return { total: rows[0]!.total, seconds: (performance.now() - start) / 1_000 };
};

/**
 * Measures a background job that counts all rows of a filter. Its result must equal the real number
 * of rows.
 */
export const measureCounts = async (
  { api, owner, config }: Side,
  checkout: string,
  usernames: readonly string[],
): Promise<boolean> => {
  const worker = await startWorker(checkout, config);
  if (!worker) {
    console.log('   exact counts skipped: the checkout has no worker for them');
    return true;
  }
  const { rows } = await owner.query<{ since: string }>(
    `select to_char(max(created_at) at time zone 'Asia/Shanghai' - interval '60 days', 'YYYY-MM-DD') as since from expresses`,
  );
  const { since } = rows[0]!;
  let ok = true;
  for (const username of usernames) {
    const token = await api.logIn(username);
    for (const [list, filters] of [
      ['expresses', {}],
      ['expresses', { created_from: since }],
      ['statements', {}],
    ] as const) {
      const bare = await countBare(owner, list, username, 'created_from' in filters ? since : null);
      const start = performance.now();
      const { status, text } = await api.ask(token, '/api/arco/counts', { list, filters });
      const { data } = JSON.parse(text) as { data: { job_id: number } | null };
      const job = status === 200 ? await follow(api, token, data!.job_id) : null;
      const seconds = (performance.now() - start) / 1_000;
      if (job) await removeJob(owner, job.id);
      const isRight = job?.status === 'done' && job.answer?.total === bare.total;
      ok &&= isRight;
      console.log(
        `   exact counts of ${username}, ${list} ${JSON.stringify(filters)}: ${job ? `${job.status}, ${job.answer?.total}` : `answered ${status}`} after ${seconds.toFixed(2)} s ${isRight ? 'ok' : 'MISSED'}, beside ${bare.total} in ${bare.seconds.toFixed(2)} s`,
      );
    }
  }
  worker.kill('SIGKILL');
  return ok;
};
