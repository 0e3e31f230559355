import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';

/** A chain's head: which chain, whose (0: the platform's), its number in the chain, its hash in hexadecimal digits. */
export type Head = [chain: 'ledger' | 'sources', station_id: number, seq: number, hash: string];

/** Two people accept that heads above `keep` were lost; chain, station, the last head that holds, the newest one written. */
export interface Gap {
  accounts: [string, string];
  reason: string;
  chains: [chain: Head[0], station_id: number, keep: number, written: number][];
}

/** One line of the file. `hash` is the SHA-256 of the line before it (`before`) and of what the line says. */
export interface HeadLine {
  no: number;
  at: string;
  before: string;
  heads: Head[];
  gap?: Gap;
  /** Of the newest heads of all chains once this line is written (stateHash): who trusts a copy of them compares it with this. */
  state: string;
  hash: string;
}

/** SHA-256 of the newest heads of all chains, whatever their order. */
export const stateHash = (newest: readonly Head[]): string =>
  createHash('sha256')
    .update(
      newest
        .map((head) => JSON.stringify(head))
        .toSorted()
        .join('\n'),
    )
    .digest('hex');

export const lineHash = ({ no, at, before, heads, gap, state }: Omit<HeadLine, 'hash'>): string =>
  createHash('sha256')
    .update(JSON.stringify([no, at, before, heads, gap ?? null, state]))
    .digest('hex');

const parsed = (text: string): HeadLine | null => {
  try {
    return JSON.parse(text) as HeadLine;
  } catch {
    return null;
  }
};

/** The lines of a heads file in order; null for one that cannot be read. */
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

export interface HeadsRead {
  last: HeadLine | null;
  /** The newest head of each chain, as written. */
  newest: Head[];
  /** Lines of the file, from 1, that are not what was written or do not follow from the one before. */
  broken: number[];
  /** Of each accepted gap: from which line on it counts, and what it gives up. */
  gaps: { no: number; at: string; gap: Gap }[];
  /** The line with the number that was asked for; null: the file has none. */
  asked: HeadLine | null;
}

export const keyOf = ([chain, station_id]: readonly [Head[0], number, ...unknown[]]): string => `${chain} ${station_id}`;

/** Reads a heads file whole and checks that each line follows from the one before. */
export const readHeads = async (file: string, ask?: number): Promise<HeadsRead> => {
  const newest = new Map<string, Head>();
  const broken: number[] = [];
  const gaps: HeadsRead['gaps'] = [];
  let [last, asked]: [HeadLine | null, HeadLine | null] = [null, null];
  let no = 0;
  for await (const line of headLines(file)) {
    no += 1;
    // A file that was archived is followed by one that goes on with its numbers: only the first line follows none of this file.
    const follows = last === null || (line?.no === last.no + 1 && line.before === last.hash);
    if (line === null || !follows || line.hash !== lineHash(line)) broken.push(no);
    if (line === null) continue;
    for (const chain of line.gap?.chains ?? []) newest.delete(keyOf(chain));
    for (const head of line.heads) newest.set(keyOf(head), head);
    if (line.gap) gaps.push({ no: line.no, at: line.at, gap: line.gap });
    last = line;
    if (line.no === ask) asked = line;
  }
  return { last, newest: [...newest.values()], broken, gaps, asked };
};

/** The file's last line, without reading the rest; null where there is none. */
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

/** Appends one line, on the disk before this resolves. A line that was cut off by a crash is ended first, so that it stands alone. */
export const appendLine = async (file: string, line: Omit<HeadLine, 'hash'>): Promise<HeadLine> => {
  const whole = { ...line, hash: lineHash(line) };
  const handle = await open(file, 'a+', 0o600);
  try {
    const { size } = await handle.stat();
    const end = Buffer.alloc(1);
    if (size > 0) await handle.read(end, 0, 1, size - 1);
    await handle.appendFile(`${size > 0 && end.toString() !== '\n' ? '\n' : ''}${JSON.stringify(whole)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return whole;
};
