import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const timeout = 120_000;

/**
 * Runs a program and returns its output. If the program fails, throws an error with the program's
 * error text.
 */
export const outputOf = async (
  program: string,
  words: readonly string[],
  cwd?: string,
): Promise<string> =>
  (
    await run(program, words, { timeout, cwd, env: { ...process.env, LC_ALL: 'C.UTF-8' } })
  ).stdout.trim();

/** Calls `use` with a new folder, and removes the folder afterwards. */
export const inFolder = async <T>(use: (folder: string) => Promise<T>): Promise<T> => {
  const folder = await mkdtemp(join(tmpdir(), 'waystation-corpus-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/**
 * Converts a file with LibreOffice and a separate profile. `filter` consists of a file extension, a
 * filter and the options of the filter.
 */
export const byLibreOffice = (
  source: { name: string; bytes: Buffer | string },
  filter: string,
): Promise<Buffer> =>
  inFolder(async (folder) => {
    const file = join(folder, source.name);
    await writeFile(file, source.bytes);
    await mkdir(join(folder, 'out'));
    const words = [
      `-env:UserInstallation=file://${folder}/profile`,
      '--headless',
      '--convert-to',
      filter,
      '--outdir',
      join(folder, 'out'),
      file,
    ];
    await outputOf('soffice', words);
    const extension = filter.split(':')[0]!;
    return readFile(join(folder, 'out', source.name.replace(/\.[^.]+$/, `.${extension}`)));
  });

/** Converts a file with Gnumeric. */
export const byGnumeric = (
  source: { name: string; bytes: Buffer | string },
  words: readonly string[],
  name: string,
): Promise<Buffer> =>
  inFolder(async (folder) => {
    await writeFile(join(folder, source.name), source.bytes);
    await outputOf('ssconvert', [...words, join(folder, source.name), join(folder, name)]);
    return readFile(join(folder, name));
  });
