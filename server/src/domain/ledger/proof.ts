import { present } from '@waystation/contract/base/present.ts';
import { recordSystemAudit } from '#platform/audit.ts';
import { jsonText, oneRow, sql } from '#platform/db/db.ts';
import type { Db, RowOf, Work } from '#platform/db/db.ts';
import { systemScope, scopeCondition } from '#platform/db/scope.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';
import type { HeadsRead } from './heads-file.ts';
import { headsKnown, headsToProve, newestHeads, uncovered } from './heads.ts';
import {
  beginWalk,
  openWalk,
  readPiece,
  signCheckpoints,
  trustedCheckpoints,
} from './proof-walk.ts';
import type { Walk, WalkProgress } from './proof-walk.ts';

/** The result of a proof. */
export interface Proof {
  ok: boolean;
  kind: 'full' | 'incremental';
  evidence: Evidence;
  checked_entries: number;
  /**
   * The time at which the full check started. Everything was read between this time and
   * `checked_at`.
   */
  started_at: Date;
  checked_at: Date;
  /**
   * The rows that an incremental check did not read again. `links`: the number of links before
   * signed checkpoints. `since`: the time of the oldest of these checkpoints.
   */
  trusted: { links: number; since: Date | null; unsigned: number } | null;
  /** The broken invariants, at most 500 findings of each. */
  breaks: { invariant: string; subject: string; detail: string }[];
}

/**
 * How well the ledger is protected by the chains' newest links (heads), which are written outside
 * the database. Without them, a history could be rewritten with recalculated hashes.
 */
export interface Evidence {
  /**
   * The time at which heads were last written outside the database; null if they were never
   * written.
   */
  heads_at: Date | null;
  /** Whether the proof read the heads from the file, or only the copy in the database. */
  heads_from: 'file' | 'database' | 'none';
  /**
   * The number of transfers, and of records of source rows, written after the newest links in the
   * file.
   */
  transfers_since: number;
  records_since: number;
  /**
   * Changes of rows before this date cannot be detected; null if every row was hashed when it was
   * written.
   */
  baseline_at: Date | null;
}

export const evidenceNow = async (work: Work, from_file: boolean): Promise<Evidence> => {
  const known = await headsKnown(work);
  const { transfers, records, baseline_at } = await uncovered(work);
  return {
    heads_at: known?.at ?? null,
    heads_from: from_file ? 'file' : known ? 'database' : 'none',
    transfers_since: transfers,
    records_since: records,
    baseline_at,
  };
};

interface Proved {
  ok: boolean;
  checked_entries: number;
  breaks: Proof['breaks'];
  trusted_links: number;
  /** The ids of the stations that this check has blocked; 0 means all stations. */
  blocked: number[];
  /** A pair for each checkpoint that moved: the station's id, and the text that is signed. */
  moved: [number, string][];
}

const scope = systemScope('ledger proof');

/** The parts of the product that a check needs. */
export interface ProofContext {
  db: Db;
  secrets: Secrets;
  config: { headsFile: string | null };
}

/**
 * The number of rows that the full check reads in one piece. A piece takes one or two seconds, some
 * megabytes of memory and no temporary files.
 */
const pieceSize = 10_000;

/**
 * The number of days after which a full check is not continued, because its first pieces no longer
 * show the present state.
 */
const walkDays = 3;

/**
 * The largest number of links after the checkpoints that one transaction reads. More links are read
 * in pieces, as in a full check.
 */
const newLimit = 200_000;

/**
 * Compares the ledger with the heads, stores the result, moves the checkpoints, and blocks the
 * stations with a violation. All stations are blocked only if the sum of all accounts is not zero.
 */
const conclude = async (
  work: Work,
  { secrets }: ProofContext,
  {
    at,
    heads: { read, faults },
    walk,
  }: { at: Date; heads: { read: HeadsRead | null; faults: string[] }; walk: Walk | null },
): Promise<Proof> => {
  const heads = read ? jsonText(await headsToProve(work, read)) : null;
  const trusted = await trustedCheckpoints(work, secrets);
  // A fault of the file belongs to no station, so no station is blocked.
  const walked =
    walk &&
    jsonText({
      ...walk.state,
      breaks: [
        ...walk.state.breaks,
        ...faults.map((detail) => ({
          invariant: 'I8',
          subject: 'heads file',
          stations: null,
          detail,
        })),
      ],
    });
  const row = await oneRow(
    work,
    sql<{
      proved: Proved;
    }>`select ledger_check(${at}, ${heads}::jsonb, ${trusted.stations}::bigint[],
      ${walk?.id ?? null}::bigint, ${walked}::jsonb) as proved`,
  );
  const { ok, checked_entries, breaks, blocked, moved, trusted_links } = row.proved;
  await signCheckpoints(work, secrets, moved);
  for (const station_id of blocked)
    await recordSystemAudit(work, {
      action: 'ledger.block',
      subject: 'stations',
      subject_id: station_id || null,
      station_id: station_id || null,
      reason: 'ledger proof',
    });
  return {
    ok,
    kind: walk ? 'full' : 'incremental',
    evidence: await evidenceNow(work, read !== null && read.last !== null),
    checked_entries,
    started_at: walk?.started_at ?? at,
    checked_at: at,
    trusted: walk
      ? null
      : { links: trusted_links, since: trusted.since, unsigned: trusted.unsigned },
    breaks,
  };
};

/**
 * Runs a transaction of a check. Postings continue at the same time. The SQL statements of the
 * transaction have no time limit.
 */
const proofTx = <Result>(
  { db }: ProofContext,
  run: (work: Work) => Promise<Result>,
): Promise<Result> =>
  db.tx(scope, async (work) => {
    await sql`set local statement_timeout = 0`.execute(work.tx);
    return run(work);
  });

interface WalkOptions {
  at: Date;
  /**
   * Called after each piece. If it returns false, the call ends; the next call continues after that
   * piece.
   */
  onProgress?: (progress: WalkProgress) => boolean;
  /** The number of rows of a piece. */
  size?: number;
}

/**
 * The result of a full check that another process has ended. Throws if no process has ended it,
 * because then its state was changed.
 */
const endedElsewhere = (context: ProofContext, at: Date, begun: Date | null): Promise<Proof> =>
  proofTx(context, async (work) => {
    const { rows } = await sql<
      RowOf<'ledger_proofs', 'checked_entries' | 'breaks'>
    >`select checked_entries,
      breaks from ledger_proofs
      where whole = 1 and started_at = ${begun} order by id desc limit 1`.execute(work.tx);
    const [ended] = rows;
    if (!ended || begun === null) throw new Error('the state of the full check was changed');
    const evidence = await evidenceNow(work, false);
    return {
      ...ended,
      ok: ended.breaks.length === 0,
      kind: 'full',
      evidence,
      started_at: begun,
      checked_at: at,
      trusted: null,
    };
  });

/**
 * Runs the full check in pieces of one transaction each. Continues a running check, even if another
 * process began it, or starts a check. The pieces read the rows stored before the check began. The
 * last step reads the newer rows, and compares with the newest heads of the file. Returns null if
 * `onProgress` ended the call.
 */
export const walkLedger = async (
  context: ProofContext,
  { at, onProgress = () => true, size = pieceSize }: WalkOptions,
): Promise<Proof | null> => {
  const { secrets, config } = context;
  let begun: Date | null = null;
  for (let first = true; ; first = false) {
    const step = await proofTx(context, async (work) => {
      const open = await openWalk(work, secrets);
      const isOld =
        first && open !== null && at.getTime() - open.started_at.getTime() > walkDays * 86_400_000;
      const walk = open && !isOld ? open : first ? await beginWalk(work, secrets, at) : null;
      if (walk?.state.part) await readPiece(work, secrets, walk, { size, at });
      return walk;
    });
    if (step === null) return endedElsewhere(context, at, begun);
    begun = step.started_at;
    const { part, rows } = step.state;
    if (part === null) break;
    if (
      !onProgress({
        started_at: step.started_at,
        rows_done: rows,
        rows_total: Math.max(rows, step.rows_total),
      })
    )
      return null;
  }
  const heads = await newestHeads(context.db, config.headsFile);
  return proofTx(context, async (work) => {
    const walk = await openWalk(work, secrets);
    return walk && conclude(work, context, { at, heads, walk });
  }).then((proof) => proof ?? endedElsewhere(context, at, begun));
};

interface ProveOptions {
  full: boolean;
  onProgress?: (progress: WalkProgress) => void;
}

/**
 * Proves the ledger while postings continue. `full`: true to prove everything; otherwise only the
 * rows after the signed checkpoints are proved. Stores the result and blocks every station with a
 * violation. Every proof compares the ledger with the heads in the database. A full proof also
 * compares it with the newest heads in the file.
 */
export const prove = async (
  context: ProofContext,
  options: Omit<WalkOptions, 'onProgress'> & ProveOptions,
): Promise<Proof> => {
  const proof = await proveUntil(context, {
    ...options,
    onProgress: (progress) => options.onProgress?.(progress) ?? true,
  });
  return present(proof);
};

/**
 * Proves the ledger like `prove`. If `onProgress` returns false, the function returns null, and a
 * later call continues the check.
 */
export const proveUntil = async (
  context: ProofContext,
  { full, ...options }: WalkOptions & { full: boolean },
): Promise<Proof | null> => {
  const isLarge =
    full ||
    (await proofTx(context, (work) => trustedCheckpoints(work, context.secrets))).links_new >
      newLimit;
  return isLarge
    ? walkLedger(context, options)
    : proofTx(context, (work) =>
        conclude(work, context, { at: options.at, heads: { read: null, faults: [] }, walk: null }),
      );
};

/**
 * Ends the block of a station after an administrator has checked it; 0 means the block of all
 * stations. Returns true if there was such a block.
 */
export const unblock = async (
  work: Work,
  { station_id, by, note, at }: { station_id: number; by: number; note: string; at: Date },
): Promise<boolean> => {
  const row = await oneRow(
    work,
    sql<{ cleared: boolean }>`select ledger_clear_block(${station_id},
    ${by}, ${note}, ${at}) as cleared`,
  );
  return row.cleared;
};

/** Proofs, the newest first, each with its first twenty violations. */
export const lastProofs = async (work: Work, limit: number) => {
  const { rows } = await sql<
    RowOf<'ledger_proofs', 'id' | 'at' | 'whole' | 'checked_entries' | 'trusted_links'> & {
      started_at: Date;
      ok: number;
      breaks_total: number;
      breaks: Proof['breaks'];
    }
  >`select id, coalesce(started_at, at) as started_at, at, whole, trusted_links,
    (breaks = '[]')::int as ok, checked_entries, jsonb_array_length(breaks) as breaks_total,
      (select coalesce(jsonb_agg(b order by no), '[]')
        from jsonb_array_elements(breaks) with ordinality as each (b, no)
        where no <= 20) as breaks
    from ledger_proofs order by id desc limit ${limit}`.execute(work.tx);
  return rows;
};

/** The last full or incremental proof; null if there was none. */
export const lastProof = async (
  work: Work,
  { whole }: { whole: boolean },
): Promise<{ started_at: Date; at: Date; ok: number } | null> => {
  const { rows } = await sql<{ started_at: Date; at: Date; ok: number }>`select coalesce(started_at,
    at) as started_at, at, (breaks = '[]')::int as ok
    from ledger_proofs where whole = ${whole ? 1 : 0} order by id desc limit 1`.execute(work.tx);
  return rows[0] ?? null;
};

/**
 * The blocked stations, and when they were blocked. `station_id` is null if all stations are
 * blocked.
 */
export const blockedStations = async (work: Work) => {
  const { rows } = await sql<
    RowOf<'ledger_blocks', 'station_id' | 'reason' | 'blocked_at'> & { name: string }
  >`
    select b.station_id, coalesce(s.name, '') as name, b.reason, b.blocked_at
      from ledger_blocks b left join stations s on s.id = b.station_id
    where b.cleared_at is null and ${scopeCondition(work, 'b.station_id')}
      order by b.id`.execute(work.tx);
  return rows;
};
