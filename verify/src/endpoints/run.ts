/**
 * `npm run verify -- endpoints` (docs/testing.md): measures the delay of the deliveries to a
 * healthy webhook. Meanwhile other endpoints are slow, hang, redirect, fail or have other faults.
 */
import { parseArgs } from 'node:util';
import { withCluster } from '@waystation/server/testing/own-cluster.ts';
import { playEndpoints } from './play.ts';

/**
 * The limit for the 95th percentile of the delay while bad endpoints get events. It is a multiple
 * of the 95th percentile without bad endpoints.
 */
const allowed = 2;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '20' },
    rate: { type: 'string', default: '10' },
  },
});
const [rounds, seconds, rate] = [values.rounds, values.seconds, values.rate].map(Number) as [
  number,
  number,
  number,
];
if (![rounds, seconds, rate].every((value) => Number.isSafeInteger(value) && value > 0)) {
  console.error('Say: npm run verify -- endpoints [--rounds 4] [--seconds 20] [--rate 10]');
  process.exit(1);
}

const percentile = (times: readonly number[], part: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * part)] ?? Number.NaN;

const { quiet, busy, missing, attempts } = await withCluster('endpoints', () =>
  playEndpoints({ rounds, seconds, rate }),
);
const ratio = percentile(busy, 0.95) / percentile(quiet, 0.95);
const ok = ratio <= allowed && missing === 0;
console.log(
  `endpoints p95 of a healthy webhook beside ${attempts.length} bad ones ${ratio.toFixed(2)} (≤ ${allowed.toFixed(2)}), ${missing} missing ${ok ? 'ok' : 'MISSED'}`,
);
for (const [name, times] of Object.entries({ quiet, busy }))
  console.log(
    `   ${name}: median ${percentile(times, 0.5).toFixed(0)} ms, p95 ${percentile(times, 0.95).toFixed(0)} ms of ${times.length} deliveries`,
  );
for (const { name, attempts: tried, error } of attempts)
  console.log(`   ${name}: ${tried} attempts, ${error ?? 'answered'}`);
process.exit(ok ? 0 : 1);
