import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const apart = new Set([
  'node_modules',
  '.git',
  '.build',
  'data',
  'dist',
  'test-results',
  'reports',
  'migrations',
]);
const filesBelow = (folder) =>
  readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !apart.has(name))
    .flatMap((entry) =>
      entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)],
    );
const files = filesBelow(root)
  .map((file) => relative(root, file))
  .filter((file) => /\.(?:ts|tsx|mjs|sql|md)$/.test(file) && file !== 'tools/house/words.test.mjs');

/**
 * The patterns that comments, test names and documents must not contain, each with a plain word
 * instead and the files that may use it.
 */
const rejected = [
  { pattern: /\breckon(?:s|ed|ing)?\b/i, plain: 'calculate', allowed: ['docs/glossary.md'] },
  { pattern: /\bnoughts?\b/i, plain: 'zero' },
  { pattern: /\banew\b/i, plain: 'again', allowed: ['docs/glossary.md'] },
  { pattern: /\bwhoever\b/i, plain: 'the user who, a person who' },
  { pattern: /\btold\b/i, plain: 'reported, shown, sent; distinguished' },
  { pattern: /\bone['’]s own\b/i, plain: "the user's, the actor's" },
  { pattern: /\bas answered\b/i, plain: 'in a response' },
  { pattern: /\bunless (?:said|told|asked)\b/i, plain: 'by default' },
  { pattern: /\bmend(?:s|ed|ing)?\b/i, plain: 'correct' },
  {
    pattern:
      /\b(?:stands?|stood) (?:in|on|at|under|behind|beside|between|apart|elsewhere|twice|once)\b/i,
    plain: 'is in, is listed, appears',
  },
];

const commentsOf = (text) =>
  [...text.matchAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/gm)].map(([comment]) => comment);
/**
 * Matches the call that declares a test or a group of tests, including `inBrowserDaily`, `itDaily`
 * and similar functions.
 */
const declared =
  /^[ \t]*(?:it|test|describe|inBrowser)(?:[A-Z]\w*)?(?:\.[a-z]+)*\(\s*(['"`])(.*?)\1/gms;
/**
 * Matches `it.each(…)('name'`, that is the name of tests with a table. The table may end on the
 * same line or on a later line.
 */
const declaredOfTable = /^[ \t]*(?:(?:it|test|describe)\.[^'"`\n]*\)|[\])]+)\(\s*(['"`])(.*?)\1/gms;
const namesOf = (text) =>
  [declared, declaredOfTable].flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, , name]) => name),
  );
const proseOf = (file, text) => {
  if (file.endsWith('.md')) return text.replace(/`[^`\n]*`/g, '').split('\n');
  if (file.endsWith('.sql')) return [...text.matchAll(/--[^\n]*/g)].map(([comment]) => comment);
  return [...commentsOf(text), ...(file.includes('.test.') ? namesOf(text) : [])];
};
const rejectedIn = (file, text) =>
  rejected
    .filter(({ allowed = [] }) => !allowed.includes(file))
    .flatMap(({ pattern, plain }) =>
      proseOf(file, text)
        .filter((line) => pattern.test(line))
        .map((line) => `${file}: ${line.trim()} → ${plain}`),
    );

/** The folders in which a comment must begin with its subject or an imperative. */
const plainFolders = [
  'web',
  'contract',
  'e2e',
  'verify',
  'bench',
  'carrier-sim',
  'client/src',
  'tools',
  'launch',
  'server/src',
];
const isPlain = (file) => plainFolders.some((folder) => file.startsWith(`${folder}/`));
/** Returns block comments, and consecutive line comments joined to one text. */
const wholeComments = (file, text) => {
  const pattern = file.endsWith('.sql')
    ? /(?<=^|\s)--[^\n]*(?:\n\s*--[^\n]*)*/gm
    : /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*(?:\n\s*\/\/[^\n]*)*/gm;
  return [...text.matchAll(pattern)].map(([comment]) =>
    comment.replace(/^(?:\/[*/]+|-+)[\s*]*/, ''),
  );
};
const withoutSubject = (file, text) =>
  wholeComments(file, text)
    .filter((comment) => /^(?:What|Of|Whose|Who|Which|Those|That|As)\b(?![^.]*\?)/.test(comment))
    .map((comment) => `${file}: ${comment.split('\n')[0].trim()}`);

it('a comment that begins with “What”, “Whose” or a similar word is reported, unless it is a question', () => {
  expect(withoutSubject('a.ts', '/** What a user sees. */\nconst a = 1; // As sent.')).toEqual([
    'a.ts: What a user sees. */',
    'a.ts: As sent.',
  ]);
  expect(withoutSubject('a.ts', '/**\n * Whose it is.\n */')).toHaveLength(1);
  expect(withoutSubject('a.sql', '  -- Those below.\nselect 1')).toHaveLength(1);
  expect(withoutSubject('a.ts', '// Which one is it?')).toEqual([]);
  expect(withoutSubject('a.ts', '// The rows of the list, and\n// of which one is open.')).toEqual(
    [],
  );
});

it('no comment in the folders listed here begins with a refused word such as What, Of or As', () => {
  const sources = filesBelow(root)
    .map((file) => relative(root, file))
    .filter((file) => isPlain(file) && /\.(?:ts|tsx|mjs|sql|css)$/.test(file))
    .filter((file) => file !== 'tools/house/words.test.mjs');
  expect(sources.length).toBeGreaterThan(500);
  expect(
    sources.flatMap((file) => withoutSubject(file, readFileSync(join(root, file), 'utf8'))),
  ).toEqual([]);
});

it('a rejected word is reported in a comment, a test name or a document, but not in code', () => {
  expect(rejectedIn('a.ts', '/** Whoever asks. */\nconst told = 1;')).toEqual([
    'a.ts: /** Whoever asks. */ → the user who, a person who',
  ]);
  expect(rejectedIn('a.test.ts', "  it('is made anew', () => {});")).toHaveLength(1);
  expect(rejectedIn('a.md', 'The alert stands on the screen; `told` is a name.')).toHaveLength(1);
});

it.each([
  ['on the line of its call', "  inBrowserDaily('is read', async () => {});"],
  ['below its call', "itDaily(\n  'is read',\n  async () => {},\n);"],
  ['after a table in one line', "it.each(rows)('is read', () => {});"],
  ['after a table in several lines', "it.each([\n  ['a', 1],\n])('is read', () => {});"],
])('the name of a test is found if it is %s', (_place, text) => {
  expect(namesOf(text)).toEqual(['is read']);
});

it('no test name begins with “is” or “are”', () => {
  const tests = files.filter((file) => file.includes('.test.'));
  const lacking = tests.flatMap((file) =>
    namesOf(readFileSync(join(root, file), 'utf8')).filter((name) => /^(?:is|are) /.test(name)),
  );
  expect(lacking).toEqual([]);
});

it('no comment, test name or document uses a rejected word', () => {
  expect(files.length).toBeGreaterThan(500);
  expect(files.flatMap((file) => rejectedIn(file, readFileSync(join(root, file), 'utf8')))).toEqual(
    [],
  );
});
