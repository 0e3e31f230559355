import { openImports } from '@waystation/server/testing/import-sheets.ts';
import { inconsistencies } from '@waystation/server/testing/consistency.ts';
import { sql } from '@waystation/server/testing/product.ts';
import { openTestSystem, rowsOf } from '@waystation/server/testing/test-system.ts';
import type { TestSystem } from '@waystation/server/testing/test-system.ts';
import { startWorkerProcess } from '@waystation/server/testing/worker-process.ts';
import type { WorkerProcess } from '@waystation/server/testing/worker-process.ts';

export interface PaceOptions {
  rows: number;
  processes: number;
  /** The number of times that a worker is killed while the rows are ordered. */
  kills: number;
}

export interface Pace {
  calls: number;
  seconds: number;
  /** The maximum number of calls within any period of one second. */
  most: number;
  /**
   * The maximum number of calls within a tenth of a second. It shows how evenly the calls are
   * spread.
   */
  most_in_a_tenth: number;
  /**
   * Texts about rows of the import that do not have exactly one parcel, and about other
   * inconsistencies.
   */
  wrong: string[];
}

const pauseMs = 200;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Returns the maximum number of `times` within any period of length `span`. `times` must be in
 * ascending order.
 */
const mostWithin = (times: readonly number[], span: number): number => {
  let first = 0;
  return times.reduce((most, time, at) => {
    while (time - times[first]! >= span) first++;
    return Math.max(most, at - first + 1);
  }, 0);
};

interface Call {
  number: number;
  at: string;
  path: string;
  ms: number;
}

/**
 * The times of the carrier's order calls. They are collected during the run, because the carrier
 * keeps only the most recent calls.
 */
const watchCalls = ({ carrier }: TestSystem) => {
  const times: number[] = [];
  let after = 0;
  return {
    times,
    read: async (): Promise<void> => {
      const { requests } = await carrier.control<{ requests: Call[] }>(
        'GET',
        `requests?after=${after}&limit=2000`,
      );
      after = requests.at(-1)?.number ?? after;
      for (const { at, path, ms } of requests)
        if (path.endsWith('/orders/create')) times.push(Date.parse(at) - ms);
    },
  };
};

/**
 * Returns texts about rows of an import that do not have exactly one parcel, and about other
 * inconsistencies.
 */
const wrongOf = async (system: TestSystem, id: number, rows: number): Promise<string[]> => {
  const [found] = await rowsOf(
    system,
    sql<{ parcels: number; waybills: number }>`select count(distinct e.id)::int as parcels,
      count(distinct e.delivery_id)::int as waybills
      from import_rows w join expresses e on e.id = w.express_id where w.import_id = ${id}`,
  );
  const { parcels, waybills } = found!;
  return [
    ...(parcels === rows && waybills === rows
      ? []
      : [`${rows} rows have ${parcels} parcels and ${waybills} waybills`]),
    ...(await inconsistencies(system)),
  ];
};

const isSettled = async (system: TestSystem, id: number): Promise<boolean> =>
  (
    await rowsOf(
      system,
      sql`select 1 from import_rows w left join expresses e on e.id = w.express_id
        where w.import_id = ${id} and (w.mark = 'waiting' or e.state_code = 20) limit 1`,
    )
  ).length === 0;

/**
 * Orders an import with several worker processes, and in some runs kills one of them. Checks the
 * times at which the carrier was called.
 */
export const playPace = async ({ rows, processes, kills }: PaceOptions): Promise<Pace> => {
  const system = await openTestSystem({
    config: { carrier: { timeoutMs: 3_000, pollSeconds: 1_800 } },
  });
  const workers: WorkerProcess[] = [];
  try {
    await system.topUp('nanshan', 100_000_000);
    const imports = await openImports(system);
    const { id } = await imports.waiting(
      await imports.checked(imports.sheet(...Array.from({ length: rows }, () => imports.line()))),
    );
    const { times, read } = watchCalls(system);
    await read();
    while (workers.length < processes) workers.push(await startWorkerProcess(system));
    for (let killed = 0; !(await isSettled(system, id)); await pause(pauseMs)) {
      await read();
      if (killed >= kills || times.length < (rows / (kills + 1)) * (killed + 1)) continue;
      killed++;
      await workers.shift()!.kill();
      workers.push(await startWorkerProcess(system));
    }
    await read();
    times.sort((a, b) => a - b);
    return {
      calls: times.length,
      seconds: (times.at(-1)! - times[0]!) / 1_000,
      most: mostWithin(times, 1_000),
      most_in_a_tenth: mostWithin(times, 100),
      wrong: await wrongOf(system, id, rows),
    };
  } finally {
    await Promise.all(workers.map((worker) => worker.kill()));
    await system.close();
  }
};
