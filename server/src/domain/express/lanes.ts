import { leastLaneParcels, leastLaneStations } from '@waystation/contract/base/limits.ts';
import type { Quote } from '@waystation/contract/parcels/express.ts';
import type { Provider } from '@waystation/contract/network/provider.ts';
import { rowsAtOnce, sql } from '#platform/db/db.ts';
import type { RowOf, Work } from '#platform/db/db.ts';
import type { Scoped } from '#platform/db/scope.ts';
import { lanesAreFilled } from './sums.ts';

interface Product {
  provider: Provider;
  promise_id: string;
}
type Places = Pick<RowOf<'expresses'>, 'sender_city' | 'receive_province'>;
type Lane = NonNullable<Quote['lane']>;

interface Sums {
  signed: number;
  minutes: number;
  due: number;
  on_time: number;
}

interface LaneSums extends Product {
  own: Sums;
  network: Sums;
  /**
   * The number of other stations on the lane, and the largest number of parcels of one of these
   * stations. Both are given for signed parcels and for due parcels.
   */
  others: { signed: number; most_signed: number; due: number; most_due: number };
}

/**
 * The largest number of sums by day and station that are read for a lane, the newest first. A lane
 * with more sums has so many parcels that fewer days are enough.
 */
const mostRead = 10_000;

const keyOf = ({ provider, promise_id }: Product): string => `${provider} ${promise_id}`;

/** Whole hours; null if there are too few parcels. */
const hoursOfSums = (signed: number, minutes: number): number | null =>
  signed < leastLaneParcels ? null : Math.round(minutes / signed / 60);

const laneOfSums = (of: Lane['of'], { signed, minutes, due, on_time }: Sums): Lane => ({
  of,
  average_hours: hoursOfSums(signed, minutes),
  // Rounded to whole percent, because an exact share would show how many parcels other stations
  // send.
  on_time_rate: due < leastLaneParcels ? null : Math.round((on_time * 100) / due) * 100,
});

/**
 * The sums of all stations; zeros if they may not be shown. The reader must not be able to
 * calculate another station's figure. The sums are therefore given only if at least three other
 * stations contribute to them, and none of these has more than half of the other stations' amount.
 */
const shareable = ({ own, network, others }: LaneSums): Sums => {
  const mixes = (stations: number, most: number, sum: number): boolean =>
    stations >= leastLaneStations && most * 2 <= sum;
  const isSignedMixed = mixes(others.signed, others.most_signed, network.signed - own.signed);
  const isDueMixed = mixes(others.due, others.most_due, network.due - own.due);
  return {
    ...(isSignedMixed ? network : { signed: 0, minutes: 0 }),
    ...(isDueMixed ? { due: network.due, on_time: network.on_time } : { due: 0, on_time: 0 }),
  };
};

/**
 * The figures of the network if the reader may see them, else the figures of the reader's own
 * stations.
 */
const laneOf = (sums: LaneSums, seesAll: boolean): Quote['lane'] => {
  const lanes = [
    laneOfSums('network', seesAll ? sums.network : shareable(sums)),
    laneOfSums('own', sums.own),
  ];
  return (
    lanes.find(({ on_time_rate }) => on_time_rate !== null) ??
    lanes.find(({ average_hours }) => average_hours !== null) ??
    null
  );
};

/**
 * How well each product kept its delivery time in the last thirty days, from the sender's city to
 * the receiver's province. It is calculated from sums by day and station; null while these sums are
 * filled for the first time. It reveals no other station's parcels. Needs the system scope;
 * `reader` has the scope of the user who sees the result.
 */
export const lanesOf = async (
  work: Work,
  products: readonly Product[],
  { sender_city, receive_province }: Places,
  { at, reader: { scope } }: { at: Date; reader: Scoped },
): Promise<(product: Product) => Quote['lane']> => {
  if (products.length === 0) return () => null;
  const seesAll = scope.kind === 'all';
  const stations = seesAll ? [] : scope.stations;
  // Today is left out of `due` and `on_time`, because not all of today's promised times have
  // passed.
  const rows = await rowsAtOnce(
    work,
    sql<LaneSums>`select w.provider, w.promise_id, s.*
      from unnest(${products.map(({ provider }) => provider)}::text[],
        ${products.map(({ promise_id }) => promise_id)}::text[]) w (provider, promise_id)
      cross join lateral (select
        jsonb_build_object('signed', coalesce(sum(signed) filter (where is_own), 0),
          'minutes', coalesce(sum(minutes) filter (where is_own), 0),
          'due', coalesce(sum(due) filter (where is_own), 0),
          'on_time', coalesce(sum(on_time) filter (where is_own), 0)) as own,
        jsonb_build_object('signed', coalesce(sum(signed), 0),
          'minutes', coalesce(sum(minutes), 0), 'due', coalesce(sum(due), 0),
          'on_time', coalesce(sum(on_time), 0)) as network,
        jsonb_build_object('signed', count(*) filter (where not is_own and signed > 0),
          'most_signed', coalesce(max(signed) filter (where not is_own), 0),
          'due', count(*) filter (where not is_own and due > 0),
          'most_due', coalesce(max(due) filter (where not is_own), 0)) as others
        from (select l.station_id = any(${stations}::bigint[]) as is_own,
          sum(l.signed) filter (where l.day > d.today - 30) as signed,
          sum(l.minutes) filter (where l.day > d.today - 30) as minutes,
          sum(l.due) filter (where l.day < d.today) as due,
          sum(l.on_time) filter (where l.day < d.today) as on_time
          from (select business_day(${at}) as today) d
          cross join lateral (select l.station_id, l.day, l.signed, l.minutes, l.due, l.on_time
            from express_lanes l where l.lane = express_lane_key(w.provider, w.promise_id,
              ${sender_city}, ${receive_province}) and l.day between d.today - 30 and d.today
              ${lanesAreFilled}
            order by l.day desc limit ${mostRead}) l
          group by l.station_id) by_station) s`,
  );
  const lanes = new Map(rows.map((row) => [keyOf(row), laneOf(row, seesAll)]));
  return (product) => lanes.get(keyOf(product)) ?? null;
};

/** A product on a lane. */
export type LaneProduct = Product & Places;

interface StationHours extends LaneProduct {
  own_signed: number;
  own_minutes: number;
  signed: number;
  minutes: number;
  is_shareable: boolean;
}

/**
 * The average hours of each product on each lane, for the station's choice of a product. The
 * network's average is used if it may be shown, else the station's own; null if there are fewer
 * than twenty parcels. The station and every partner above it see the choice, so each of them must
 * be allowed to see the network's average. One query reads all lanes, in the system scope.
 */
export const hoursOfStation = async (
  work: Work,
  products: readonly Product[],
  lanes: readonly Places[],
  { at, station_id }: { at: Date; station_id: number },
): Promise<(of: LaneProduct) => number | null> => {
  if (products.length === 0 || lanes.length === 0) return () => null;
  // `level`: the number of levels up to the nearest reader who sees the station; 0 is the station
  // itself, higher numbers are partners above it. Only `is_mixed` differs between readers. The sums
  // are the same for all readers.
  const rows = await rowsAtOnce(
    work,
    sql<StationHours>`with recursive above as (
        select id, parent_id, 1 as level from stations where id = ${station_id}
        union all select s.id, s.parent_id, a.level + 1
          from stations s join above a on s.id = a.parent_id),
      seen as (select id, level from above
        union all select c.id, b.level from stations c join seen b on c.parent_id = b.id
          where c.id not in (select id from above)),
      sums as (select w.*, p.*, l.station_id, l.signed, l.minutes,
          case when l.station_id = ${station_id} then 0
            else coalesce(v.level, (select max(level) + 1 from above)) end as level
        from unnest(${products.map(({ provider }) => provider)}::text[],
            ${products.map(({ promise_id }) => promise_id)}::text[]) w (provider, promise_id)
          cross join unnest(${lanes.map(({ sender_city }) => sender_city)}::text[],
            ${lanes.map((lane) => lane.receive_province)}::text[]) p (sender_city,
            receive_province)
          cross join lateral (select l.station_id, sum(l.signed) as signed,
              sum(l.minutes) as minutes
            from (select l.station_id, l.signed, l.minutes
              from express_lanes l where l.lane = express_lane_key(w.provider, w.promise_id,
                p.sender_city, p.receive_province)
                and l.day between business_day(${at}) - 29 and business_day(${at})
                ${lanesAreFilled}
              order by l.day desc limit ${mostRead}) l
            group by l.station_id) l
          left join seen v on v.id = l.station_id),
      readers as (select 0 as level union all select level from above),
      by_reader as (select s.provider, s.promise_id, s.sender_city, s.receive_province,
          sum(s.signed) filter (where s.level = 0) as own_signed,
          sum(s.minutes) filter (where s.level = 0) as own_minutes,
          sum(s.signed) as signed, sum(s.minutes) as minutes,
          count(*) filter (where s.level > r.level and s.signed > 0) >= ${leastLaneStations}::int
            and max(s.signed) filter (where s.level > r.level) * 2
              <= sum(s.signed) filter (where s.level > r.level) as is_mixed
        from sums s cross join readers r group by 1, 2, 3, 4, r.level)
      select provider, promise_id, sender_city, receive_province,
        coalesce(max(own_signed), 0)::bigint as own_signed,
        coalesce(max(own_minutes), 0)::bigint as own_minutes,
        max(signed)::bigint as signed, max(minutes)::bigint as minutes,
        bool_and(coalesce(is_mixed, false)) as is_shareable
      from by_reader group by 1, 2, 3, 4`,
  );
  const hours = new Map(
    rows.map(({ own_signed, own_minutes, signed, minutes, is_shareable, ...of }) => [
      laneKeyOf(of),
      (is_shareable ? hoursOfSums(signed, minutes) : null) ?? hoursOfSums(own_signed, own_minutes),
    ]),
  );
  return (of) => hours.get(laneKeyOf(of)) ?? null;
};

const laneKeyOf = (of: LaneProduct): string =>
  JSON.stringify([of.provider, of.promise_id, of.sender_city, of.receive_province]);
