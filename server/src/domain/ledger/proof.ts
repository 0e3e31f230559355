import type { Clock } from '#platform/clock.ts';
import { recordAudit } from '#platform/audit.ts';
import { jsonText, oneRow, sql } from '#platform/db/db.ts';
import type { Db, RowOf, Tx } from '#platform/db/db.ts';
import { systemScope, scopeCondition } from '#platform/db/scope.ts';
import type { Scope } from '#platform/db/scope.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import type { Task } from '#platform/jobs/jobs.ts';
import { headsKnown, headsToProve, newestHeads, uncovered, writeHeads } from './heads.ts';

/** What a proof found. Invariants as docs/ledger.md names them. */
export interface Proof {
  ok: boolean;
  kind: 'full' | 'incremental';
  evidence: Evidence;
  checked_entries: number;
  checked_at: Date;
  /** At most 500 of each kind. */
  breaks: { invariant: string; subject: string; detail: string }[];
}

/** What a rewrite with all its hashes would have to stay clear of, to be found by nobody. */
export interface Evidence {
  /** When heads were written outside the database last; null: never. */
  heads_at: Date | null;
  /** Whether the proof read the heads from the file, or only as the database knows them. */
  heads_from: 'file' | 'database' | 'none';
  /** Transfers and records of sources that no head covers yet. */
  transfers_since: number;
  records_since: number;
  /** What happened before to rows of then cannot be told; null: everything was hashed when it was written. */
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
 * Proves the ledger: `full` all of it, else what was posted since each station's last proof. Postings go on meanwhile. Keeps the result, and blocks
 * every station that does not hold, all of them only where the sum over all accounts is not zero. A full proof compares with the newest heads of
 * `headsFile` too, where there is one; any proof with those that the database knows.
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

/** After someone has looked: the station (0: all) takes money again. Answers whether it was blocked. */
export const unblock = async (tx: Tx, { station_id, by, note, at }: { station_id: number; by: number; note: string; at: Date }): Promise<boolean> => {
  const row = await oneRow(tx, sql<{ cleared: boolean }>`select ledger_clear_block(${station_id}, ${by}, ${note}, ${at}) as cleared`);
  return row.cleared;
};

/** The newest proofs first; of each the first twenty breaks. */
export const lastProofs = async (tx: Tx, limit: number) => {
  const { rows } = await sql<
    RowOf<'ledger_proofs', 'id' | 'at' | 'whole' | 'checked_entries'> & { ok: number; breaks_total: number; breaks: Proof['breaks'] }
  >`select id, at, whole, (breaks = '[]')::int as ok, checked_entries, jsonb_array_length(breaks) as breaks_total,
      (select coalesce(jsonb_agg(b order by no), '[]') from jsonb_array_elements(breaks) with ordinality as each (b, no) where no <= 20) as breaks
    from ledger_proofs order by id desc limit ${limit}`.execute(tx);
  return rows;
};

/** Who takes no money until somebody has looked, and since when; `station_id` null: nobody does. */
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

/** Links the transfers that belong to no station into the platform's chain. */
const linkPlatform: Task<ProofContext> = ({ db }) =>
  db.tx(systemScope('ledger platform chain'), async (tx) => void (await sql`select ledger_link_platform()`.execute(tx)));

const proveWith =
  (full: boolean): Task<ProofContext> =>
  async ({ db, clock, config }, _payload, { log }) => {
    const proof = await prove(db, { full, at: clock.now(), headsFile: config.headsFile });
    if (!proof.ok) log.error({ breaks: proof.breaks.slice(0, 20) }, 'the ledger does not prove');
  };

/** Milliseconds after a start until it is looked whether what was posted before it holds: others are served first. */
const pause = 20_000;

/** After a start of a worker: proves what is new since the last proof, beside everything else and once, however many workers start. */
export const proveSoon = (db: Db, now: Date): Promise<void> =>
  db.tx(scope, (tx) => addJob(tx, 'ledger_proof_new', {}, { key: 'ledger_proof_new', runAt: new Date(now.getTime() + pause), priority: 10 }));

/** One alert until somebody closes it. */
const alert = (db: Db, code: string, params: Record<string, string | number>): Promise<unknown> =>
  db.tx(scope, (tx) =>
    sql`insert into alerts (code, params, key) values (${code}, ${jsonText(params)}::jsonb, ${code})
      on conflict (key) do update set closed_at = null, at = now(), params = excluded.params`.execute(tx),
  );

/** Writes the heads of all chains outside the database, and calls somebody where what was written before does not hold, or the file is not the one. */
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
