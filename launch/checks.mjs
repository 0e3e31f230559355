import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { join, relative } from 'node:path';
import { changedFiles, testsNear, workspaceOf } from './changed.mjs';
import { plainEnv } from './tasks.mjs';
import { say, seconds } from './say.mjs';

const workspaces = ['contract', 'server', 'web', 'carrier-sim', 'e2e', 'bench', 'verify'];

/** What `npm run check` and `npm test` run, in order: [name, program within node_modules, its words, folder]. */
const staticChecks = [
  ['format', 'oxfmt/bin/oxfmt', ['--check', '.'], '.'],
  ['lint', 'oxlint/bin/oxlint', ['-c', 'oxlint.config.mjs', '.'], '.'],
  ['dead code', 'knip/bin/knip.js', ['--no-progress', '--include', 'files,exports,types'], '.'],
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

const runStatic = async (node, root, totals, checks = staticChecks) => {
  for (const [name, program, words, cwd] of checks) {
    const since = performance.now();
    const code = await run(node, root, [join(root, 'node_modules', program), ...words], cwd);
    say(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds(since)})`);
    if (code === 0) totals.passed++;
    else {
      totals.failed++;
      totals.failures.push(name);
    }
  }
};

/** What passed only when it was tried again: it keeps what went wrong the first time. */
const secondTriesOf = ({ name, assertionResults }, root) =>
  assertionResults
    .filter(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0)
    .map(({ fullName, failureMessages }) => `${relative(root, name)} > ${fullName}\n${failureMessages[0].slice(0, 500)}`);

/** What failed in one file of a report, in words; a file that could not be read at all counts too. */
const failuresOf = ({ name, status, message, assertionResults }, root) => {
  const failed = assertionResults.filter((test) => test.status === 'failed');
  const file = relative(root, name);
  if (failed.length === 0) return status === 'failed' ? [`${file}\n${message}`] : [];
  return failed.map(({ fullName, failureMessages }) => `${file} > ${fullName}\n${failureMessages.join('\n').slice(0, 2000)}`);
};

/** Runs one workspace's tests (`only`: these files) and adds their numbers up; a suite that ends without a report counts as one failure. */
const runSuite = async (node, root, workspace, totals, env, only = []) => {
  const report = join(root, '.build', 'reports', `${workspace === '.' ? 'root' : workspace}.json`);
  mkdirSync(join(root, '.build', 'reports'), { recursive: true });
  rmSync(report, { force: true });
  say(`\n— tests of ${workspace === '.' ? 'the house' : workspace}`);
  const words = [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...only];
  const code = await run(node, root, words, workspace, env);
  try {
    const { numPassedTests, numFailedTests, numPendingTests = 0, numTotalTests, testResults } = JSON.parse(readFileSync(report, 'utf8'));
    totals.failures.push(...testResults.flatMap((file) => failuresOf(file, root)));
    totals.secondTries.push(...testResults.flatMap((file) => secondTriesOf(file, root)));
    totals.passed += numPassedTests;
    totals.failed += numFailedTests;
    totals.skipped += numPendingTests;
    if ((code !== 0 && numFailedTests === 0) || numTotalTests === 0) {
      totals.failed++;
      totals.failures.push(`tests of ${workspace}: ended with ${code} after ${numTotalTests} tests`);
    }
  } catch {
    totals.failed++;
    totals.failures.push(`tests of ${workspace}: ended with ${code} and without a report`);
  }
};

/** Format and lint of the changed files, types of everything, and the tests near what has changed; `since` names another commit than the last one. */
export const runChanged = async (node, root, since) => {
  const totals = { passed: 0, failed: 0, skipped: 0, failures: [], secondTries: [] };
  const files = changedFiles(root, since);
  const code = files.filter((file) => /\.(?:ts|tsx|mjs)$/.test(file));
  const narrowed = staticChecks
    .filter(([name]) => code.length > 0 || (name === 'format' && files.length > 0))
    .map(([name, program, words, cwd]) => {
      if (name === 'format') return [name, program, ['--check', '--no-error-on-unmatched-pattern', ...files], cwd];
      return name === 'lint' ? [name, program, ['-c', 'oxlint.config.mjs', ...code], cwd] : [name, program, words, cwd];
    });
  await runStatic(node, root, totals, narrowed);
  const tests = testsNear(root, files);
  for (const workspace of unitSuites) {
    const own = tests.filter((file) => workspaceOf(file) === workspace).map((file) => relative(workspace, file));
    if (own.length > 0) await runSuite(node, root, workspace, totals, {}, own);
  }
  for (const failure of totals.failures) say(`\nFAILED ${failure}`);
  return totals;
};

/** Format, lint, types and the tests of every workspace; with `browser` the journeys too. Answers with what passed, failed and was skipped. */
export const runChecks = async (node, root, { browser, env = {} }) => {
  const totals = { passed: 0, failed: 0, skipped: 0, failures: [], secondTries: [] };
  await runStatic(node, root, totals);
  for (const workspace of unitSuites) await runSuite(node, root, workspace, totals, env);
  if (browser) await runSuite(node, root, 'e2e', totals, env);
  // Repeated at the end, for a reader of the end alone.
  for (const test of totals.secondTries) say(`\nPASSED AT THE SECOND TRY ${test}`);
  for (const failure of totals.failures) say(`\nFAILED ${failure}`);
  return totals;
};

export const closingLine = ({ passed, failed, skipped }) => `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
