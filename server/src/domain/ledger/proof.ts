import type { Clock } from '#platform/clock.ts';
import { recordAudit } from '#platform/audit.ts';
import { jsonText, oneRow, sql } from '#platform/db/db.ts';
import type { Db, RowOf, Tx } from '#platform/db/db.ts';
import { systemScope, scopeCondition } from '#platform/db/scope.ts';
import type { Scope } from '#platform/db/scope.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import type { Task } from '#platform/jobs/jobs.ts';
import { headsKnown, headsToProve, newestHeads, uncovered, writeHeads } from './heads.ts';

/** A violated invariant, named as in docs/ledger.md. */
export interface Proof {
  ok: boolean;
  kind: 'full' | 'incremental';
  evidence: Evidence;
  checked_entries: number;
  checked_at: Date;
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
  /** Stations newly blocked; 0: all. */
  blocked: number[];
}

const scope = systemScope('ledger proof');

/**
 * Proves the ledger: `full` all of it, else the entries since each station's last proof, while postings go on. Stores the result and blocks every station
 * with a violation, all stations only if the sum over all accounts is not zero. Every proof compares with the heads that the database knows, a full one
 * also with the newest heads of `headsFile` if there is one.
 */
export const prove = async (db: Db, { full, at, headsFile = null }: { full: boolean; at: Date; headsFile?: string | null }): Promise<Proof> => {
  const read = full ? await newestHeads(headsFile) : null;
  return db.tx(scope, async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx);
    const heads = read ? jsonText(await headsToProve(tx, read)) : null;
    const row = await oneRow(tx, sql<{ proved: Proved }>`select ledger_prove(${full}, ${at}, ${heads}::jsonb) as proved`);
    const { ok, checked_entries, breaks, blocked } = row.proved;
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
      kind: full ? 'full' : 'incremental',
      evidence: await evidenceNow(tx, read !== null && read.last !== null),
      checked_entries,
      checked_at: at,
      breaks,
    };
  });
};

/** Ends the block of a station (0: of all) after an administrator has looked. Returns whether it was blocked. */
export const unblock = async (tx: Tx, { station_id, by, note, at }: { station_id: number; by: number; note: string; at: Date }): Promise<boolean> => {
  const row = await oneRow(tx, sql<{ cleared: boolean }>`select ledger_clear_block(${station_id}, ${by}, ${note}, ${at}) as cleared`);
  return row.cleared;
};

/** Proofs, newest first; of each the first twenty violations. */
export const lastProofs = async (tx: Tx, limit: number) => {
  const { rows } = await sql<
    RowOf<'ledger_proofs', 'id' | 'at' | 'whole' | 'checked_entries'> & { ok: number; breaks_total: number; breaks: Proof['breaks'] }
  >`select id, at, whole, (breaks = '[]')::int as ok, checked_entries, jsonb_array_length(breaks) as breaks_total,
      (select coalesce(jsonb_agg(b order by no), '[]') from jsonb_array_elements(breaks) with ordinality as each (b, no) where no <= 20) as breaks
    from ledger_proofs order by id desc limit ${limit}`.execute(tx);
  return rows;
};

/** Blocked stations and since when; `station_id` null: all are blocked. */
export const blockedStations = async (tx: Tx, actorScope: Scope) => {
  const { rows } = await sql<RowOf<'ledger_blocks', 'station_id' | 'reason' | 'blocked_at'> & { name: string }>`
    select b.station_id, coalesce(s.name, '') as name, b.reason, b.blocked_at from ledger_blocks b left join stations s on s.id = b.station_id
    where b.cleared_at is null and ${scopeCondition(actorScope, 'b.station_id')} order by b.id`.execute(tx);
  return rows;
};

interface ProofContext {
  db: Db;
  clock: Clock;
  config: { headsFile: string | null };
}

/** Task: links the transfers that belong to no station into the platform's chain. */
const linkPlatform: Task<ProofContext> = ({ db }) =>
  db.tx(systemScope('ledger platform chain'), async (tx) => void (await sql`select ledger_link_platform()`.execute(tx)));

const proveWith =
  (full: boolean): Task<ProofContext> =>
  async ({ db, clock, config }, _payload, { log }) => {
    const proof = await prove(db, { full, at: clock.now(), headsFile: config.headsFile });
    if (!proof.ok) log.error({ breaks: proof.breaks.slice(0, 20) }, 'the ledger does not prove');
  };

/** Milliseconds between a start and its proof, so that requests are served first. */
const pause = 20_000;

/** Queues, after the start of a worker, the proof of what is new since the last one; once, however many workers start. */
export const proveSoon = (db: Db, now: Date): Promise<void> =>
  db.tx(scope, (tx) => addJob(tx, 'ledger_proof_new', {}, { key: 'ledger_proof_new', runAt: new Date(now.getTime() + pause), priority: 10 }));

/** One alert until a user closes it. */
const alert = (db: Db, code: string, params: Record<string, string | number>): Promise<unknown> =>
  db.tx(scope, (tx) =>
    sql`insert into alerts (code, params, key) values (${code}, ${jsonText(params)}::jsonb, ${code})
      on conflict (key) do update set closed_at = null, at = now(), params = excluded.params`.execute(tx),
  );

/** Task: writes the heads of all chains outside the database; raises an alert if a written head is invalid or the file is another one. */
const writeHeadsTask: Task<ProofContext> = async ({ db, clock, config }, _payload, { log }) => {
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
  ledger_proof_nightly: proveWith(true),
  ledger_proof_new: proveWith(false),
};
