// npm run check: format, lint, types and every test that needs no browser.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { closingLine, runChecks } from './launch/checks.mjs';
import { makeReady } from './launch/ready.mjs';
import { say } from './launch/say.mjs';

const root = dirname(fileURLToPath(import.meta.url));
// With the built web: its sizes are checked too.
const node = await makeReady(root, { web: true });
const totals = await runChecks(node, root, { browser: false });
say(`\n${closingLine(totals)}`);
process.exit(totals.failed > 0 ? 1 : 0);
