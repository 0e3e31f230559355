/**
 * `npm run verify -- hostile-carrier [words…]`: tests the product against a misbehaving carrier. If
 * words are given, it runs only the cases whose name contains one of them. Exit 1 if a case failed.
 */
import { setup } from '@waystation/server/testing/global-setup.ts';
import { openGround } from './ground.ts';
import { hostileCases, linesOf, playCase, playEnd } from './play.ts';
import type { Played } from './play.ts';

const words = process.argv.slice(2);
const chosen = hostileCases.filter(
  ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
);
const played: Played[] = [];
const stop = await setup();
try {
  const ground = await openGround();
  const report = (one: Played): void => {
    played.push(one);
    console.log(linesOf(one).join('\n'));
  };
  try {
    for (const one of chosen) report(await playCase(ground, one));
    report(await playEnd(ground));
  } finally {
    await ground.close();
  }
} finally {
  await stop?.();
}
const fallen = played.filter(({ fell }) => fell.length > 0);
console.log(
  `${chosen.length} cases, ${played.reduce((sum, { tried }) => sum + tried, 0)} expectations, ${fallen.length} did not hold`,
);
process.exit(fallen.length === 0 ? 0 : 1);
