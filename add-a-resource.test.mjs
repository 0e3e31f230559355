import { execFile } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applyListing, copyWithListing, listingOf } from './launch/scratch.mjs';

const root = import.meta.dirname;
const page = readFileSync(join(root, 'docs', 'add-a-resource.md'), 'utf8');
const listing = listingOf(page);

/** Runs a program of node_modules; rejects with what it said where it does not end well. */
const run = async (copy, cwd, program, words) => {
  const env = { ...process.env, NODE_ENV: undefined, WAYSTATION_TEST_CLUSTER: undefined };
  await promisify(execFile)(process.execPath, [join(copy, 'node_modules', program), ...words], { cwd: join(copy, cwd), env, maxBuffer: 1 << 26 }).catch(
    ({ stdout, stderr }) => {
      throw new Error(`${program} ${words.join(' ')} in ${cwd}\n${stdout}\n${stderr}`);
    },
  );
};

describe('docs/add-a-resource.md', () => {
  it('adds a resource by at most 12 new files and 10 edits of one line', () => {
    const edits = listing.filter(({ after }) => after !== undefined);
    expect(listing.length - edits.length).toBeLessThanOrEqual(12);
    expect(edits.length).toBeLessThanOrEqual(10);
    expect(edits.filter(({ text }) => text.split('\n').length !== 2)).toEqual([]);
  });

  it('with a block of code that names no file is refused', () => {
    expect(() => listingOf(`${page}\n\`\`\`ts\nexport const a = 1;\n\`\`\`\n`)).toThrow('name their file');
  });

  it('with a line to insert after another that is not there is refused', () => {
    expect(() => applyListing(root, [{ path: 'server/src/resources.ts', after: 'as nothing', text: 'x\n' }])).toThrow('0 lines');
  });
});

describe('a copy of the checkout with the couriers of the page', () => {
  let copy;
  beforeAll(async () => {
    copy = await copyWithListing(root, run);
  }, 300_000);
  afterAll(() => rmSync(copy, { recursive: true, force: true }), 60_000);

  it.concurrent.each([
    ['format', '.', 'oxfmt/bin/oxfmt', ['--check', '.']],
    ['lint', '.', 'oxlint/bin/oxlint', ['-c', 'oxlint.config.mjs', '--quiet', '.']],
    ['no dead code', '.', 'knip/bin/knip.js', ['--no-progress', '--include', 'files,exports,types']],
    ['types in the server', '.', 'typescript/bin/tsc', ['-p', 'server', '--noEmit']],
    ['types in the web', '.', 'typescript/bin/tsc', ['-p', 'web', '--noEmit']],
    ['true docs', '.', 'vitest/vitest.mjs', ['run', 'docs.test.mjs']],
    ['texts and rooms of the web', 'web', 'vitest/vitest.mjs', ['run', '--testTimeout=60000', 'src/locales', 'src/imports.test.ts', 'src/base/guard.test.ts']],
    [
      'roles, bulk, export and rules of the server',
      'server',
      'vitest/vitest.mjs',
      ['run', 'couriers.test', 'exports.test', 'matrix.test', 'schema.test', 'apply-sql.test', '-t', 'courier|edition|generated'],
    ],
  ])('has %s', async (_, cwd, program, words) => run(copy, cwd, program, words), 300_000);
});
