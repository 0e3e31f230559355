import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type { expressCalls } from '@waystation/contract/parcels/express-calls.ts';
import type { MerchantCall } from '@waystation/contract/network/merchant.ts';
import type { App } from '#app.ts';
import { expressIn } from '#domain/express/express-reads.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { callerOf, sql } from '#platform/db/db.ts';

/** The limit of carrier calls that are listed, newest first. A parcel has about a dozen. */
const most = 100;

/**
 * Returns the carrier calls about a parcel, which are stored for 30 days, without secrets and with
 * masked phones (domain/carriers).
 */
export const ofExpress = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof expressCalls>,
): Promise<OutputOf<typeof expressCalls>> => {
  const caller = callerOf(actor);
  return app.db.tx(caller, async (work) => {
    const { order_id } = await expressIn(work, id);
    const { rows } = await sql<Omit<MerchantCall, 'at' | 'order_id'> & { at: Date }>`
      select c.id, c.merchant_id, c.at, c.operation, c.outcome, c.code, c.trace_id, c.ms,
        c.express_id, c.request, c.answer
      from carrier_calls c where c.express_id = ${id} order by c.id desc
        limit ${most}`.execute(work.tx);
    const { rows: unknown } = await sql`select from order_outcomes where express_id = ${id}
      limit 1`.execute(work.tx);
    return {
      items: rows.map((row) => ({ ...row, at: row.at.toISOString(), order_id })),
      was_unknown: unknown.length === 0 ? 0 : 1,
    };
  });
};
