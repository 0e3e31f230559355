import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { needsOwner } from './prepare-lock.mjs';
import { progress, UserError } from './say.mjs';
import { plainEnv, runTask } from './tasks.mjs';

const sources = ['web', 'contract', 'package-lock.json', 'tsconfig.base.json'];
const apart = (name) => name === 'node_modules' || name === 'dist' || /\.test\.tsx?$/.test(name);

const filesBelow = (path) => {
  const entries = readdirSync(path, { withFileTypes: true }).filter((entry) => !apart(entry.name));
  return entries.flatMap((entry) =>
    entry.isDirectory() ? filesBelow(join(path, entry.name)) : [join(path, entry.name)],
  );
};

/** One hash over everything that the built web depends on, including the settings of the build. */
export const webSources = (root) => {
  const hash = createHash('sha256');
  const files = sources.flatMap((name) =>
    name.includes('.') ? [join(root, name)] : filesBelow(join(root, name)),
  );
  for (const file of files.toSorted())
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  for (const name of Object.keys(process.env)
    .filter((one) => one.startsWith('VITE_'))
    .toSorted())
    hash.update(`${name}=${process.env[name]}\0`);
  return hash.digest('hex');
};

const dist = (root) => join(root, 'web', 'dist');
const stamp = (folder) => join(folder, '.built-from');

export const isBuilt = (root) => {
  try {
    return (
      existsSync(join(dist(root), 'index.html')) &&
      readFileSync(stamp(dist(root)), 'utf8') === webSources(root)
    );
  } catch (error) {
    if (error.code === 'ENOENT') return false;
    throw error;
  }
};

/**
 * Builds into a second folder, and exchanges the two folders at the end. An interrupted build
 * therefore changes nothing, and a running product can be used meanwhile.
 */
export const build = async (root, node, started) => {
  const made = join(root, '.build', 'web');
  const old = join(root, '.build', 'web-old');
  const from = webSources(root);
  const shown = progress('Building the web');
  try {
    rmSync(made, { recursive: true, force: true });
    const words = [
      join(root, 'node_modules', 'vite', 'bin', 'vite.js'),
      'build',
      '--outDir',
      made,
      '--emptyOutDir',
      '--logLevel',
      'warn',
    ];
    const { code, output } = await runTask(node, words, {
      cwd: join(root, 'web'),
      env: { ...plainEnv(root), NODE_ENV: 'production' },
      started,
    });
    if (code !== 0)
      throw new UserError(`The web could not be built; the builder said:\n${output.trim()}`);
    writeFileSync(stamp(made), from);
    rmSync(old, { recursive: true, force: true });
    if (existsSync(dist(root))) renameSync(dist(root), old);
    renameSync(made, dist(root));
    rmSync(old, { recursive: true, force: true });
  } catch (error) {
    shown.end();
    if (error instanceof UserError) throw error;
    needsOwner(root, error);
  }
  shown.done('Built the web');
};
