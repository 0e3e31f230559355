import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { headLines, isThere } from '#domain/ledger/heads-file.ts';
import { headsKnown } from '#domain/ledger/heads.ts';
import type { App } from '#app.ts';
import { systemScope } from '#platform/db/scope.ts';
import { archivedHeads } from '#platform/wal/heads-copy.ts';

/** The chain heads up to a restored moment, in a file beside this machine's own heads file. */
export interface MomentHeads {
  /**
   * The file with the lines up to the moment. It is null if no file contains all these lines; the
   * ledger check then reads this machine's heads file.
   */
  file: string | null;
  /**
   * The last line of this machine's heads file, if it is later than the restored moment; otherwise
   * null.
   */
  ahead: { no: number; at: string } | null;
}

interface Line {
  no: number;
  hash: string;
}

/**
 * Writes the lines up to and including the line `known`; returns undefined if the file does not
 * contain that line.
 */
const cutAt = async (
  from: string,
  into: string,
  known: Line | null,
): Promise<Pick<MomentHeads, 'ahead'> | undefined> => {
  let isFound = known === null;
  let ahead: MomentHeads['ahead'] = null;
  const until = async function* (): AsyncGenerator<string> {
    for await (const line of headLines(from)) {
      if (line === null) continue;
      if (known !== null && line.no <= known.no) {
        yield `${JSON.stringify(line)}\n`;
        isFound ||= line.no === known.no && line.hash === known.hash;
      } else ahead = { no: line.no, at: line.at };
    }
  };
  await pipeline(Readable.from(until()), createWriteStream(into, { mode: 0o600, flush: true }));
  return isFound ? { ahead } : undefined;
};

/** The last line of the heads file that is known in the restored database. */
const knownLine = async ({ db }: App): Promise<Line | null> => {
  const known = await db.tx(systemScope('command line'), headsKnown);
  return known && { no: known.no, hash: known.hash.toString('hex') };
};

const partsOf = (file: string): { cut: string; whole: string } => ({
  cut: `${file}.restored`,
  whole: `${file}.archived`,
});

/**
 * Writes a copy of this machine's heads file that ends at the restored moment. If this machine has
 * no heads file, the archive's copy is used.
 */
export const headsOfMoment = async (app: App, archive: string): Promise<MomentHeads> => {
  const { headsFile, backupKey } = app.config;
  if (headsFile === null) return { file: null, ahead: null };
  const { cut, whole } = partsOf(headsFile);
  await mkdir(dirname(headsFile), { recursive: true, mode: 0o700 });
  const known = await knownLine(app);
  if (await isThere(headsFile)) {
    const found = await cutAt(headsFile, cut, known);
    return { file: found ? cut : null, ahead: found?.ahead ?? null };
  }
  for (const write of await archivedHeads(archive, backupKey))
    try {
      await write(whole);
      if (await cutAt(whole, cut, known)) return { file: cut, ahead: null };
    } finally {
      await rm(whole, { force: true });
    }
  return { file: null, ahead: null };
};

/**
 * If this machine already has a heads file, removes the file with the heads up to the moment.
 * Otherwise renames that file, so that it becomes the heads file.
 */
export const keepMomentHeads = async (headsFile: string | null): Promise<void> => {
  if (headsFile === null) return;
  const { cut } = partsOf(headsFile);
  if (!(await isThere(cut))) return;
  if ((await isThere(headsFile)) || (await stat(cut)).size === 0) await rm(cut, { force: true });
  else await rename(cut, headsFile);
};

/** Removes the heads that a failed restore has written. */
export const dropMomentHeads = async (headsFile: string | null): Promise<void> => {
  if (headsFile !== null) await rm(partsOf(headsFile).cut, { force: true });
};
