import { firstOf } from '@waystation/contract/base/present.ts';
import { jsonText, oneRow, sql } from '#platform/db/db.ts';
import type { Db, Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { appendLine, isThere, keyOf, lastLine, readHeads, stateHash } from './heads-file.ts';
import type { Gap, Head, HeadLine, HeadsRead } from './heads-file.ts';

export const scope = systemScope('ledger heads');

interface Known {
  no: number;
  at: Date;
  hash: Buffer;
}

/** The last written line, as the database stores it; null if there is none. */
export const headsKnown = async (work: Work): Promise<Known | null> =>
  (
    await sql<Known>`select *
  from ledger_newest_head_line()`.execute(work.tx)
  ).rows[0] ?? null;

interface HeadNow {
  chain: Head[0];
  station_id: number;
  seq: number;
  hash: Buffer;
  mark_seq: number | null;
  mark_hash: Buffer | null;
}

export const headOf = ({ chain, station_id, seq, hash }: HeadNow): Head => [
  chain,
  station_id,
  seq,
  hash.toString('hex'),
];

/**
 * Links everything that is on no chain yet, and returns the newest link of each chain. Locks the
 * ledger check until the transaction ends.
 */
export const headsNow = async (work: Work, at: Date): Promise<HeadNow[]> => {
  await sql`set local statement_timeout = 0`.execute(work.tx);
  return (await sql<HeadNow>`select * from ledger_current_heads(${at})`.execute(work.tx)).rows;
};

export interface Astray {
  chain: Head[0];
  station_id: number;
  seq: number;
  detail: string;
}

/** The given heads (newest links of hash chains) that are not part of their chain. */
export const headsAstray = async (work: Work, heads: readonly Head[]): Promise<Astray[]> =>
  heads.length === 0
    ? []
    : (
        await sql<Astray>`select distinct *
    from ledger_diverged_heads(${jsonText(heads)}::jsonb)`.execute(work.tx)
      ).rows;

/**
 * All different heads of the file and of the database. A head still counts if it is missing in one
 * of them.
 */
const together = (newest: readonly Head[], marks: readonly Head[]): Head[] => [
  ...new Map([...marks, ...newest].map((head) => [JSON.stringify(head), head])).values(),
];

interface FileState {
  last: HeadLine | null;
  newest: Head[];
  state: Written['state'];
}

/**
 * Returns the newest heads in the file. The whole file is read only if the state in its last line
 * differs from the heads stored in the database.
 */
const fileState = async (file: string, known: Known | null, marks: Head[]): Promise<FileState> => {
  const last = await lastLine(file);
  if (last && known && last.hash === known.hash.toString('hex') && last.state === stateHash(marks))
    return { last, newest: marks, state: 'ok' };
  if (!(await isThere(file))) return { last: null, newest: [], state: stateOf(null, known) };
  const read = await readHeads(file, known?.no);
  return { last: read.last, newest: read.newest, state: stateOf(read, known) };
};

export interface Written {
  line: HeadLine;
  /**
   * The hash chains that do not contain their written head. No new head of these chains is written.
   */
  astray: Astray[];
  /**
   * The file compared with the database: it continues from the known last line, is missing, has
   * fewer lines, or has another line in that place.
   */
  state: 'ok' | 'missing' | 'short' | 'other';
}

/**
 * Returns the state of the file compared with the database. If the database was restored, the file
 * may be ahead of it; it then still contains the database's last line.
 */
export const stateOf = (
  read: Pick<HeadsRead, 'last' | 'requested'> | null,
  known: Known | null,
): Written['state'] => {
  if (known === null) return 'ok';
  if (!read?.last) return 'missing';
  if (read.last.no < known.no) return 'short';
  return read.requested?.hash === known.hash.toString('hex') ? 'ok' : 'other';
};

/**
 * The line that the next line of the file refers to. This is the last line of the file. If the
 * database knows another file, it is the last line that the database knows, so that the file shows
 * the break.
 */
const baseOf = (
  { last, state }: Pick<FileState, 'last' | 'state'>,
  known: Known | null,
): { no: number; hash: string } => {
  if (known === null || (state === 'ok' && last !== null)) return last ?? { no: 0, hash: '' };
  return { no: Math.max(known.no, last?.no ?? 0), hash: known.hash.toString('hex') };
};

/**
 * Appends a line to the file, and then records it in the database with all newest heads. The file
 * is written first, so that it is never behind the database.
 */
export const writeLine = async (
  work: Work,
  file: string,
  {
    at,
    found,
    known,
    before,
    fresh,
    gap,
  }: {
    at: Date;
    found: Pick<FileState, 'last' | 'state'>;
    known: Known | null;
    before: Head[];
    fresh: Head[];
    gap?: Gap | undefined;
  },
): Promise<HeadLine> => {
  const base = baseOf(found, known);
  const newest = [...new Map([...before, ...fresh].map((head) => [keyOf(head), head])).values()];
  const line = await appendLine(file, {
    no: base.no + 1,
    at: at.toISOString(),
    before: base.hash,
    heads: fresh,
    ...(gap && { gap }),
    ...(found.state === 'missing' && found.last === null && { begins: 1 as const }),
    state: stateHash(newest),
  });
  await sql`select ledger_record_heads(${line.no}, ${at}, ${Buffer.from(line.hash, 'hex')},
    ${jsonText(newest)}::jsonb)`.execute(work.tx);
  return line;
};

/**
 * Appends the heads (newest links) that changed since the last line. The ledger check is locked
 * meanwhile, so that only one of all processes writes. If a chain does not contain its last written
 * head, no new head of this chain is written.
 */
export const writeHeads = (db: Db, file: string, at: Date): Promise<Written> =>
  db.tx(scope, async (work) => {
    const now = await headsNow(work, at);
    const known = await headsKnown(work);
    const { marks } = await oneRow(work, sql<{ marks: Head[] }>`select ledger_marks() as marks`);
    const found = await fileState(file, known, marks);
    const astray = await headsAstray(work, together(found.newest, marks));
    const skip = new Set(astray.map(({ chain, station_id }) => keyOf([chain, station_id])));
    const written = new Map(found.newest.map((head) => [keyOf(head), head]));
    const fresh = now
      .map(headOf)
      .filter((head) => !skip.has(keyOf(head)) && written.get(keyOf(head))?.[3] !== head[3]);
    // The database keeps the head of a broken chain, even if the file no longer contains it.
    const before = [
      ...found.newest,
      ...marks.filter(
        (head) => skip.has(keyOf(head)) && (written.get(keyOf(head))?.[2] ?? 0) < head[2],
      ),
    ];
    const line = await writeLine(work, file, { at, found, known, before, fresh });
    return { line, astray, state: found.state };
  });

/**
 * The faults of the file itself, apart from those of its heads; empty if there are none. A changed
 * line stays in the file for ever, so only `--against` reports it.
 */
const fileFaults = ({ cut, state }: Pick<HeadsRead, 'cut'> & Pick<Written, 'state'>): string[] => [
  ...(state === 'missing' ? ['is missing or empty, although heads were written'] : []),
  ...(state === 'short' ? ['ends before the line that was written last'] : []),
  ...(state === 'other' ? ['is not the file that was written'] : []),
  ...(cut > 0 ? [`begins at line ${cut + 1}; the lines before are missing`] : []),
];

/**
 * The newest heads in the file, for a full proof, and the faults of the file. The heads are null if
 * there is no file.
 */
export const newestHeads = async (
  db: Db,
  file: string | null,
): Promise<{ read: HeadsRead | null; faults: string[] }> => {
  if (file === null) return { read: null, faults: [] };
  // The database is read before the file. The file is always written first, so it is never behind
  // the database.
  const known = await db.tx(scope, headsKnown);
  const read = (await isThere(file)) ? await readHeads(file, known?.no) : null;
  return { read, faults: fileFaults({ cut: read?.cut ?? 0, state: stateOf(read, known) }) };
};

/**
 * Returns the heads (newest links) of the hash chains with which a proof compares: all heads in the
 * file and all in the database. A head that was removed from one of them is therefore still
 * compared.
 */
export const headsToProve = async (work: Work, read: HeadsRead): Promise<Head[]> => {
  const row = await oneRow(work, sql<{ marks: Head[] }>`select ledger_marks() as marks`);
  return together(read.newest, row.marks);
};

/**
 * The numbers of rows stored after the newest heads. `baseline_at`: the date at which rows older
 * than the hashes got their hash. The proof cannot see changes of these rows before this date. Null
 * if there are no such rows.
 */
export interface Uncovered {
  transfers: number;
  records: number;
  baseline_at: Date | null;
}

export const uncovered = async (work: Work): Promise<Uncovered> =>
  firstOf(
    (
      await sql<Uncovered>`select *
  from ledger_uncovered()`.execute(work.tx)
    ).rows,
  );
