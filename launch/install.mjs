import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { needsOwner } from './prepare-lock.mjs';
import { progress, UserError } from './say.mjs';
import { plainEnv, runTask } from './tasks.mjs';

const packagesOf = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return null;
  }
};

/** True if a list such as ["linux"] or ["!win32"] permits this machine. */
const admits = (list, here) => {
  if (!list || here === undefined) return true;
  const names = [list].flat();
  if (names.includes(`!${here}`)) return false;
  return (
    names.every((name) => name.startsWith('!')) || names.includes(here) || names.includes('any')
  );
};

let glibc;

/**
 * True if programs for glibc can run here: everywhere except on a Linux with another C library.
 * Node is asked only once, because its report is slow.
 */
export const hasGlibc = () => {
  if (process.platform !== 'linux') return true;
  if (process.report) process.report.excludeNetwork = true;
  glibc ??= process.report?.getReport().header.glibcVersionRuntime !== undefined;
  return glibc;
};

const belongsHere = (entry) => {
  const libc = process.platform === 'linux' ? (hasGlibc() ? 'glibc' : 'musl') : undefined;
  return (
    admits(entry.os, process.platform) &&
    admits(entry.cpu, process.arch) &&
    admits(entry.libc, libc)
  );
};

/** True if the entry of the lock file is a folder of this repository, or a link to one. */
const isOwn = (path, { link }) => link === true || !path.includes('node_modules/');

/**
 * Creates missing links to workspaces without downloading anything. This is enough if a workspace
 * was added after the packages were installed.
 */
export const linkWorkspaces = (root) => {
  if (!existsSync(join(root, 'node_modules'))) return;
  for (const [path, { link, resolved }] of Object.entries(
    packagesOf(join(root, 'package-lock.json')) ?? {},
  )) {
    const from = join(root, path);
    const to = join(root, resolved ?? '');
    if (!link || existsSync(from) || !existsSync(to)) continue;
    try {
      mkdirSync(dirname(from), { recursive: true });
      // On Windows a junction needs an absolute path. Elsewhere the link is relative, so that it
      // may be copied together with the repository.
      symlinkSync(
        process.platform === 'win32' ? to : relative(dirname(from), to),
        from,
        'junction',
      );
    } catch {
      // The installation will create the link, or report why it cannot.
    }
  }
};

/**
 * True if node_modules has the packages of the lock file. The list that npm writes at the end of an
 * installation is used, so that an interrupted installation is noticed. An optional package may be
 * missing if it is for another platform. It may also be missing if it names no platform, because
 * perhaps only a package for another platform needs it. If `tests` is false, packages that only
 * checks and tests need may be missing too.
 */
export const isInstalled = (root, { tests = true } = {}) => {
  const wanted = packagesOf(join(root, 'package-lock.json'));
  const there = packagesOf(join(root, 'node_modules', '.package-lock.json'));
  if (!wanted || !there) return false;
  for (const [path, entry] of Object.entries(wanted)) {
    if (path === '') continue;
    const found = there[path];
    if (!found) {
      if (isOwn(path, entry) && existsSync(join(root, path))) continue;
      if (!tests && (entry.dev || entry.devOptional)) continue;
      if (!entry.optional || ((entry.os || entry.cpu) && belongsHere(entry))) return false;
    } else if (
      found.version !== entry.version ||
      found.integrity !== entry.integrity ||
      Boolean(found.link) !== Boolean(entry.link)
    )
      return false;
  }
  return Object.keys(there).every((path) => wanted[path]);
};

const networkTrouble =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENETDOWN|ERR_SOCKET_TIMEOUT|UNABLE_TO_GET_ISSUER_CERT\w*|SELF_SIGNED_CERT_IN_CHAIN|CERT_\w+)\b/;

/** A sentence that explains a message of npm; null if the message is not known. */
const problemOf = (root, output) => {
  const code = /npm (?:error|ERR!) code (\S+)/.exec(output)?.[1] ?? '';
  if (code === 'EUSAGE')
    return 'package-lock.json does not name every package that the package.json files ask for: run "npm install" once, and keep the lock file it writes.';
  if (networkTrouble.test(output))
    return `The packages could not be fetched, since npm does not reach its registry (${networkTrouble.exec(output)[0]}): check the network, or npm's proxy and registry settings ("npm config list"), and start again.`;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return 'The disk is full, so that the packages could not be installed (they take about 1.2 GB): free some space and start again.';
  if (['EACCES', 'EPERM', 'EROFS'].includes(code)) {
    const path = /npm (?:error|ERR!) path (.+)/.exec(output)?.[1] ?? join(root, 'node_modules');
    return `npm has no write permission for ${path}: run "npm start" once as the owner of that folder, or use a copy of your own.`;
  }
  if (/^E4\d\d$/.test(code) || code === 'ETARGET')
    return `The registry that npm is set to does not hand out a package this needs (${code}): look at "npm config get registry", and start again.`;
  if (code === 'EINTEGRITY')
    return 'A package from the registry is not the one that package-lock.json names (EINTEGRITY): clear npm\'s cache ("npm cache clean --force") and start again.';
  return null;
};

/** Runs the npm in PATH, or else the npm beside the Node that runs this script. */
const runNpm = async (root, words, started) => {
  const options = { cwd: root, env: plainEnv(root), started };
  try {
    return await runTask('npm', words, options);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  const { npm_execpath: script, npm_node_execpath: node = process.execPath } = process.env;
  if (script?.endsWith('npm-cli.js') && existsSync(script))
    return runTask(node, [script, ...words], options);
  throw new UserError(
    'npm was not found: install Node.js together with npm (https://nodejs.org), and start again.',
  );
};

/**
 * Runs `npm ci`; without `tests` it leaves out the packages that only checks and tests need. If the
 * product's own packages are already installed, they stay and only missing packages are added,
 * because a running product may use them. Throws a UserError if the installation cannot work.
 */
export const install = async (root, { tests }, started) => {
  if (!existsSync(join(root, 'package-lock.json')))
    throw new UserError(
      `${join(root, 'package-lock.json')} is missing: get the whole repository again.`,
    );
  const shown = progress('Installing the packages (the first time this takes a minute or two)');
  const way = tests && isInstalled(root, { tests: false }) ? ['install', '--no-save'] : ['ci'];
  const words = [
    ...way,
    '--loglevel=error',
    '--no-audit',
    '--no-fund',
    tests ? '--include=dev' : '--omit=dev',
    '--include=optional',
  ];
  let result;
  try {
    // The registry is checked first, because without a network npm tries to load every package for
    // minutes. npm's cache may have the packages even if there is no network.
    const ping = await runNpm(
      root,
      [
        'ping',
        '--loglevel=error',
        '--fetch-retries=1',
        '--fetch-retry-mintimeout=500',
        '--fetch-timeout=15000',
      ],
      started,
    );
    const away = ping.code !== 0 && networkTrouble.exec(ping.output)?.[0];
    result = await runNpm(root, away ? [...words, '--offline'] : words, started);
    if (away && /ENOTCACHED/.test(result.output)) result.output = away;
  } catch (error) {
    shown.end();
    if (error instanceof UserError) throw error;
    needsOwner(root, error);
  }
  if (result.code === 0) return shown.done('Installed the packages');
  shown.end();
  throw new UserError(
    problemOf(root, result.output) ??
      `The packages could not be installed; npm said:\n${result.output.trim()}`,
  );
};
