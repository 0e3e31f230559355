import { prove } from '#domain/ledger/ledger.ts';
import { mayMove } from '#domain/express/state.ts';
import type { StateCode } from '@waystation/contract/parcels/express.ts';
import { sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import type { TestSystem } from './test-system.ts';

const all = systemScope('consistency check');

interface CarrierOrder {
  number: number;
  order_id: string;
  waybill_code: string;
  return_of: string | null;
}

/** Returns every order that the carrier has stored, except return orders with another waybill. */
export const carrierOrders = async (system: TestSystem): Promise<CarrierOrder[]> => {
  const { orders } = await system.carrier.control<{ orders: CarrierOrder[] }>(
    'GET',
    'orders?limit=5000',
  );
  const { orders: others } = await system.carrier.control<{
    orders: { order_id: string; waybill: string }[];
  }>('GET', 'sf/orders');
  return [
    ...orders.filter((order) => order.return_of === null),
    ...others.map(({ order_id, waybill }, number) => ({
      number,
      order_id,
      waybill_code: waybill,
      return_of: null,
    })),
  ];
};

/**
 * Lists the differences between the carrier's orders and the product's orders. Also lists the
 * orders that the carrier has twice.
 */
const differencesFromCarrier = async (system: TestSystem): Promise<string[]> => {
  const theirs = await carrierOrders(system);
  const ours = await system.app.db.tx(
    all,
    async (work) =>
      (
        await sql<{ order_id: string; delivery_id: string | null }>`select order_id,
      delivery_id from expresses`.execute(work.tx)
      ).rows,
  );
  const waybills = new Map(ours.map((row) => [row.order_id, row.delivery_id]));
  const known = new Map<string, string>();
  const problems: string[] = [];
  for (const { order_id, waybill_code } of theirs) {
    if (known.has(order_id)) problems.push(`the carrier has ${order_id} twice`);
    known.set(order_id, waybill_code);
    if (waybills.get(order_id) !== waybill_code)
      problems.push(
        `the carrier has ${order_id} as ${waybill_code}, we as ${waybills.get(order_id)}`,
      );
  }
  for (const { order_id, delivery_id } of ours)
    if (delivery_id !== null && known.get(order_id) !== delivery_id)
      problems.push(`we have ${order_id} as ${delivery_id}, the carrier as ${known.get(order_id)}`);
  return problems;
};

/**
 * Lists the parcels whose holds or charges do not match their state and price. Two differences are
 * allowed. If a cancellation released a hold and the carrier moves the parcel later, the hold is
 * not restored. Volume and surcharges that arrive before the weight are stored even if the hold
 * cannot follow. The hold cannot follow if the balance is too low or the parcel was already picked
 * up.
 */
const wrongHoldsAndCharges = async (work: Work): Promise<string[]> => {
  const { rows } = await sql<{ problem: string }>`
    with money as (
      select e.id, e.state_code, e.attempt, e.charged_at, e.post_amount, e.shares,
        (select count(*) from ledger_holds h where h.express_id = e.id
          and h.status = 'open') as open_holds,
        (select sum(h.amount) from ledger_holds h where h.express_id = e.id
          and h.status = 'open') as held,
        (select count(*) from ledger_transfers t where t.express_id = e.id
          and t.kind = 'charge') as charges,
        (select sum(s.post_amount) from statements s where s.express_id = e.id
          and s.station_id = e.station_id and s.type in ('charge', 'reweigh',
          'surcharge')) as charged,
        coalesce((select sum(s.amount) from statements s where s.express_id = e.id
          and s.type = 'profit'), 0) as earned,
        coalesce((select sum((x ->> 'amount')::bigint) from jsonb_array_elements(e.shares) x),
          0) as shared,
        exists (select 1 from ledger_holds h where h.express_id = e.id
          and h.attempt = e.attempt and h.status = 'released') as released
      from expresses e)
    select format('parcel %s in %s holds %s times', id, state_code, open_holds) as problem
      from money
      where open_holds <> case when charged_at is not null
        or state_code in (0, 10, 90, 500) then 0 when state_code = 400 then open_holds
        when released and state_code >= 200 then 0 else 1 end
    union all select format('parcel %s in %s holds %s for %s', id, state_code, held,
      post_amount) from money where open_holds > 0 and held <> post_amount
        and not (held > post_amount and exists (select 1 from express_edits x
          where x.express_id = money.id and x.status in ('pending', 'unclear')))
        and not ((held < post_amount or state_code <> 100)
          and exists (select 1 from express_facts f where f.express_id = money.id
          and f.source in ('poll', 'accepted')))
    union all select format('parcel %s is charged %s times', id, charges) from money
      where charges <> (charged_at is not null)::int
    union all select format('parcel %s was charged %s for %s', id, charged, post_amount)
      from money where charges > 0 and charged <> post_amount
        and not exists (select 1 from ledger_transfers t where t.express_id = money.id
          and t.kind = 'reversal')
    union all select format('parcel %s earned %s for %s', id, earned, shared) from money
      where earned <> case when charges > 0 then shared else 0 end
        and not exists (select 1 from ledger_transfers t where t.express_id = money.id
          and t.kind = 'reversal')`.execute(work.tx);
  return rows.map(({ problem }) => problem);
};

interface Step {
  express_id: number;
  from_code: StateCode | null;
  to_code: StateCode;
  cause: string;
  state_code: StateCode;
  last: boolean;
}

/**
 * Lists wrong changes of state (I10). Each change must be allowed and must begin in the state in
 * which the previous change ended. The last change must end in the parcel's present state.
 */
const wrongMoves = async (work: Work): Promise<string[]> => {
  const { rows } = await sql<Step>`select m.express_id, m.from_code, m.to_code, m.cause,
    e.state_code,
    lead(m.id) over (partition by m.express_id order by m.id) is null as last
      from express_moves m join expresses e on e.id = m.express_id
      order by m.express_id, m.id`.execute(work.tx);
  const problems: string[] = [];
  const at = new Map<number, StateCode>();
  for (const { express_id, from_code, to_code, cause, state_code, last } of rows) {
    if ((at.get(express_id) ?? null) !== from_code)
      problems.push(
        `parcel ${express_id} moves from ${from_code} but was in ${at.get(express_id)}`,
      );
    if (from_code !== null && cause !== 'carrier' && !mayMove(from_code, to_code))
      problems.push(`parcel ${express_id} went from ${from_code} to ${to_code} by ${cause}`);
    if (last && state_code !== to_code)
      problems.push(`parcel ${express_id} is in ${state_code}, its last move says ${to_code}`);
    at.set(express_id, to_code);
  }
  return problems;
};

/**
 * SQL that lists wrong sums of a station or of the network (station 0). A sum is wrong if it
 * differs from the sum of its rows.
 */
const wrongSumsOfSums = sql`
    union all select format('station %s counts %s in %s, its clerks %s', station_id, c.n,
      state_code, r.n) from express_count_sums c
      full join (select p.station_id, e.state_code, e.waybill, sum(e.n) as n,
        sum(e.post_amount) as post_amount, sum(e.weight) as weight,
        sum(e.package_count) as pieces
        from express_counts e cross join lateral (values (e.station_id), (0)) p (station_id)
        where not e.fresh group by 1, 2, 3) r
      using (station_id, state_code, waybill)
      where (coalesce(c.n, 0), coalesce(c.post_amount, 0), coalesce(c.weight, 0),
        coalesce(c.package_count, 0))
        <> (coalesce(r.n, 0), coalesce(r.post_amount, 0), coalesce(r.weight, 0),
          coalesce(r.pieces, 0))
    union all select format('station %s counts %s %s on %s, its clerks %s', station_id, c.n,
      what, day, r.n) from express_day_sums c
      full join (select p.station_id, e.what, e.day, sum(e.n) as n
        from express_days e cross join lateral (values (e.station_id), (0)) p (station_id)
        where not e.fresh group by 1, 2, 3) r
      using (station_id, what, day) where coalesce(c.n, 0) <> coalesce(r.n, 0)
    union all select format('%s %s counts %s parcels on %s, there are %s', what, of_id, c.n,
      day, r.n)
      from (select what, of_id, day, sum(n) as n from express_uses
        group by 1, 2, 3 having sum(n) <> 0) c
      full join (select x.what, x.of_id, business_day(e.created_at) as day, count(*) as n
        from expresses e cross join lateral express_uses_of(e) x group by 1, 2, 3
        union all select x.what, x.of_id, x.day, sum(x.n) from expresses e cross
          join lateral express_promise_uses(e) x group by 1, 2, 3 having sum(x.n) <> 0
        union all select x.what, x.of_id, x.day, sum(x.n) from expresses e cross
          join lateral express_pickup_uses(e) x group by 1, 2, 3) r
      using (what, of_id, day) where c.n is distinct from r.n
    union all select format('lane %s of station %s has %s on %s, its parcels %s', lane,
      station_id, c.sums, day, r.sums)
      from (select lane, station_id, day, row(sum(signed), sum(minutes), sum(due),
        sum(on_time))::text as sums from express_lanes where day >= first_lane_day()
        group by 1, 2, 3 having (sum(signed), sum(minutes), sum(due), sum(on_time))
          <> (0, 0, 0, 0)) c
      full join (select x.lane, x.station_id, x.day, row(sum(x.signed), sum(x.minutes),
        sum(x.due), sum(x.on_time))::text as sums from expresses e cross
        join lateral express_station_lanes(e) x where x.day >= first_lane_day()
        group by 1, 2, 3) r
      using (lane, station_id, day) where c.sums is distinct from r.sums
    union all select format('the network has %s of %s on %s, its stations %s', c.amount, what,
      day, r.amount) from ledger_day_sums c
      full join (select what, day, sum(n) as n, sum(amount) as amount from ledger_days
        where not fresh and what <> 'profit' group by 1, 2) r
      using (what, day) where (c.n, c.amount) is distinct from (r.n, r.amount)`;

/**
 * Lists wrong counts, daily sums and search keys. A value is wrong if it differs from the parcels
 * and statement rows from which it was made.
 */
export const wrongSums = async (work: Work): Promise<string[]> => {
  const { rows } = await sql<{ problem: string }>`
    with counted as (select station_id, user_id, state_code, waybill, sum(n) as n,
      sum(post_amount) as post_amount, sum(weight) as weight, sum(package_count) as pieces
        from express_counts group by 1, 2, 3, 4
          having (sum(n), sum(post_amount), sum(weight), sum(package_count)) <> (0, 0, 0, 0)),
      real as (select station_id, user_id, state_code,
        (delivery_id is not null)::int as waybill, count(*) as n,
        sum(post_amount) as post_amount,
        sum(coalesce(cal_weight, weight)) as weight, sum(package_count) as pieces
          from expresses group by 1, 2, 3, 4)
    select format('station %s counts %s in %s, has %s', station_id, c, state_code,
      r) as problem
      from counted c full join real r using (station_id, user_id, state_code, waybill)
      where (c.n, c.post_amount, c.weight, c.pieces) is distinct
        from (r.n, r.post_amount, r.weight, r.pieces)
    union all select format('station %s counts %s %s on %s, had %s', station_id, c.n, what,
      day, r.n)
      from (select day, station_id, user_id, what, sum(n) as n from express_days
        group by 1, 2, 3, 4 having sum(n) <> 0) c
        full join (select business_day(created_at) as day, station_id, user_id,
          'ordered' as what, count(*) as n from expresses where delivery_id is not null
          group by 1, 2, 3
          union all select business_day(m.at), e.station_id, e.user_id, a.what,
            count(distinct e.id)
            from express_moves m join expresses e on e.id = m.express_id,
              express_arrivals(m.from_code, m.to_code) a (what) group by 1, 2, 3, 4) r
        using (day, station_id, user_id, what) where c.n is distinct from r.n
    union all select format('station %s has %s of %s on %s, its entries come to %s',
      station_id, c.amount, what, day, r.amount)
      from (select day, station_id, earner_id, what, sum(n) as n, sum(amount) as amount
        from ledger_days group by 1, 2, 3, 4) c
        full join (select business_day(t.at) as day, coalesce(t.station_id, 0) as station_id,
          r.earner_id, r.what, sum(r.n) as n, sum(r.amount) as amount
          from ledger_entries e join ledger_transfers t on t.id = e.transfer_id,
            ledger_day_rows(e, t) r group by 1, 2, 3, 4) r
        using (day, station_id, earner_id, what) where (c.n, c.amount) is distinct
          from (r.n, r.amount)
    ${wrongSumsOfSums}
    union all select format('parcel %s has other keys than its row gives',
      coalesce(k.express_id, r.id))
      from express_keys k full join (select e.id, e.station_id, e.user_id, r.kind, r.key
        from expresses e, express_key_list(e) r) r
        on (k.express_id, k.station_id, k.user_id, k.kind, k.key) = (r.id, r.station_id,
          r.user_id, r.kind, r.key)
      where k.express_id is null or r.id is null`.execute(work.tx);
  return [...new Set(rows.map(({ problem }) => problem))];
};

/**
 * Finds contradictions in our own data: in holds and charges, in state changes of parcels, and in
 * sums. It does not compare the data with the carrier's list.
 */
export const inconsistenciesInBooks = async (work: Work): Promise<string[]> => [
  ...(await wrongHoldsAndCharges(work)),
  ...(await wrongMoves(work)),
  ...(await wrongSums(work)),
];

/**
 * Returns a text for each broken invariant. All invariants must hold after any fault: every fen is
 * accounted for, and every parcel is held or charged as its state requires. Every change of state
 * is allowed, and the carrier's orders equal the product's orders.
 */
export const inconsistencies = async (system: TestSystem): Promise<string[]> => {
  const { breaks } = await prove(system.app, { full: true, at: new Date() });
  const own = await system.app.db.tx(all, inconsistenciesInBooks);
  return [
    ...breaks.map(({ invariant, subject, detail }) => `${invariant} ${subject}: ${detail}`),
    ...own,
    ...(await differencesFromCarrier(system)),
  ];
};
