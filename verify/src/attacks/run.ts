/**
 * `npm run attack -- [area…]`: starts a product on loopback and attacks it. Exit 1 if an attack
 * succeeded.
 */
import { setup } from '@waystation/server/testing/global-setup.ts';
import { areas } from './areas.ts';
import { linesOf, playArea, sumLine } from './play.ts';
import type { Outcome } from './play.ts';

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !areas.some(({ area }) => area === name));
if (unknown.length > 0) {
  console.error(
    `There is no area ${unknown.join(', ')}. Areas: ${areas.map(({ area }) => area).join(', ')}.`,
  );
  process.exit(2);
}

const outcomes: Outcome[] = [];
const stop = await setup();
try {
  for (const area of areas.filter((one) => wanted.length === 0 || wanted.includes(one.area)))
    outcomes.push(...(await playArea(area, (outcome) => console.log(linesOf(outcome).join('\n')))));
} finally {
  await stop?.();
}
console.log(sumLine(outcomes));
process.exit(outcomes.every(({ fell }) => fell.length === 0) ? 0 : 1);
