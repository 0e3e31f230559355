// A copy of the checkout to which the listing of docs/add-a-resource.md is applied.
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

const block = /^(?:New file `([^`]+)`|In `([^`]+)`, after the line with `([^`]+)`)[^\n]*:\n\n```\w+\n([\s\S]*?\n)```$/gm;

/** The blocks of a page in their order: new files (`path`, `text`) and lines to insert (`path`, `after`, `text`). Throws where a block of code is neither. */
export const listingOf = (page) => {
  const found = [...page.matchAll(block)].map(([, created, edited, after, text]) => ({ path: created ?? edited, after, text }));
  const fences = [...page.matchAll(/^```\w+$/gm)].length;
  if (fences !== found.length) throw new Error(`${fences} blocks of code, of which ${found.length} name their file`);
  return found;
};

/** The files of a checkout as they are now: those git knows, and new ones that it does not ignore. */
const filesOf = (root) =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 })
    .split('\n')
    .filter((file) => file !== '' && existsSync(join(root, file)));

/** Packages are linked one by one, so that the workspaces among them are the copy's own. */
const linkPackages = (root, copy) => {
  const [from, to] = [join(root, 'node_modules'), join(copy, 'node_modules')];
  mkdirSync(join(to, '@waystation'), { recursive: true });
  for (const name of readdirSync(from).filter((one) => one !== '@waystation')) symlinkSync(join(from, name), join(to, name));
  for (const name of readdirSync(join(from, '@waystation'))) {
    const workspace = relative(realpathSync(root), realpathSync(join(from, '@waystation', name)));
    symlinkSync(join(copy, workspace), join(to, '@waystation', name));
  }
};

/** Copies the checkout at `root` into a new folder below the system's temporary one, and answers its path. */
export const copyCheckout = (root) => {
  const copy = mkdtempSync(join(tmpdir(), 'waystation-copy-'));
  // PostgreSQL, which runs as another account where the tests run as root, enters it.
  chmodSync(copy, 0o755);
  for (const file of filesOf(root)) {
    mkdirSync(join(copy, dirname(file)), { recursive: true });
    copyFileSync(join(root, file), join(copy, file));
  }
  linkPackages(root, copy);
  return copy;
};

const nextMigration = (root) => {
  const numbers = readdirSync(join(root, 'server', 'migrations')).map((name) => Number.parseInt(name, 10));
  return String(Math.max(...numbers) + 1).padStart(4, '0');
};

/** Writes a listing into a checkout; `NNNN` in a path is the next number of a migration. Throws where a file exists already, or a line is not there once. */
export const applyListing = (root, listing) => {
  for (const { path, after, text } of listing) {
    const file = join(root, path.replace('NNNN', nextMigration(root)));
    if (after === undefined) {
      if (existsSync(file)) throw new Error(`${path} exists already`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    } else {
      const lines = readFileSync(file, 'utf8').split('\n');
      const places = lines.flatMap((line, at) => (line.includes(after) ? [at] : []));
      if (places.length !== 1) throw new Error(`${path} has ${places.length} lines with ${after}`);
      lines.splice(places[0] + 1, 0, ...text.slice(0, -1).split('\n'));
      writeFileSync(file, lines.join('\n'));
    }
  }
};

/** A copy with the listing of the page applied and the generated files written; `run` runs a program of node_modules in a folder of it. */
export const copyWithListing = async (root, run) => {
  const copy = copyCheckout(root);
  applyListing(copy, listingOf(readFileSync(join(root, 'docs', 'add-a-resource.md'), 'utf8')));
  // Or the copy would apply the listing to a copy of itself.
  rmSync(join(copy, 'add-a-resource.test.mjs'));
  await run(copy, 'server', 'vitest/vitest.mjs', ['run', 'src/platform/db/schema.test.ts', '--update']);
  return copy;
};
