/**
 * Runs mixed work for half an hour: clerks order, search, and read lists and drawers;
 * administrators read boards and export. `npm run bench -- load --minutes 30`. It takes two
 * averages per minute: the server's memory, and the memory of server and PostgreSQL together. After
 * the first five minutes, both must stay within a tenth of their values at that time. It also
 * prints the memory of each kind of process per minute, because PostgreSQL's memory depends on the
 * number of new connections.
 */
import { parseArgs } from 'node:util';
import { logIn } from './orders/client.ts';
import type { Answer, Call } from './orders/client.ts';
import { startBuild } from './orders/build.ts';
import type { RunningBuild } from './orders/build.ts';
import { memoriesOf } from './orders/process-memory.ts';
import type { ProcessMemory } from './orders/process-memory.ts';
import { exampleParcel } from '@waystation/contract/parcels/example-parcel.ts';
import { pause, root, runBench } from './browser/program.ts';

const limit = 0.1;
const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '30' } },
  strict: false,
});
// The run lasts at least one minute longer than its first minutes, because the rest of the run is
// compared with those minutes.
const length = Math.min(Math.max(Number(values.minutes) || 30, 3), 240);
const settling = Math.min(5, Math.floor(length / 2));
const demoParcels = 2_000;
const sampleMs = 2_000;
/** The pause in milliseconds between two actions of a person. It simulates a busy counter. */
const thinkMs = 400;
const topUp = 900_000;

type Work = readonly [weight: number, name: string, run: (call: Call) => Promise<Answer>];

const ids: number[] = [];
const some = (): number => ids[Math.floor(Math.random() * ids.length)]!;

const order = async (call: Call): Promise<Answer> => {
  const answer = await call('POST', '/api/arco/expresses', { ...exampleParcel, wait: 0 });
  if (answer.status === 200) ids.push(Number(answer.data['id']));
  return answer;
};
const read = (path: string) => (call: Call) => call('GET', path);

const clerkWork: readonly Work[] = [
  [3, 'order', order],
  [5, 'list', read('/api/arco/expresses?page_size=20')],
  [2, 'tab', read('/api/arco/expresses?tab=awaiting_pickup&page_size=20')],
  [3, 'search', read('/api/arco/expresses?q=%E5%BC%A0&page_size=20')],
  [3, 'drawer', (call) => call('GET', `/api/arco/expresses/${some()}`)],
  [1, 'counts', read('/api/arco/expresses/counts')],
  [1, 'workplace', read('/api/arco/workplace')],
  [
    1,
    'address',
    (call) =>
      call('POST', '/api/arco/address/parse', {
        text: '李四 13900000002 上海市浦东新区世纪大道100号',
      }),
  ],
];
const exported = {
  list: 'expresses',
  filters: {},
  format: 'csv',
  language: 'zh',
  columns: ['order_id', 'receive_name', 'post_amount'].map((key) => ({ key, title: key })),
};
const officeWork: readonly Work[] = [
  [4, 'list', read('/api/arco/expresses?page_size=50')],
  [2, 'money board', read('/api/arco/workplace/money')],
  [2, 'stations', read('/api/arco/stations?page_size=20')],
  [2, 'statements', read('/api/arco/statements?page_size=20')],
  [1, 'export', (call) => call('POST', '/api/arco/exports', exported)],
  [2, 'audit', read('/api/arco/audit?page_size=20')],
  [2, 'proof', read('/api/arco/ledger/standing')],
];

const pick = (work: readonly Work[]): Work => {
  let left = Math.random() * work.reduce((sum, [weight]) => sum + weight, 0);
  return work.find(([weight]) => (left -= weight) < 0) ?? work[0]!;
};

const done = new Map<string, { count: number; ms: number; failed: number }>();
const note = (name: string, ms: number, ok: boolean): void => {
  const one = done.get(name) ?? { count: 0, ms: 0, failed: 0 };
  done.set(name, { count: one.count + 1, ms: one.ms + ms, failed: one.failed + (ok ? 0 : 1) });
};

let failure = '';
const workUntil = async (call: Call, work: readonly Work[], until: number): Promise<void> => {
  while (Date.now() < until) {
    const [, name, run] = pick(work);
    const since = performance.now();
    const { status, text } = await run(call);
    // On a busy day the server may ask a client to try again, because too many lists are requested
    // simultaneously. These responses are normal.
    const ok = status === 200 || status === 429 || status === 503;
    if (!ok && failure === '') failure = `${name} answered ${status}: ${text.slice(0, 200)}`;
    note(name, performance.now() - since, ok);
    await pause(Math.random() * 2 * thinkMs);
  }
};

/**
 * The values of one minute for each kind of process: the memory of all processes of that kind in
 * megabytes, and the number of processes. Both are averages of the samples in that minute.
 */
type Minute = ReadonlyMap<string, { mb: number; processes: number }>;

const minuteOf = (samples: readonly ProcessMemory[][]): Minute => {
  const sums = new Map<string, { mb: number; processes: number }>();
  for (const { what, mb } of samples.flat()) {
    const { mb: before, processes } = sums.get(what) ?? { mb: 0, processes: 0 };
    sums.set(what, { mb: before + mb / samples.length, processes: processes + 1 / samples.length });
  }
  return sums;
};

const simulated = 'simulator';
const sumOf = (
  minute: Minute,
  isOf: (what: string) => boolean,
): { mb: number; processes: number } =>
  [...minute]
    .filter(([what]) => isOf(what))
    .reduce(
      (sum, [, { mb, processes }]) => ({ mb: sum.mb + mb, processes: sum.processes + processes }),
      { mb: 0, processes: 0 },
    );
const serverOf = (minute: Minute): number => sumOf(minute, (what) => what === 'server').mb;
const allOf = (minute: Minute): number => sumOf(minute, (what) => what !== simulated).mb;
const postgresOf = (minute: Minute): number => {
  const { mb, processes } = sumOf(minute, (what) => what !== simulated && what !== 'server');
  return mb / processes;
};

const minuteLine = (minute: Minute): string =>
  [...minute]
    .toSorted(([, a], [, b]) => b.mb - a.mb)
    .map(([what, { mb, processes }]) =>
      processes > 1.05
        ? `${processes.toFixed(1)} × ${what} ${(mb / processes).toFixed(1)}`
        : `${what} ${mb.toFixed(1)}`,
    )
    .join(', ');

const watchMemory = async (build: RunningBuild, until: number): Promise<Minute[]> => {
  const minutes: Minute[] = [];
  while (Date.now() < until) {
    const samples: ProcessMemory[][] = [];
    for (const end = Math.min(until, Date.now() + 60_000); Date.now() < end; await pause(sampleMs))
      samples.push(memoriesOf(build));
    const minute = minuteOf(samples);
    minutes.push(minute);
    console.log(`   minute ${minutes.length}, MB: ${minuteLine(minute)}`);
  }
  return minutes;
};

/**
 * Compares a value with its average in the first minutes. `ok` is true if the change is within the
 * limit.
 */
const movement = (name: string, minutes: readonly number[]): { text: string; ok: boolean } => {
  const [first, ...later] = minutes.slice(settling);
  const [least, most] = [Math.min(...later) / first! - 1, Math.max(...later) / first! - 1];
  const percent = (share: number): string =>
    `${share >= 0 ? '+' : ''}${(share * 100).toFixed(1)} %`;
  return {
    text: `memory of ${name} after ${settling} minutes of mixed load ${first!.toFixed(1)} MB, later ${percent(least)} to ${percent(most)}`,
    ok: most <= limit && least >= -limit,
  };
};

const judge = (name: string, minutes: readonly number[]): boolean => {
  const { text, ok } = movement(name, minutes);
  console.log(`${text} (± ${limit * 100} %) ${ok ? 'ok' : 'MISSED'}`);
  return ok;
};

await runBench('load', length + 6, async () => {
  const build = await startBuild(root, demoParcels);
  const { url } = build;
  const [office, clerk] = [await logIn(url, 'super'), await logIn(url, 'clerk')];
  const first = await order(clerk);
  if (first.status !== 200)
    throw new Error(`an order answered ${first.status} ${first.text.slice(0, 300)}`);
  for (let paid = 0; paid < length * 60 * 8 * 2_000; paid += topUp) {
    const { status, text } = await office(
      'POST',
      `/api/arco/stations/${Number(first.data['station_id'])}/top-ups`,
      { amount: topUp, description: 'bench' },
    );
    if (status !== 200) throw new Error(`the station cannot be topped up: ${text}`);
  }
  const until = Date.now() + length * 60_000;
  const people = [
    ...Array.from({ length: 6 }, () => [clerk, clerkWork] as const),
    ...Array.from({ length: 2 }, () => [office, officeWork] as const),
  ];
  const work = people.map(([call, actions]) => workUntil(call, actions, until));
  const minutes = await watchMemory(build, until);
  await Promise.all(work);
  console.log(
    `   ${[...done].map(([name, { count, ms, failed }]) => `${name} ${count} × ${(ms / count).toFixed(0)} ms${failed > 0 ? ` (${failed} failed)` : ''}`).join(', ')}`,
  );
  if (failure !== '') throw new Error(failure);
  console.log(`   ${movement('PostgreSQL by the process', minutes.map(postgresOf)).text}`);
  const kept = [
    judge('the server', minutes.map(serverOf)),
    judge('server and PostgreSQL', minutes.map(allOf)),
  ];
  return kept.every(Boolean);
});
