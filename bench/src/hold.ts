/**
 * Limit 5 of docs/performance.md: a hundred simultaneous orders on one wallet spend exactly its
 * balance, at a rate close to that of the bare transaction. It also measures how fast a history is
 * posted and checked. This program starts the measured program, which belongs to the server, and
 * judges its result.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

interface Rates {
  ours: number;
  bare: number;
}
interface Measured {
  one_wallet: Rates;
  fifty_wallets: Rates;
  hundred_hands: { accepted: number; fits: number; deadlocks: number };
  history: { movements: number; post_seconds: number; entries: number; proof_seconds: number };
}

const threshold = 0.6;
const program = join(
  import.meta.dirname,
  '..',
  '..',
  'server',
  'src',
  'domain',
  'ledger',
  'ledger.bench.ts',
);

const run = spawnSync(process.execPath, [program], {
  encoding: 'utf8',
  timeout: 240_000,
  stdio: ['ignore', 'pipe', 'inherit'],
});
if (run.status !== 0) {
  console.log(`P5 hold failed: ${run.error?.message ?? `exit ${run.status ?? run.signal}`}`);
  process.exit(1);
}

const { one_wallet, fifty_wallets, hundred_hands, history } = JSON.parse(run.stdout) as Measured;
let missed = 0;
const judge = (ok: boolean): string => {
  if (!ok) missed++;
  return ok ? 'ok' : 'MISSED';
};
for (const [name, { ours, bare }] of Object.entries({
  'one wallet': one_wallet,
  '50 wallets': fifty_wallets,
})) {
  const ratio = ours / bare;
  console.log(
    `P5 hold on ${name} vs bare ${ratio.toFixed(2)} (≥ ${threshold.toFixed(2)}) ${judge(ratio >= threshold)}, ${ours}/s beside ${bare}/s`,
  );
}
const { accepted, fits, deadlocks } = hundred_hands;
console.log(
  `P5 hundred hands accepted ${accepted} of ${fits} that fit, ${deadlocks} deadlocks ${judge(accepted === fits && deadlocks === 0)}`,
);
console.log(
  `   history ${Math.round(history.movements / history.post_seconds)} movements/s posted, ${Math.round(history.entries / history.proof_seconds)} entries/s proved`,
);
process.exitCode = missed > 0 ? 1 : 0;
