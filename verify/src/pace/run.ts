/**
 * `npm run verify -- pace` (docs/testing.md): several worker processes order the rows of an import.
 * The program measures the maximum number of calls to the carrier within any second.
 */
import { parseArgs } from 'node:util';
import { withCluster } from '@waystation/server/testing/own-cluster.ts';
import { playPace } from './play.ts';

/**
 * The number of calls per second that the carrier accepts (`server/src/domain/imports/slots.ts`).
 */
const allowed = 20;

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000' },
    processes: { type: 'string', default: '2' },
    kills: { type: 'string', default: '4' },
  },
});
const [rows, processes, kills] = [
  Number(values.rows),
  Number(values.processes),
  Number(values.kills),
];
if (
  ![rows, processes].every((value) => Number.isSafeInteger(value) && value > 0) ||
  !Number.isSafeInteger(kills) ||
  kills < 0
) {
  console.error('Say: npm run verify -- pace [--rows 1000] [--processes 2] [--kills 4]');
  process.exit(1);
}

const { calls, seconds, most, most_in_a_tenth, wrong } = await withCluster('pace', () =>
  playPace({ rows, processes, kills }),
);
console.log(
  `${rows} rows by ${processes} worker processes, ${kills} kills: ${calls} calls in ${seconds.toFixed(1)} s; most in any second ${most} (≤ ${allowed}), ` +
    `in any tenth of one ${most_in_a_tenth} ${most <= allowed ? 'ok' : 'MISSED'}`,
);
for (const line of wrong) console.log(line);
process.exit(most <= allowed && wrong.length === 0 ? 0 : 1);
