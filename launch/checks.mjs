import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { changedFiles, testsNear, workspaceOf } from './changed.mjs';
import { compileCache } from './compile-cache.mjs';
import { runJobs } from './jobs.mjs';
import { plainEnv } from './tasks.mjs';
import { say, seconds } from './say.mjs';
import { measureSlowness } from './slowness.mjs';

/**
 * The programs whose types are checked. Workspaces with the same compiler options are one program,
 * so that the files of server and contract are read only once.
 */
const typedPrograms = [
  ['contract', 'contract'],
  ['client, server, carrier-sim, verify', 'tools/types/node.json'],
  ['web', 'web'],
  ['e2e, bench', 'tools/types/browser.json'],
];

/**
 * Memory settings of the compiler. It frees memory only above this limit, which saves about a
 * quarter of its processor time.
 */
export const compilerEnv = { GOGC: 'off', GOMEMLIMIT: '1500MiB' };

/**
 * The static checks of `npm run check` and `npm test`, printed in this order. Each is [name,
 * program within node_modules, its arguments, folder].
 */
const staticChecks = [
  ['format', 'oxfmt/bin/oxfmt', ['--check', '.'], '.'],
  ['lint', 'oxlint/bin/oxlint', ['-c', 'oxlint.config.mjs', '.'], '.'],
  ['dead code', 'knip/bin/knip.js', ['--no-progress', '--include', 'files,exports,types'], '.'],
  ...typedPrograms.map(([name, project]) => [
    `types of ${name}`,
    'typescript/bin/tsc',
    ['-p', project, '--noEmit', '--singleThreaded'],
    '.',
  ]),
];

/**
 * The workspaces with test suites. `e2e` comes last, because it needs the built web and a browser.
 */
const unitSuites = ['.', 'contract', 'client', 'carrier-sim', 'server', 'web'];

/**
 * On two cores, the suites of the server and of the browser journeys each wait for a quarter of
 * their time. A third job at the same time therefore costs hardly any time. More parallel jobs
 * would need more memory.
 */
const lanes = availableParallelism() > 1 ? 3 : 1;

const noTotals = () => ({ passed: 0, failed: 0, skipped: 0, failures: [], secondTries: [] });

const add = (all, { passed, failed, skipped, failures, secondTries }) => {
  all.passed += passed;
  all.failed += failed;
  all.skipped += skipped;
  all.failures.push(...failures);
  all.secondTries.push(...secondTries);
};

/** Runs a program until it ends. `write` receives its output; without `write` it is printed. */
const run = (node, root, words, { cwd, env, write }) =>
  new Promise((resolve) => {
    const child = spawn(node, words, {
      cwd: join(root, cwd),
      env: {
        ...plainEnv(root),
        WAYSTATION_WEB_BUILT: '1',
        NODE_COMPILE_CACHE: compileCache(root, process.env),
        ...env,
        PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}`,
      },
      stdio: write ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    });
    for (const stream of write ? [child.stdout, child.stderr] : [])
      stream.setEncoding('utf8').on('data', write);
    child.on('close', (code) => resolve(code ?? 1));
    child.on('error', () => resolve(1));
  });

/** A job that runs one static check; its output is shown only if the check fails. */
const staticJob = (node, root, [name, program, words, cwd]) => ({
  run: async (write) => {
    const since = performance.now();
    let output = '';
    const code = await run(node, root, [join(root, 'node_modules', program), ...words], {
      cwd,
      env: compilerEnv,
      write: (text) => (output += text),
    });
    write(
      `${code === 0 ? '' : output}${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds(since)})\n`,
    );
    return { ...noTotals(), ...(code === 0 ? { passed: 1 } : { failed: 1, failures: [name] }) };
  },
});

/** Tests that passed only on a second attempt, with the error of the first attempt. */
const secondTriesOf = ({ name, assertionResults }, root) =>
  assertionResults
    .filter(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0)
    .map(
      ({ fullName, failureMessages }) =>
        `${relative(root, name)} > ${fullName}\n${failureMessages[0].slice(0, 2000)}`,
    );

/**
 * The failures in the report of one test file, as texts. A file that could not be run counts as a
 * failure.
 */
const failuresOf = ({ name, status, message, assertionResults }, root) => {
  const failed = assertionResults.filter((test) => test.status === 'failed');
  const file = relative(root, name);
  if (failed.length === 0) return status === 'failed' ? [`${file}\n${message}`] : [];
  return failed.map(
    ({ fullName, failureMessages }) =>
      `${file} > ${fullName}\n${failureMessages.join('\n').slice(0, 2000)}`,
  );
};

/**
 * Runs the tests of one workspace, or only the files in `only`, and returns the numbers of passed
 * and failed tests. A suite that ends without a report counts as one failure.
 */
const runSuite = async (node, root, workspace, { env = {}, only = [], write }) => {
  const totals = noTotals();
  const report = join(root, '.build', 'reports', `${workspace === '.' ? 'root' : workspace}.json`);
  mkdirSync(join(root, '.build', 'reports'), { recursive: true });
  rmSync(report, { force: true });
  const heading = `\n— tests of ${workspace === '.' ? 'the house' : workspace}\n`;
  if (write) write(heading);
  else process.stdout.write(heading);
  const colour = write && process.stdout.isTTY ? ['--color'] : [];
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const words = [
    join(root, 'node_modules', 'vitest', 'vitest.mjs'),
    'run',
    ...reporters,
    ...colour,
    ...only,
  ];
  const code = await run(node, root, words, { cwd: workspace, env, write });
  try {
    const {
      numPassedTests,
      numFailedTests,
      numPendingTests = 0,
      numTotalTests,
      testResults,
    } = JSON.parse(readFileSync(report, 'utf8'));
    totals.failures.push(...testResults.flatMap((file) => failuresOf(file, root)));
    totals.secondTries.push(...testResults.flatMap((file) => secondTriesOf(file, root)));
    totals.passed += numPassedTests;
    totals.failed += numFailedTests;
    totals.skipped += numPendingTests;
    if ((code !== 0 && numFailedTests === 0) || numTotalTests === 0) {
      totals.failed++;
      totals.failures.push(
        `tests of ${workspace}: ended with ${code} after ${numTotalTests} tests`,
      );
    }
  } catch {
    totals.failed++;
    totals.failures.push(`tests of ${workspace}: ended with ${code} and without a report`);
  }
  return totals;
};

/** The two longest suites begin first, at the same time. */
const longSuites = ['server', 'e2e'];

const suiteJob = (node, root, workspace, options) => ({
  long: longSuites.includes(workspace),
  run: (write) => runSuite(node, root, workspace, { ...options, write }),
});

/**
 * Measures how slow the machine is before the suites begin. Returns the environment variables with
 * the time limits for all suites.
 */
const limitsEnv = (node, root) => {
  const slowness = measureSlowness(node, root);
  say(`Limits of waiting are those of the reference machine × ${slowness}.`);
  return { WAYSTATION_TEST_SLOWNESS: slowness };
};

/** Runs static checks and test suites at the same time. */
const runBeside = async (jobs) => {
  const totals = noTotals();
  for (const answer of await runJobs(jobs, lanes, (text) => process.stdout.write(text)))
    add(totals, answer);
  return totals;
};

/**
 * Checks format and lint of the changed files, types of everything, and the tests near the changes.
 * `since` is the commit to compare with, instead of the last one.
 */
export const runChanged = async (node, root, since) => {
  const files = changedFiles(root, since);
  const code = files.filter((file) => /\.(?:ts|tsx|mjs)$/.test(file));
  const narrowed = staticChecks
    .filter(([name]) => code.length > 0 || (name === 'format' && files.length > 0))
    .map(([name, program, words, cwd]) => {
      if (name === 'format')
        return [name, program, ['--check', '--no-error-on-unmatched-pattern', ...files], cwd];
      return name === 'lint'
        ? [name, program, ['-c', 'oxlint.config.mjs', ...code], cwd]
        : [name, program, words, cwd];
    });
  const tests = testsNear(root, files);
  const suites = unitSuites
    .map((workspace) => [
      workspace,
      tests
        .filter((file) => workspaceOf(file) === workspace)
        .map((file) => relative(workspace, file)),
    ])
    .filter(([, only]) => only.length > 0);
  const env = suites.length > 0 ? limitsEnv(node, root) : {};
  const totals = await runBeside([
    ...narrowed.map((check) => staticJob(node, root, check)),
    ...suites.map(([workspace, only]) => suiteJob(node, root, workspace, { only, env })),
  ]);
  for (const failure of totals.failures) say(`\nFAILED ${failure}`);
  return totals;
};

/**
 * Runs format, lint, types and the tests of every workspace; with `browser` also the browser
 * journeys. Returns the numbers of passed, failed and skipped tests.
 */
export const runChecks = async (node, root, { browser, env = {} }) => {
  const limited = { ...env, ...limitsEnv(node, root) };
  const suites = browser ? [...unitSuites, 'e2e'] : unitSuites;
  const totals = await runBeside([
    ...staticChecks.map((check) => staticJob(node, root, check)),
    ...suites.map((workspace) => suiteJob(node, root, workspace, { env: limited })),
  ]);
  // These tests are listed again at the end, because some people read only the end.
  for (const test of totals.secondTries) say(`\nPASSED AT THE SECOND TRY ${test}`);
  for (const failure of totals.failures) say(`\nFAILED ${failure}`);
  return { ...totals, slowness: Number(limited.WAYSTATION_TEST_SLOWNESS) };
};

export const closingLine = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
