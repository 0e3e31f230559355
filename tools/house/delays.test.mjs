import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const workspaces = [
  'carrier-sim',
  'client',
  'contract',
  'e2e',
  'launch',
  'server',
  'verify',
  'web',
];
const tests = workspaces.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .filter((path) => /\.test\.(?:ts|tsx|mjs)$/.test(path) && !path.includes('node_modules'))
    .map((path) => join(folder, path)),
);
const delay = /\bsetTimeout\(|\bwaitForTimeout\(|timers\/promises/;

/**
 * The lines of a test that wait for a fixed time. Waits with fake timers are left out. Waits with a
 * comment that gives the reason are left out too.
 */
const delaysIn = (text) => {
  if (text.includes('useFakeTimers')) return [];
  const lines = text.split('\n');
  return lines.filter((line, at) => delay.test(line) && !lines[at - 1]?.includes('// real delay:'));
};

/**
 * Matches time limits given in milliseconds or seconds in a test. `launch/limits.mjs` has the
 * limits that follow the machine's speed.
 */
const fixedLimit =
  /\b(?:poll|waitFor\w*|waitUntil)\([^;]*?\btimeout: \d|\b(?:describe|it|test)\((?:(?!=>)[^;])*?\{ timeout: \d/;

it('no test has a fixed timeout, because timeouts must depend on the speed of the machine', () => {
  for (const text of [
    'await expect.poll(() => found(), { timeout: 10_000 }).toBe(1);',
    "it('is found', { timeout: 30_000 }, async () => {",
  ])
    expect(text).toMatch(fixedLimit);
  expect(tests.filter((file) => fixedLimit.test(readFileSync(join(root, file), 'utf8')))).toEqual(
    [],
  );
});

it('a test waits for a fixed time only if the line above the delay explains it with "// real delay: …"', () => {
  expect(delaysIn('  await done();\n  setTimeout(resolve, 100);')).toHaveLength(1);
  expect(tests.length).toBeGreaterThan(100);
  expect(
    tests.flatMap((file) =>
      delaysIn(readFileSync(join(root, file), 'utf8')).map((line) => `${file}: ${line.trim()}`),
    ),
  ).toEqual([]);
});
