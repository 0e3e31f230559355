import type { OfferChoice } from '@waystation/contract/network/offer-rule.ts';
import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type * as calls from '@waystation/contract/parcels/express-calls.ts';
import type { Price } from '@waystation/contract/money/price.ts';
import { office } from '@waystation/contract/base/roles.ts';
import type { App } from '#app.ts';
import { expressIn, payoutLimit } from '#domain/express/express-reads.ts';
import type { ExpressRow } from '#domain/express/express-reads.ts';
import { sameHand } from '#domain/second-person/second-person.ts';
import { givenAlone, paidOut, refundLeft } from '#domain/ledger/ledger.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { callerOf, sql } from '#platform/db/db.ts';
import type { ReaderWork, RowOf } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import { readSetting } from '#platform/settings.ts';

/** The carrier's tracking reports about a parcel, oldest first. */
export const trace = async (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.traceExpress>,
): Promise<OutputOf<typeof calls.traceExpress>> => {
  const caller = callerOf(actor);
  return app.db.tx(caller, async (work) => {
    const express = await expressIn(work, id);
    const rows = await work.tx
      .selectFrom('express_messages')
      .select([
        'operation_time',
        'category',
        'state',
        'title',
        'remark',
        'operator_name',
        'place',
        'source',
        'our_state',
      ])
      .where('express_id', '=', id)
      .orderBy('operation_time')
      .orderBy('rank')
      .orderBy('hash')
      .execute();
    return {
      items: rows.map(({ operation_time, ...row }) => ({
        at: operation_time.toISOString(),
        ...row,
      })),
      checked_at: express.polled_at?.toISOString() ?? null,
    };
  });
};

/** Returns every pricing of the parcel: the pricing at ordering first, the present pricing last. */
export const price = async (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.priceExpress>,
): Promise<OutputOf<typeof calls.priceExpress>> => {
  const caller = callerOf(actor);
  return app.db.tx(caller, async (work) => {
    const express = await expressIn(work, id);
    const { rows } = await sql<
      RowOf<'express_facts', 'no' | 'at' | 'source' | 'reason' | 'facts'> & { price: Price }
    >`select f.no, f.at, f.source, f.reason, f.facts, fact_price(f) as price from express_facts f
      where f.express_id = ${id} and (f.price is not null or f.packed_price is not null)
        and ${scopeCondition(work, 'f.station_id')} order by f.no`.execute(work.tx);
    return {
      pricings: rows.map(({ at, facts, ...row }) => {
        const { choice } = facts as { choice?: OfferChoice };
        return { ...row, ...(choice && { choice }), at: at.toISOString() };
      }),
      voucher_name: express.terms?.voucher.name ?? '',
      voucher_no: express.terms?.voucher.version ?? null,
    };
  });
};

type Statements = OutputOf<typeof calls.expressStatements>;

/**
 * The amounts that administrators may still pay out for a parcel, and that this user may pay out
 * alone today. Pending requests count as paid.
 */
const leftOf = async (
  app: App,
  work: ReaderWork,
  express: ExpressRow,
): Promise<Statements['left']> => {
  if (!office.includes(work.actor.role)) return null;
  const { id, station_id } = express;
  const { paid_amount, charged_amount } = await paidOut(work, id, station_id);
  const payout_limit_amount = payoutLimit(express, charged_amount);
  const at = app.clock.now();
  const alone = await givenAlone(work, station_id, {
    account_ids: await sameHand(work, { account_id: work.actor.account_id, at }),
    at,
  });
  return {
    refundable_amount: await refundLeft(work, id, station_id),
    payout_limit_amount,
    payout_left_amount: Math.max(payout_limit_amount - paid_amount, 0),
    alone_left_amount: Math.max((await readSetting(work, 'given_alone_limit')) - alone, 0),
  };
};

/** Returns the transactions of a parcel within the actor's stations, in the order of posting. */
export const statements = async (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.expressStatements>,
): Promise<Statements> => {
  const caller = callerOf(actor);
  return app.db.tx(caller, async (work) => {
    const express = await expressIn(work, id);
    const { rows } = await sql<
      Omit<Statements['items'][number], 'created_at'> & { created_at: Date }
    >`
      select t.id, t.seq, t.type, t.status, t.amount, t.freeze_amount, t.post_amount,
        t.balance, t.available, t.description, t.created_at, t.station_id,
        s.name as station_name
      from statements t join stations s on s.id = t.station_id where t.express_id = ${id}
        and ${scopeCondition(work, 't.station_id')} order by t.id`.execute(work.tx);
    return {
      items: rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() })),
      left: await leftOf(app, work, express),
    };
  });
};
