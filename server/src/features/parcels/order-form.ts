import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type * as calls from '@waystation/contract/parcels/express-calls.ts';
import type { App } from '#app.ts';
import { blockedReason } from '#domain/ledger/ledger.ts';
import { expressIn, hoursOfStation, lanesOf, maxWeight } from '#domain/express/express-reads.ts';
import {
  chooseOffer,
  northeastProvinces,
  pricedParcel,
  quoteEdit,
  quoteOffers,
  ruleOf,
  shownQuote,
  stationFor,
  tiersAt,
} from '#domain/offers/offers.ts';
import type { StationTerms } from '#domain/offers/offers.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { failFields } from '#platform/fail.ts';
import { callerOf, sql } from '#platform/db/db.ts';
import type { RowOf, Work } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';

/** The limit of carrier accounts to choose from. */
const mostAccounts = 200;

type Options = OutputOf<typeof calls.expressOptions>;

const isOffice = ({ role }: Actor): boolean => role === 'super' || role === 'admin';

/** The carrier accounts from which administrators may choose. */
const accountsOf = (work: Work) =>
  work.tx
    .selectFrom('merchants')
    .select(['customer_code', 'name', 'provider', 'is_default'])
    .where('status', '=', 1)
    .orderBy('is_default', 'desc')
    .orderBy('name')
    .limit(mostAccounts)
    .execute();

/**
 * The choices in the order form: goods, promises, insurance, flags and the default sender. Every
 * user who orders gets them here, because only super and admin may open their lists. Secrets are
 * left out.
 */
export const options = async (
  app: App,
  actor: Actor,
  { station_id }: ParsedOf<typeof calls.expressOptions>,
): Promise<Options> => {
  const caller = callerOf(actor);
  return app.db.tx(caller, async (work) => {
    const station = await stationFor(work, actor, station_id);
    const row = await work.tx
      .selectFrom('stations')
      .select([
        'id',
        'name',
        'available',
        'money',
        'freeze',
        'has_amount',
        'allow_print',
        'allow_select',
        'sender_name',
        'sender_phone',
        'province',
        'city',
        'county',
        'address',
      ])
      .where('id', '=', station.id)
      .where(scopeCondition(work, 'id'))
      .executeTakeFirstOrThrow();
    const cargos = await work.tx
      .selectFrom('cargos')
      .select(['id', 'name', 'type', 'provider', 'banned', 'banned_reason'])
      .where('status', '=', 1)
      .orderBy('priority', 'desc')
      .orderBy('id')
      .execute();
    const { rows: promises } = await sql<Options['promises'][number]>`
      select p.promise_id, p.promise_name, p.promise_name_en, p.cutoff_time, p.provider
        from project_vouchers b join promises p on (p.provider, p.promise_id) = (b.provider,
        b.promise_id)
      where b.project_id = ${station.project_id} and p.status = 1
        order by p.sort, p.id`.execute(work.tx);
    const guarantees = await tiersAt(work, app.clock.now());
    const accounts = isOffice(actor) ? await accountsOf(work) : null;
    const { rows: least } = await sql<
      RowOf<'merchants', 'guarantee'>
    >`select guarantee from merchants where status = 1
      and (is_default = 1 or (customer_code = ${station.customer_code}
      and customer_code <> ''))
      order by (customer_code = ${station.customer_code}) desc limit 1`.execute(work.tx);
    return {
      station: { ...row, blocked: (await blockedReason(work, station.id)) === null ? 0 : 1 },
      cargos,
      promises,
      guarantees,
      guarantee: least[0]?.guarantee ?? 0,
      northeast: [...(await northeastProvinces(work))],
      max_weight: await maxWeight(work),
      ...(accounts !== null && { accounts }),
    };
  });
};

/**
 * Returns stations for which the actor may order, the best match first, with only the name and the
 * fields that the picker shows.
 */
export const stations = async (
  app: App,
  actor: Actor,
  { q }: ParsedOf<typeof calls.expressStations>,
): Promise<OutputOf<typeof calls.expressStations>> => {
  const caller = callerOf(actor);
  return app.db.tx(caller, async (work) => {
    const wanted = q ?? '';
    const { rows } = await sql<OutputOf<typeof calls.expressStations>['items'][number]>`
      select id, name, available, has_amount, status from stations
        where ${scopeCondition(work, 'id')} and status = 1
        and position(lower(${wanted}) in lower(name)) > 0
      order by position(lower(${wanted}) in lower(name)), name, id limit 50`.execute(work.tx);
    return { items: rows };
  });
};

/** The facts of a parcel that the carrier has not weighed, without empty fields of the form. */
const factsOf = (input: Omit<ParsedOf<typeof calls.quoteExpress>, 'express_id'>) => ({
  ...input,
  sender_county: input.sender_county ?? '',
  receive_county: input.receive_county ?? '',
  length: input.length ?? 0,
  width: input.width ?? 0,
  height: input.height ?? 0,
  guarantee_value_amount: input.guarantee_value_amount ?? 0,
  package_count: input.package_count ?? 1,
  re_weight: null,
  jd_weight: null,
  jd_volume: null,
  surcharges: {},
});

/** The facts that can still change the price of a parcel at the carrier. */
const editableOf = ({
  weight,
  length,
  width,
  height,
  package_count,
  guarantee_value_amount,
  receive_province,
  receive_city,
  receive_county,
}: ReturnType<typeof factsOf>) => ({
  weight,
  length,
  width,
  height,
  package_count,
  guarantee_value_amount,
  receive_province,
  receive_city,
  receive_county,
});

/**
 * Every promise (delivery time) of the station's scheme, of all carriers, with its price and its
 * punctuality on this lane. An unavailable promise has a reason.
 */
export const quote = async (
  app: App,
  actor: Actor,
  { express_id, customer_code, ...input }: ParsedOf<typeof calls.quoteExpress>,
): Promise<OutputOf<typeof calls.quoteExpress>> => {
  const caller = callerOf(actor);
  if (customer_code !== undefined && !isOffice(actor))
    failFields({ customer_code: { code: 'field_not_yours' } });
  return app.db.tx(caller, async (work) => {
    const express = express_id === undefined ? null : await expressIn(work, express_id);
    const station = await stationFor(work, actor, express?.station_id ?? input.station_id);
    const facts = factsOf(input);
    if (express?.state_code === stateCode.awaitingPickup) {
      const edited = { ...express, ...editableOf(facts) };
      const priced = await work.asSystem('price of a parcel', (system) =>
        quoteEdit(system, express, edited, station.allow_select),
      );
      return { ...priced, ...shownOf(station), held: express.post_amount, choice: null };
    }
    const now = app.clock.now();
    const offers = await quoteOffers(
      work,
      customer_code ? { ...station, chosen_code: customer_code } : station,
      { facts, at: now },
    );
    const products = offers.map(({ offer }) => offer);
    const [laneOf, hoursOf] = await work.asSystem('lanes of a quote', (system) =>
      Promise.all([
        lanesOf(system, products, facts, { at: now, reader: work }),
        ruleOf(station) === 'fastest'
          ? hoursOfStation(system, products, [facts], { at: now, station_id: station.id })
          : () => null,
      ]),
    );
    const { sender_city, receive_province } = facts;
    const chosen = chooseOffer(
      offers,
      station,
      pricedParcel(facts).receive_code,
      ({ provider, promise_id }) =>
        hoursOf({ provider, promise_id, sender_city, receive_province }),
    );
    const quotes = offers.map((priced) => ({
      ...shownQuote(priced),
      proposed: priced === chosen?.offer ? (1 as const) : (0 as const),
      lane: laneOf(priced.offer),
      ...(isOffice(actor) &&
        priced.offer.merchant !== null && { customer_code: priced.offer.merchant.customer_code }),
    }));
    return {
      quotes,
      ...shownOf(station),
      held: 0,
      choice: chosen?.choice ?? null,
      northeast: offers.some(({ price }) => price?.northeast === 1) ? 1 : 0,
    };
  });
};

const shownOf = ({ available, has_amount }: StationTerms) => ({ available, has_amount });
