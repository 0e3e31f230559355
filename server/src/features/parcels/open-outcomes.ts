import { openOutcomeReasons } from '@waystation/contract/parcels/express-outcome.ts';
import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import type { previewBulk } from '@waystation/contract/shell/bulk.ts';
import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import { sql } from '#platform/db/db.ts';
import type { ReaderWork } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';

type OpenOutcomes = OutputOf<typeof previewBulk>['open_outcomes'];

/**
 * The limit of parcel names that a preview shows for a group; `count` is the number of all its
 * parcels.
 */
const mostNamed = 5;

/**
 * The chosen parcels in state 20: it is unknown whether the carrier has their orders. They are
 * grouped by the effect of a cancellation: `undecided` parcels wait for super or admin, `ordering`
 * parcels for the carrier.
 */
export const openOutcomesOf = async (
  work: ReaderWork,
  ids: readonly number[],
): Promise<OpenOutcomes> => {
  const { rows } = await sql<OpenOutcomes[number]>`select effect, count(*) as count,
      sum(post_amount)::bigint as post_amount,
      (array_agg(concat_ws(' · ', order_id, receive_name) order by id))[1:${sql.lit(mostNamed)}]
        as names
    from (select e.id, e.order_id, nullif(e.receive_name, '') as receive_name, e.post_amount,
        case when e.state_reason ->> 'code' = any(${[...openOutcomeReasons]}::text[])
          then 'undecided' else 'ordering' end as effect
      from expresses e
      where e.id = any(${ids}::bigint[]) and e.state_code = ${stateCode.ordering}
        and e.cancel_requested_at is null and e.intercepting = 0
        and ${scopeCondition(work, 'e.station_id', 'e.user_id')}) x
    group by effect order by effect desc`.execute(work.tx);
  return rows;
};
