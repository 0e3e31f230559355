import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checksOf, slicedTests } from './checks.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const server = join(root, 'server');
const testsBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => join(folder, path));

describe('the daily checks', () => {
  it('the daily checks include every test file of which npm test runs only a part', () => {
    const sliced = [...testsBelow(join(server, 'src')), ...testsBelow(join(root, 'verify', 'src'))]
      .filter((file) => file !== import.meta.filename)
      .filter((file) =>
        /testing\/slices\.ts|rolesInTurn|answersTo/.test(readFileSync(file, 'utf8')),
      );
    expect(sliced.toSorted()).toEqual(slicedTests.map((file) => join(server, file)).toSorted());
  });

  it('the daily checks run all browser tests of e2e, including those that npm test omits', () => {
    const journeys = checksOf(77).find(({ folder }) => folder === '../e2e');
    expect(journeys?.words).toEqual(['../node_modules/vitest/vitest.mjs', 'run']);
  });

  it('every program of the daily checks exists, and each program with the argument --seed gets a seed derived from the seed of the run', () => {
    const checks = checksOf(77);
    for (const { folder, words } of checks)
      expect(existsSync(join(root, 'verify', folder, words[0]!)), words[0]).toBe(true);
    expect(checks.filter(({ words }) => words.includes('--seed')).length).toBeGreaterThan(5);
    for (const { words } of checks)
      if (words.includes('--seed')) expect(words[words.indexOf('--seed') + 1]).toMatch(/^77/);
  });
});
