import type { Acknowledged, Call } from './work.ts';

/** The results of one fault. Times are in seconds. */
export interface Verdict {
  fault: string;
  acknowledged: number;
  lost: number;
  doubled: number;
  /**
   * The number of calls for each HTTP status of the answer. The status 0 counts the calls that got
   * no answer.
   */
  statuses: Readonly<Record<number, number>>;
  /**
   * The longest time without an acknowledged order. For a fault that stops writes, it is instead
   * the time from the end of the fault to the first acknowledged order.
   */
  waited: number;
  /** The time from the end of the fault until every database server replicates again. */
  whole: number;
  /** The number of stream resets of the page that was reset most often. */
  resets: number;
}

export interface Span {
  /**
   * The time when the fault began. The next fields are the time when it was repaired, and the time
   * when all servers replicated again.
   */
  from: number;
  healed: number;
  to: number;
}

const seconds = (ms: number): number => Math.round(ms / 100) / 10;

/** Returns the longest time between two consecutive acknowledged orders within a period. */
export const longestWait = (
  acknowledged: readonly Pick<Acknowledged, 'at'>[],
  { from, to }: Pick<Span, 'from' | 'to'>,
): number => {
  const times = acknowledged.map(({ at }) => at).filter((at) => at >= from && at <= to);
  const ends = [...times.toSorted((a, b) => a - b), to];
  return Math.max(...ends.map((at, n) => at - (ends[n - 1] ?? from)));
};

/** Judges one fault by the answers that the users got and by the rows in the database. */
export const judge = (
  { name, stopsWrites = false }: { name: string; stopsWrites?: boolean },
  span: Span,
  {
    calls,
    acknowledged,
    stored,
    resets,
  }: {
    calls: readonly Call[];
    acknowledged: readonly Acknowledged[];
    /** The number and the ids of the parcels that were stored for each idempotency key. */
    stored: ReadonlyMap<string, { count: number; ids: readonly number[] }>;
    /** The times at which the stream of each page was reset. */
    resets: readonly (readonly number[])[];
  },
): Verdict => {
  const within = ({ at }: { at: number }): boolean => at >= span.from && at <= span.to;
  const statuses: Record<number, number> = {};
  for (const { status } of calls.filter(within)) statuses[status] = (statuses[status] ?? 0) + 1;
  const some = acknowledged.filter(within);
  const back = some.filter(({ at }) => at > span.healed).map(({ at }) => at - span.healed);
  return {
    fault: name,
    acknowledged: some.length,
    lost: some.filter(({ id, key }) => !(stored.get(key)?.ids.includes(id) ?? false)).length,
    doubled: some.filter(({ key }) => (stored.get(key)?.count ?? 0) > 1).length,
    statuses,
    waited: seconds(stopsWrites ? Math.min(...back) : longestWait(some, span)),
    whole: seconds(span.to - span.healed),
    resets: Math.max(0, ...resets.map(({ length }) => length)),
  };
};

/**
 * Lists the promises that were broken during a fault: no order is lost, nothing is ordered twice,
 * 503 is the only server error, and each page is reset at most once.
 */
export const broken = ({ lost, doubled, statuses, resets, waited }: Verdict): string[] => {
  const odd = Object.entries(statuses).filter(
    ([status]) => !['0', '200', '409', '429', '503'].includes(status),
  );
  return [
    ...(lost > 0 ? [`${lost} lost`] : []),
    ...(doubled > 0 ? [`${doubled} doubled`] : []),
    ...odd.map(([status, count]) => `${count} × ${status}`),
    ...(resets > 1 ? [`${resets} resets`] : []),
    ...(waited > waitLimit ? [`no order for ${waited} s`] : []),
  ];
};
/** The maximum number of seconds that may pass without an acknowledged order. */
const waitLimit = 30;

/** Returns the table for `docs/high-availability.md`. */
export const tableOf = (verdicts: readonly Verdict[]): string =>
  [
    '| fault | orders acknowledged | lost | doubled | no order for | answers 200, 503, none, others | whole again after | resets of a page |',
    '|---|---|---|---|---|---|---|---|',
    ...verdicts.map(({ fault, acknowledged, lost, doubled, waited, statuses, whole, resets }) => {
      const { 0: none = 0, 200: good = 0, 429: many = 0, 503: busy = 0, ...others } = statuses;
      const odd = Object.values(others).reduce((sum, count) => sum + count, many);
      return `| ${fault} | ${acknowledged} | ${lost} | ${doubled} | ${waited} s | ${good}, ${busy}, ${none}, ${odd} | ${whole} s | ${resets} |`;
    }),
  ].join('\n');
