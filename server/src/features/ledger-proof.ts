import type { OutputOf, ParsedOf } from '@waystation/contract/endpoint.ts';
import type { proveLedger } from '@waystation/contract/statement.ts';
import type { ledgerProofs } from '@waystation/contract/workplace.ts';
import type { App } from '#app.ts';
import { blockedStations, lastProofs, prove } from '#domain/ledger/ledger.ts';
import { scopeOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';

export const proof = async (app: App, _actor: Actor, { full }: ParsedOf<typeof proveLedger>): Promise<OutputOf<typeof proveLedger>> => {
  const { ok, checked_entries, checked_at, breaks } = await prove(app.db, { full: full === 1, at: app.clock.now() });
  return { ok: ok ? 1 : 0, checked_entries, checked_at: checked_at.toISOString(), breaks };
};

const shownProofs = 10;

export const proofs = (app: App, actor: Actor): Promise<OutputOf<typeof ledgerProofs>> => {
  const scope = scopeOf(actor);
  return app.db.tx(scope, async (tx) => ({
    items: (await lastProofs(tx, shownProofs)).map((proof) => ({ ...proof, at: proof.at.toISOString() })),
    blocked: (await blockedStations(tx, scope)).map((block) => ({ ...block, blocked_at: block.blocked_at.toISOString() })),
  }));
};
