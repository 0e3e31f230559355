import { execFile } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  applyListing,
  copyWithListings,
  copyWithoutGenerated,
  listedPages,
  listingOf,
  readListing,
} from '#launch/scratch.mjs';
import { compilerEnv } from '#launch/checks.mjs';

const root = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(root, 'docs', 'add-a-resource.md'), 'utf8');
const isEdit = ({ after }) => after !== undefined;
const isOneLine = (text) => text.split('\n').length === 2;
/**
 * True if the text is one entry of a table: its first and last lines are indented by two spaces,
 * and the others by more.
 */
const isOneEntry = (text) => /^ {2}(?:\S[^\n]*)?\{\n(?: {3}[^\n]*\n)+ {2}\}\)?,\n$/.test(text);

/** Runs a program of node_modules; rejects with its output if it fails. */
const run = async (copy, cwd, program, words) => {
  const env = {
    ...process.env,
    NODE_ENV: undefined,
    WAYSTATION_TEST_CLUSTER: undefined,
    ...compilerEnv,
  };
  await promisify(execFile)(process.execPath, [join(copy, 'node_modules', program), ...words], {
    cwd: join(copy, cwd),
    env,
    maxBuffer: 1 << 26,
  }).catch(({ stdout, stderr }) => {
    throw new Error(`${program} ${words.join(' ')} in ${cwd}\n${stdout}\n${stderr}`);
  });
};

describe('a page that adds something', () => {
  it.each([
    ['add-a-resource', 12, 6],
    ['add-a-task', 2, 2],
    ['add-a-carrier', 2, 5],
  ])(
    'the guide %s adds at most %i files and makes at most %i edits, each of one line or one entry',
    (name, files, edits) => {
      const listing = readListing(root, name);
      const edited = listing.filter(isEdit);
      expect(listing.length - edited.length).toBeLessThanOrEqual(files);
      expect(edited.length).toBeLessThanOrEqual(edits);
      expect(edited.filter(({ text }) => !isOneLine(text) && !isOneEntry(text))).toEqual([]);
    },
  );

  it('every guide named add-a-….md is tested', () => {
    const pages = readdirSync(join(root, 'docs')).filter((file) => file.startsWith('add-a-'));
    expect(pages.map((file) => file.replace('.md', '')).toSorted()).toEqual(listedPages.toSorted());
  });

  it('a guide is refused if one of its code blocks does not state the file that it belongs to', () => {
    expect(() => listingOf(`${page}\n\`\`\`ts\nexport const a = 1;\n\`\`\`\n`)).toThrow(
      'name their file',
    );
  });

  it('a guide is refused if it inserts text after a line that the file does not have', () => {
    expect(() =>
      applyListing(root, [{ path: 'server/src/features.ts', after: 'as nothing', text: 'x\n' }]),
    ).toThrow('0 lines');
  });
});

const apart = new Set(['node_modules', '.build', 'dist']);
const filesBelow = (folder) =>
  readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !apart.has(name))
    .flatMap((entry) =>
      entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)],
    );
/**
 * The files that the guides add or change, including generated ones. All other files are checked in
 * the repository itself.
 */
const changedIn = (copy) =>
  filesBelow(copy)
    .map((file) => relative(copy, file))
    .filter(
      (file) =>
        !existsSync(join(root, file)) ||
        !readFileSync(join(root, file)).equals(readFileSync(join(copy, file))),
    );

/** True for files that the linter checks. */
const isCode = (file) => /\.(?:ts|tsx|mjs)$/.test(file);

it('the code in the guides can be applied to this repository, and the files that it adds or changes pass the formatter and the linter', async () => {
  const copy = copyWithoutGenerated(root);
  try {
    const files = changedIn(copy);
    expect(files.length).toBeGreaterThan(20);
    await run(copy, '.', 'oxfmt/bin/oxfmt', [
      '--check',
      '--no-error-on-unmatched-pattern',
      ...files,
    ]);
    await run(copy, '.', 'oxlint/bin/oxlint', [
      '-c',
      'oxlint.config.mjs',
      '--quiet',
      ...files.filter(isCode),
    ]);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
});

/**
 * Checks types, dead code and tests of a copy with the guides' changes. It runs daily only, because
 * it checks the whole repository again.
 */
const isDaily = process.env.WAYSTATION_TEST_DAILY !== undefined;

if (isDaily)
  describe('a copy of the checkout with what the pages add', () => {
    let copy;
    beforeAll(async () => {
      copy = await copyWithListings(root, run);
    });
    afterAll(() => rmSync(copy, { recursive: true, force: true }));

    it('the files that the guides add or change pass the formatter and the linter', async () => {
      const files = changedIn(copy);
      expect(files.length).toBeGreaterThan(20);
      const code = files.filter((file) => /\.(?:ts|tsx|mjs)$/.test(file));
      await run(copy, '.', 'oxfmt/bin/oxfmt', [
        '--check',
        '--no-error-on-unmatched-pattern',
        ...files,
      ]);
      await run(copy, '.', 'oxlint/bin/oxlint', ['-c', 'oxlint.config.mjs', '--quiet', ...code]);
    });

    it.concurrent('the example adapter of the carrier guide passes the conformance kit', async () => {
      const token = 'toy-token-0123456789';
      const { openToyCarrier } = await import(
        join(root, 'verify', 'src', 'conformance', 'toy', 'toy-carrier.ts')
      );
      const carrier = await openToyCarrier(token);
      const account = join(copy, 'account.json');
      writeFileSync(
        account,
        JSON.stringify({ access_token: token, customer_code: 'C1', product: 'x' }),
      );
      try {
        await run(copy, 'verify', '../verify/src/conformance/run.ts', [
          'zto',
          '--at',
          carrier.url,
          '--account',
          account,
        ]);
      } finally {
        await carrier.close();
      }
    });

    it.concurrent.each([
      [
        'no dead code',
        '.',
        'knip/bin/knip.js',
        ['--no-progress', '--include', 'files,exports,types'],
      ],
      ...['server', 'web', 'verify'].map((workspace) => [
        `types in the ${workspace}`,
        '.',
        'typescript/bin/tsc',
        ['-p', workspace, '--noEmit', '--singleThreaded'],
      ]),
      [
        'true docs and plain words',
        '.',
        'vitest/vitest.mjs',
        ['run', 'tools/house/docs.test.mjs', 'tools/house/words.test.mjs'],
      ],
      [
        'texts and rooms of the web',
        'web',
        'vitest/vitest.mjs',
        [
          'run',
          '--no-isolate',
          '--maxWorkers=1',
          'src/locales',
          'src/imports.test.ts',
          'src/base/guard.test.ts',
        ],
      ],
      [
        'roles, bulk, export and rules of the server',
        'server',
        'vitest/vitest.mjs',
        [
          'run',
          // With several workers, each would read the whole server's code.
          '--maxWorkers=1',
          'couriers.test',
          'old-alerts.test',
          'carriers/zto',
          'carriers/carriers.test',
          'src/tasks.test',
          'exports.test',
          'matrix.test',
          'schema.test',
          'apply-sql.test',
          '-t',
          'courier|edition|generated|alert|business error|adapter|offered|every background task',
        ],
      ],
    ])(
      'a copy of the repository with the additions of all guides passes the check for %s',
      async (_, cwd, program, words) => run(copy, cwd, program, words),
    );
  });
