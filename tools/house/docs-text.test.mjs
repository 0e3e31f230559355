import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const apart = new Set(['node_modules', '.git', '.build', 'data', 'dist', 'test-results']);
const filesBelow = (folder) =>
  readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !apart.has(name))
    .flatMap((entry) =>
      entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)],
    );
const read = (file) => readFileSync(join(root, file), 'utf8');
const pages = filesBelow(root)
  .map((file) => relative(root, file))
  .filter((file) => file.endsWith('.md'));

/** Each text is written in two halves, because this file itself must not contain it. */
const foreign = [
  ['/wo', 'rk/'],
  ['/ro', 'ot/'],
  ['/ho', 'me/'],
  ['/tm', 'p/'],
  ['sha', 'red/'],
  ['spe', 'c.md'],
  ['doma', 'in.md'],
  ['scre', 'ens.md'],
  ['loo', 'k.md'],
  ['qual', 'ity.md'],
  ['carrier-', 'facts'],
  ['regi', 'stry.'],
  ['sub', 'agent'],
  ['sub-', 'agent'],
  ['AI ', 'agent'],
  ['coding ', 'agent'],
  ['team', 'mate'],
  ['the bri', 'ef'],
  ['LL', 'M'],
  ['language mo', 'del'],
  ['cla', 'ude'],
  ['anth', 'ropic'],
  ['chat', 'gpt'],
].map((halves) => halves.join(''));

describe('the pages are self-contained', () => {
  it.each(pages)(
    '%s contains no word from the list of words about things outside this repository',
    (page) => {
      const text = read(page).toLowerCase();
      expect(foreign.filter((word) => text.includes(word.toLowerCase()))).toEqual([]);
    },
  );
});

describe('how much there is to read', () => {
  /** Counts words like `wc -w`, so that code blocks and the separators of tables are included. */
  const words = (files) =>
    files.reduce((sum, file) => sum + read(file).split(/\s+/).filter(Boolean).length, 0);
  /** The pages that a new contributor reads first (CONTRIBUTING.md). */
  const first = [
    'README.md',
    'CONTRIBUTING.md',
    'docs/architecture.md',
    'docs/glossary.md',
    'docs/web.md',
  ];
  const all = [...pages.filter((file) => file.startsWith('docs/')), 'README.md', 'CONTRIBUTING.md'];

  it('all pages of the documentation together have at most 45,000 words, including code blocks', () => {
    expect(all.length).toBeGreaterThan(55);
    expect(words(all)).toBeLessThanOrEqual(45_000);
  });

  it('the five pages that a new contributor reads first have at most 12,000 words together', () => {
    expect(words(first)).toBeLessThanOrEqual(12_000);
  });
});
