import { present } from '@waystation/contract/base/present.ts';
import { jsonText, oneRow, sql } from '#platform/db/db.ts';
import type { Db, Work } from '#platform/db/db.ts';
import { headLines, keyOf, readHeads } from './heads-file.ts';
import type { Gap, Head, HeadLine, HeadsRead } from './heads-file.ts';
import {
  scope,
  headsKnown,
  headOf,
  headsNow,
  headsAstray,
  stateOf,
  writeLine,
  uncovered,
} from './heads.ts';
import type { Astray, Written, Uncovered } from './heads.ts';

export interface Comparison {
  lines: number;
  heads: number;
  broken: number[];
  /** The number of lines that are missing before the first line of the file. */
  cut: number;
  astray: (Astray & { no: number; at: string })[];
  last: HeadLine | null;
  gaps: HeadsRead['gaps'];
  /**
   * The number and the time of the last line, as the database stores them; null if there is none.
   */
  known: { no: number; at: Date } | null;
  /** The state of the file compared with the database (see `Written`). */
  state: Written['state'];
  since: Uncovered;
}

const batch = 5_000;

/**
 * Compares every head in a file with the hash chains, except the heads that an accepted gap gives
 * up.
 */
export const compareHeads = async (db: Db, file: string): Promise<Comparison> => {
  const noted = await db.tx(scope, headsKnown);
  const { last, cut, broken, gaps, requested } = await readHeads(file, noted?.no);
  const givenUp = (no: number, [chain, station_id, seq]: Head): boolean =>
    gaps.some(
      (gap) =>
        no < gap.no &&
        gap.gap.chains.some((of) => of[0] === chain && of[1] === station_id && seq > of[2]),
    );
  return db.tx(scope, async (work) => {
    await sql`set local statement_timeout = 0`.execute(work.tx);
    const astray: Comparison['astray'] = [];
    let [lines, heads] = [0, 0];
    let waiting: { no: number; at: string; head: Head }[] = [];
    const look = async (): Promise<void> => {
      const found = await headsAstray(
        work,
        waiting.map(({ head }) => head),
      );
      const of = new Map(
        waiting.map(({ no, at, head }) => [`${head[0]} ${head[1]} ${head[2]}`, { no, at }]),
      );
      astray.push(
        ...found.map((one) => ({
          ...one,
          ...present(of.get(`${one.chain} ${one.station_id} ${one.seq}`)),
        })),
      );
      waiting = [];
    };
    for await (const line of headLines(file)) {
      lines += 1;
      if (line === null) continue;
      heads += line.heads.length;
      waiting.push(
        ...line.heads
          .filter((head) => !givenUp(line.no, head))
          .map((head) => ({ no: line.no, at: line.at, head })),
      );
      if (waiting.length >= batch) await look();
    }
    await look();
    return {
      lines,
      heads,
      broken,
      cut,
      astray,
      last,
      gaps,
      known: noted,
      state: stateOf({ last, requested }, noted),
      since: await uncovered(work),
    };
  });
};

/**
 * The gap that two users would accept now: for each broken chain, the number of its last valid link
 * and of its newest link in the file.
 */
export const gapOf = async (db: Db, file: string): Promise<Gap['chains']> => {
  const { astray } = await compareHeads(db, file);
  const lost = new Map<
    string,
    { chain: Head[0]; station_id: number; first: number; written: number; keep: number }
  >();
  for (const { chain, station_id, seq } of astray) {
    const of = lost.get(keyOf([chain, station_id])) ?? {
      chain,
      station_id,
      first: seq,
      written: seq,
      keep: 0,
    };
    lost.set(keyOf([chain, station_id]), {
      ...of,
      first: Math.min(of.first, seq),
      written: Math.max(of.written, seq),
    });
  }
  for await (const line of headLines(file))
    for (const head of line?.heads ?? []) {
      const of = lost.get(keyOf(head));
      if (of && head[2] < of.first) of.keep = Math.max(of.keep, head[2]);
    }
  return [...lost.values()].map(({ chain, station_id, keep, written }) => [
    chain,
    station_id,
    keep,
    written,
  ]);
};

/**
 * Records in the file and in the database the gap that two users accept, and writes the current
 * heads. Returns the gap's id.
 */
export const acceptGap = (
  db: Db,
  file: string,
  {
    accounts,
    reason,
    at,
  }: {
    accounts: [{ id: number; username: string }, { id: number; username: string }];
    reason: string;
    at: Date;
  },
  { chains, within }: { chains: Gap['chains']; within: (work: Work, gap: number) => Promise<void> },
): Promise<number> =>
  db.tx(scope, async (work) => {
    const now = await headsNow(work, at);
    const row = await oneRow(
      work,
      sql<{
        id: number;
      }>`select ledger_accept_gap(${accounts[0].id}, ${accounts[1].id}, ${reason},
        ${jsonText(chains)}::jsonb, ${at}) as id`,
    );
    await within(work, row.id);
    const dropped = new Set(chains.map(keyOf));
    const heads = now
      .filter(({ chain, station_id }) => dropped.has(keyOf([chain, station_id])))
      .map(headOf);
    const known = await headsKnown(work);
    const read = await readHeads(file, known?.no);
    const gap: Gap = { accounts: [accounts[0].username, accounts[1].username], reason, chains };
    await writeLine(work, file, {
      at,
      found: { last: read.last, state: stateOf(read, known) },
      known,
      before: read.newest.filter((head) => !dropped.has(keyOf(head))),
      fresh: heads,
      gap,
    });
    return row.id;
  });
