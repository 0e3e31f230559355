import { boundedStatements } from '@waystation/contract/bounded-lists.ts';
import type { OutputOf, ParsedOf } from '@waystation/contract/endpoint.ts';
import type { Price } from '@waystation/contract/price.ts';
import { office } from '@waystation/contract/roles.ts';
import type { Statement } from '@waystation/contract/statement.ts';
import type * as calls from '@waystation/contract/statement.ts';
import type { App } from '#app.ts';
import { countStatements, journalOf, listStatements, statementIds, statementsOf } from '#domain/ledger/ledger.ts';
import { scopeOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { sql } from '#platform/db/db.ts';
import type { RowOf, Tx } from '#platform/db/db.ts';
import type { Counting } from '#platform/db/paging.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import type { Scope } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';
import { assertDays } from '#platform/http/bounded-days.ts';
import type { ListWalk } from '#platform/http/list-walk.ts';

/** What the carrier bills is its account's matter, not a station's. */
const assertMayFilter = (app: App, actor: Actor, filters: ParsedOf<typeof calls.listStatements>): void => {
  if (filters.billed !== undefined && !office.includes(actor.role)) fail('forbidden');
  assertDays(boundedStatements, filters, app.clock.now());
};

export const list = async (app: App, actor: Actor, filters: ParsedOf<typeof calls.listStatements>): Promise<OutputOf<typeof calls.listStatements>> => {
  assertMayFilter(app, actor, filters);
  const scope = scopeOf(actor);
  return app.db.tx(scope, (tx) => listStatements(tx, scope, filters));
};

export const counts = async (
  app: App,
  actor: Actor,
  filters: ParsedOf<typeof calls.countStatements> & Counting,
): Promise<OutputOf<typeof calls.countStatements>> => {
  assertMayFilter(app, actor, filters);
  const scope = scopeOf(actor);
  return app.db.tx(scope, (tx) => countStatements(tx, scope, filters));
};

/** How an export reads billing lines. */
export const walk: ListWalk<App, ParsedOf<typeof calls.listStatements> & Counting> = {
  ids: async (app, actor, filters) => {
    assertMayFilter(app, actor, filters);
    const scope = scopeOf(actor);
    return app.db.tx(scope, (tx) => statementIds(tx, scope, filters));
  },
  rows: (app, actor, { ids }) => {
    const scope = scopeOf(actor);
    return app.db.tx(scope, (tx) => statementsOf(tx, scope, ids));
  },
};

type Pricing = OutputOf<typeof calls.statementJournal>['pricing'];

/** The pricing that a charge or a difference follows from, which its cause names by parcel and fact, and the one before it. */
const pricingOf = async (tx: Tx, scope: Scope, { express_id }: Statement, cause: string | null): Promise<Pricing> => {
  const [, parcel, no] = /^(?:charge|difference):(\d+):(\d+)$/.exec(cause ?? '') ?? [];
  if (express_id === null || Number(parcel) !== express_id) return null;
  const { rows } = await sql<RowOf<'express_facts', 'no' | 'source' | 'reason' | 'at'> & { price: Price }>`
    select f.no, f.price, f.source, f.reason, f.at from express_facts f
    where f.express_id = ${express_id} and f.no <= ${Number(no)} and f.price is not null and ${scopeCondition(scope, 'f.station_id')} order by f.no desc limit 2`.execute(
    tx,
  );
  const [after, before] = rows;
  if (!after || after.no !== Number(no)) return null;
  return { before: before?.price ?? null, after: after.price, source: after.source, reason: after.reason, at: after.at.toISOString() };
};

export const journal = (app: App, actor: Actor, { id }: ParsedOf<typeof calls.statementJournal>): Promise<OutputOf<typeof calls.statementJournal>> => {
  const scope = scopeOf(actor);
  return app.db.tx(scope, async (tx) => {
    const { line, transfer, cause } = await journalOf(tx, scope, id);
    // A share has no price: its parcel's price is shown at the station that pays it.
    return { line, transfer, pricing: line.post_amount === null ? null : await pricingOf(tx, scope, line, cause) };
  });
};
