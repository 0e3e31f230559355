// npm run check: format, lint, types and every test that needs no browser; `-- --changed [commit]`: of what has changed since, in seconds.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { closingLine, runChanged, runChecks } from './launch/checks.mjs';
import { makeReady } from './launch/ready.mjs';
import { say } from './launch/say.mjs';

const root = dirname(fileURLToPath(import.meta.url));
const changed = process.argv.indexOf('--changed');
// With the built web: its sizes are checked too.
const node = await makeReady(root, { web: changed < 0 });
const totals = changed < 0 ? await runChecks(node, root, { browser: false }) : await runChanged(node, root, process.argv[changed + 1]);
say(`\n${closingLine(totals)}`);
process.exit(totals.failed > 0 ? 1 : 0);
