import type { OutputOf, ParsedOf } from '@waystation/contract/endpoint.ts';
import { typedHead } from '@waystation/contract/chain-head.ts';
import type { compareChainHead } from '@waystation/contract/station-statement.ts';
import type { proveLedger } from '@waystation/contract/statement.ts';
import type { ledgerProofs } from '@waystation/contract/workplace.ts';
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
import { asSystem } from '#platform/db/db.ts';
import { scopeOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { requireStation } from './movement.ts';

const shownEvidence = ({ heads_at, transfers_since, records_since, baseline_at }: Evidence) => ({
  heads_at: heads_at?.toISOString() ?? null,
  transfers_since,
  records_since,
  baseline_at: baseline_at?.toISOString() ?? null,
});

/** How long a request reads before a full check goes on in the background. */
const requestSeconds = 15;

type Outcome = { proved: Proof; running: null } | { proved: null; running: WalkProgress };

/** Proves the ledger; a full check that takes longer than `seconds` goes on as a job. */
export const proveWithin = async (app: App, full: boolean, seconds = requestSeconds): Promise<Outcome> => {
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
  return { proved: null, running: running! };
};

const shownProgress = ({ started_at, rows_done, rows_total }: WalkProgress) => ({ started_at: started_at.toISOString(), rows_done, rows_total });

export const proof = async (app: App, actor: Actor, { full }: ParsedOf<typeof proveLedger>): Promise<OutputOf<typeof proveLedger>> => {
  const { proved, running } = await proveWithin(app, full === 1);
  if (proved === null) {
    const evidence = await app.db.tx(scopeOf(actor), (tx) => evidenceNow(tx, false));
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
const shownTimes = ({ started_at, at }: { started_at: Date; at: Date }) => ({ started_at: started_at.toISOString(), at: at.toISOString() });
const shownLast = (last: { started_at: Date; at: Date; ok: number } | null) => last && { ok: last.ok, ...shownTimes(last) };
const shownRunning = (running: WalkProgress | null) => running && shownProgress(running);

export const proofs = (app: App, actor: Actor): Promise<OutputOf<typeof ledgerProofs>> => {
  const scope = scopeOf(actor);
  return app.db.tx(scope, async (tx) => ({
    items: (await lastProofs(tx, shownProofs)).map((one) => ({ ...one, ...shownTimes(one) })),
    last_full: shownLast(await lastProof(tx, { whole: true })),
    last_new: shownLast(await lastProof(tx, { whole: false })),
    running: shownRunning(await walkProgress(tx)),
    evidence: shownEvidence(await evidenceNow(tx, false)),
    blocked: (await blockedStations(tx, scope)).map((block) => ({ ...block, blocked_at: block.blocked_at.toISOString() })),
  }));
};

/** Holds a head that a statement printed against the station's chain as it is now. */
export const compareHead = (app: App, actor: Actor, { id, head }: ParsedOf<typeof compareChainHead>): Promise<OutputOf<typeof compareChainHead>> => {
  const scope = scopeOf(actor);
  return app.db.tx(scope, async (tx) => {
    await requireStation(tx, scope, id);
    return asSystem(tx, scope, async () => {
      const found = await findHead(tx, id, typedHead(head)!);
      const newest = await newestLink(tx, id);
      return { found: found ? 1 : 0, holds: found?.holds ? 1 : 0, seq: found?.seq ?? null, at: found?.at.toISOString() ?? null, newest };
    });
  });
};
