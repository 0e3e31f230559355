import type { OutputOf, ParsedOf } from '@waystation/contract/endpoint.ts';
import { proofBlindSpots } from '@waystation/contract/statement.ts';
import type { proveLedger } from '@waystation/contract/statement.ts';
import type { ledgerProofs } from '@waystation/contract/workplace.ts';
import type { App } from '#app.ts';
import { blockedStations, evidenceNow, lastProofs, prove } from '#domain/ledger/ledger.ts';
import type { Evidence } from '#domain/ledger/ledger.ts';
import { scopeOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';

const shownEvidence = ({ heads_at, transfers_since, records_since, baseline_at }: Evidence) => ({
  heads_at: heads_at?.toISOString() ?? null,
  transfers_since,
  records_since,
  baseline_at: baseline_at?.toISOString() ?? null,
});

export const proof = async (app: App, _actor: Actor, { full }: ParsedOf<typeof proveLedger>): Promise<OutputOf<typeof proveLedger>> => {
  const proved = await prove(app, { full: full === 1, at: app.clock.now() });
  const { ok, kind, checked_entries, checked_at, breaks, evidence } = proved;
  const applies = { below_checkpoints: kind === 'incremental', before_baseline: evidence.baseline_at !== null };
  return {
    ok: ok ? 1 : 0,
    kind,
    checked_entries,
    checked_at: checked_at.toISOString(),
    ...shownEvidence(evidence),
    heads_from: evidence.heads_from,
    unseen: proofBlindSpots.filter((spot) => !(spot in applies) || applies[spot as keyof typeof applies]),
    breaks,
  };
};

const shownProofs = 10;

export const proofs = (app: App, actor: Actor): Promise<OutputOf<typeof ledgerProofs>> => {
  const scope = scopeOf(actor);
  return app.db.tx(scope, async (tx) => ({
    items: (await lastProofs(tx, shownProofs)).map((proof) => ({ ...proof, at: proof.at.toISOString() })),
    evidence: shownEvidence(await evidenceNow(tx, false)),
    blocked: (await blockedStations(tx, scope)).map((block) => ({ ...block, blocked_at: block.blocked_at.toISOString() })),
  }));
};
