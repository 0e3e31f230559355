import type { OutcomeCertainty, UnknownCause } from '@waystation/contract/parcels/order-outcome.ts';
import { queueStatement, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import type { ExpressRow } from './row.ts';

/** The largest number of lost calls whose times are stored. */
const mostLost = 20;

interface Unknown {
  cause: UnknownCause;
  /** The time since which the outcome is unknown; null for now. */
  since: Date | null;
  /** True if the carrier may have processed a call, so that it may have the order. */
  maybe_stored: boolean;
}

const added = sql`maybe_stored = greatest(o.maybe_stored, excluded.maybe_stored),
  lost_at = case when cardinality(o.lost_at) < ${sql.lit(mostLost)}
    then o.lost_at || excluded.lost_at else o.lost_at end
  where o.settled_at is null and (o.maybe_stored < excluded.maybe_stored
    or cardinality(excluded.lost_at) > 0)`;

/**
 * Records that the outcome of an order is unknown. Each attempt has one record, and the record
 * keeps its first cause. `maybe_stored` stays set even if the carrier did not process later calls.
 */
export const noteUnknown = (
  work: Work,
  { id, attempt, station_id, provider }: ExpressRow,
  { cause, since, maybe_stored }: Unknown,
): Promise<void> =>
  queueStatement(
    work,
    sql`insert into order_outcomes as o (express_id, attempt, station_id, provider, since, cause,
      maybe_stored)
      values (${id}, ${attempt}, ${station_id}, ${provider},
        coalesce(${since}::timestamptz, now()), ${cause}, ${maybe_stored ? 1 : 0})
      on conflict (express_id, attempt) do update set ${added}`.compile(work.tx),
  );

/**
 * Records, before a further call of an order, that the carrier may have processed an earlier call.
 * The last call is recorded as lost if no answer was stored since it was counted. One second is
 * allowed for, because the clocks of the process and the database may differ.
 */
export const noteRepeated = (
  work: Work,
  { id, attempt, station_id, provider, order_sought_at }: ExpressRow,
): Promise<void> =>
  queueStatement(
    work,
    sql`insert into order_outcomes as o (express_id, attempt, station_id, provider, since, cause,
      maybe_stored, lost_at)
      select ${id}, ${attempt}, ${station_id}, ${provider},
        coalesce(${order_sought_at}::timestamptz, now()),
        case when answered.is then 'no_answer' else 'interrupted' end, 1,
        case when answered.is or ${order_sought_at}::timestamptz is null
          then '{}'::timestamptz[] else array[${order_sought_at}::timestamptz] end
      from (select exists (select from carrier_calls c where c.express_id = ${id}
        and c.at >= ${order_sought_at}::timestamptz - interval '1 second') as is) answered
      on conflict (express_id, attempt) do update set ${added}`.compile(work.tx),
  );

/**
 * The way in which the outcome became certain, the call that showed the outcome, and the account
 * that decided it. The account is null if no user decided.
 */
interface Settled {
  certainty: Exclude<OutcomeCertainty, 'earlier' | 'first_accepted' | 'first_refused'>;
  /**
   * The operation of the call whose answer settled the order; if absent, the last call of this
   * transaction counts.
   */
  operation?: string | undefined;
  delivery_id?: string;
  at: Date;
  by: number | null;
}

type Noted = Pick<ExpressRow, 'id' | 'attempt' | 'first_sent_at' | 'order_sought_at'>;

const answers = new Set<OutcomeCertainty>(['repeat', 'search', 'refused']);
/**
 * SQL: the beginning of a case expression. The expression is null if the carrier may have processed
 * an earlier call, because the answer is then not the first one.
 */
const firstOf = sql`case when o.maybe_stored = 1 or exists (select from order_outcomes p
    where p.express_id = o.express_id and p.attempt < o.attempt and p.maybe_stored = 1) then null`;

/**
 * Records why the outcome of an order is now certain; does nothing if it was never unknown. Only
 * calls recorded in this transaction count as evidence; they have the transaction's start as their
 * time.
 */
export const noteSettled = async (
  work: Work,
  { id, attempt, first_sent_at, order_sought_at }: Noted,
  { certainty, operation, delivery_id, at, by }: Settled,
): Promise<void> => {
  // In the usual case, this is the answer to the very first call, so the outcome was never unknown.
  const isFirst = first_sent_at !== null && first_sent_at.getTime() === order_sought_at?.getTime();
  if (isFirst && answers.has(certainty)) return;
  await queueStatement(
    work,
    sql`update order_outcomes o set settled_at = ${at}, account_id = ${by}::bigint,
      delivery_id = ${delivery_id ?? null}::text,
      certainty = coalesce(${firstOf} when ${certainty}::text = 'repeat' then 'first_accepted'
        when ${certainty}::text = 'refused' then 'first_refused' end, ${certainty}::text),
      call_id = (select max(c.id) from carrier_calls c where c.express_id = o.express_id
        and c.at = now() and (${operation ?? null}::text is null
          or c.operation = ${operation ?? null}))
      where o.express_id = ${id} and o.attempt = ${attempt} and o.settled_at is null`.compile(
      work.tx,
    ),
  );
};
