import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const workspaces = ['contract', 'client', 'server', 'web', 'carrier-sim', 'e2e', 'bench', 'verify'];

const git = (root, ...words) =>
  execFileSync('git', words, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);

/**
 * The files that differ from a commit (by default the last one), and new files that are not in git
 * yet. Deleted files are left out.
 */
export const changedFiles = (root, since = 'HEAD') =>
  [
    ...new Set([
      ...git(root, 'diff', '--name-only', '--relative', since, '--', '.'),
      ...git(root, 'ls-files', '--others', '--exclude-standard'),
    ]),
  ].filter((file) => existsSync(join(root, file)));

const isTest = (file) => /\.test\.(?:ts|tsx|mjs)$/.test(file);
const isSource = (file) => /\.(?:ts|tsx|mjs)$/.test(file);

/** The workspace to which a file belongs; `.` for the root, `tools/` and `launch/`. */
export const workspaceOf = (file) => workspaces.find((name) => file.startsWith(`${name}/`)) ?? '.';

/**
 * The API client is generated from the contract, so its test is run for every change of the
 * contract.
 */
const clientOf = (file) =>
  file.startsWith('contract/src/') ? ['client/src/generated.test.ts'] : [];

/**
 * The tests for changed files. A changed test is run itself. For a changed source, the test of the
 * same name is run, or else all tests of its folder. Browser journeys are run only by name (`npm
 * run one`).
 */
export const testsNear = (root, files) => {
  const near = (file) => {
    if (isTest(file)) return [file];
    if (!isSource(file)) return [];
    const folder = dirname(file);
    const tests = readdirSync(join(root, folder))
      .filter(isTest)
      .map((name) => join(folder, name));
    const stem = basename(file).replace(/\.(?:ts|tsx|mjs)$/, '');
    const own = tests.filter((test) => basename(test).startsWith(`${stem}.`));
    return own.length > 0 ? own : tests.length <= 8 ? tests : [];
  };
  return [...new Set(files.flatMap((file) => [...near(file), ...clientOf(file)]))]
    .filter((test) => !test.startsWith('e2e/'))
    .toSorted();
};
