/**
 * Measures how much one person can slow down other users. A clerk searches as often as the server
 * permits, uploads a hostile workbook and exports, all at the same time. Meanwhile three other
 * users read their lists. It prints the 95th percentile of the times that these users wait, and the
 * same value without other work. Quiet and busy phases alternate, so that a slower minute of the
 * machine affects both.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { startProduct } from './browser/product.ts';
import { pause, runBench } from './browser/program.ts';
import { logIn } from './ceilings/client.ts';
import type { Ask } from './ceilings/client.ts';
import type { LoadCount } from './ceilings/load.ts';

const threshold = 2;
const minutes = 8;
/** The number of parcels. It is large enough that an export runs as a background job. */
const parcels = 6_000;
const rounds = 4;
/** The lengths of the two phases of a round in milliseconds. */
const windows = { quiet: 10_000, busy: 15_000 };
/** The pause in milliseconds between two requests of another user. */
const interval = 150;

const lists = [
  '/api/arco/expresses?page_size=20',
  '/api/arco/expresses?tab=signed&page_size=20',
  '/api/arco/contacts?page_size=20',
  '/api/arco/expresses?q=JDVE&page_size=20',
];

/**
 * Reads lists repeatedly until the time `until`. Returns the duration of each request in
 * milliseconds.
 */
const readLists = async (ask: Ask, until: number, from: number): Promise<number[]> => {
  const times: number[] = [];
  for (let at = from; performance.now() < until; at++) {
    const since = performance.now();
    const { status, data } = await ask('GET', lists[at % lists.length]!);
    if (status !== 200)
      throw new Error(`a colleague's list answered ${status} ${JSON.stringify(data)}`);
    times.push(performance.now() - since);
    await pause(interval);
  }
  return times;
};

const percentile = (times: readonly number[], part: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * part)]!;

const readTogether = async (colleagues: readonly Ask[], ms: number): Promise<number[]> => {
  const until = performance.now() + ms;
  return (await Promise.all(colleagues.map((ask, at) => readLists(ask, until, at)))).flat();
};

const sum = (counts: readonly LoadCount[]): LoadCount => {
  const answers: Record<number, number> = {};
  for (const count of counts)
    for (const [status, n] of Object.entries(count.answers))
      answers[Number(status)] = (answers[Number(status)] ?? 0) + n;
  return {
    answers,
    workbooks: counts.reduce((all, { workbooks }) => all + workbooks, 0),
    exports: counts.reduce((all, { exports }) => all + exports, 0),
  };
};

await runBench('ceilings', minutes, async () => {
  const { base } = await startProduct('ceilings', { parcels });
  const colleagues = await Promise.all(
    ['station', 'partner', 'super'].map((name) => logIn(base, name)),
  );
  const worker = new Worker(new URL('ceilings/load.ts', import.meta.url), { workerData: { base } });
  const failed = new Promise<never>((_, reject) => worker.once('error', reject));
  await Promise.race([once(worker, 'message'), failed]);
  // Warms up server and database before the measurement.
  await readTogether(colleagues, 3_000);
  const [quiet, busy, counts]: [number[], number[], LoadCount[]] = [[], [], []];
  for (let round = 0; round < rounds; round++) {
    quiet.push(...(await readTogether(colleagues, windows.quiet)));
    worker.postMessage(true);
    busy.push(...(await Promise.race([readTogether(colleagues, windows.busy), failed])));
    worker.postMessage(false);
    const [count] = (await Promise.race([once(worker, 'message'), failed])) as [LoadCount];
    counts.push(count);
  }
  await worker.terminate();
  const ratio = percentile(busy, 0.95) / percentile(quiet, 0.95);
  const ok = ratio <= threshold;
  console.log(
    `ceilings list p95 busy vs quiet ${ratio.toFixed(2)} (≤ ${threshold.toFixed(2)}) ${ok ? 'ok' : 'MISSED'}`,
  );
  for (const [name, times] of Object.entries({ quiet, busy }))
    console.log(
      `   ${name}: median ${percentile(times, 0.5).toFixed(0)} ms, p95 ${percentile(times, 0.95).toFixed(0)} ms of ${times.length} readings`,
    );
  const { answers, workbooks, exports } = sum(counts);
  const statuses = Object.entries(answers).map(([status, n]) => `${n} × ${status}`);
  console.log(
    `   in ${(rounds * windows.busy) / 1000} s: searches ${statuses.join(', ')}; ${workbooks} workbooks of 300 MB inflated; ${exports} exports of ${parcels} parcels`,
  );
  return ok;
});
