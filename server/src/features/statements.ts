import type { OutputOf, ParsedOf } from '@waystation/contract/endpoint.ts';
import type * as calls from '@waystation/contract/statement.ts';
import type { App } from '#app.ts';
import { journalOf, listStatements } from '#domain/ledger/ledger.ts';
import { scopeOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';

export const list = (app: App, actor: Actor, filters: ParsedOf<typeof calls.listStatements>): Promise<OutputOf<typeof calls.listStatements>> => {
  const scope = scopeOf(actor);
  return app.db.tx(scope, (tx) => listStatements(tx, scope, filters));
};

export const journal = (app: App, actor: Actor, { id }: ParsedOf<typeof calls.statementJournal>): Promise<OutputOf<typeof calls.statementJournal>> => {
  const scope = scopeOf(actor);
  return app.db.tx(scope, (tx) => journalOf(tx, scope, id));
};
