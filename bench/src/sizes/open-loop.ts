import { pause } from '#browser/program.ts';
import type { Answer } from '#orders/client.ts';

/** One kind of call in the mix. `weight` is the number of such calls for each order. */
export interface Kind {
  name: string;
  weight: number;
  run(): Promise<Answer>;
}

/** The results of the calls that were started at one constant rate. */
export interface Stretch {
  /** The number of calls that are started per second. */
  rate: number;
  /**
   * The number of successful responses per second. `people` counts only the responses for which a
   * person waits, and not the answers to the carrier's pushes.
   */
  answered: number;
  people: number;
  /**
   * The share of calls that the server refused. The status is 503, or 429 if the account had too
   * many simultaneous calls.
   */
  refused: number;
  /** The number of calls with any other response, for each kind of call and status. */
  failed: Map<string, number>;
  /**
   * The 50th, 95th and 99th percentiles of the response times of successful calls in milliseconds.
   * A response time begins at the time at which the call was due.
   */
  p50: number;
  p95: number;
  p99: number;
  /** The 95th percentile of the response times of each kind of call, in milliseconds. */
  kinds: Map<string, number>;
}

interface Call {
  kind: string;
  ms: number;
  status: number;
}

/** The kind of call for whose response no person waits. */
export const pushes = 'push';

const isRefusal = (status: number): boolean => status === 503 || status === 429;

const percentile = (times: readonly number[], part: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * part)] ?? Number.POSITIVE_INFINITY;

const pick = (kinds: readonly Kind[]): Kind => {
  let left = Math.random() * kinds.reduce((sum, { weight }) => sum + weight, 0);
  return kinds.find(({ weight }) => (left -= weight) < 0) ?? kinds[0]!;
};

const summary = (calls: readonly Call[], rate: number, seconds: number): Stretch => {
  const good = calls.filter(({ status }) => status === 200);
  const times = good.map(({ ms }) => ms);
  const failed = new Map<string, number>();
  for (const { kind, status } of calls)
    if (status !== 200 && !isRefusal(status)) {
      const name = `${kind} ${status}`;
      failed.set(name, (failed.get(name) ?? 0) + 1);
    }
  const byKind = Map.groupBy(good, ({ kind }) => kind);
  return {
    rate,
    answered: good.length / seconds,
    people: good.filter(({ kind }) => kind !== pushes).length / seconds,
    refused: calls.filter(({ status }) => isRefusal(status)).length / Math.max(calls.length, 1),
    failed,
    p50: percentile(times, 0.5),
    p95: percentile(times, 0.95),
    p99: percentile(times, 0.99),
    kinds: new Map(
      [...byKind].map(([kind, some]) => [
        kind,
        percentile(
          some.map(({ ms }) => ms),
          0.95,
        ),
      ]),
    ),
  };
};

/**
 * Starts calls at `rate` per second for some seconds, and does not wait for the answers to earlier
 * calls. The calls begin at random times, like the calls of many people who work independently. The
 * duration of a call begins at the time at which the call was due.
 */
export const runAt = async (
  kinds: readonly Kind[],
  rate: number,
  seconds: number,
): Promise<Stretch> => {
  const calls: Call[] = [];
  const open = new Set<Promise<void>>();
  const began = performance.now();
  let due = began;
  const call = async ({ name, run }: Kind, since: number): Promise<void> => {
    // A connection that breaks counts as a response with status 0.
    const status = await run().then(
      (answer) => answer.status,
      () => 0,
    );
    calls.push({ kind: name, ms: performance.now() - since, status });
  };
  while (due < began + seconds * 1_000) {
    await pause(Math.max(0, due - performance.now()));
    for (
      const now = performance.now();
      due <= now;
      due += (-Math.log(1 - Math.random()) * 1_000) / rate
    ) {
      const one = call(pick(kinds), due);
      open.add(one);
      void one.finally(() => open.delete(one));
    }
  }
  await Promise.all(open);
  // The measured period ends with the last response, because responses that arrive after the start
  // of the last call also took time.
  return summary(calls, rate, (performance.now() - began) / 1_000);
};
