// Creates a copy of the repository to which the changes of the guides `docs/add-a-….md` are
// applied.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';

const block =
  /^(?:New file `([^`]+)`|In `([^`]+)`, after the (line|entry) with `([^`]+)`)[^\n]*:\n\n```\w+\n([\s\S]*?\n)```$/gm;

/**
 * The blocks of code of a guide, in their order: new files (`path`, `text`), and texts to insert
 * (`path`, `after`, `text`). A text is inserted after a line, or after the table entry that
 * contains the line, depending on `kind`. Throws if a block is neither of these.
 */
export const listingOf = (page) => {
  const found = [...page.matchAll(block)].map(([, created, edited, kind, after, text]) => ({
    path: created ?? edited,
    kind,
    after,
    text,
  }));
  const fences = [...page.matchAll(/^```\w+$/gm)].length;
  if (fences !== found.length)
    throw new Error(`${fences} blocks of code, of which ${found.length} name their file`);
  return found;
};

/**
 * The files of a repository as they are now: those in git, and new files that git does not ignore.
 */
const filesOf = (root) =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
    .split('\n')
    .filter((file) => file !== '' && existsSync(join(root, file)));

/**
 * Links each package separately, so that those which are workspaces are links to the copy's
 * workspaces.
 */
const linkPackages = (root, copy) => {
  const [from, to] = [join(root, 'node_modules'), join(copy, 'node_modules')];
  mkdirSync(join(to, '@waystation'), { recursive: true });
  for (const name of readdirSync(from).filter((one) => one !== '@waystation'))
    symlinkSync(join(from, name), join(to, name));
  for (const name of readdirSync(join(from, '@waystation'))) {
    const workspace = relative(realpathSync(root), realpathSync(join(from, '@waystation', name)));
    symlinkSync(join(copy, workspace), join(to, '@waystation', name));
  }
};

/**
 * Copies the repository at `root` into a new folder in the system's folder for temporary files, and
 * returns the path of the copy.
 */
export const copyCheckout = (root) => {
  const copy = mkdtempSync(join(tmpdir(), 'waystation-copy-'));
  // If the tests run as root, PostgreSQL runs as another account, which needs access to this
  // folder.
  chmodSync(copy, 0o755);
  for (const file of filesOf(root)) {
    mkdirSync(join(copy, dirname(file)), { recursive: true });
    copyFileSync(join(root, file), join(copy, file));
  }
  linkPackages(root, copy);
  return copy;
};

const nextMigration = (root) => {
  const numbers = readdirSync(join(root, 'server', 'migrations')).map((name) =>
    Number.parseInt(name, 10),
  );
  return String(Math.max(...numbers) + 1).padStart(4, '0');
};

/**
 * Applies the changes of a guide to a copy of the repository; `NNNN` in a path becomes the next
 * number of a migration. Throws if a file already exists, or if a line does not occur exactly once.
 */
export const applyListing = (root, listing) => {
  for (const { path, kind, after, text } of listing) {
    const file = join(root, path.replace('NNNN', nextMigration(root)));
    if (after === undefined) {
      if (existsSync(file)) throw new Error(`${path} exists already`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    } else {
      const lines = readFileSync(file, 'utf8').split('\n');
      const places = lines.flatMap((line, at) => (line.includes(after) ? [at] : []));
      if (places.length !== 1) throw new Error(`${path} has ${places.length} lines with ${after}`);
      const end =
        kind === 'entry'
          ? lines.findIndex((line, at) => at > places[0] && /^ {2}\}\)?,$/.test(line))
          : places[0];
      lines.splice(end + 1, 0, ...text.slice(0, -1).split('\n'));
      writeFileSync(file, lines.join('\n'));
    }
  }
};

/** The guides whose listings are applied, in this order. */
export const listedPages = ['add-a-resource', 'add-a-task', 'add-a-carrier'];

export const readListing = (root, page) =>
  listingOf(readFileSync(join(root, 'docs', `${page}.md`), 'utf8'));

/** A copy of the repository with the changes of all guides applied. */
export const copyWithoutGenerated = (root) => {
  const copy = copyCheckout(root);
  for (const page of listedPages) applyListing(copy, readListing(root, page));
  // The test is removed, because in the copy it would create another copy.
  rmSync(join(copy, 'tools', 'house', 'listings.test.mjs'));
  return copy;
};

/**
 * A copy of the repository to which all guides are applied and in which the generated files are
 * written. `run` runs a program of node_modules in one of its folders.
 */
export const copyWithListings = async (root, run) => {
  const copy = copyWithoutGenerated(root);
  for (const [workspace, test] of [
    ['server', 'src/platform/db/schema.test.ts'],
    ['web', 'src/generated.test.ts'],
  ])
    await run(copy, workspace, 'vitest/vitest.mjs', ['run', test, '--update']);
  return copy;
};
