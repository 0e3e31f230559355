/**
 * Measures orders from the HTTP request to the stored waybill. API, worker and carrier simulator
 * run as in the product, and the simulator answers without delay. `WAYSTATION_BENCH_BEFORE` is the
 * path of another checkout. Its build and the present build take turns. The result is the number of
 * orders per second, and the processor time of node and PostgreSQL for each order. Other programs
 * on the machine influence the processor time less than the rate.
 */
import { resolve } from 'node:path';
import { logIn } from './orders/client.ts';
import type { Call } from './orders/client.ts';
import { startBuild } from './orders/build.ts';
import type { RunningBuild } from './orders/build.ts';
import { exampleParcel as parcel } from '@waystation/contract/parcels/example-parcel.ts';
import { processTimes } from './orders/process-time.ts';
import { median, pause, root, runBench } from './browser/program.ts';

const threshold = 3;
const minutes = 12;
const demoParcels = 200;
const orders = Number(process.env['WAYSTATION_BENCH_ORDERS'] ?? 300);
const rounds = Number(process.env['WAYSTATION_BENCH_ROUNDS'] ?? 7);
/** The number of orders that are sent simultaneously. It simulates a busy counter. */
const hands = 16;
const settleWithin = 60_000;
const topUp = 900_000;

interface Build {
  name: string;
  running: RunningBuild;
  clerk: Call;
  /** The order to send. It contains `wait: 0` if the measured build supports that field. */
  order: Record<string, unknown>;
}

interface Round {
  perSecond: number;
  answerMs: number;
  node: number;
  postgres: number;
}

const prepare = async (name: string, checkout: string): Promise<Build> => {
  const running = await startBuild(checkout, demoParcels);
  const [office, clerk] = [await logIn(running.url, 'super'), await logIn(running.url, 'clerk')];
  let order: Record<string, unknown> = { ...parcel, wait: 0 };
  let first = await clerk('POST', '/api/arco/expresses', order);
  if (first.status !== 200) {
    order = parcel;
    first = await clerk('POST', '/api/arco/expresses', order);
  }
  for (let paid = 0; paid < orders * (rounds + 1) * 2_000; paid += topUp) {
    const { status, text } = await office(
      'POST',
      `/api/arco/stations/${Number(first.data['station_id'])}/top-ups`,
      { amount: topUp, description: 'bench' },
    );
    if (status !== 200) throw new Error(`the station cannot be topped up: ${text}`);
  }
  return { name, running, clerk, order };
};

/**
 * Waits until no parcel of the clerk is still being ordered. An older build needs no wait, because
 * it responds only after the carrier has answered the order.
 */
const waitForWaybills = async (clerk: Call): Promise<void> => {
  for (const until = Date.now() + settleWithin; ; await pause(20)) {
    const { data } = await clerk('GET', '/api/arco/expresses?tab=ordering&page_size=1');
    if ((data['items'] as unknown[]).length === 0) return;
    if (Date.now() > until) throw new Error('parcels are still without a waybill');
  }
};

const orderMany = async ({ running, clerk, order }: Build, count: number): Promise<Round> => {
  const before = processTimes(running.pid);
  const since = performance.now();
  const answers: number[] = [];
  let left = count;
  const work = async (): Promise<void> => {
    while (left-- > 0) {
      const asked = performance.now();
      const { status, data, text } = await clerk('POST', '/api/arco/expresses', order);
      if (status !== 200 || (data['state_code'] !== 20 && data['state_code'] !== 100))
        throw new Error(`an order answered ${status} ${text.slice(0, 300)}`);
      answers.push(performance.now() - asked);
    }
  };
  await Promise.all(Array.from({ length: hands }, work));
  await waitForWaybills(clerk);
  const seconds = (performance.now() - since) / 1_000;
  const after = processTimes(running.pid);
  return {
    perSecond: count / seconds,
    answerMs: median(answers),
    node: (after.node - before.node) / count,
    postgres: (after.postgres - before.postgres) / count,
  };
};

const summary = (found: readonly Round[]): Round => ({
  perSecond: median(found.map(({ perSecond }) => perSecond)),
  answerMs: median(found.map(({ answerMs }) => answerMs)),
  node: median(found.map(({ node }) => node)),
  postgres: median(found.map(({ postgres }) => postgres)),
});

await runBench('orders', minutes, async () => {
  const checkoutBefore = process.env['WAYSTATION_BENCH_BEFORE'];
  const builds = [await prepare('now', root)];
  if (checkoutBefore) builds.push(await prepare('before', resolve(checkoutBefore)));
  const found = new Map<string, Round[]>(builds.map(({ name }) => [name, []]));
  // The first round of each build is not counted, because it warms up the build.
  for (let round = 0; round <= rounds; round++) {
    for (const build of builds) {
      const measured = await orderMany(build, orders);
      if (round > 0) found.get(build.name)!.push(measured);
    }
  }
  const results = new Map([...found].map(([name, measured]) => [name, summary(measured)]));
  for (const [name, { perSecond, answerMs, node, postgres }] of results)
    console.log(
      `   ${name}: ${perSecond.toFixed(1)} orders/s, answered within ${answerMs.toFixed(0)} ms, processor time of an order: node ${node.toFixed(1)} ms, PostgreSQL ${postgres.toFixed(1)} ms`,
    );
  const before = results.get('before');
  if (!before) return true;
  const ratio = results.get('now')!.perSecond / before.perSecond;
  console.log(
    `orders end to end vs before ${ratio.toFixed(2)} (≥ ${threshold.toFixed(2)}) ${ratio >= threshold ? 'ok' : 'MISSED'}`,
  );
  return ratio >= threshold;
});
