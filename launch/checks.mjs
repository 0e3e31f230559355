import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { plainEnv } from './tasks.mjs';
import { say, seconds } from './say.mjs';

const workspaces = ['contract', 'server', 'web', 'carrier-sim', 'e2e', 'bench'];

/** What `npm run check` and `npm test` run, in order: [name, program within node_modules, its words, folder]. */
const staticChecks = [
  ['format', 'oxfmt/bin/oxfmt', ['--check', '.'], '.'],
  ['lint', 'oxlint/bin/oxlint', ['-c', 'oxlint.config.mjs', '.'], '.'],
  ...workspaces.map((workspace) => [`types of ${workspace}`, 'typescript/bin/tsc', ['-p', workspace, '--noEmit'], '.']),
];

/** Test suites by workspace; `e2e` needs the built web and a browser. */
const unitSuites = ['.', 'contract', 'carrier-sim', 'server', 'web'];

const run = (node, root, words, cwd, env) =>
  new Promise((resolve) => {
    const child = spawn(node, words, {
      cwd: join(root, cwd),
      env: { ...plainEnv(root), WAYSTATION_WEB_BUILT: '1', ...env, PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}` },
      stdio: 'inherit',
    });
    child.on('exit', (code) => resolve(code ?? 1));
    child.on('error', () => resolve(1));
  });

const runStatic = async (node, root, totals) => {
  for (const [name, program, words, cwd] of staticChecks) {
    const since = performance.now();
    const code = await run(node, root, [join(root, 'node_modules', program), ...words], cwd);
    say(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds(since)})`);
    if (code === 0) totals.passed++;
    else totals.failed++;
  }
};

/** Runs one workspace's tests and adds their numbers up; a suite that ends without a report counts as one failure. */
const runSuite = async (node, root, workspace, totals, env) => {
  const report = join(root, '.build', 'reports', `${workspace === '.' ? 'root' : workspace}.json`);
  mkdirSync(join(root, '.build', 'reports'), { recursive: true });
  rmSync(report, { force: true });
  say(`\n— tests of ${workspace === '.' ? 'the house' : workspace}`);
  const words = [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const code = await run(node, root, words, workspace, env);
  try {
    const { numPassedTests, numFailedTests, numPendingTests = 0, numTotalTests } = JSON.parse(readFileSync(report, 'utf8'));
    totals.passed += numPassedTests;
    totals.failed += numFailedTests;
    totals.skipped += numPendingTests;
    if (code !== 0 && numFailedTests === 0) totals.failed++;
    if (numTotalTests === 0) totals.failed++;
  } catch {
    totals.failed++;
  }
};

/** Format, lint, types and the tests of every workspace; with `browser` the journeys too. Answers with what passed, failed and was skipped. */
export const runChecks = async (node, root, { browser, env = {} }) => {
  const totals = { passed: 0, failed: 0, skipped: 0 };
  await runStatic(node, root, totals);
  for (const workspace of unitSuites) await runSuite(node, root, workspace, totals, env);
  if (browser) await runSuite(node, root, 'e2e', totals, env);
  return totals;
};

export const closingLine = ({ passed, failed, skipped }) => `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
