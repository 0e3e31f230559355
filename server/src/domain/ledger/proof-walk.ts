import { createHmac, timingSafeEqual } from 'node:crypto';
import { firstOf, present } from '@waystation/contract/base/present.ts';
import { oneRow, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';

/**
 * A violated invariant, named as in docs/ledger.md. `stations`: the stations whose payments it
 * suspends.
 */
export interface Finding {
  invariant: string;
  subject: string;
  detail: string;
  stations: number[] | null;
}

/** The progress and findings of a full check: everything that its next piece and its end need. */
export interface WalkState {
  /** The name of the table or part that is read next; null if everything has been read. */
  part: string | null;
  /** The key of the last row read in this part; null if no row was read. */
  low: unknown;
  rows: number;
  entries: number;
  /** Sum of all entries, fen. */
  total: number;
  /** The balance and the held amount of each station, calculated from the entries, in fen. */
  sums: Record<string, [number, number]>;
  /** Violations found, at most 500 of each invariant. */
  breaks: Finding[];
  /** The id of every station with a finding, and the text of one of its findings. */
  bad: Record<string, string>;
}

export interface Walk {
  id: number;
  started_at: Date;
  state: WalkState;
  rows_done: number;
  rows_total: number;
}

const keptOfEach = 500;

export const signatureOf = (secrets: Secrets, text: string): Buffer =>
  createHmac('sha256', secrets.derive('ledger check')).update(text).digest();

export const isSigned = (
  secrets: Secrets,
  text: string | null,
  signature: Buffer | null,
): boolean => {
  if (text === null || signature === null) return false;
  const expected = signatureOf(secrets, text);
  return signature.length === expected.length && timingSafeEqual(signature, expected);
};

interface StoredWalk {
  id: number;
  started_at: Date;
  state: string;
  signature: Buffer;
  signed_text: string;
  rows_done: number;
  rows_total: number;
}

const storedWalk = async (work: Work): Promise<StoredWalk | null> =>
  (
    await sql<StoredWalk>`select *
  from ledger_open_walk()`.execute(work.tx)
  ).rows[0] ?? null;

const sign = async (
  work: Work,
  secrets: Secrets,
  { stored, state, at }: { stored: StoredWalk; state: WalkState; at: Date },
): Promise<void> => {
  const text = JSON.stringify(state);
  await sql`select ledger_keep_walk(${stored.id}, ${text},
    ${signatureOf(secrets, stored.signed_text + text)}, ${state.rows}, ${at})`.execute(work.tx);
};

export interface WalkProgress {
  started_at: Date;
  rows_done: number;
  /** The estimated number of rows. */
  rows_total: number;
}

/** The progress of the running full check; null if none is running. */
export const walkProgress = async (work: Work): Promise<WalkProgress | null> => {
  const stored = await storedWalk(work);
  return (
    stored && {
      started_at: stored.started_at,
      rows_done: stored.rows_done,
      rows_total: Math.max(stored.rows_done, stored.rows_total),
    }
  );
};

const partsOf = async (work: Work): Promise<string[]> =>
  (await oneRow(work, sql<{ parts: string[] }>`select ledger_walk_parts() as parts`)).parts;

/**
 * The running full check, locked until the transaction ends. Null if none is running, or if its
 * signature is not valid.
 */
export const openWalk = async (work: Work, secrets: Secrets): Promise<Walk | null> => {
  await sql`select pg_advisory_xact_lock(hashtextextended('ledger_walk', 0))`.execute(work.tx);
  const stored = await storedWalk(work);
  if (!stored || !isSigned(secrets, stored.signed_text + stored.state, stored.signature))
    return null;
  return { ...stored, state: JSON.parse(stored.state) as WalkState };
};

/**
 * Starts a full check of everything that is stored now. A full check that is already running ends
 * without a result.
 */
export const beginWalk = async (work: Work, secrets: Secrets, at: Date): Promise<Walk> => {
  await sql`select ledger_begin_walk(${at})`.execute(work.tx);
  const stored = present(await storedWalk(work));
  const state: WalkState = {
    part: firstOf(await partsOf(work)),
    low: null,
    rows: 0,
    entries: 0,
    total: 0,
    sums: {},
    breaks: [],
    bad: {},
  };
  await sign(work, secrets, { stored, state, at });
  return { ...stored, state };
};

interface PieceRow {
  invariant: string | null;
  subject: string;
  stations: number[] | null;
  detail: string | null;
}

/** Adds the rows of one piece to the state; returns the key of the next piece. */
const addPiece = (state: WalkState, rows: readonly PieceRow[]): unknown => {
  const counts = new Map<string, number>();
  for (const { invariant } of state.breaks) counts.set(invariant, (counts.get(invariant) ?? 0) + 1);
  let next: unknown = null;
  for (const { invariant, subject, stations, detail } of rows) {
    if (invariant !== null) {
      const n = counts.get(invariant) ?? 0;
      counts.set(invariant, n + 1);
      if (n < keptOfEach) state.breaks.push({ invariant, subject, detail: detail ?? '', stations });
      for (const station of stations ?? [])
        state.bad[station] ??= `${invariant} ${subject}: ${detail ?? ''}`;
    } else if (subject === 'next') next = detail === null ? null : JSON.parse(detail);
    else if (subject === 'checked') state.entries += Number(detail);
    else if (subject === 'total') state.total += Number(detail);
    else if (subject === 'sum') {
      const [amount, frozen] = present(detail).split(' ').map(Number) as [number, number];
      const sum = (state.sums[firstOf(present(stations))] ??= [0, 0]);
      sum[0] += amount;
      sum[1] += frozen;
    }
  }
  return next;
};

/** Reads the next piece of a full check and stores the progress. */
export const readPiece = async (
  work: Work,
  secrets: Secrets,
  walk: Walk,
  { size, at }: { size: number; at: Date },
): Promise<void> => {
  const { state } = walk;
  const { rows } = await sql<PieceRow>`select * from ledger_read_piece(${walk.id}, ${state.part},
      ${state.low === null ? null : JSON.stringify(state.low)}::jsonb, ${size})`.execute(work.tx);
  state.low = addPiece(state, rows);
  state.rows += size;
  if (state.low === null) {
    const parts = await partsOf(work);
    state.part = parts[parts.indexOf(state.part!) + 1] ?? null;
  }
  await sign(work, secrets, { stored: present(await storedWalk(work)), state, at });
};

export interface Trusted {
  stations: number[];
  /** The number of links before the checkpoints, which are not read again. */
  links: number;
  links_new: number;
  /**
   * The number of stations whose checkpoint has no valid signature. They are read from their first
   * row.
   */
  unsigned: number;
  /** The time when the oldest of these checkpoints was written; null if there is none. */
  since: Date | null;
}

/** The checkpoints that an incremental check may trust: those with a valid signature. */
export const trustedCheckpoints = async (work: Work, secrets: Secrets): Promise<Trusted> => {
  const { rows } = await sql<{
    station_id: number;
    signed_text: string | null;
    signature: Buffer | null;
    links: number;
    links_new: number;
    proved_at: Date | null;
  }>`select * from ledger_signed_checkpoints()`.execute(work.tx);
  const signed = rows.filter(({ signed_text, signature }) =>
    isSigned(secrets, signed_text, signature),
  );
  const rest = rows.filter((row) => !signed.includes(row));
  const times = signed.map(({ proved_at }) => present(proved_at).getTime());
  return {
    stations: signed.map(({ station_id }) => station_id),
    links: signed.reduce((sum, { links }) => sum + links, 0),
    links_new:
      signed.reduce((sum, { links_new }) => sum + links_new, 0) +
      rest.reduce((sum, row) => sum + row.links + row.links_new, 0),
    unsigned: rest.filter(({ signed_text }) => signed_text !== null).length,
    since: times.length > 0 ? new Date(Math.min(...times)) : null,
  };
};

/**
 * Signs the checkpoints that a check has moved. `moved`: pairs of a station's id and the text to
 * sign.
 */
export const signCheckpoints = async (
  work: Work,
  secrets: Secrets,
  moved: readonly [number, string][],
): Promise<void> => {
  if (moved.length === 0) return;
  const signatures = moved.map(([station, text]) => [
    station,
    signatureOf(secrets, text).toString('hex'),
  ]);
  await sql`select ledger_sign_checkpoints(${JSON.stringify(signatures)}::jsonb)`.execute(work.tx);
};
