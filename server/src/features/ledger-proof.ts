import type { OutputOf, ParsedOf } from '@waystation/contract/endpoint.ts';
import type { proveLedger } from '@waystation/contract/statement.ts';
import type { App } from '#app.ts';
import { prove } from '#domain/ledger/ledger.ts';
import type { Actor } from '#platform/auth/actor.ts';

export const proof = async (app: App, _actor: Actor, { full }: ParsedOf<typeof proveLedger>): Promise<OutputOf<typeof proveLedger>> => {
  const { ok, checked_entries, checked_at, breaks } = await prove(app.db, { full: full === 1, at: app.clock.now() });
  return { ok: ok ? 1 : 0, checked_entries, checked_at: checked_at.toISOString(), breaks };
};
