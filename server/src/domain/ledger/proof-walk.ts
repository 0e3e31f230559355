import { createHmac, timingSafeEqual } from 'node:crypto';
import { oneRow, sql } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';

/** A violated invariant, named as in docs/ledger.md; `stations`: whose payments it suspends. */
export interface Finding {
  invariant: string;
  subject: string;
  detail: string;
  stations: number[] | null;
}

/** How far a full check has come, and what it found: everything that its next piece and its end rely on. */
export interface WalkState {
  /** Null: everything is read. */
  part: string | null;
  /** The key of the last row read in this part; null: none. */
  low: unknown;
  rows: number;
  entries: number;
  /** Sum of all entries, fen. */
  total: number;
  /** Amount and frozen amount of the entries of each station, fen. */
  sums: Record<string, [number, number]>;
  /** At most 500 of each invariant. */
  breaks: Finding[];
  /** Every station with a finding, and one of its findings in words. */
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

export const signatureOf = (secrets: Secrets, text: string): Buffer => createHmac('sha256', secrets.derive('ledger check')).update(text).digest();

export const isSigned = (secrets: Secrets, text: string | null, signature: Buffer | null): boolean => {
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

const storedWalk = async (tx: Tx): Promise<StoredWalk | null> => (await sql<StoredWalk>`select * from ledger_open_walk()`.execute(tx)).rows[0] ?? null;

const sign = async (tx: Tx, secrets: Secrets, stored: StoredWalk, state: WalkState, at: Date): Promise<void> => {
  const text = JSON.stringify(state);
  await sql`select ledger_keep_walk(${stored.id}, ${text}, ${signatureOf(secrets, stored.signed_text + text)}, ${state.rows}, ${at})`.execute(tx);
};

export interface WalkProgress {
  started_at: Date;
  rows_done: number;
  /** Estimated. */
  rows_total: number;
}

/** How far the walk under way has come; null: there is none. */
export const walkProgress = async (tx: Tx): Promise<WalkProgress | null> => {
  const stored = await storedWalk(tx);
  return stored && { started_at: stored.started_at, rows_done: stored.rows_done, rows_total: Math.max(stored.rows_done, stored.rows_total) };
};

const partsOf = async (tx: Tx): Promise<string[]> => (await oneRow(tx, sql<{ parts: string[] }>`select ledger_walk_parts() as parts`)).parts;

/** The walk that is under way, locked until the transaction ends; null: none, or one that another program wrote. */
export const openWalk = async (tx: Tx, secrets: Secrets): Promise<Walk | null> => {
  await sql`select pg_advisory_xact_lock(hashtextextended('ledger_walk', 0))`.execute(tx);
  const stored = await storedWalk(tx);
  if (!stored || !isSigned(secrets, stored.signed_text + stored.state, stored.signature)) return null;
  return { ...stored, state: JSON.parse(stored.state) as WalkState };
};

/** Starts a walk over everything that is stored now. A walk under way ends without a result. */
export const beginWalk = async (tx: Tx, secrets: Secrets, at: Date): Promise<Walk> => {
  await sql`select ledger_begin_walk(${at})`.execute(tx);
  const stored = (await storedWalk(tx))!;
  const state: WalkState = { part: (await partsOf(tx))[0]!, low: null, rows: 0, entries: 0, total: 0, sums: {}, breaks: [], bad: {} };
  await sign(tx, secrets, stored, state, at);
  return { ...stored, state };
};

interface PieceRow {
  invariant: string | null;
  subject: string;
  stations: number[] | null;
  detail: string | null;
}

/** Adds the rows of one piece to the state; returns the key to go on from. */
const addPiece = (state: WalkState, rows: readonly PieceRow[]): unknown => {
  const counts = new Map<string, number>();
  for (const { invariant } of state.breaks) counts.set(invariant, (counts.get(invariant) ?? 0) + 1);
  let next: unknown = null;
  for (const { invariant, subject, stations, detail } of rows) {
    if (invariant !== null) {
      const n = counts.get(invariant) ?? 0;
      counts.set(invariant, n + 1);
      if (n < keptOfEach) state.breaks.push({ invariant, subject, detail: detail ?? '', stations });
      for (const station of stations ?? []) state.bad[station] ??= `${invariant} ${subject}: ${detail ?? ''}`;
    } else if (subject === 'next') next = detail === null ? null : JSON.parse(detail);
    else if (subject === 'checked') state.entries += Number(detail);
    else if (subject === 'total') state.total += Number(detail);
    else if (subject === 'sum') {
      const [amount, frozen] = detail!.split(' ').map(Number) as [number, number];
      const sum = (state.sums[stations![0]!] ??= [0, 0]);
      sum[0] += amount;
      sum[1] += frozen;
    }
  }
  return next;
};

/** Reads the next piece of a walk and stores how far it has come. */
export const readPiece = async (tx: Tx, secrets: Secrets, walk: Walk, size: number, at: Date): Promise<void> => {
  const { state } = walk;
  const { rows } =
    await sql<PieceRow>`select * from ledger_read_piece(${walk.id}, ${state.part}, ${state.low === null ? null : JSON.stringify(state.low)}::jsonb, ${size})`.execute(
      tx,
    );
  state.low = addPiece(state, rows);
  state.rows += size;
  if (state.low === null) {
    const parts = await partsOf(tx);
    state.part = parts[parts.indexOf(state.part!) + 1] ?? null;
  }
  await sign(tx, secrets, (await storedWalk(tx))!, state, at);
};

export interface Trusted {
  stations: number[];
  /** Links below the checkpoints, which are not read again. */
  links: number;
  links_new: number;
  /** Stations whose checkpoint has no valid signature: they are read from their first row. */
  unsigned: number;
  /** When the oldest of the checkpoints was written; null: there is none. */
  since: Date | null;
}

/** The checkpoints that a check of what is new may rely on: those whose signature is valid. */
export const trustedCheckpoints = async (tx: Tx, secrets: Secrets): Promise<Trusted> => {
  const { rows } = await sql<{
    station_id: number;
    signed_text: string | null;
    signature: Buffer | null;
    links: number;
    links_new: number;
    proved_at: Date | null;
  }>`select * from ledger_signed_checkpoints()`.execute(tx);
  const signed = rows.filter(({ signed_text, signature }) => isSigned(secrets, signed_text, signature));
  const rest = rows.filter((row) => !signed.includes(row));
  const times = signed.map(({ proved_at }) => proved_at!.getTime());
  return {
    stations: signed.map(({ station_id }) => station_id),
    links: signed.reduce((sum, { links }) => sum + links, 0),
    links_new: signed.reduce((sum, { links_new }) => sum + links_new, 0) + rest.reduce((sum, row) => sum + row.links + row.links_new, 0),
    unsigned: rest.filter(({ signed_text }) => signed_text !== null).length,
    since: times.length > 0 ? new Date(Math.min(...times)) : null,
  };
};

/** Signs the checkpoints that a check has moved: [station, text] each. */
export const signCheckpoints = async (tx: Tx, secrets: Secrets, moved: readonly [number, string][]): Promise<void> => {
  if (moved.length === 0) return;
  const signatures = moved.map(([station, text]) => [station, signatureOf(secrets, text).toString('hex')]);
  await sql`select ledger_sign_checkpoints(${JSON.stringify(signatures)}::jsonb)`.execute(tx);
};
