import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * The processes that are killed: the worker or PostgreSQL during settlement, and the worker during
 * imports. During webhook deliveries, the API, the worker and the receiver are killed.
 */
export const killKinds = ['worker', 'database', 'import', 'webhook'] as const;
export type KillKind = (typeof killKinds)[number];

/** The result of one part of a run of kills, stored as one line of the record. */
export interface Stretch {
  at: string;
  what: KillKind;
  seed: number;
  /** The ordinal number of this part among the parts of the run with this seed. */
  part: number;
  kills: number;
  /** The number of kills at each point. */
  points: Record<string, number>;
  parcels: number;
  /** The number of acknowledged writes that the test searched for after the kills. */
  acknowledged: number;
  lost: number;
  doubled: number;
  /** Texts about other broken promises. */
  broken: string[];
  /** Texts that describe each effect that was lost or happened twice. */
  wrong?: string[];
  /** The longest time from a kill until all data agreed with the independent calculation. */
  longest_ms: number;
  /**
   * Only for kills of the database: the time from the database's first answer until a client's
   * first success.
   */
  first_success_ms: number | null;
  /**
   * For webhooks: the number of different deliveries and the duration of the run in seconds.
   * `repeats` is the number of times that a known delivery arrived again.
   */
  deliveries?: number;
  repeats?: number;
  seconds?: number;
  /** A worker counts as dead if it sends no heartbeat for this number of milliseconds. */
  dead_after_ms: number;
  /**
   * The carriers of the parcels, only for kills during settlement. If absent, all parcels are
   * ordered with JDL.
   */
  carriers?: readonly string[];
}

export const readRecord = (file: string): Stretch[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Stretch)
    : [];

export const keep = (file: string, stretch: Stretch): void => {
  mkdirSync(dirname(file), { recursive: true });
  appendFileSync(file, `${JSON.stringify(stretch)}\n`);
};

/** Sums the results of all parts of each kind of kill, and returns them as readable text. */
export const summed = (stretches: readonly Stretch[]): string[] => {
  const sum = (of: (stretch: Stretch) => number): number =>
    stretches.reduce((total, stretch) => total + of(stretch), 0);
  const most = (of: (stretch: Stretch) => number): number => Math.max(0, ...stretches.map(of));
  const points = new Map<string, number>();
  for (const { points: some } of stretches)
    for (const [name, times] of Object.entries(some))
      points.set(name, (points.get(name) ?? 0) + times);
  const carriers = [...new Set(stretches.flatMap((one) => one.carriers ?? []))];
  const seeds = [...new Set(stretches.map(({ seed }) => seed))].join(', ');
  const lines = [
    `${sum(({ kills }) => kills)} kills (seeds ${seeds}${carriers.length > 0 ? `; ${carriers.join(', ')}` : ''}), ${sum(({ parcels }) => parcels)} parcels, ${sum(({ acknowledged }) => acknowledged)} acknowledged writes: ` +
      `${sum(({ lost }) => lost)} lost, ${sum(({ doubled }) => doubled)} doubled, ${sum(({ broken }) => broken.length)} otherwise broken; ` +
      `longest until all was right again ${(most(({ longest_ms }) => longest_ms) / 1_000).toFixed(1)} s` +
      (stretches.some(({ first_success_ms }) => first_success_ms !== null)
        ? `, first success at most ${(most(({ first_success_ms }) => first_success_ms ?? 0) / 1_000).toFixed(2)} s after the database was up`
        : '') +
      (stretches.some(({ deliveries }) => deliveries !== undefined)
        ? `; ${sum(({ deliveries = 0 }) => deliveries)} deliveries in ${sum(({ seconds = 0 }) => seconds)} s, ${sum(({ repeats = 0 }) => repeats)} received again under the same id`
        : ''),
    ...[...points]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, times]) => `  ${String(times).padStart(5)} × ${name}`),
  ];
  return lines;
};

/** The result of a part of a run before its first kill. */
export const emptyStretch = (
  what: Stretch['what'],
  {
    seed,
    part,
    deadAfterMs,
    carriers,
  }: { seed: number; part: number; deadAfterMs: number; carriers?: readonly string[] },
): Stretch => ({
  at: new Date().toISOString(),
  what,
  seed,
  part,
  kills: 0,
  points: {},
  parcels: 0,
  acknowledged: 0,
  lost: 0,
  doubled: 0,
  broken: [],
  longest_ms: 0,
  first_success_ms: null,
  dead_after_ms: deadAfterMs,
  ...(carriers && { carriers }),
});

/** Adds one kill to the result. */
export const count = (
  stretch: Stretch,
  point: string,
  { parcels, acknowledged, took }: { parcels: number; acknowledged: number; took: number },
): void => {
  stretch.kills++;
  stretch.points[point] = (stretch.points[point] ?? 0) + 1;
  Object.assign(stretch, { parcels, acknowledged, longest_ms: Math.max(stretch.longest_ms, took) });
};

/** Adds the faults that were found. Each fault is shortened to one line. */
export const blame = (
  stretch: Stretch,
  { lost, doubled, broken }: { lost: string[]; doubled: string[]; broken: string[] },
): void => {
  stretch.lost = lost.length;
  stretch.doubled = doubled.length;
  stretch.broken = broken.slice(0, 20);
  stretch.wrong = [...lost, ...doubled].slice(0, 20);
};
