import { leastKeptWindows, mostPickupReportHours } from '@waystation/contract/base/limits.ts';
import type { Provider } from '@waystation/contract/network/provider.ts';
import { rowsAtOnce, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';

/**
 * For windows with the same hours: the number of windows in which the parcel was picked up, and the
 * number of windows in which it was not.
 */
export interface KeptWindows {
  kept: number;
  missed: number;
}

/**
 * The maximum number of a station's rows with a carrier that are read, both for the newest windows
 * and for the newest changes to another window.
 */
const mostRead = 2_000;
const days = 30;
const daySeconds = 86_400;

const slotOf = (starts_at: Date, ends_at: Date): string => {
  const start = starts_at.getTime() / 1_000;
  return `${start % daySeconds}/${ends_at.getTime() / 1_000 - start}`;
};

/**
 * The numbers of pickup windows that a carrier kept and missed at one station in thirty days, for
 * windows with the same hours; null if there were too few. A window is kept if the pickup is
 * reported at most an hour after its end, or if the parcel was handed over to the courier. The
 * exception `missed` has the same rule. A window does not count if its parcel was cancelled, or
 * moved to another window, before the window's end. If the parcel was moved after the end, the
 * window was missed. Needs the system scope; no other station's parcels are read.
 */
export const keptWindowsOf = async (
  work: Work,
  { station_id, provider }: { station_id: number; provider: Provider },
  at: Date,
): Promise<(starts_at: Date, ends_at: Date) => KeptWindows | null> => {
  const report = sql`${mostPickupReportHours} * interval '1 hour'`;
  const rows = await rowsAtOnce(
    work,
    sql<KeptWindows & { slot: string }>`select
        (extract(epoch from pickup_from)::bigint % ${daySeconds}) || '/'
          || extract(epoch from pickup_until - pickup_from)::bigint as slot,
        count(*) filter (where is_kept)::int as kept,
        count(*) filter (where not is_kept)::int as missed
      from (select e.pickup_from, e.pickup_until,
          coalesce(e.picked_up_at <= e.pickup_until + ${report},
            exists (select from handover_scans s where s.express_id = e.id
              and s.result = 'given' and s.taken_back_at is null)) as is_kept
        from (select id, pickup_from, pickup_until, picked_up_at, ordered_at, cancel_requested_at,
            canceled_at from expresses where station_id = ${station_id}
            and provider = ${provider}
            and pickup_until > ${at}::timestamptz - ${days} * interval '1 day'
            and pickup_until <= ${at}::timestamptz - ${report}
          order by pickup_until desc limit ${mostRead}) e
        where e.ordered_at is not null and (e.picked_up_at is not null
          or coalesce(e.cancel_requested_at, e.canceled_at) is null
          or coalesce(e.cancel_requested_at, e.canceled_at) >= e.pickup_until)
        union all select x.left_from, x.left_until, false
        from (select express_id, left_from, left_until from express_edits
          where station_id = ${station_id} and left_until <= created_at
            and left_until > ${at}::timestamptz - ${days} * interval '1 day'
            and left_until <= ${at}::timestamptz - ${report}
          order by left_until desc limit ${mostRead}) x
        join expresses e on e.id = x.express_id
        where e.provider = ${provider}
          and coalesce(e.picked_up_at > x.left_until + ${report}, true)
          and not exists (select from handover_scans s where s.express_id = e.id
            and s.result = 'given' and s.taken_back_at is null
            and s.at <= x.left_until + ${report})) w
      group by 1`,
  );
  const bySlot = new Map(rows.map(({ slot, kept, missed }) => [slot, { kept, missed }]));
  return (starts_at, ends_at) => {
    const found = bySlot.get(slotOf(starts_at, ends_at));
    return found && found.kept + found.missed >= leastKeptWindows ? found : null;
  };
};
