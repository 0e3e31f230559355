import { boundedStatements } from '@waystation/contract/base/bounded-lists.ts';
import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type { Price } from '@waystation/contract/money/price.ts';
import { office } from '@waystation/contract/base/roles.ts';
import type { Statement } from '@waystation/contract/money/statement.ts';
import type * as calls from '@waystation/contract/money/statement.ts';
import type { App } from '#app.ts';
import {
  countStatements,
  journalOf,
  listStatements,
  statementIds,
  statementsOf,
} from '#domain/ledger/ledger.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { callerOf, sql } from '#platform/db/db.ts';
import type { RowOf, Work } from '#platform/db/db.ts';
import type { Counting } from '#platform/db/paging.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';
import { assertDays } from '#platform/http/bounded-days.ts';
import type { ListWalk } from '#platform/http/list-walk.ts';

/**
 * Only administrators may filter by carrier bill, because a bill concerns the carrier account, not
 * a station.
 */
const assertMayFilter = (
  app: App,
  actor: Actor,
  filters: ParsedOf<typeof calls.listStatements>,
): void => {
  if (filters.billed !== undefined && !office.includes(actor.role)) fail('forbidden');
  assertDays(boundedStatements, filters, app.clock.now());
};

export const list = async (
  app: App,
  actor: Actor,
  filters: ParsedOf<typeof calls.listStatements>,
): Promise<OutputOf<typeof calls.listStatements>> => {
  assertMayFilter(app, actor, filters);
  const caller = callerOf(actor);
  return app.db.tx(caller, (work) => listStatements(work, filters));
};

export const counts = async (
  app: App,
  actor: Actor,
  filters: ParsedOf<typeof calls.countStatements> & Counting,
): Promise<OutputOf<typeof calls.countStatements>> => {
  assertMayFilter(app, actor, filters);
  const caller = callerOf(actor);
  return app.db.tx(caller, (work) => countStatements(work, filters));
};

/** The functions with which an export reads transactions. */
export const walk: ListWalk<App, ParsedOf<typeof calls.listStatements> & Counting> = {
  ids: async (app, actor, filters) => {
    assertMayFilter(app, actor, filters);
    const caller = callerOf(actor);
    return app.db.tx(caller, (work) => statementIds(work, filters));
  },
  rows: (app, actor, { ids }) => {
    const caller = callerOf(actor);
    return app.db.tx(caller, (work) => statementsOf(work, ids));
  },
};

type Pricing = OutputOf<typeof calls.statementJournal>['pricing'];

/**
 * The pricing that caused a charge or a difference, and the pricing before it. The transaction's
 * cause contains the parcel and the number of the fact.
 */
const pricingOf = async (
  work: Work,
  { express_id }: Statement,
  cause: string | null,
): Promise<Pricing> => {
  const [, parcel, no] = /^(?:charge|difference):(\d+):(\d+)$/.exec(cause ?? '') ?? [];
  if (express_id === null || Number(parcel) !== express_id) return null;
  const { rows } = await sql<
    RowOf<'express_facts', 'no' | 'source' | 'reason' | 'at'> & { price: Price }
  >`
    select f.no, fact_price(f) as price, f.source, f.reason, f.at from express_facts f
    where f.express_id = ${express_id} and f.no <= ${Number(no)} and (f.price is not null or f.packed_price is not null)
      and ${scopeCondition(work, 'f.station_id')} order by f.no desc limit 2`.execute(work.tx);
  const [after, before] = rows;
  if (!after || after.no !== Number(no)) return null;
  return {
    before: before?.price ?? null,
    after: after.price,
    source: after.source,
    reason: after.reason,
    at: after.at.toISOString(),
  };
};

export const journal = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.statementJournal>,
): Promise<OutputOf<typeof calls.statementJournal>> => {
  const caller = callerOf(actor);
  return app.db.tx(caller, async (work) => {
    const { line, transfer, cause } = await journalOf(work, id);
    // A profit share has no price. The price of its parcel is shown at the station that pays the
    // share.
    return {
      line,
      transfer,
      pricing: line.post_amount === null ? null : await pricingOf(work, line, cause),
    };
  });
};
