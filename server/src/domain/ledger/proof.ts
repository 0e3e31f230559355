import type { Clock } from '#platform/clock.ts';
import { recordAudit } from '#platform/audit.ts';
import { jsonText, oneRow, sql } from '#platform/db/db.ts';
import type { Db, RowOf, Tx } from '#platform/db/db.ts';
import { systemScope, scopeCondition } from '#platform/db/scope.ts';
import type { Scope } from '#platform/db/scope.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import type { JobContext, Task } from '#platform/jobs/jobs.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';
import type { HeadsRead } from './heads-file.ts';
import { headsKnown, headsToProve, newestHeads, uncovered, writeHeads } from './heads.ts';
import { beginWalk, openWalk, readPiece, signCheckpoints, trustedCheckpoints, walkProgress } from './proof-walk.ts';
import type { Walk, WalkProgress } from './proof-walk.ts';

/** A violated invariant, named as in docs/ledger.md. */
export interface Proof {
  ok: boolean;
  kind: 'full' | 'incremental';
  evidence: Evidence;
  checked_entries: number;
  /** Of a full check: everything was read between this moment and `checked_at`. */
  started_at: Date;
  checked_at: Date;
  /** What a check of the new rows did not read again: links below signed checkpoints, the oldest of which is of `since`. */
  trusted: { links: number; since: Date | null; unsigned: number } | null;
  /** At most 500 of each kind. */
  breaks: { invariant: string; subject: string; detail: string }[];
}

/** How far written heads protect the ledger against a rewrite that recalculates all hashes. */
export interface Evidence {
  /** When heads were last written outside the database; null: never. */
  heads_at: Date | null;
  /** Whether the proof read the heads from the file, or only the database's copy. */
  heads_from: 'file' | 'database' | 'none';
  /** Transfers and records of sources that no head covers yet. */
  transfers_since: number;
  records_since: number;
  /** Changes of rows before this date cannot be detected; null: every row was hashed when it was written. */
  baseline_at: Date | null;
}

export const evidenceNow = async (tx: Tx, from_file: boolean): Promise<Evidence> => {
  const known = await headsKnown(tx);
  const { transfers, records, baseline_at } = await uncovered(tx);
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
  /** Stations newly blocked; 0: all. */
  blocked: number[];
  /** Checkpoints that moved, with the text that their signature covers. */
  moved: [number, string][];
}

const scope = systemScope('ledger proof');

/** What a check needs of the product. */
export interface ProofContext {
  db: Db;
  secrets: Secrets;
  config: { headsFile: string | null };
}

/** Rows of a piece of the full check: a second or two, some megabytes of memory and no temporary files. */
const pieceSize = 10_000;

/** A walk that began earlier is not continued: its first pieces say too little about today. */
const walkDays = 3;

/** More links than this since the checkpoints are read in pieces, as a full check. */
const newLimit = 200_000;

/** Compares with the heads, stores the result, moves the checkpoints and blocks the stations with a violation; all stations only if the accounts do not sum to zero. */
const conclude = async (
  tx: Tx,
  { secrets }: ProofContext,
  at: Date,
  { read, faults }: { read: HeadsRead | null; faults: string[] },
  walk: Walk | null,
): Promise<Proof> => {
  const heads = read ? jsonText(await headsToProve(tx, read)) : null;
  const trusted = await trustedCheckpoints(tx, secrets);
  // A fault of the file is of no station, and suspends no payments.
  const walked =
    walk &&
    jsonText({
      ...walk.state,
      breaks: [...walk.state.breaks, ...faults.map((detail) => ({ invariant: 'I8', subject: 'heads file', stations: null, detail }))],
    });
  const row = await oneRow(
    tx,
    sql<{
      proved: Proved;
    }>`select ledger_check(${at}, ${heads}::jsonb, ${trusted.stations}::bigint[], ${walk?.id ?? null}::bigint, ${walked}::jsonb) as proved`,
  );
  const { ok, checked_entries, breaks, blocked, moved, trusted_links } = row.proved;
  await signCheckpoints(tx, secrets, moved);
  for (const station_id of blocked)
    await recordAudit(tx, null, null, {
      action: 'ledger.block',
      subject: 'stations',
      subject_id: station_id || null,
      station_id: station_id || null,
      reason: 'ledger proof',
    });
  return {
    ok,
    kind: walk ? 'full' : 'incremental',
    evidence: await evidenceNow(tx, read !== null && read.last !== null),
    checked_entries,
    started_at: walk?.started_at ?? at,
    checked_at: at,
    trusted: walk ? null : { links: trusted_links, since: trusted.since, unsigned: trusted.unsigned },
    breaks,
  };
};

/** Postings go on meanwhile; statements of a check have no time limit. */
const proofTx = <Result>({ db }: ProofContext, run: (tx: Tx) => Promise<Result>): Promise<Result> =>
  db.tx(scope, async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx);
    return run(tx);
  });

interface WalkOptions {
  at: Date;
  /** Called after each piece; false ends the call, and the next one continues where it ended. */
  onProgress?: (progress: WalkProgress) => boolean;
  /** Rows of a piece. */
  size?: number;
}

/** The result of a walk that another process has ended meanwhile. Throws if it did not end: then its state was changed. */
const endedElsewhere = (context: ProofContext, at: Date, begun: Date | null): Promise<Proof> =>
  proofTx(context, async (tx) => {
    const { rows } = await sql<RowOf<'ledger_proofs', 'checked_entries' | 'breaks'>>`select checked_entries, breaks from ledger_proofs
      where whole = 1 and started_at = ${begun} order by id desc limit 1`.execute(tx);
    const [ended] = rows;
    if (!ended || begun === null) throw new Error('the state of the full check was changed');
    const evidence = await evidenceNow(tx, false);
    return { ...ended, ok: ended.breaks.length === 0, kind: 'full', evidence, started_at: begun, checked_at: at, trusted: null };
  });

/**
 * The full check, in pieces of one transaction each: continues the walk under way, also that of another process, or starts one. Null if `onProgress` ended it.
 * What was stored before the walk began is read by the pieces, what is newer by its last step, which also compares with the newest heads of the file.
 */
export const walkLedger = async (context: ProofContext, { at, onProgress = () => true, size = pieceSize }: WalkOptions): Promise<Proof | null> => {
  const { secrets, config } = context;
  let begun: Date | null = null;
  for (let first = true; ; first = false) {
    const step = await proofTx(context, async (tx) => {
      const open = await openWalk(tx, secrets);
      const isOld = first && open !== null && at.getTime() - open.started_at.getTime() > walkDays * 86_400_000;
      const walk = open && !isOld ? open : first ? await beginWalk(tx, secrets, at) : null;
      if (walk?.state.part) await readPiece(tx, secrets, walk, size, at);
      return walk;
    });
    if (step === null) return endedElsewhere(context, at, begun);
    begun = step.started_at;
    const { part, rows } = step.state;
    if (part === null) break;
    if (!onProgress({ started_at: step.started_at, rows_done: rows, rows_total: Math.max(rows, step.rows_total) })) return null;
  }
  const heads = await newestHeads(context.db, config.headsFile);
  return proofTx(context, async (tx) => {
    const walk = await openWalk(tx, secrets);
    return walk && conclude(tx, context, at, heads, walk);
  }).then((proof) => proof ?? endedElsewhere(context, at, begun));
};

interface ProveOptions {
  full: boolean;
  onProgress?: (progress: WalkProgress) => void;
}

/**
 * Proves the ledger while postings go on: `full` all of it, else what is new since the signed checkpoints of the stations. Stores the result and blocks every
 * station with a violation. Every proof compares with the heads that the database knows, a full one also with the newest heads of the file.
 */
export const prove = async (context: ProofContext, options: Omit<WalkOptions, 'onProgress'> & ProveOptions): Promise<Proof> => {
  const proof = await proveUntil(context, { ...options, onProgress: (progress) => options.onProgress?.(progress) ?? true });
  return proof!;
};

/** Proves the ledger as `prove` does, until `onProgress` is false; then null, and a later call continues. */
export const proveUntil = async (context: ProofContext, { full, ...options }: WalkOptions & { full: boolean }): Promise<Proof | null> => {
  const isLarge = full || (await proofTx(context, (tx) => trustedCheckpoints(tx, context.secrets))).links_new > newLimit;
  return isLarge ? walkLedger(context, options) : proofTx(context, (tx) => conclude(tx, context, options.at, { read: null, faults: [] }, null));
};

/** Ends the block of a station (0: of all) after an administrator has looked. Returns whether it was blocked. */
export const unblock = async (tx: Tx, { station_id, by, note, at }: { station_id: number; by: number; note: string; at: Date }): Promise<boolean> => {
  const row = await oneRow(tx, sql<{ cleared: boolean }>`select ledger_clear_block(${station_id}, ${by}, ${note}, ${at}) as cleared`);
  return row.cleared;
};

/** Proofs, newest first; of each the first twenty violations. */
export const lastProofs = async (tx: Tx, limit: number) => {
  const { rows } = await sql<
    RowOf<'ledger_proofs', 'id' | 'at' | 'whole' | 'checked_entries' | 'trusted_links'> & {
      started_at: Date;
      ok: number;
      breaks_total: number;
      breaks: Proof['breaks'];
    }
  >`select id, coalesce(started_at, at) as started_at, at, whole, trusted_links, (breaks = '[]')::int as ok, checked_entries, jsonb_array_length(breaks) as breaks_total,
      (select coalesce(jsonb_agg(b order by no), '[]') from jsonb_array_elements(breaks) with ordinality as each (b, no) where no <= 20) as breaks
    from ledger_proofs order by id desc limit ${limit}`.execute(tx);
  return rows;
};

/** The last proof of a kind; null: there was none. */
export const lastProof = async (tx: Tx, { whole }: { whole: boolean }): Promise<{ started_at: Date; at: Date; ok: number } | null> => {
  const { rows } = await sql<{ started_at: Date; at: Date; ok: number }>`select coalesce(started_at, at) as started_at, at, (breaks = '[]')::int as ok
    from ledger_proofs where whole = ${whole ? 1 : 0} order by id desc limit 1`.execute(tx);
  return rows[0] ?? null;
};

/** Blocked stations and since when; `station_id` null: all are blocked. */
export const blockedStations = async (tx: Tx, actorScope: Scope) => {
  const { rows } = await sql<RowOf<'ledger_blocks', 'station_id' | 'reason' | 'blocked_at'> & { name: string }>`
    select b.station_id, coalesce(s.name, '') as name, b.reason, b.blocked_at from ledger_blocks b left join stations s on s.id = b.station_id
    where b.cleared_at is null and ${scopeCondition(actorScope, 'b.station_id')} order by b.id`.execute(tx);
  return rows;
};

type TaskContext = ProofContext & { clock: Clock };

/** Task: links the transfers that belong to no station into the platform's chain. */
const linkPlatform: Task<TaskContext> = ({ db }) =>
  db.tx(systemScope('ledger platform chain'), async (tx) => void (await sql`select ledger_link_platform()`.execute(tx)));

const reportBreaks = ({ ok, breaks }: Proof, log: JobContext['log']): void => {
  if (!ok) log.error({ breaks: breaks.slice(0, 20) }, 'the ledger does not prove');
};

const proveNew: Task<TaskContext> = async (app, _payload, { log }) => reportBreaks(await prove(app, { full: false, at: app.clock.now() }), log);

/** How long one job of the full check reads: a worker that stops waits no longer for it. */
const jobSeconds = 20;

/** Task: reads on in the full check for a while, and queues itself again until everything is read. */
const proveAll: Task<TaskContext> = async (app, _payload, { log }) => {
  const until = performance.now() + jobSeconds * 1_000;
  const proof = await walkLedger(app, { at: app.clock.now(), onProgress: () => performance.now() < until });
  if (proof) reportBreaks(proof, log);
  else await continueWalk(app.db);
};

/** Milliseconds between a start and its proof, so that requests are served first. */
const pause = 20_000;

/** Queues the next pieces of the full check. */
export const continueWalk = (db: Db, runAt?: Date): Promise<void> =>
  db.tx(scope, (tx) => addJob(tx, 'ledger_proof_nightly', {}, { key: 'ledger_proof_nightly', priority: 10, ...(runAt && { runAt }) }));

/**
 * Queues, after the start of a worker, the proof of what is new since the last one, and the rest of a full check that was interrupted; once, however many
 * workers start.
 */
export const proveSoon = async (db: Db, now: Date): Promise<void> => {
  const runAt = new Date(now.getTime() + pause);
  await db.tx(scope, (tx) => addJob(tx, 'ledger_proof_new', {}, { key: 'ledger_proof_new', runAt, priority: 10 }));
  if (await db.tx(scope, walkProgress)) await continueWalk(db, runAt);
};

/** One alert until a user closes it. */
const alert = (db: Db, code: string, params: Record<string, string | number>): Promise<unknown> =>
  db.tx(scope, (tx) =>
    sql`insert into alerts (code, params, key) values (${code}, ${jsonText(params)}::jsonb, ${code})
      on conflict (key) do update set closed_at = null, at = now(), params = excluded.params`.execute(tx),
  );

/** Task: writes the heads of all chains outside the database; raises an alert if a written head is invalid or the file is another one. */
const writeHeadsTask: Task<TaskContext> = async ({ db, clock, config }, _payload, { log }) => {
  if (config.headsFile === null) return;
  const { astray, state } = await writeHeads(db, config.headsFile, clock.now()).catch(async (error: NodeJS.ErrnoException) => {
    if (error.syscall === undefined) throw error;
    log.error({ error: error.message }, 'the heads of the ledger could not be written');
    await alert(db, 'heads_not_written', { reason: error.code ?? error.message });
    return { astray: [], state: 'ok' as const };
  });
  if (state !== 'ok') await alert(db, 'heads_file_differs', { state });
  if (astray.length === 0) return;
  log.error({ astray: astray.slice(0, 20) }, 'chains of the ledger do not go through the heads that were written');
  await alert(db, 'heads_astray', { count: astray.length });
};

export const ledgerTasks = {
  ledger_platform_chain: linkPlatform,
  ledger_heads: writeHeadsTask,
  ledger_proof_nightly: proveAll,
  ledger_proof_new: proveNew,
};
