import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';

/**
 * The head of a chain: the chain, its station (0: the platform), the number in the chain, the
 * hash in hexadecimal digits.
 */
export type Head = [chain: 'ledger' | 'sources', station_id: number, seq: number, hash: string];

/**
 * A gap that two users accepted by confirming that the links after `keep` were lost. Each chain has
 * its kind and its station. `keep` is the number of its last valid link, and `written` the number
 * of its newest link in the file.
 */
export interface Gap {
  accounts: [string, string];
  reason: string;
  chains: [chain: Head[0], station_id: number, keep: number, written: number][];
}

/**
 * One line of the file. `hash` is the SHA-256 of the previous line's hash (`before`) and of
 * the line's content.
 */
export interface HeadLine {
  no: number;
  at: string;
  before: string;
  heads: Head[];
  gap?: Gap;
  /**
   * 1 on the first line of a file that continues a file that was moved away. This line contains the
   * heads of all chains.
   */
  begins?: 1;
  /**
   * The hash of the newest heads of all hash chains after this line (stateHash). It is used to
   * check a copy of the heads.
   */
  state: string;
  hash: string;
}

/** SHA-256 of the newest heads of all hash chains. The order of the heads does not matter. */
export const stateHash = (newest: readonly Head[]): string =>
  createHash('sha256')
    .update(
      newest
        .map((head) => JSON.stringify(head))
        .toSorted()
        .join('\n'),
    )
    .digest('hex');

export const lineHash = ({
  no,
  at,
  before,
  heads,
  gap,
  begins,
  state,
}: Omit<HeadLine, 'hash'>): string =>
  createHash('sha256')
    .update(
      JSON.stringify([no, at, before, heads, gap ?? null, state, ...(begins ? [begins] : [])]),
    )
    .digest('hex');

const parsed = (text: string): HeadLine | null => {
  try {
    return JSON.parse(text) as HeadLine;
  } catch {
    return null;
  }
};

/** The lines of a heads file in order. A line that cannot be read is null. */
export const headLines = async function* (file: string): AsyncGenerator<HeadLine | null> {
  const lines = createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity });
  for await (const text of lines) if (text !== '') yield parsed(text);
};

export const isThere = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );

/**
 * Renames the heads file of a deleted database, so that a new database begins with an empty file.
 * Returns the new name, or null if there was no file.
 */
export const setHeadsAside = async (file: string, at: Date): Promise<string | null> => {
  if (!(await isThere(file))) return null;
  const aside = `${file}.before-${at.toISOString().slice(0, 19).replaceAll(/[:T]/g, '-')}`;
  await rename(file, aside);
  return aside;
};

export interface HeadsRead {
  last: HeadLine | null;
  /**
   * The number of lines that are missing at the beginning of the file. It is 0 if none is missing,
   * or if the file continues a file that was moved away.
   */
  cut: number;
  /** The newest head of each chain in the file. */
  newest: Head[];
  /**
   * The numbers of the lines that were changed or do not follow from the previous line. The first
   * line has the number 1.
   */
  broken: number[];
  /**
   * Each accepted gap: the number of the first line after it, its time, and the heads that are
   * given up.
   */
  gaps: { no: number; at: string; gap: Gap }[];
  /** The line with the requested number; null if the file does not contain it. */
  requested: HeadLine | null;
}

export const keyOf = ([chain, station_id]: readonly [Head[0], number, ...unknown[]]): string =>
  `${chain} ${station_id}`;

/** Reads a heads file completely and checks that each line follows from the previous one. */
export const readHeads = async (file: string, requestedNo?: number): Promise<HeadsRead> => {
  const newest = new Map<string, Head>();
  const broken: number[] = [];
  const gaps: HeadsRead['gaps'] = [];
  let [last, requested]: [HeadLine | null, HeadLine | null] = [null, null];
  let [no, cut] = [0, 0];
  for await (const line of headLines(file)) {
    no += 1;
    // The first line may have no predecessor in this file, because a file that continues an
    // archived one continues its numbers.
    const follows = last === null || (line?.no === last.no + 1 && line.before === last.hash);
    if (line === null || !follows || line.hash !== lineHash(line)) broken.push(no);
    if (line === null) continue;
    if (last === null && line.begins !== 1) cut = line.no - 1;
    for (const chain of line.gap?.chains ?? []) newest.delete(keyOf(chain));
    for (const head of line.heads) newest.set(keyOf(head), head);
    if (line.gap) gaps.push({ no: line.no, at: line.at, gap: line.gap });
    last = line;
    if (line.no === requestedNo) requested = line;
  }
  return { last, cut, newest: [...newest.values()], broken, gaps, requested };
};

/** The file's last line, without reading the rest; null if there is none. */
export const lastLine = async (file: string): Promise<HeadLine | null> => {
  if (!(await isThere(file))) return null;
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    for (let length = 65_536; ; length *= 4) {
      const from = Math.max(0, size - length);
      const bytes = Buffer.alloc(size - from);
      await handle.read(bytes, 0, bytes.length, from);
      const text = bytes.toString('utf8').trimEnd();
      const at = text.lastIndexOf('\n');
      if (at >= 0 || from === 0) return text === '' ? null : parsed(text.slice(at + 1));
    }
  } finally {
    await handle.close();
  }
};

/**
 * Appends one line and syncs it to the disk. If a crash cut off the last line, that line is ended
 * first.
 */
export const appendLine = async (file: string, line: Omit<HeadLine, 'hash'>): Promise<HeadLine> => {
  const whole = { ...line, hash: lineHash(line) };
  const handle = await open(file, 'a+', 0o600);
  try {
    const { size } = await handle.stat();
    const end = Buffer.alloc(1);
    if (size > 0) await handle.read(end, 0, 1, size - 1);
    await handle.appendFile(
      `${size > 0 && end.toString() !== '\n' ? '\n' : ''}${JSON.stringify(whole)}\n`,
    );
    await handle.sync();
  } finally {
    await handle.close();
  }
  return whole;
};
