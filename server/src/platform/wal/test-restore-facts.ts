import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onePiece, writeWhole } from './wal-files.ts';

/** The facts of the last test restore of an archive, and of the last one that was verified. */
export interface TestRestoreFacts {
  format: 1;
  /** The time at which the last test restore began. */
  at: string;
  /**
   * False while the test restore runs, and after it was killed; facts of earlier versions lack this
   * field.
   */
  ended?: boolean;
  /** The problem of the last test restore that has ended; null if it was successful. */
  problem: string | null;
  verified_at: string | null;
}

/**
 * The file with the facts of test restores is stored in the archive. A restored or moved database
 * begins another archive, for which no test restore was made yet.
 */
const file = 'test-restore.json';

const isFacts = (value: unknown): value is TestRestoreFacts => {
  const { format, at, ended, problem, verified_at } = (value ?? {}) as Partial<TestRestoreFacts>;
  return (
    format === 1 &&
    !Number.isNaN(Date.parse(at ?? '')) &&
    (ended === undefined || typeof ended === 'boolean') &&
    (problem === null || typeof problem === 'string') &&
    (verified_at === null || !Number.isNaN(Date.parse(verified_at ?? '')))
  );
};

/** Reads the facts of an archive's test restores; null if there was none. */
export const readTestRestore = async (folder: string): Promise<TestRestoreFacts | null> => {
  const facts = await readFile(join(folder, file), 'utf8')
    .then(JSON.parse)
    .catch(() => null);
  return isFacts(facts) ? facts : null;
};

const write = (folder: string, facts: TestRestoreFacts): Promise<void> =>
  writeWhole(folder, file, onePiece(Buffer.from(`${JSON.stringify(facts)}\n`)));

/**
 * Records the start of a test restore before its work begins. If its process dies, the test restore
 * then counts as failed.
 */
export const beginTestRestore = async (folder: string, begun: Date): Promise<void> => {
  const before = await readTestRestore(folder);
  await write(folder, {
    format: 1,
    at: begun.toISOString(),
    ended: false,
    problem: before?.problem ?? null,
    verified_at: before?.verified_at ?? null,
  });
};

/**
 * Records the end of a test restore. If it failed, the time of the last verified test restore is
 * kept.
 */
export const endTestRestore = async (
  folder: string,
  begun: Date,
  problem: string | null,
): Promise<void> => {
  const at = begun.toISOString();
  const verified_at =
    problem === null ? at : ((await readTestRestore(folder))?.verified_at ?? null);
  await write(folder, { format: 1, at, ended: true, problem, verified_at });
};
