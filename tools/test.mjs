// npm test prepares and checks everything in a fresh clone: packages, Chromium, the built web,
// static checks, unit, integration and browser tests.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { closingLine, runChecks } from '#launch/checks.mjs';
import { findChromium } from '#launch/chromium.mjs';
import { makeReady } from '#launch/ready.mjs';
import { complain, say, seconds, UserError } from '#launch/say.mjs';
import { childSeconds, costLines, slowestTests } from '#launch/test-times.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const since = performance.now();
try {
  const chromium = await findChromium();
  const node = await makeReady(root, { web: true });
  const totals = await runChecks(node, root, { browser: true, env: { CHROMIUM: chromium } });
  say('\nThe slowest tests:');
  for (const line of slowestTests(join(root, '.build', 'reports'))) say(line);
  say(`\nEverything took ${seconds(since)}.`);
  for (const line of costLines(childSeconds(), totals.slowness)) say(line);
  say(closingLine(totals));
  process.exit(totals.failed > 0 ? 1 : 0);
} catch (error) {
  complain(error instanceof UserError ? error.message : error.stack);
  say('0 passed, 1 failed');
  process.exit(1);
}
