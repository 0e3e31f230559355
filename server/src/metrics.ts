import { Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import type { App } from './app.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';

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
}

const readState = (app: App): Promise<State[]> =>
  app.db.rows<State>(
    systemScope('metrics'),
    sql`with at as (select ${app.clock.now()}::timestamptz as now),
      jobs as (
        select count(*) filter (where locked_at is not null) as running,
          count(*) filter (where locked_at is null and attempts < max_attempts
            and run_at <= now) as waiting,
          count(*) filter (where attempts >= max_attempts) as stopped,
          extract(epoch from max(now - run_at) filter (where locked_at is null
            and attempts < max_attempts and run_at <= now))::float8 as oldest
        from graphile_worker._private_jobs, at),
      accounts as (
        select count(*) filter (where paused_at is not null) as paused,
          count(*) filter (where down_since is not null) as down
        from merchants where status = 1),
      ordering as (
        select count(*) as parcels, extract(epoch from max(now - created_at))::float8 as oldest
        from expresses, at where state_code = 20)
      select jobs.running as jobs_running, jobs.waiting as jobs_waiting,
        jobs.stopped as jobs_stopped, jobs.oldest as oldest_job,
        (select count(*) from alerts where closed_at is null) as alerts,
        (select count(*) from ledger_blocks where cleared_at is null) as blocked,
        accounts.paused as accounts_paused, accounts.down as accounts_down,
        ordering.parcels as ordering, ordering.oldest as oldest_order,
        (select extract(epoch from now - max(p.at))::float8 from ledger_proofs p, at
          group by now) as proof
      from jobs, accounts, ordering`,
  );

/** Every figure beside its name and sentence, in the order of `/metrics`. */
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
];

/** The process, and the gauges of the network; `refresh` reads those from the database. */
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
  const gauges = figures.map(([name, help, of]) => ({
    gauge: new Gauge({ name: `waystation_${name}`, help, registers }),
    of,
  }));
  const read = async (): Promise<void> => {
    const { totalCount, idleCount, waitingCount } = app.db.pool;
    connections.set({ state: 'used' }, totalCount - idleCount);
    connections.set({ state: 'idle' }, idleCount);
    connections.set({ state: 'waiting' }, waitingCount);
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
    // Several readers at once share one reading of the database.
    refresh: () => (reading ??= read().finally(() => (reading = null))),
  };
};
