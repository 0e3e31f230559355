import type { Reason } from '@waystation/contract/base/envelope.ts';
import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import type {
  SetupStep,
  SetupStepName,
  StationSetup,
} from '@waystation/contract/network/station-setup.ts';
import { present } from '@waystation/contract/base/present.ts';
import { quoteOffers, sampleFacts, sampleParcel } from '#domain/offers/offers.ts';
import type { PricedOffer, StationTerms } from '#domain/offers/offers.ts';
import { sql } from '#platform/db/db.ts';
import type { RawBuilder, Work } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import type { Scoped } from '#platform/db/scope.ts';

interface Row extends StationTerms {
  province: string;
  city: string;
  county: string;
  project_name: string | null;
  /** The number of current templates of an enabled scheme. */
  templates: number;
  accounts: number;
  username: string | null;
  top_up: { id: number; amount: number; requested_by: string | null } | null;
  requested: { id: number; amount: number; requested_by: string | null } | null;
  parcel: { id: number; number: string; state_code: number; accepted: boolean } | null;
  account_id: number | null;
  started_by: string | null;
  started_at: Date | null;
  ended_at: Date | null;
}

/**
 * The first top-up or parcel of a station is searched among this number of its oldest transactions
 * or parcels. A new station has only a few of them.
 */
const looksAt = 100;

const firstTopUp = (work: Scoped) => sql`(select jsonb_build_object('id', l.id, 'amount',
  l.amount, 'requested_by', null)
  from (select id, amount, type, status, seq from statements where station_id = s.id
    and seq is not null and ${scopeCondition(work, 'station_id')} order by seq
    limit ${looksAt}) l
  where l.type = 'top_up' and l.status = 'posted' order by l.seq limit 1)`;

const requestedTopUp = (work: Scoped) => sql`(select jsonb_build_object('id', l.id, 'amount',
  l.amount, 'requested_by', a.username)
  from statements l left join accounts a on a.id = l.account_id
  where l.station_id = s.id and l.transfer_id is null and l.status = 'pending'
    and l.type = 'top_up' and ${scopeCondition(work, 'l.station_id')} order by l.id
    limit 1)`;

/** SQL for the station's first parcel that the carrier accepted, or else its newest parcel. */
const firstParcel = (work: Scoped) => sql`(select jsonb_build_object('id', e.id, 'number',
  coalesce(e.delivery_id, e.order_id), 'state_code', e.state_code,
    'accepted', e.delivery_id is not null)
  from (select id, delivery_id, order_id, state_code, created_at from expresses
    where station_id = s.id and ${scopeCondition(work, 'station_id')}
    order by created_at, id limit ${looksAt}) e
  order by e.delivery_id is null, case when e.delivery_id is null then -extract(epoch
    from e.created_at) else extract(epoch from e.created_at) end, e.id limit 1)`;

/** Reads with one statement all facts about the chosen stations, except the example price. */
const factsOf = async (work: Work, at: Date, from: RawBuilder<unknown>): Promise<Row[]> => {
  const { rows } = await sql<Row>`select s.id, s.name, s.status, s.money, s."freeze", s.available,
      s.has_amount, s.credit_limit, s.allow_select, s.allow_print, s.project_id,
      s.customer_code,
      s.province, s.city, s.county, j.name as project_name,
      (select count(*)::int from project_vouchers b join vouchers v on v.id = b.voucher_id
        join promises p on (p.provider, p.promise_id) = (b.provider, b.promise_id)
        where b.project_id = j.id and j.status = 1 and v.status = 1 and p.status = 1
          and exists (select 1 from voucher_versions n where n.voucher_id = v.id
            and n.valid_from <= ${at})) as templates,
      (select count(*)::int from accounts a where a.station_id = s.id and a.status = 1
        and ${scopeCondition(work, 'a.station_id')}) as accounts,
      (select a.username from accounts a where a.station_id = s.id and a.status = 1
        and ${scopeCondition(work, 'a.station_id')} order by a.id limit 1) as username,
      ${firstTopUp(work)} as top_up, ${requestedTopUp(work)} as requested,
        ${firstParcel(work)} as parcel,
      u.account_id, w.username as started_by, u.started_at, u.ended_at
    from ${from} join stations s on s.id = f.id left join projects j on j.id = s.project_id
      left join station_setups u on u.station_id = s.id left
        join accounts w on w.id = u.account_id
    where ${scopeCondition(work, 's.id')} order by f.no`.execute(work.tx);
  return rows;
};

/** The price of the sample parcel to 广东, or to the station's own province if 广东 is not served. */
const pricedSample = async (
  work: Work,
  station: Row,
  at: Date,
): Promise<{ offer: PricedOffer | null; province: string; reason: Reason | null }> => {
  let reason: Reason | null = null;
  for (const to of [
    sampleParcel,
    { ...sampleParcel, receive_province: station.province, receive_city: station.city },
  ]) {
    if (to.receive_province === '' || station.project_id === null) continue;
    const offers = await quoteOffers(work, station, { facts: sampleFacts(station, to), at });
    const able = offers
      .filter(({ selectable, price }) => selectable === 1 && price !== null)
      .toSorted((a, b) => present(a.price).post_amount - present(b.price).post_amount);
    if (able[0]) return { offer: able[0], province: to.receive_province, reason: null };
    reason ??= (offers.find((one) => one.reason !== null)?.reason as Reason | undefined) ?? null;
  }
  return { offer: null, province: '', reason };
};

const step = (
  name: SetupStepName,
  done: boolean,
  waiting = false,
  reason: Reason | null = null,
): SetupStep => ({
  step: name,
  state: done ? 'done' : waiting ? 'waiting' : 'open',
  reason: done ? null : reason,
});

const setupOf = async (
  work: Work,
  account_id: number | null,
  row: Row,
  at: Date,
): Promise<StationSetup> => {
  const { offer, province, reason } =
    row.templates > 0
      ? await pricedSample(work, row, at)
      : { offer: null, province: '', reason: null };
  const { parcel, top_up, requested } = row;
  const steps = [
    step(
      'station',
      row.status === 1 && row.province !== '',
      false,
      row.status === 1 ? null : { code: 'station_disabled' },
    ),
    step('scheme', row.templates > 0),
    step('price', offer !== null, false, reason),
    step('account', row.accounts > 0),
    step('top_up', row.has_amount === 0 || top_up !== null, requested !== null),
    step('parcel', parcel?.accepted === true, parcel?.state_code === stateCode.ordering),
  ];
  return {
    station_id: row.id,
    station_name: row.name,
    started_by: row.started_by,
    started_at: row.started_at?.toISOString() ?? null,
    mine: account_id !== null && row.account_id === account_id ? 1 : 0,
    is_open: row.account_id !== null && row.ended_at === null ? 1 : 0,
    steps,
    done: steps.filter(({ state }) => state === 'done').length,
    project_name: row.project_name,
    price: offer && {
      promise_name: offer.offer.promise_name,
      promise_name_en: offer.offer.promise_name_en,
      receive_province: province,
      weight: sampleParcel.weight,
      post_amount: present(offer.price).post_amount,
    },
    accounts: row.accounts,
    username: row.username,
    has_amount: row.has_amount,
    top_up: top_up ?? requested,
    parcel: parcel && { id: parcel.id, number: parcel.number, state_code: parcel.state_code },
  };
};

/**
 * The setup progress of the stations that `from` selects, in the order of `no` and within the
 * scope. `from` is SQL that returns station ids and `no`. The setup guides of the account
 * `account_id` are marked.
 */
export const setupsOf = async (
  work: Work,
  account_id: number | null,
  from: RawBuilder<unknown>,
  at: Date,
): Promise<StationSetup[]> => {
  const setups: StationSetup[] = [];
  for (const row of await factsOf(work, at, from))
    setups.push(await setupOf(work, account_id, row, at));
  return setups;
};

/** The setup progress of the stations with these ids. */
export const setupsOfStations = (
  work: Work,
  account_id: number | null,
  ids: readonly number[],
  at: Date,
): Promise<StationSetup[]> =>
  setupsOf(
    work,
    account_id,
    sql`unnest(${[...ids]}::bigint[]) with ordinality f (id,
    no)`,
    at,
  );
