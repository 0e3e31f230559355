/**
 * S3 of docs/performance.md: the rate of orders over HTTP that are answered at the commit (`wait:
 * 0`), on one wallet and on fifty. They are compared with bare transactions. A bare transaction
 * makes the same writes with the same pool and triggers. It has no HTTP, session, reading, pricing
 * or response. Orders and bare transactions take turns, and no worker runs during the measurement.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { startBuild } from './orders/build.ts';
import { logIn } from './orders/client.ts';
import type { Call } from './orders/client.ts';
import { exampleParcel } from '@waystation/contract/parcels/example-parcel.ts';
import { median, root, runBench } from './browser/program.ts';

const threshold = 0.6;
const minutes = 10;
const wallets = 50;
const turns = 3;
const seconds = Number(process.env['WAYSTATION_BENCH_SECONDS'] ?? 4);
/** The number of orders that are sent simultaneously. The connection pool has the same size. */
const hands = 16;
const program = join(root, 'server', 'src', 'testing', 'bare-orders.ts');

/** Runs the program for bare transactions with `words`, and returns the JSON that it prints. */
const bareProgram = async (words: object): Promise<Record<string, never>> => {
  const child = spawn(process.execPath, [program, JSON.stringify(words)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (part: Buffer) => (text += part.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`the bare transaction ended with ${code}`);
  return JSON.parse(text) as Record<string, never>;
};

const orderRate = async (office: Call, stations: readonly number[]): Promise<number> => {
  const since = performance.now();
  const until = since + seconds * 1_000;
  let done = 0;
  const work = async (_: unknown, hand: number): Promise<void> => {
    for (let round = hand; performance.now() < until; round += hands) {
      const { status, data, text } = await office('POST', '/api/arco/expresses', {
        ...exampleParcel,
        wait: 0,
        station_id: stations[round % stations.length],
      });
      if (status !== 200 || data['state_code'] !== 20)
        throw new Error(`an order answered ${status} ${text.slice(0, 300)}`);
      done++;
    }
  };
  await Promise.all(Array.from({ length: hands }, work));
  return done / ((performance.now() - since) / 1_000);
};

await runBench('commit', minutes, async () => {
  const running = await startBuild(root, 200);
  await running.restart('api');
  const [office, clerk] = [await logIn(running.url, 'super'), await logIn(running.url, 'clerk')];
  const first = await clerk('POST', '/api/arco/expresses', { ...exampleParcel, wait: 0 });
  if (first.status !== 200) throw new Error(first.text.slice(0, 300));
  const socket = running.socket();
  const { stations } = (await bareProgram({
    socket,
    like: first.data['id'],
    add: wallets,
  })) as unknown as { stations: number[] };
  let kept = true;
  for (const [name, used] of [
    ['one wallet', stations.slice(0, 1)],
    ['50 wallets', stations],
  ] as const) {
    await orderRate(office, used);
    const [ours, bare, ratios]: [number[], number[], number[]] = [[], [], []];
    for (let turn = 0; turn < turns; turn++) {
      ours.push(await orderRate(office, used));
      const { rate } = (await bareProgram({
        socket,
        like: first.data['id'],
        stations: used,
        hands,
        seconds,
      })) as unknown as { rate: number };
      bare.push(rate);
      ratios.push(ours.at(-1)! / rate);
    }
    const ratio = median(ratios);
    kept &&= ratio >= threshold;
    console.log(
      `S3 orders on ${name} vs bare ${ratio.toFixed(2)} (≥ ${threshold.toFixed(2)}) ${ratio >= threshold ? 'ok' : 'MISSED'}, ${median(ours).toFixed(0)}/s beside ${median(bare).toFixed(0)}/s`,
    );
  }
  return kept;
});
