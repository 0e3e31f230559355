import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import { typedHead } from '@waystation/contract/money/chain-head.ts';
import type { compareChainHead } from '@waystation/contract/money/station-statement.ts';
import type { proveLedger } from '@waystation/contract/money/statement.ts';
import type { ledgerProofs } from '@waystation/contract/shell/workplace.ts';
import { present } from '@waystation/contract/base/present.ts';
import type { App } from '#app.ts';
import {
  blindSpotsOf,
  blockedStations,
  continueWalk,
  evidenceNow,
  findHead,
  lastProof,
  lastProofs,
  newestLink,
  proveUntil,
  walkProgress,
} from '#domain/ledger/ledger.ts';
import type { Evidence, Proof, WalkProgress } from '#domain/ledger/ledger.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { callerOf } from '#platform/db/db.ts';
import { requireStation } from './movement.ts';

const shownEvidence = ({ heads_at, transfers_since, records_since, baseline_at }: Evidence) => ({
  heads_at: heads_at?.toISOString() ?? null,
  transfers_since,
  records_since,
  baseline_at: baseline_at?.toISOString() ?? null,
});

/** The number of seconds that a request checks before a full check continues in the background. */
const requestSeconds = 15;

type Outcome = { proved: Proof; running: null } | { proved: null; running: WalkProgress };

/** Runs the ledger check. A full check that takes longer than `seconds` continues as a job. */
export const proveWithin = async (
  app: App,
  full: boolean,
  seconds = requestSeconds,
): Promise<Outcome> => {
  const until = performance.now() + seconds * 1_000;
  let running: WalkProgress | null = null;
  const proved = await proveUntil(app, {
    full,
    at: app.clock.now(),
    onProgress: (progress) => {
      running = progress;
      return performance.now() < until;
    },
  });
  if (proved !== null) return { proved, running: null };
  await continueWalk(app.db);
  return { proved: null, running: present(running) };
};

const shownProgress = ({ started_at, rows_done, rows_total }: WalkProgress) => ({
  started_at: started_at.toISOString(),
  rows_done,
  rows_total,
});

export const proof = async (
  app: App,
  actor: Actor,
  { full }: ParsedOf<typeof proveLedger>,
): Promise<OutputOf<typeof proveLedger>> => {
  const { proved, running } = await proveWithin(app, full === 1);
  if (proved === null) {
    const evidence = await app.db.tx(callerOf(actor), (work) => evidenceNow(work, false));
    return {
      ok: null,
      running: shownProgress(running),
      kind: 'full',
      checked_entries: 0,
      checked_at: app.clock.now().toISOString(),
      ...shownEvidence(evidence),
      heads_from: evidence.heads_from,
      unseen: blindSpotsOf({ kind: 'full', evidence }),
      breaks: [],
    };
  }
  const { ok, kind, checked_entries, checked_at, breaks, evidence } = proved;
  return {
    ok: ok ? 1 : 0,
    running: null,
    kind,
    checked_entries,
    checked_at: checked_at.toISOString(),
    ...shownEvidence(evidence),
    heads_from: evidence.heads_from,
    unseen: blindSpotsOf(proved),
    breaks,
  };
};

const shownProofs = 10;
const shownTimes = ({ started_at, at }: { started_at: Date; at: Date }) => ({
  started_at: started_at.toISOString(),
  at: at.toISOString(),
});
const shownLast = (last: { started_at: Date; at: Date; ok: number } | null) =>
  last && { ok: last.ok, ...shownTimes(last) };
const shownRunning = (running: WalkProgress | null) => running && shownProgress(running);

export const proofs = (app: App, actor: Actor): Promise<OutputOf<typeof ledgerProofs>> => {
  const caller = callerOf(actor);
  return app.db.tx(caller, async (work) => ({
    items: (await lastProofs(work, shownProofs)).map((one) => ({ ...one, ...shownTimes(one) })),
    last_full: shownLast(await lastProof(work, { whole: true })),
    last_new: shownLast(await lastProof(work, { whole: false })),
    running: shownRunning(await walkProgress(work)),
    evidence: shownEvidence(await evidenceNow(work, false)),
    blocked: (await blockedStations(work)).map((block) => ({
      ...block,
      blocked_at: block.blocked_at.toISOString(),
    })),
  }));
};

/** Compares a hash-chain head printed on a statement with the station's present chain. */
export const compareHead = (
  app: App,
  actor: Actor,
  { id, head }: ParsedOf<typeof compareChainHead>,
): Promise<OutputOf<typeof compareChainHead>> => {
  const caller = callerOf(actor);
  return app.db.tx(caller, async (work) => {
    await requireStation(work, id);
    return work.asSystem('chain of a station', async (system) => {
      const found = await findHead(system, id, typedHead(head)!);
      const newest = await newestLink(system, id);
      return {
        found: found ? 1 : 0,
        holds: found?.holds ? 1 : 0,
        seq: found?.seq ?? null,
        at: found?.at.toISOString() ?? null,
        newest,
      };
    });
  });
};
