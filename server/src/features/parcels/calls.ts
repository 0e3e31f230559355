import type { OutputOf, ParsedOf } from '@waystation/contract/endpoint.ts';
import type { expressCalls } from '@waystation/contract/express-calls.ts';
import type { MerchantCall } from '@waystation/contract/merchant.ts';
import type { App } from '#app.ts';
import { expressIn } from '#domain/express/express-reads.ts';
import { scopeOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { sql } from '#platform/db/db.ts';

/** Newest; a parcel has a dozen. */
const most = 100;

/** The calls to the carrier about a parcel as they were kept for 30 days: secrets cut out, phones masked (domain/carriers). */
export const ofExpress = (app: App, actor: Actor, { id }: ParsedOf<typeof expressCalls>): Promise<OutputOf<typeof expressCalls>> => {
  const scope = scopeOf(actor);
  return app.db.tx(scope, async (tx) => {
    const { order_id } = await expressIn(tx, scope, id);
    const { rows } = await sql<Omit<MerchantCall, 'at' | 'order_id'> & { at: Date }>`
      select c.id, c.merchant_id, c.at, c.operation, c.outcome, c.code, c.trace_id, c.ms, c.express_id, c.request, c.answer
      from carrier_calls c where c.express_id = ${id} order by c.id desc limit ${most}`.execute(tx);
    return { items: rows.map((row) => ({ ...row, at: row.at.toISOString(), order_id })) };
  });
};
