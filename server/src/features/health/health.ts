import { mostCallsCounted, mostJobsCounted } from '@waystation/contract/shell/health.ts';
import type { Health } from '@waystation/contract/shell/health.ts';
import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import type { App } from '#app.ts';
import { blockedStations, lastProof } from '#domain/ledger/ledger.ts';
import { mailState } from '#domain/notices/notices.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { addDays, businessDay } from '#platform/clock.ts';
import { callerOf, oneRow, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { readDisks } from '#platform/disks.ts';
import { shownError } from '#platform/jobs/error-text.ts';
import { jobFigures } from '#platform/jobs/job-figures.ts';
import type { TaskFigures } from '#platform/jobs/job-figures.ts';
import { readSetting } from '#platform/settings.ts';
import { version } from '#platform/version.ts';
import { walState } from '#platform/wal/wal-state.ts';
import { listFailed } from './failed-jobs.ts';
import { problemsOf, quantile } from './problems.ts';

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;
const startedAt = new Date(Date.now() - process.uptime() * 1_000);

const sumOf = (rows: readonly TaskFigures[], state: 'waiting' | 'failed'): number =>
  rows.reduce((sum, row) => sum + row[state], 0);

const readJobs = async (work: Work): Promise<Health['jobs']> => {
  const { rows } = await jobFigures(mostJobsCounted).execute(work.tx);
  const failed = await listFailed(work);
  return {
    tasks: rows.map(({ oldest_at, ...row }) => ({ ...row, oldest_at: iso(oldest_at) })),
    failed,
    failed_total: sumOf(rows, 'failed'),
    more:
      sumOf(rows, 'waiting') > mostJobsCounted || sumOf(rows, 'failed') > mostJobsCounted ? 1 : 0,
  };
};

/** The limit of carrier accounts that are shown. */
const mostAccounts = 50;

/** The latest calls of each enabled carrier account, within the last hour. */
const readCarriers = async (work: Work): Promise<Health['carriers']> => {
  const { rows } = await sql<{
    merchant_id: number;
    name: string;
    paused_at: Date | null;
    down_since: Date | null;
    calls: number;
    answered: number;
    ms: number[] | null;
  }>`select m.id as merchant_id, m.name, m.paused_at, m.down_since, h.calls, h.answered, h.ms
    from (select * from merchants where status = 1 order by id limit ${mostAccounts}) m
    cross join lateral (
      select count(*)::int as calls,
        count(*) filter (where c.outcome not in ('gateway', 'unknown'))::int as answered,
        array_agg(c.ms order by c.ms) as ms
      from (select outcome, ms from carrier_calls where merchant_id = m.id
        and at >= now() - interval '1 hour' order by at desc limit ${mostCallsCounted}) c) h
    order by m.id`.execute(work.tx);
  return rows.map(({ ms, paused_at, down_since, ...row }) => ({
    ...row,
    paused_at: iso(paused_at),
    down_since: iso(down_since),
    median_ms: quantile(ms ?? [], 0.5),
    p95_ms: quantile(ms ?? [], 0.95),
  }));
};

/** The number up to which orders without an outcome are counted. */
const mostOrders = 1_000;

const readDatabase = async (work: Work) => {
  const { orders, oldest_at, ...database } = await oneRow(
    work,
    sql<Health['database'] & { orders: number; oldest_at: Date | null }>`select
      current_setting('server_version') as version,
      pg_database_size(current_database()) as bytes,
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend'
        or (backend_type is null and datid is not null)) as connections,
      current_setting('max_connections')::int as most_connections,
      (select coalesce(max(edition), 0)::int from schema_sql) as edition,
      (select coalesce(max(name), '') from schema_migrations) as migration,
      (select count(*)::int from pg_stat_replication) as standbys,
      o.orders, o.oldest_at
    from (select count(*)::int as orders, min(since) as oldest_at from (
      select coalesce(first_sent_at, updated_at) as since from expresses
      where state_code = ${sql.lit(stateCode.ordering)}
      order by created_at limit ${mostOrders + 1}) e) o`,
  );
  return {
    database,
    orders: {
      open: Math.min(orders, mostOrders),
      oldest_at: iso(oldest_at),
      more: orders > mostOrders ? (1 as const) : (0 as const),
    },
  };
};

/** The present delay of the read replica. */
const readReplica = async ({ replica }: App): Promise<Health['replica']> => {
  if (replica === null) return null;
  const db = replica.current();
  if (db === null) return { behind_ms: null };
  const [row] = await db
    .rows(
      systemScope('how far the replica is'),
      sql<{ behind: number | null }>`select case
        when pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0 else extract(epoch
          from now() - pg_last_xact_replay_timestamp())::float8 end as behind`,
    )
    .catch(() => []);
  const behind = row?.behind ?? null;
  return { behind_ms: behind === null ? null : Math.round(behind * 1_000) };
};

interface Backups {
  since: Date;
  seen: boolean;
  begun_at: Date | null;
  finished_at: Date | null;
  bytes: number | null;
  verified_at: Date | null;
  failed_at: Date | null;
  problem: string | null;
}

/** The time of the next backup: the daily time, or an hour after a backup that failed today. */
const nextBackup = async (
  app: App,
  work: Work,
  { begun_at, failed_at }: Backups,
): Promise<Date> => {
  const time = await readSetting(work, 'backup_time');
  const now = app.clock.now();
  const today = businessDay(now);
  const at = new Date(`${today}T${time}:00+08:00`);
  const isMade = begun_at !== null && businessDay(begun_at) === today;
  if (!isMade && failed_at !== null && failed_at >= at && businessDay(failed_at) === today)
    return new Date(failed_at.getTime() + 3_600_000);
  return isMade || at <= now ? new Date(`${addDays(today, 1)}T${time}:00+08:00`) : at;
};

/** A backup that has neither finished nor failed after seven hours was killed. */
const readBackups = async (app: App, work: Work): Promise<Health['backups']> => {
  const row = await oneRow(
    work,
    sql<Backups>`select coalesce((select min(at) from number_generations), now()) as since,
      exists (select from backup_schedule
        where seen_at > clock_timestamp() - interval '10 minutes') as seen,
      last.begun_at, last.finished_at, last.bytes, failed.begun_at as failed_at, failed.problem,
      (select max(verified_at) from backups) as verified_at
    from (select 1) one
    left join lateral (select begun_at, finished_at, bytes from backups
      where finished_at is not null and problem is null order by id desc limit 1) last on true
    left join lateral (select begun_at, coalesce(problem, 'killed') as problem from backups
      where problem is not null or (finished_at is null and begun_at < now() - interval '7 hours')
      order by id desc limit 1) failed on failed.begun_at > coalesce(last.begun_at, '-infinity')`,
  );
  const { since, seen, finished_at, bytes, verified_at, failed_at, problem } = row;
  return {
    scheduled: seen ? 1 : 0,
    next_at: seen ? iso(await nextBackup(app, work, row)) : null,
    since_at: since.toISOString(),
    finished_at: iso(finished_at),
    bytes,
    verified_at: iso(verified_at),
    failed_at: iso(failed_at),
    problem: problem === null ? null : shownError(problem),
  };
};

const readProof = async (work: Work): Promise<Health['proof']> => {
  const last = async (whole: boolean) => {
    const proof = await lastProof(work, { whole });
    return proof && { at: proof.at.toISOString(), ok: proof.ok as 0 | 1 };
  };
  return {
    full: await last(true),
    part: await last(false),
    suspended: (await blockedStations(work)).length,
  };
};

const readWorkers = async (work: Work): Promise<Health['workers']> => {
  const { rows } = await sql<{ seen_at: Date; running: number }>`select seen_at,
      cardinality(job_ids) as running from worker_heartbeats
    where seen_at > clock_timestamp() - interval '1 minute'
    order by seen_at desc limit 100`.execute(work.tx);
  return rows.map(({ seen_at, running }) => ({ seen_at: seen_at.toISOString(), running }));
};

/** The limits up to which notifications and channels are counted. */
const mostNotices = 10_000;

const readNotices = async (app: App, work: Work): Promise<Health['notices']> => {
  const { failing_since, failures, detail } = await mailState(work);
  const counts = await oneRow(
    work,
    sql<Pick<Health['notices'], 'live' | 'failing' | 'waiting'>>`select
      count(*)::int as live, count(*) filter (where failures > 0)::int as failing,
      (select count(*)::int from (select from notice_outbox limit ${mostNotices}) o) as waiting
      from (select failures from notice_channels where status = 'live' limit ${mostNotices}) c`,
  );
  return {
    mail: app.mailer === null ? 'none' : failures > 0 ? 'failing' : 'ready',
    mail_failing_since: iso(failing_since),
    mail_detail: detail,
    ...counts,
  };
};

/**
 * Returns the state of the installation. The work for each figure is limited, however many jobs,
 * calls and parcels exist.
 */
export const read = async (app: App, actor: Actor): Promise<Health> => {
  const now = app.clock.now();
  const [disks, replica, stored] = await Promise.all([
    readDisks(app.config),
    readReplica(app),
    app.db.tx(callerOf(actor), async (work) => ({
      jobs: await readJobs(work),
      carriers: await readCarriers(work),
      ...(await readDatabase(work)),
      backups: await readBackups(app, work),
      wal: await walState(work, app.config, now),
      notices: await readNotices(app, work),
      proof: await readProof(work),
      workers: await readWorkers(work),
    })),
  ]);
  const facts = { at: now.toISOString(), disks, replica, ...stored };
  return {
    ...facts,
    problems: problemsOf(facts, { demo: app.config.demo }),
    process: {
      version,
      node: process.versions.node,
      started_at: startedAt.toISOString(),
      bytes: process.memoryUsage.rss(),
    },
  };
};
