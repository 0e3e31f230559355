import type { OutputOf, ParsedOf } from '@waystation/contract/endpoint.ts';
import type * as calls from '@waystation/contract/express-calls.ts';
import { office } from '@waystation/contract/roles.ts';
import type { App } from '#app.ts';
import { expressIn, payoutLimit } from '#domain/express/express-reads.ts';
import type { ExpressRow } from '#domain/express/express-reads.ts';
import { sameHand } from '#domain/second-person/second-person.ts';
import { givenAlone, paidOut, refundLeft } from '#domain/ledger/ledger.ts';
import { scopeOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { sql } from '#platform/db/db.ts';
import type { NotNull, Tx } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import { readSetting } from '#platform/settings.ts';

/** What the carrier reported, oldest first. */
export const trace = async (app: App, actor: Actor, { id }: ParsedOf<typeof calls.traceExpress>): Promise<OutputOf<typeof calls.traceExpress>> => {
  const scope = scopeOf(actor);
  return app.db.tx(scope, async (tx) => {
    const express = await expressIn(tx, scope, id);
    const rows = await tx
      .selectFrom('express_messages')
      .select(['operation_time', 'category', 'state', 'title', 'remark', 'operator_name', 'place', 'source', 'our_state'])
      .where('express_id', '=', id)
      .orderBy('operation_time')
      .orderBy('rank')
      .orderBy('hash')
      .execute();
    return {
      items: rows.map(({ operation_time, ...row }) => ({ at: operation_time.toISOString(), ...row })),
      checked_at: express.polled_at?.toISOString() ?? null,
    };
  });
};

/** Every pricing of the parcel, the one at ordering first: the last is what it costs now. */
export const price = async (app: App, actor: Actor, { id }: ParsedOf<typeof calls.priceExpress>): Promise<OutputOf<typeof calls.priceExpress>> => {
  const scope = scopeOf(actor);
  return app.db.tx(scope, async (tx) => {
    const express = await expressIn(tx, scope, id);
    const rows = await tx
      .selectFrom('express_facts')
      .select(['no', 'at', 'source', 'reason', 'price'])
      .where('express_id', '=', id)
      .where('price', 'is not', null)
      .$narrowType<{ price: NotNull }>()
      .orderBy('no')
      .execute();
    return {
      pricings: rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() })),
      voucher_name: express.terms?.voucher.name ?? '',
      voucher_no: express.terms?.voucher.version ?? null,
    };
  });
};

type Statements = OutputOf<typeof calls.expressStatements>;

/** What the office may still give for a parcel, and what this person may give alone today; requests that wait count as given. */
const leftOf = async (app: App, tx: Tx, actor: Actor, express: ExpressRow): Promise<Statements['left']> => {
  if (!office.includes(actor.role)) return null;
  const { id, station_id } = express;
  const { paid_amount, charged_amount } = await paidOut(tx, id, station_id);
  const payout_limit_amount = payoutLimit(express, charged_amount);
  const at = app.clock.now();
  const alone = await givenAlone(tx, station_id, { account_ids: await sameHand(tx, { account_id: actor.account_id, at }), at });
  return {
    refundable_amount: await refundLeft(tx, id, station_id),
    payout_limit_amount,
    payout_left_amount: Math.max(payout_limit_amount - paid_amount, 0),
    alone_left_amount: Math.max((await readSetting(tx, 'given_alone_limit')) - alone, 0),
  };
};

/** The billing lines of a parcel within the actor's stations, in order of posting. */
export const statements = async (app: App, actor: Actor, { id }: ParsedOf<typeof calls.expressStatements>): Promise<Statements> => {
  const scope = scopeOf(actor);
  return app.db.tx(scope, async (tx) => {
    const express = await expressIn(tx, scope, id);
    const { rows } = await sql<Omit<Statements['items'][number], 'created_at'> & { created_at: Date }>`
      select t.id, t.seq, t.type, t.status, t.amount, t.freeze_amount, t.post_amount, t.balance, t.available, t.description, t.created_at, t.station_id, s.name as station_name
      from statements t join stations s on s.id = t.station_id where t.express_id = ${id} and ${scopeCondition(scope, 't.station_id')} order by t.id`.execute(
      tx,
    );
    return { items: rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() })), left: await leftOf(app, tx, actor, express) };
  });
};
