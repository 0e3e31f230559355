import type { Health, HealthProblem } from '@waystation/contract/shell/health.ts';
import type { ProblemCode } from '@waystation/contract/shell/health-words.ts';
import { isDiskFull } from '#platform/disks.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** The ages in milliseconds from which there is a problem, the same as in deploy/alerts.yml. */
const late = 5 * minute;
const unknown = 15 * minute;
const oldProof = 26 * hour;
const oldBackup = 36 * hour;
const unverified = 15 * day;
/** The share of used database connections above which there is a problem. */
const mostUsed = 0.85;

type Facts = Omit<Health, 'problems' | 'process'>;

const problem = (
  code: ProblemCode,
  params: HealthProblem['params'] = {},
  merchant_id: number | null = null,
): HealthProblem => ({ code, params, merchant_id });

const ofJobs = ({ jobs, workers, orders }: Facts, age: (at: string) => number): HealthProblem[] => {
  const [oldest] = jobs.tasks
    .filter(({ oldest_at }) => oldest_at !== null)
    .toSorted((one, other) => (one.oldest_at! < other.oldest_at! ? -1 : 1));
  const waited = oldest ? age(oldest.oldest_at!) : 0;
  const ordering = orders.oldest_at === null ? 0 : age(orders.oldest_at);
  return [
    ...(workers.length === 0 ? [problem('no_worker')] : []),
    ...(oldest && waited > late
      ? [problem('jobs_late', { task: oldest.task, minutes: Math.floor(waited / minute) })]
      : []),
    ...(ordering > unknown
      ? [problem('orders_unknown', { minutes: Math.floor(ordering / minute) })]
      : []),
    ...(jobs.failed_total > 0 ? [problem('jobs_failed', { count: jobs.failed_total })] : []),
  ];
};

const ofCarriers = ({ carriers }: Facts): HealthProblem[] =>
  carriers.flatMap(({ merchant_id, name, paused_at, down_since }) =>
    paused_at !== null
      ? [problem('carrier_paused', { name }, merchant_id)]
      : down_since !== null
        ? [problem('carrier_down', { name }, merchant_id)]
        : [],
  );

const ofLedger = ({ proof: { full, suspended } }: Facts, age: (at: string) => number) => [
  ...(suspended > 0 ? [problem('payments_suspended', { count: suspended })] : []),
  ...(full === null
    ? [problem('proof_never')]
    : full.ok === 0
      ? [problem('proof_failed')]
      : age(full.at) > oldProof
        ? [problem('proof_old', { hours: Math.floor(age(full.at) / hour) })]
        : []),
];

/**
 * The problems of backups. If there is no backup, or none is verified, its age counts from
 * `since_at`.
 */
const ofBackups = ({ backups }: Facts, age: (at: string) => number): HealthProblem[] => {
  const { scheduled, since_at, finished_at, verified_at, problem: reason } = backups;
  const finished = age(finished_at ?? since_at);
  const verified = age(verified_at ?? since_at);
  return [
    ...(reason === null ? [] : [problem('backup_failed', { reason })]),
    ...(scheduled === 0 ? [problem('backup_unscheduled')] : []),
    ...(finished > oldBackup
      ? [problem('backup_old', { hours: Math.floor(finished / hour) })]
      : []),
    ...(verified > unverified
      ? [problem('backup_unverified', { days: Math.floor(verified / day) })]
      : []),
  ];
};

/**
 * The problems of the WAL archive. Base copies are made only by this product in our own archive; an
 * external server makes its own.
 */
const ofWal = ({ wal }: Facts, age: (at: string) => number): HealthProblem[] => {
  if (wal === null) return [];
  const quiet = age(wal.archived_at ?? wal.since_at);
  const base = age(wal.base_at ?? wal.since_at);
  const untested = age(wal.verified_at ?? wal.began_at ?? wal.since_at);
  return [
    ...(wal.stopped === 1 ? [problem('wal_stopped', { minutes: Math.floor(quiet / minute) })] : []),
    ...(wal.own === 1 && base > oldBackup
      ? [problem('wal_base_old', { hours: Math.floor(base / hour) })]
      : []),
    ...(wal.problem === null ? [] : [problem('wal_test_failed', { reason: wal.problem })]),
    ...(wal.own === 1 && untested > unverified
      ? [problem('wal_unverified', { days: Math.floor(untested / day) })]
      : []),
  ];
};

const ofMachines = ({ disks, database, replica }: Facts): HealthProblem[] => [
  ...disks.flatMap((disk) =>
    disk.free === null
      ? [problem('disk_away', { place: disk.place })]
      : isDiskFull(disk)
        ? [problem('disk_full', { place: disk.place, free: `${(disk.free / 1e9).toFixed(1)} GB` })]
        : [],
  ),
  ...(replica !== null && replica.behind_ms === null ? [problem('replica_behind')] : []),
  ...(database.connections > mostUsed * database.most_connections
    ? [
        problem('connections_high', {
          used: database.connections,
          most: database.most_connections,
        }),
      ]
    : []),
];

/**
 * The number of failing channels from which they are a problem of the installation, and not only of
 * their owners.
 */
const manyChannels = 3;

const ofNotices = ({ notices }: Facts): HealthProblem[] => [
  ...(notices.mail === 'failing' ? [problem('mail_failing', { detail: notices.mail_detail })] : []),
  ...(notices.failing >= manyChannels
    ? [problem('channels_failing', { count: notices.failing })]
    : []),
];

/** All problems, the most urgent first. A demo needs no backup. */
export const problemsOf = (facts: Facts, { demo }: { demo: boolean }): HealthProblem[] => {
  const now = Date.parse(facts.at);
  const age = (at: string): number => now - Date.parse(at);
  return [
    ...ofLedger(facts, age),
    ...ofJobs(facts, age),
    ...ofCarriers(facts),
    ...ofMachines(facts),
    ...ofNotices(facts),
    ...(demo ? [] : ofBackups(facts, age)),
    ...ofWal(facts, age),
  ];
};

/**
 * The value at the given share of the sorted values, for example the median at 0.5; null if there
 * are no values.
 */
export const quantile = (sorted: readonly number[], share: number): number | null =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? null;
