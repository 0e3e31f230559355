import { Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import type { App } from './app.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { jobFigures } from '#platform/jobs/job-figures.ts';
import { givenUp } from '#platform/wal/archiver.ts';
import { testRestoreAge } from '#platform/wal/wal-state.ts';

/** The state of the network that an operator watches, read with one statement. */
interface State {
  jobs_running: string;
  jobs_waiting: string;
  jobs_stopped: string;
  oldest_job: number | null;
  alerts: string;
  blocked: string;
  accounts_paused: string;
  accounts_down: string;
  ordering: string;
  oldest_order: number | null;
  proof: number | null;
  workers: string;
  calls: string;
  calls_failed: string;
  transfers: string | null;
  parcels: string | null;
  events: string | null;
  imports: string;
  oldest_import: number | null;
  webhooks_failing: string;
  oldest_webhook: number | null;
  channels: string;
  channels_failing: string;
  mail_failing: number | null;
  backup: number | null;
  verified: number | null;
  wal: number | null;
  wal_failures: string | null;
}

/** SQL for the number of rows inserted into a table since PostgreSQL began its statistics. */
const insertedInto = (table: string) =>
  sql`(select n_tup_ins from pg_stat_user_tables where relid = ${table}::regclass)`;

/** Figures of PostgreSQL about archiving its log; none if archiving is off. */
const archiver = sql`(select last_archived_time as archived_at, failed_count as failures
  from pg_stat_archiver where current_setting('archive_mode') <> 'off')`;

/**
 * The largest numbers that are counted: jobs per task, calls per account, imports, and webhooks or
 * channels.
 */
const [mostJobs, mostCalls, mostImports, mostWebhooks] = [10_000, 1_000, 1_000, 10_000];
/** The states of an import in which a background job works on it. */
const working = ['reading', 'checking', 'ordering'];

const readState = (app: App): Promise<State[]> =>
  app.db.rows<State>(
    systemScope('metrics'),
    sql`with at as (select ${app.clock.now()}::timestamptz as now),
      jobs as (
        select coalesce(sum(f.running), 0) as running, coalesce(sum(f.waiting), 0) as waiting,
          coalesce(sum(f.failed), 0) as stopped,
          extract(epoch from max(now) - min(f.oldest_at))::float8 as oldest
        from at left join (${jobFigures(mostJobs)}) f on true),
      calls as (
        select count(*) as made,
          count(*) filter (where c.outcome in ('gateway', 'unknown')) as failed
        from merchants m cross join at cross join lateral (
          select outcome from carrier_calls where merchant_id = m.id
            and at >= now - interval '5 minutes' limit ${mostCalls}) c
        where m.status = 1),
      imports as (
        select count(*) as open, extract(epoch from max(now - created_at))::float8 as oldest
        from (select created_at from imports where status = any(${working}::text[])
          limit ${mostImports}) i, at),
      webhooks as (
        select count(*) filter (where k.failures > 0) as failing,
          extract(epoch from max(now - greatest(k.served_at, k.resume_at, due.next_at))
            filter (where due.next_at is not null))::float8 as oldest
        from (select id, failures, served_at, resume_at from webhooks where status = 'live'
            and paused_since is null limit ${mostWebhooks}) k cross join at
          left join lateral (select d.next_at from webhook_deliveries d where d.webhook_id = k.id
            and d.status = 'pending' and d.next_at <= now order by d.next_at limit 1) due
            on k.failures = 0),
      channels as (
        select count(*) as live, count(*) filter (where failures > 0) as failing
        from (select failures from notice_channels where status = 'live'
          limit ${mostWebhooks}) c),
      accounts as (
        select count(*) filter (where paused_at is not null) as paused,
          count(*) filter (where down_since is not null) as down
        from merchants where status = 1),
      ordering as (
        select count(*) as parcels,
          extract(epoch from max(now - coalesce(first_sent_at, updated_at)))::float8 as oldest
        from expresses, at where state_code = 20)
      select jobs.running as jobs_running, jobs.waiting as jobs_waiting,
        jobs.stopped as jobs_stopped, jobs.oldest as oldest_job,
        (select count(*) from alerts where closed_at is null) as alerts,
        (select count(*) from ledger_blocks where cleared_at is null) as blocked,
        accounts.paused as accounts_paused, accounts.down as accounts_down,
        ordering.parcels as ordering, ordering.oldest as oldest_order,
        (select extract(epoch from now - max(p.at))::float8 from ledger_proofs p, at
          group by now) as proof,
        (select count(*) from worker_heartbeats
          where seen_at > clock_timestamp() - interval '1 minute') as workers,
        calls.made as calls, calls.failed as calls_failed,
        ${insertedInto('ledger_transfers')} as transfers, ${insertedInto('expresses')} as parcels,
        ${insertedInto('live_events')} as events,
        imports.open as imports, imports.oldest as oldest_import,
        webhooks.failing as webhooks_failing,
        greatest(webhooks.oldest, (select extract(epoch from max(now - e.at))::float8
          from webhook_events e, at)) as oldest_webhook,
        channels.live as channels, channels.failing as channels_failing,
        (select extract(epoch from now - m.failing_since)::float8
          from mail_state m, at where ${app.mailer !== null}) as mail_failing,
        (select extract(epoch from now - max(b.finished_at))::float8 from backups b, at
          where b.problem is null group by now) as backup,
        (select extract(epoch from now - max(b.verified_at))::float8 from backups b, at
          group by now) as verified,
        (select extract(epoch from now - a.archived_at)::float8 from ${archiver} a, at) as wal,
        (select a.failures from ${archiver} a) as wal_failures
      from jobs, accounts, ordering, calls, imports, webhooks, channels`,
  );

/** The name, the description and the value of every metric, in the order of `/metrics`. */
const figures: readonly (readonly [
  name: string,
  help: string,
  of: (state: State) => number | string | null,
])[] = [
  ['jobs_running', 'Background jobs that run', (state) => state.jobs_running],
  ['jobs_waiting', 'Background jobs whose time has come', (state) => state.jobs_waiting],
  ['jobs_stopped', 'Background jobs without attempts left', (state) => state.jobs_stopped],
  [
    'oldest_job_seconds',
    'How long the oldest of them has waited',
    (state) => state.oldest_job ?? 0,
  ],
  ['alerts_open', 'Open alerts', (state) => state.alerts],
  ['stations_blocked', 'Suspensions of payments by the ledger check', (state) => state.blocked],
  ['carrier_accounts_paused', 'Paused carrier accounts', (state) => state.accounts_paused],
  ['carrier_accounts_down', 'Carrier accounts without answers', (state) => state.accounts_down],
  ['parcels_ordering', 'Parcels whose order has no outcome yet', (state) => state.ordering],
  ['oldest_order_seconds', 'Age of the oldest of them', (state) => state.oldest_order ?? 0],
  ['proof_age_seconds', 'Time since the last ledger check', (state) => state.proof],
  ['workers_alive', 'Worker processes seen within a minute', (state) => state.workers],
  ['carrier_calls', 'Calls to carriers in five minutes', (state) => state.calls],
  ['carrier_calls_failed', 'Calls of these without an answer', (state) => state.calls_failed],
  ['ledger_transfers', 'Transfers posted since statistics began', (state) => state.transfers],
  ['parcels_created', 'Parcels created since statistics began', (state) => state.parcels],
  ['live_events', 'Live events written since statistics began', (state) => state.events],
  ['imports_open', 'Imports that are read, checked or ordered', (state) => state.imports],
  [
    'oldest_import_seconds',
    'How long ago the oldest of them was uploaded',
    (state) => state.oldest_import ?? 0,
  ],
  ['webhooks_failing', 'Live webhooks with failed deliveries', (state) => state.webhooks_failing],
  [
    'webhooks_behind_seconds',
    'How long an event waits for a webhook that answers',
    (state) => Math.max(0, state.oldest_webhook ?? 0),
  ],
  ['notice_channels', 'Live channels of notifications', (state) => state.channels],
  [
    'notice_channels_failing',
    'Channels of these whose last message failed',
    (state) => state.channels_failing,
  ],
  [
    'mail_failing_seconds',
    'How long the mail server has taken no mail',
    (state) => Math.max(0, state.mail_failing ?? 0),
  ],
  ['backup_age_seconds', 'Time since the last backup', (state) => state.backup],
  [
    'backup_verified_age_seconds',
    'Time since a restore was last verified',
    (state) => state.verified,
  ],
  ['wal_age_seconds', 'Time since log of the database was archived', (state) => state.wal],
  ['wal_failures', 'Failures to archive it since statistics began', (state) => state.wal_failures],
];

/**
 * The metrics of the process and of the network; `refresh` reads those of the network from the
 * database.
 */
export const createMetrics = (app: App): { registry: Registry; refresh: () => Promise<void> } => {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const up = new Gauge({
    name: 'waystation_database_up',
    help: 'Whether the database answered',
    registers,
  });
  const connections = new Gauge({
    name: 'waystation_connections',
    help: 'Connections of the process to the database, and calls that wait for one',
    labelNames: ['state'],
    registers,
  });
  const most = new Gauge({
    name: 'waystation_connections_most',
    help: 'Connections that the process may open',
    registers,
  });
  most.set(app.config.poolSize);
  const streams = new Gauge({
    name: 'waystation_streams',
    help: 'Open streams of live events of the process',
    registers,
  });
  const lost = new Gauge({
    name: 'waystation_wal_given_up',
    help: 'Parts of the log that the process could not archive and gave up',
    registers,
  });
  const tested = new Gauge({
    name: 'waystation_wal_verified_age_seconds',
    help: 'Time since a test restore of the log archive was verified, or since the archive began',
    registers,
  });
  const gauges = figures.map(([name, help, of]) => ({
    gauge: new Gauge({ name: `waystation_${name}`, help, registers }),
    of,
  }));
  const read = async (): Promise<void> => {
    const { totalCount, idleCount, waitingCount } = app.db.pool;
    connections.set({ state: 'used' }, totalCount - idleCount);
    connections.set({ state: 'idle' }, idleCount);
    connections.set({ state: 'waiting' }, waitingCount);
    lost.set(givenUp.parts);
    tested.set((await testRestoreAge(app.config, app.clock.now())) ?? Number.NaN);
    streams.set(app.liveEvents.streams());
    const [state] = await readState(app).catch((error: unknown) => {
      app.log.warn({ err: error }, 'the figures of the network could not be read');
      return [];
    });
    up.set(state ? 1 : 0);
    for (const { gauge, of } of gauges) gauge.set(Number((state && of(state)) ?? Number.NaN));
  };
  let reading: Promise<void> | null = null;
  return {
    registry,
    // Several simultaneous requests for the metrics share one read of the database.
    refresh: () => (reading ??= read().finally(() => (reading = null))),
  };
};
