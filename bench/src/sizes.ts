/**
 * Measures capacity with the calls of daily work: orders, pages, searches, drawers, prices, labels
 * and pushes. The call rate rises step by step, first with one core for everything and then with
 * one core each for server and database. The result is the highest rate at which 95 of 100
 * responses arrive within 500 ms. It also measures the rate that remains under five times that
 * load. A third result is the delay for clerks during an import, an export and many pushes. `npm
 * run bench -- sizes --only overload` runs one part. The measuring process and the carrier
 * simulator use the other core, or share both cores.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { startBuild } from './orders/build.ts';
import type { RunningBuild } from './orders/build.ts';
import { processTimes } from './orders/process-time.ts';
import { pause, root, runBench } from './browser/program.ts';
import { pinTo } from './sizes/cores.ts';
import type { Cores } from './sizes/cores.ts';
import { createMix } from './sizes/mix.ts';
import type { Mix } from './sizes/mix.ts';
import { exporting, importing, pushing } from './sizes/beside.ts';
import { pushes, runAt } from './sizes/open-loop.ts';
import type { Stretch } from './sizes/open-loop.ts';

const minutes = 40;
const demoParcels = 6_000;
const waitLimit = 500;
const keptAtOverload = 0.8;
const overload = 5;
const topUp = 900_000;
const { values } = parseArgs({
  options: { only: { type: 'string' }, seconds: { type: 'string', default: '12' } },
  strict: false,
});
const seconds = Math.min(Math.max(Number(values.seconds) || 12, 4), 120);
const wanted = (part: string): boolean => values.only === undefined || values.only === part;

const layouts: readonly Cores[] = [
  { name: 'one core for all', server: '0', database: '0', others: '1' },
  { name: 'a core each', server: '0', database: '1', others: '0,1' },
];

const line = ({
  rate,
  answered,
  people,
  refused,
  p50,
  p95,
  p99,
  failed,
  kinds,
}: Stretch): string => {
  const percent = (refused * 100).toFixed(1);
  const others = [...failed].map(([name, count]) => `${count} × ${name}`).join(', ');
  const slowest = [...kinds]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 3)
    .map(([name, ms]) => `${name} ${ms.toFixed(0)}`)
    .join(', ');
  return `   ${rate.toFixed(0)}/s: ${answered.toFixed(0)} answered (${people.toFixed(0)} to people), ${percent} % refused, median ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)}, p99 ${p99.toFixed(0)} (p95 of ${slowest})${others === '' ? '' : `; ${others}`}`;
};

const isKept = ({ p95, refused, failed }: Stretch): boolean =>
  p95 <= waitLimit && refused < 0.01 && failed.size === 0;

const stretch = async (mix: Mix, rate: number): Promise<Stretch> => {
  const found = await runAt(mix.kinds, rate, seconds);
  console.log(line(found));
  // Waits until the jobs that this rate caused have ended, before the next rate begins.
  await pause(3_000);
  return found;
};

/** Finds the highest call rate at which the limit is kept, with an error of at most a twentieth. */
const capacity = async (mix: Mix): Promise<Stretch> => {
  let [kept, missed]: [Stretch | null, number] = [null, Number.POSITIVE_INFINITY];
  for (let rate = 64; missed === Number.POSITIVE_INFINITY; rate *= 1.6) {
    const found = await stretch(mix, rate);
    if (isKept(found)) kept = found;
    else missed = rate;
  }
  if (!kept) throw new Error('the first rate misses the limit');
  while (missed / kept.rate > 1.06) {
    const rate = Math.sqrt(missed * kept.rate);
    const found = await stretch(mix, rate);
    if (isKept(found)) kept = found;
    else missed = rate;
  }
  return kept;
};

const measured = async (build: RunningBuild, mix: Mix, cores: Cores): Promise<boolean> => {
  pinTo(build, cores);
  console.log(`   ${cores.name}`);
  await runAt(mix.kinds, 30, 5);
  const peak = await capacity(mix);
  const before = processTimes(build.pid);
  const half = await stretch(mix, peak.rate / 2);
  const after = processTimes(build.pid);
  const cost = (name: 'node' | 'postgres'): string =>
    ((after[name] - before[name]) / (half.answered * seconds)).toFixed(2);
  console.log(
    `sizes ${cores.name}: ${peak.rate.toFixed(0)} calls a second with p95 ≤ ${waitLimit} ms; at half of it a call costs ${cost('node')} ms of node and ${cost('postgres')} ms of PostgreSQL`,
  );
  const apart = !wanted('beside') || (await beside(build, mix, peak.rate));
  if (!wanted('overload')) return apart;
  const over = await stretch(mix, peak.rate * overload);
  const share = over.people / peak.people;
  const ok = share >= keptAtOverload && over.failed.size === 0;
  console.log(
    `sizes ${cores.name}, ${overload} times that rate: people get ${share.toFixed(2)} of the peak's answers (≥ ${keptAtOverload.toFixed(2)}), the rest is refused with 503 or 429 ${ok ? 'ok' : 'MISSED'}`,
  );
  await pause(5_000);
  const later = await stretch(mix, peak.rate / 2);
  console.log(`   after it: p95 ${later.p95.toFixed(0)} ms at half of the peak`);
  return ok && apart;
};

/**
 * Measures how long people wait at half of the peak rate: first without other work, and then during
 * an import, an export and many pushes.
 */
const beside = async ({ url }: RunningBuild, mix: Mix, peak: number): Promise<boolean> => {
  const people = mix.kinds.filter(({ name }) => name !== pushes);
  const measure = async (): Promise<Stretch> => {
    const found = await runAt(people, peak / 2, seconds);
    console.log(line(found));
    return found;
  };
  const alone = await measure();
  const kept: boolean[] = [];
  const begins = [() => importing(url), () => exporting(url), () => pushing(mix, peak * 2)];
  for (const begin of begins) {
    const work = await begin();
    await pause(2_000);
    const found = await measure();
    const done = await work.stop();
    const ok = isKept(found);
    kept.push(ok);
    console.log(
      `sizes, people beside ${work.name}: p95 ${found.p95.toFixed(0)} ms, alone ${alone.p95.toFixed(0)} (≤ ${waitLimit}; ${done} done) ${ok ? 'ok' : 'MISSED'}`,
    );
    await pause(3_000);
  }
  return kept.every(Boolean);
};

const fund = async ({ office, clerk, kinds }: Mix): Promise<void> => {
  const first = await kinds.find(({ name }) => name === 'order')!.run();
  if (first.status !== 200) throw new Error(`an order answered ${first.status} ${first.text}`);
  const { data } = await clerk('GET', `/api/arco/expresses/${Number(first.data['id'])}`);
  for (let paid = 0; paid < 10; paid++) {
    const path = `/api/arco/stations/${Number(data['station_id'])}/top-ups`;
    const { status, text } = await office('POST', path, { amount: topUp, description: 'bench' });
    if (status !== 200) throw new Error(`the station cannot be topped up: ${text}`);
  }
};

await runBench('sizes', minutes, async () => {
  if (availableParallelism() < 2) throw new Error('two cores are needed');
  // In this test each of the few demo accounts is used for many users. The share of time for lists
  // of one account is therefore not limited.
  const build = await startBuild(root, demoParcels, { WAYSTATION_LIST_SHARE_PERCENT: '100' });
  const mix = await createMix(build);
  await fund(mix);
  for (const kind of mix.kinds) {
    const { status, text } = await kind.run();
    if (status !== 200) throw new Error(`${kind.name} answered ${status} ${text.slice(0, 300)}`);
  }
  const kept: boolean[] = [];
  for (const cores of layouts) kept.push(await measured(build, mix, cores));
  return kept.every(Boolean);
});
