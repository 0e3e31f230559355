import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(root, 'docs', 'accessibility.md'), 'utf8');

/** The criteria of levels A and AA of WCAG 2.2, by guideline. */
const criteria = [
  ['1.1', [1]],
  ['1.2', [1, 2, 3, 4, 5]],
  ['1.3', [1, 2, 3, 4, 5]],
  ['1.4', [1, 2, 3, 4, 5, 10, 11, 12, 13]],
  ['2.1', [1, 2, 4]],
  ['2.2', [1, 2]],
  ['2.3', [1]],
  ['2.4', [1, 2, 3, 4, 5, 6, 7, 11]],
  ['2.5', [1, 2, 3, 4, 7, 8]],
  ['3.1', [1, 2]],
  ['3.2', [1, 2, 3, 4, 6]],
  ['3.3', [1, 2, 3, 4, 7, 8]],
  ['4.1', [2, 3]],
].flatMap(([guideline, numbers]) => numbers.map((number) => `${guideline}.${number}`));

/** The criteria that the rows of the page cover; `1.2.1 to 1.2.5` covers five. */
const namedBy = (text) =>
  [...text.matchAll(/(\d\.\d)\.(\d+)(?: to \1\.(\d+))?/g)].flatMap(([, guideline, first, last]) =>
    Array.from(
      { length: Number(last ?? first) - Number(first) + 1 },
      (_, index) => `${guideline}.${Number(first) + index}`,
    ),
  );

describe('the page about accessibility', () => {
  it('docs/accessibility.md has a row for every criterion of WCAG 2.2 A and AA', () => {
    const rows = page.split('\n').filter((line) => /^\| \d/.test(line));
    const named = new Set(rows.flatMap((row) => namedBy(row.split('|')[1])));
    expect(criteria.filter((criterion) => !named.has(criterion))).toEqual([]);
    expect(criteria).toHaveLength(55);
  });

  it('docs/accessibility.md mentions only tests that exist', () => {
    const tests = [...page.matchAll(/`([\w/.-]+\.test\.ts)`/g)].map(([, path]) => path);
    expect(tests.length).toBeGreaterThan(20);
    expect(tests.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});
