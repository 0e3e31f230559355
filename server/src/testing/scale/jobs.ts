import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { finished } from 'node:stream/promises';
import pg from 'pg';
import { bulkLimit } from '@waystation/contract/base/bulk-endpoint.ts';
import { exportAtOnce } from '@waystation/contract/shell/exports.ts';
import { processTime } from './api.ts';
import type { Api } from './api.ts';
import { backendTime } from './bare.ts';
import { percentile } from './measure.ts';
import { scopeOf } from './samples.ts';
import type { Side } from './sides.ts';

const rows = 100_000;
/**
 * The minimum number of rows for which the result is judged. With fewer rows, the start of the job
 * and the polling for its end take a large part of the time.
 */
const judgedFrom = 50_000;
const timeoutMs = 150_000;
export const columns = [
  'delivery_id',
  'order_id',
  'station_name',
  'sender_name',
  'sender_phone',
  'receive_name',
  'receive_phone',
  'receive_province',
  'receive_city',
  'goods',
  'weight',
  'cal_weight',
  'post_amount',
  'state_code',
  'created_at',
];

/** Returns the present and the highest memory of a process in megabytes. */
const memoryOf = (pid: number): { now: number; peak: number } => {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  const of = (name: string): number =>
    Number(new RegExp(`${name}:\\s+(\\d+)`).exec(text)?.[1] ?? 0) / 1024;
  return { now: of('VmRSS'), peak: of('VmHWM') };
};

/**
 * `seconds` is the elapsed time. `processor` is the processor time of Node and PostgreSQL together
 * in seconds. Unlike the elapsed time, it does not depend on the load of the machine.
 */
interface Cost {
  seconds: number;
  processor: number;
}

/**
 * The stations and the account whose parcels a job contains. Null means all stations, or the
 * parcels of all accounts.
 */
interface Reach {
  stations: readonly string[] | null;
  account: string | null;
}

const reachOf = async (owner: pg.Client, username: string): Promise<Reach> =>
  username === 'super' ? { stations: null, account: null } : await scopeOf(owner, username);

/**
 * SQL condition that limits the parcels to the stations $1 and the account $2; null means no limit.
 */
const reached =
  '($1::bigint[] is null or station_id = any ($1)) and ($2::bigint is null or user_id = $2)';

/**
 * Reads the same number of rows and writes them as CSV. It reads pages of a thousand rows; each
 * page begins after the last row of the page before.
 */
const writeBare = async (
  owner: pg.ClientConfig,
  since: string,
  { stations, account }: Reach,
): Promise<Cost> => {
  const folder = mkdtempSync(join(tmpdir(), 'scale-export-'));
  const file = createWriteStream(join(folder, 'bare.csv'));
  const client = new pg.Client({
    ...owner,
    user: 'waystation_app',
    application_name: 'scale-bare',
  });
  await client.connect();
  const { rows: backend } = await client.query<{ pid: number }>(
    `select set_config('waystation.scope', 'all', false), pg_backend_pid() as pid`,
  );
  const used = (): number =>
    process.cpuUsage().user / 1e3 +
    process.cpuUsage().system / 1e3 +
    backendTime([backend[0]!.pid]);
  const [start, usedBefore] = [performance.now(), used()];
  let written = 0;
  let last: [string, string] = ['infinity', '0'];
  for (;;) {
    const { rows: page } = await client.query({
      name: 'export',
      text: `select e.id, e.created_at::text as at, ${columns.map((name) => (name === 'station_name' ? 's.name as station_name' : `e.${name}`)).join(', ')}
        from expresses e join stations s on s.id = e.station_id where (e.created_at, e.id) < ($1::timestamptz, $2::bigint) and e.created_at >= ($3::date)::timestamp at time zone 'Asia/Shanghai'
          ${stations ? 'and e.station_id = any ($4::bigint[])' : ''} ${account === null ? '' : 'and e.user_id = $5'} order by e.created_at desc, e.id desc limit 1000`,
      values: [
        ...last,
        since,
        ...(stations ? [stations] : []),
        ...(account === null ? [] : [account]),
      ],
    });
    if (page.length === 0) break;
    file.write(
      page
        .map((row: Record<string, unknown>) =>
          columns.map((name) => JSON.stringify(row[name] ?? '')).join(','),
        )
        .join('\n') + '\n',
    );
    written += page.length;
    last = [page.at(-1).at, page.at(-1).id];
  }
  file.end();
  await finished(file);
  const cost = {
    seconds: (performance.now() - start) / 1_000,
    processor: (used() - usedBefore) / 1_000,
  };
  await client.end();
  rmSync(folder, { recursive: true });
  if (written === 0) throw new Error('nothing was read bare');
  return cost;
};

/**
 * Reads the first page of a station's list repeatedly while `busy` returns true. Returns the
 * duration of each read in milliseconds.
 */
const readMeanwhile = async (api: Api, token: string, busy: () => boolean): Promise<number[]> => {
  const times: number[] = [];
  while (busy()) {
    times.push((await api.ask(token, '/api/arco/expresses?page_size=20')).ms);
    await sleep(250);
  }
  return times;
};

export interface Job {
  id: number;
  status: string;
  done: number;
  total: number;
  /** The result of a job that counts rows; null for any other job. */
  answer: { total: number } | null;
}

/**
 * Starts a worker of the checkout. The worker runs only the background jobs of users. Returns null
 * if the checkout has no such worker.
 */
export const startWorker = async (
  checkout: string,
  config: pg.ClientConfig,
): Promise<ChildProcess | null> => {
  const program = join(checkout, 'server', 'src', 'testing', 'scale', 'worker.ts');
  if (!existsSync(program)) return null;
  const worker = fork(program, [JSON.stringify(config)], {
    cwd: checkout,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  process.once('exit', () => worker.kill('SIGKILL'));
  await once(worker, 'message');
  return worker;
};

/** Removes the rows of a job. Later runs use the same network, so it must not change. */
export const removeJob = async (owner: pg.Client, id: number): Promise<void> => {
  await owner.query(`delete from graphile_worker._private_jobs where payload ->> 'job_id' = $1`, [
    String(id),
  ]);
  for (const table of ['user_job_files', 'user_job_items'])
    await owner.query(`delete from ${table} where job_id = $1`, [id]);
  await owner.query('delete from user_jobs where id = $1', [id]);
};

export const follow = async (api: Api, token: string, id: number): Promise<Job> => {
  for (const until = Date.now() + timeoutMs; ; await sleep(200)) {
    const { text } = await api.ask(token, `/api/arco/jobs/${id}`);
    const { data } = JSON.parse(text) as { data: Job };
    if (data.status === 'done' || data.status === 'failed' || Date.now() > until) return data;
  }
};

/** Returns the process ids of the product's connections to this database. */
const backendsOf = async (owner: pg.Client): Promise<number[]> => {
  const { rows: found } = await owner.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and application_name = 'waystation'`,
  );
  return found.map(({ pid }) => pid);
};

/** Returns the first day and the number of the newest parcels that one export may contain. */
const newestRows = async (owner: pg.Client, reach: Reach): Promise<{ day: string; n: number }> => {
  const { rows: found } = await owner.query<{ day: string; n: number }>(
    `select to_char(min(created_at) at time zone 'Asia/Shanghai' + interval '1 day', 'YYYY-MM-DD') as day, count(*)::integer as n from (select created_at from expresses where ${reached} order by created_at desc, id desc limit ${rows}) x`,
    [reach.stations, reach.account],
  );
  return found[0]!;
};

interface ExportRun {
  username: string;
  job: Job;
  /** The number of exported parcels. If it is small, the export is not judged. */
  most: number;
  seconds: number;
  processor: number;
  /** The time for reading and writing the same rows in bare SQL, without the server. */
  bare: Cost;
  /**
   * The duration of each read by another user, in milliseconds. `quiet` has the durations before
   * the export, and `waits` the durations during it.
   */
  quiet: number[];
  waits: number[];
  /** The increase of the worker's memory in MB. */
  grown: number;
}

/** Prints the figures of an export with their limits. Returns true if all limits were kept. */
const judgeExport = (run: ExportRun): boolean => {
  const { username, job, most, seconds, processor, bare, quiet, waits, grown } = run;
  const share = job.status === 'done' ? 1 : job.done / Math.max(1, job.total);
  const isJudged = most >= judgedFrom;
  const ok = share === 1 && (!isJudged || seconds <= 3 * bare.seconds);
  const how =
    share === 1
      ? `${seconds.toFixed(1)} s`
      : `${job.done} of ${job.total} rows after ${seconds.toFixed(0)} s`;
  console.log(
    `S10 export of ${username} vs bare ${share > 0 ? (seconds / share / bare.seconds).toFixed(1) : '–'} (≤ 3.0) ${ok && grown <= 150 ? (isJudged ? 'ok' : 'not judged') : 'MISSED'}, ${how} for ${job.total} rows beside ${bare.seconds.toFixed(1)} s; processor ${(processor / bare.processor).toFixed(1)} × (${processor.toFixed(1)} beside ${bare.processor.toFixed(1)} s); memory +${grown.toFixed(0)} MB (≤ 150)`,
  );
  const slower = percentile(waits, 0.5) / percentile(quiet, 0.5);
  console.log(
    `S10 others during an export of ${username} ${slower.toFixed(2)} × (≤ 2.00) ${slower <= 2 ? 'ok' : 'MISSED'}, median ${percentile(waits, 0.5).toFixed(0)} beside ${percentile(quiet, 0.5).toFixed(0)} ms`,
  );
  return ok && slower <= 2 && grown <= 150;
};

/**
 * Exports a hundred thousand parcels in the background. Compares the duration with reading and
 * writing the same parcels without the server. Also measures the memory of the worker, and the
 * waits of other users during the export.
 */
export const measureExport = async (
  { api, owner, config }: Side,
  checkout: string,
  username: string,
): Promise<boolean> => {
  const reach = await reachOf(owner, username);
  const { day, n: most } = await newestRows(owner, reach);
  if (most <= exportAtOnce) {
    console.log(`   export of ${username} skipped: a file of ${most} parcels is answered at once`);
    return true;
  }
  const others = new Set(await backendsOf(owner));
  const worker = await startWorker(checkout, config);
  if (!worker) {
    console.log('   export skipped: the checkout has no worker for it');
    return true;
  }
  // The user `station` reads during the export. The export does not contain the parcels of this
  // user's station.
  const token = await api.logIn(username);
  const station = await api.logIn(username.startsWith('w011') ? 'w012' : 'w011');
  let quietLeft = 20;
  const quiet = await readMeanwhile(api, station, () => quietLeft-- > 0);
  const bareBefore = await writeBare(config, day, reach);
  const before = memoryOf(worker.pid!);
  // Counts only the worker's connections. The process that answers other readers opened its
  // connections earlier, or opens only a few during the export.
  const used = async (): Promise<number> =>
    processTime(worker.pid!) +
    backendTime((await backendsOf(owner)).filter((pid) => !others.has(pid)));
  const [start, usedBefore] = [performance.now(), await used()];
  const answer = await api.ask(token, '/api/arco/exports', {
    list: 'expresses',
    filters: { created_from: day },
    columns: columns.map((key) => ({ key, title: key })),
    format: 'csv',
    language: 'zh',
  });
  if (answer.status !== 200) {
    console.log(
      `S10 export answered ${answer.status} MISSED, ${username}: ${answer.text.slice(0, 200)}`,
    );
    worker.kill('SIGKILL');
    return false;
  }
  const { data } = JSON.parse(answer.text) as { data: { job_id: number } };
  let running = true;
  const meanwhile = readMeanwhile(api, station, () => running);
  const job = await follow(api, token, data.job_id);
  running = false;
  const seconds = (performance.now() - start) / 1_000;
  const processor = ((await used()) - usedBefore) / 1_000;
  const waits = await meanwhile;
  const grown = memoryOf(worker.pid!).peak - before.now;
  worker.kill('SIGKILL');
  await removeJob(owner, data.job_id);
  // The same work without the server is measured before and after the export, because other work
  // changes the speed of the machine.
  const bareAfter = await writeBare(config, day, reach);
  const bare = {
    seconds: (bareBefore.seconds + bareAfter.seconds) / 2,
    processor: (bareBefore.processor + bareAfter.processor) / 2,
  };
  return judgeExport({
    username,
    job,
    most,
    seconds,
    processor,
    bare,
    quiet,
    waits,
    grown,
  });
};

/**
 * Starts a bulk action for all parcels that match the filter. The action finds and stores the
 * parcels' ids, but the job itself is not run.
 */
const startBulk = async (
  { api, owner }: Side,
  [username, token]: [string, string],
  filter: Record<string, string>,
  expected: number,
): Promise<boolean> => {
  const { status, ms, text } = await api.ask(token, '/api/arco/expresses/bulk', {
    action: 'retry',
    filter,
    expected,
  });
  const answer = JSON.parse(text) as { data: { job_id?: number } | null };
  if (answer.data?.job_id !== undefined) await removeJob(owner, answer.data.job_id);
  const isStarted = status === 200;
  console.log(
    `   bulk of ${username} on all ${expected} of ${JSON.stringify(filter)}: answered ${status} after ${(ms / 1_000).toFixed(2)} s ${isStarted ? 'ok' : `MISSED ${text.slice(0, 150)}`}`,
  );
  return isStarted;
};

/**
 * Measures the start of a bulk action on the failed parcels. Also measures one on the latest
 * parcels, with the maximum number of parcels of one action.
 */
export const measureBulk = async (side: Side, username: string): Promise<boolean> => {
  const { api, owner } = side;
  const who: [string, string] = [username, await api.logIn(username)];
  const { stations, account } = await reachOf(owner, username);
  const { rows: failed } = await owner.query<{ n: number }>(
    `select count(*)::integer as n from expresses where state_code = 90 and ${reached}`,
    [stations, account],
  );
  const { rows: days } = await owner.query<{ day: string; n: number }>(
    `select day, n from (select day, sum(count(*)) over (order by day desc)::integer as n
        from (select to_char(created_at at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day from expresses where ${reached}) e group by day) d
      where n <= ${bulkLimit} order by n desc limit 1`,
    [stations, account],
  );
  let ok = failed[0]!.n === 0 || (await startBulk(side, who, { tab: 'failed' }, failed[0]!.n));
  for (const { day, n } of days) ok = (await startBulk(side, who, { created_from: day }, n)) && ok;
  return ok;
};
