import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { changedFiles, testsNear, workspaceOf } from './changed.mjs';

let root;
const put = (file, text) => {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
};
const git = (...words) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...words], {
    cwd: root,
  });
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'a checkout '));
  git('init', '-q');
  for (const file of [
    'server/src/price.ts',
    'server/src/price.test.ts',
    'server/src/shares.ts',
    'web/src/a.tsx',
    'notes/page.md',
  ])
    put(file, 'old');
  git('add', '.');
  git('commit', '-qm', 'first');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it('modified files and untracked files count as changed; deleted files do not', () => {
  put('server/src/price.ts', 'new');
  put('web/src/b.tsx', 'new');
  rmSync(join(root, 'notes/page.md'));
  expect(changedFiles(root)).toEqual(['server/src/price.ts', 'web/src/b.tsx']);
});

it('a changed file is tested by its own test, else by the tests of its folder; a changed contract file also by the client’s test', () => {
  put('e2e/src/tabs.test.ts', 'new');
  expect(testsNear(root, ['server/src/price.ts'])).toEqual(['server/src/price.test.ts']);
  expect(testsNear(root, ['server/src/shares.ts'])).toEqual(['server/src/price.test.ts']);
  expect(
    testsNear(root, [
      'server/src/price.test.ts',
      'e2e/src/tabs.test.ts',
      'notes/page.md',
      'web/src/a.tsx',
    ]),
  ).toEqual(['server/src/price.test.ts']);
  put('contract/src/parcel.ts', 'new');
  expect(testsNear(root, ['contract/src/parcel.ts'])).toEqual(['client/src/generated.test.ts']);
});

it('a changed file belongs to the workspace that its path begins with, or to the root if its path begins with no workspace', () => {
  expect(['web/src/a.tsx', 'launch/say.mjs', 'start.mjs'].map(workspaceOf)).toEqual([
    'web',
    '.',
    '.',
  ]);
});
