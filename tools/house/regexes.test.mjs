import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { expect, it } from 'vitest';
import { isExponential } from './regex-ambiguity.mjs';

const root = join(import.meta.dirname, '..', '..');
const apart = new Set([
  'node_modules',
  '.git',
  '.build',
  'data',
  'dist',
  'test-results',
  'reports',
]);
const filesBelow = (folder) =>
  readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !apart.has(name))
    .flatMap((entry) =>
      entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)],
    );

/** Every regular expression literal of the repository, with a file that contains it. */
const literals = () => {
  const found = new Map();
  for (const file of filesBelow(root).filter((name) => /\.(?:ts|tsx|mjs)$/.test(name))) {
    const { program } = parseSync(file, readFileSync(file, 'utf8'));
    new Visitor({
      Literal: ({ regex }) => {
        if (regex)
          found.set(`/${regex.pattern}/${regex.flags}`, { ...regex, file: relative(root, file) });
      },
    }).visit(program);
  }
  return [...found.values()];
};

it.each([
  '(a+)+',
  '(?:a|a)*b',
  '(\\s*,\\s*)*',
  '^(\\w+\\s?)*$',
  '(a*b*)*c',
  '([a-z]+.?)+@',
  '(?=(x+x+)+y)',
  '(?:\\d{1,}|\\w)+$',
])('the regular expression %s is recognized as taking exponential time', (source) => {
  expect(isExponential(source, 'u')).toBe(true);
});

it.each([
  'a+b+',
  '(?:,\\s*\\d+)*',
  '^(?:[^"]|"")*$',
  '(ab+)+',
  '[\\w.-]+@[\\w.-]+',
  '(?:\\d{3})+$',
  '(?<=a)b*',
  '(?:[\\d:]+ )*\\w*',
  '(?:a{1,3},)*',
])('the regular expression %s is recognized as not taking exponential time', (source) => {
  expect(isExponential(source, 'u')).toBe(false);
});

it('no regular expression in the repository takes exponential time', () => {
  const all = literals();
  expect(all.length).toBeGreaterThan(500);
  expect(
    all
      .filter(({ pattern, flags }) => isExponential(pattern, flags))
      .map(({ pattern, flags, file }) => `${file}: /${pattern}/${flags}`),
  ).toEqual([]);
});
