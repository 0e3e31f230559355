/**
 * Compares the ledger with pgledger: transfers per second on 1, 10 and 50 wallets in one run. Both
 * use twenty connections and the same PostgreSQL and settings. It also measures the cost of each
 * part of our ledger by switching the part off. `npm run bench -- ledger --peer FOLDER` needs a
 * clone of pgledger, which this repository may not contain. This program starts the measured
 * program, which belongs to the server, and judges its result. Pgledger is measured in two ways.
 * The first is the way of its publication, with transfers between two random accounts. The second
 * has locks like ours, with one pair of accounts for each wallet. The better result counts.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { atEnd, median, root, runBench } from './browser/program.ts';

const threshold = 0.5;
const minutes = 20;
/**
 * The numbers of wallets whose results must keep the limit. With one wallet, both sides only wait
 * for the disk, so that result is not judged.
 */
const judged = [10, 50];
const { values } = parseArgs({
  options: {
    peer: { type: 'string' },
    turns: { type: 'string', default: '3' },
    only: { type: 'string' },
  },
  strict: false,
});
const peer = typeof values.peer === 'string' ? resolve(values.peer) : null;

interface Rate {
  rate: number;
  /** The processor time of PostgreSQL for one transfer, in milliseconds. */
  ms: number;
}
type Rates = Record<string, Rate[]>;
interface Measured {
  wallets: Record<string, Rates>;
  parts: Rates | null;
}

const measure = async (): Promise<Measured> => {
  const options = {
    peer,
    wallets: values.only === 'parts' ? [] : [1, 10, 50],
    seconds: Number(process.env['WAYSTATION_BENCH_SECONDS'] ?? 4),
    turns: Math.min(Math.max(Number(values.turns) || 3, 1), 20),
    parts: values.only !== 'peer',
  };
  const program = join(root, 'server', 'src', 'domain', 'ledger', 'beside-peer.bench.ts');
  const child = spawn(process.execPath, [program, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  atEnd(async () => void child.kill('SIGTERM'));
  let text = '';
  child.stdout.on('data', (part: Buffer) => (text += part.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`the measured program ended with ${code}`);
  return JSON.parse(text) as Measured;
};

const rateOf = (rates: readonly Rate[]): number => median(rates.map(({ rate }) => rate));
const msOf = (rates: readonly Rate[]): number => median(rates.map(({ ms }) => ms));

/**
 * Returns the median of the ratios of all turns. A slow moment affects both sides of a turn
 * equally.
 */
const ratioOf = (ours: readonly Rate[], theirs: readonly Rate[]): number =>
  median(ours.map(({ rate }, turn) => rate / theirs[turn]!.rate));

const printWallets = (wallets: number, { ours, unchecked, published, paired }: Rates): boolean => {
  const name = wallets === 1 ? 'one wallet' : `${wallets} wallets`;
  const own = `${rateOf(ours!).toFixed(0)}/s, ${msOf(ours!).toFixed(2)} ms of PostgreSQL each (${rateOf(unchecked!).toFixed(0)}/s, ${msOf(unchecked!).toFixed(2)} ms without the check of new rows beside)`;
  if (!published || !paired) {
    console.log(`ledger on ${name}: ${own}`);
    return true;
  }
  const ratios = [ratioOf(ours!, published), ratioOf(ours!, paired)] as const;
  const isJudged = judged.includes(wallets);
  const ok = !isJudged || Math.min(...ratios) >= threshold;
  const verdict = isJudged ? ` (≥ ${threshold.toFixed(2)}) ${ok ? 'ok' : 'MISSED'}` : '';
  console.log(
    `ledger on ${name} vs pgledger ${ratios[0].toFixed(2)} as published, ${ratios[1].toFixed(2)} with our locks${verdict}`,
  );
  console.log(
    `   ${own}, beside ${rateOf(published).toFixed(0)}/s and ${rateOf(paired).toFixed(0)}/s, ${msOf(published).toFixed(2)} and ${msOf(paired).toFixed(2)} ms`,
  );
  return ok;
};

const printParts = ({ '': whole, ...parts }: Rates): void => {
  console.log('   without a part, on 50 wallets: rate beside the whole; processor time saved');
  for (const [name, rates] of Object.entries(parts)) {
    const saved = median(rates.map(({ ms }, turn) => whole![turn]!.ms - ms));
    console.log(
      `      ${ratioOf(rates, whole!).toFixed(2)} × ${(saved * 1000).toFixed(0).padStart(5)} µs  ${name}`,
    );
  }
};

await runBench('ledger', minutes, async () => {
  if (peer === null)
    console.log(
      'ledger: without a peer; `git clone https://github.com/pgr0ss/pgledger FOLDER` gets it, and `npm run bench -- ledger --peer FOLDER` compares.',
    );
  else if (!existsSync(join(peer, 'pgledger.sql')))
    throw new Error(
      `${peer} has no pgledger.sql: \`git clone https://github.com/pgr0ss/pgledger ${peer}\` gets it`,
    );
  const { wallets, parts } = await measure();
  const kept = Object.entries(wallets).map(([count, rates]) => printWallets(Number(count), rates));
  if (parts) printParts(parts);
  return kept.every(Boolean);
});
