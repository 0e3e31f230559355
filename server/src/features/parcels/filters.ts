import type { ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type { countExpresses } from '@waystation/contract/parcels/express-calls.ts';
import {
  expressArrivals,
  expressStates,
  stateCodes,
} from '@waystation/contract/parcels/express.ts';
import type { ExpressGroup, ExpressTab } from '@waystation/contract/parcels/express.ts';
import type { App } from '#app.ts';
import { movedBefore, unmovedIn } from '#domain/express/express-reads.ts';
import { countPhoneSearch } from '#domain/phone-search/phone-search.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { all, equalIn, filterConditions, fromDay, untilDay } from '#platform/db/conditions.ts';
import type { Condition } from '#platform/db/conditions.ts';
import { sql } from '#platform/db/db.ts';
import type { ReaderWork } from '#platform/db/db.ts';
import { inOrderOfAccount, inOrderOfPerson, scopeCondition } from '#platform/db/scope.ts';
import type { Scoped } from '#platform/db/scope.ts';
import { failFields } from '#platform/fail.ts';
import { searchParcels } from './search.ts';
import type { Search } from './search.ts';
import type { Reach } from './search-keys.ts';

/** The filters of the parcel list, also used for its counts. */
export type ParcelFilters = Omit<ParsedOf<typeof countExpresses>, 'exact'>;

const equal = equalIn('e');

export const statesOfTab = (tab: ExpressTab): number[] =>
  stateCodes.filter((code) => expressStates[code].tab === tab);

/**
 * The states of a group of requirements §1; null for `total`, which includes every parcel that ever
 * had a waybill.
 */
export const statesOfGroup = (group: ExpressGroup): number[] | null =>
  group === 'total' ? null : stateCodes.filter((code) => expressStates[code].group === group);

export const inStates = (codes: number[]): Condition =>
  sql<boolean>`e.state_code = any(${codes}::smallint[])`;

const groupCondition = (group: ExpressGroup): Condition => {
  const codes = statesOfGroup(group);
  return codes === null ? sql<boolean>`e.delivery_id is not null` : inStates(codes);
};

/**
 * The condition of the index express_moves_arrivals. Every move that counts as an arrival fulfils
 * it.
 */
const ofArrivalsIndex = sql<boolean>`m.to_code <> 20
  and (m.to_code = any('{200,210,220,400,410}')
    and m.from_code = any('{200,210,220,400,410}')) is not true`;

/**
 * The condition that a parcel entered one of these states from a state outside them, on the given
 * days or at any time (express_arrivals in server/sql).
 */
const arrivedCondition = (
  work: Scoped,
  arrived: NonNullable<ParcelFilters['arrived']>,
  filters: ParcelFilters,
): Condition => {
  const codes: readonly number[] = expressArrivals[arrived];
  const days = filterConditions(filters, {
    arrived_from: fromDay(sql.ref('m.at')),
    arrived_to: untilDay(sql.ref('m.at')),
  });
  return sql<boolean>`e.id in (select m.express_id from express_moves m
    where ${scopeCondition(work, 'm.station_id')} and m.to_code = any(${codes}::smallint[])
      and coalesce(m.from_code, -1) <> all(${codes}::smallint[]) and ${ofArrivalsIndex} and ${all(days)})`;
};

/**
 * The plan mode of a transaction that reads with these filters: `custom` if a filter depends on the
 * present time.
 */
export const planFor = ({
  unmoved_hours,
}: Pick<ParcelFilters, 'unmoved_hours'>): 'custom' | undefined =>
  unmoved_hours === undefined ? undefined : 'custom';

const hoursBefore = (now: Date, hours: number): Date => new Date(now.getTime() - hours * 3_600_000);

/**
 * The condition for parcels without a movement for this number of hours. An index of the states in
 * transit returns them in the order of the list and skips newer parcels. The query needs a custom
 * plan: with a generic plan a partner's page read 28,449 rows of a million parcels instead of 267
 * (26 November).
 */
export const unmovedFor = (hours: number, now: Date): Condition => {
  const since = hoursBefore(now, hours);
  return sql<boolean>`(e.created_at < ${since}
    and ${movedBefore('e', since)})`;
};

/** The condition of open delivery exceptions on parcels `e`, exactly as in the indexes. */
export const isOpenException = sql<boolean>`(e.exception is not null
  and e.handled_at is null)`;

/** Only super and admin see the carrier account of a parcel. A filter would reveal it to others. */
const ofMerchant = (actor: Actor, merchant_id: number): Condition =>
  actor.role === 'super' || actor.role === 'admin'
    ? sql<boolean>`e.merchant_id = ${merchant_id}`
    : failFields({ merchant_id: { code: 'field_not_yours' } });

/**
 * Conditions on the own fields of parcels `e`: people, carrier account, scheme, template, goods,
 * insurance, amount and weight difference.
 */
const fieldConditions = (actor: Actor, filters: ParcelFilters): Condition[] =>
  filterConditions(filters, {
    user_id: equal,
    merchant_id: (id) => ofMerchant(actor, id),
    project_id: equal,
    voucher_id: equal,
    goods: equal,
    insured: (is) => sql<boolean>`(e.guarantee_amount > 0
      or e.guarantee_value_amount > 0) = ${is === 1}`,
    post_amount_from: (amount) => sql<boolean>`(e.voucher_id is not null
      and e.post_amount >= ${amount})`,
    post_amount_to: (amount) => sql<boolean>`(e.voucher_id is not null
      and e.post_amount <= ${amount})`,
    // The weight difference that the list marks with an arrow. A parcel that was not weighed has
    // none.
    weight_difference: (grams) => sql<boolean>`abs(coalesce(e.jd_weight,
      e.re_weight) - e.weight) >= ${grams}`,
  });

/** The conditions of every filter except the tab and the search. The scope is first. */
const conditionsOf = (
  actor: Actor,
  work: Scoped,
  filters: ParcelFilters,
  now: Date,
): Condition[] => [
  filters.user_id === undefined || filters.unmoved_hours !== undefined
    ? inOrderOfAccount(work, 'e.station_id', 'e.user_id')
    : inOrderOfPerson(work, 'e.station_id', 'e.user_id'),
  ...filterConditions(filters, {
    group: groupCondition,
    state_code: equal,
    station_id: equal,
    created_from: fromDay(sql.ref('e.created_at')),
    created_to: untilDay(sql.ref('e.created_at')),
    promise_id: equal,
    receive_province: equal,
    printed: (is) => (is === 1 ? sql<boolean>`e.print_count > 0` : sql<boolean>`e.print_count = 0`),
    // The value is part of the SQL text, so that the index `expresses_need_retry` can be used.
    need_retry: (is) =>
      is === 1 ? sql<boolean>`e.need_retry = 1` : sql<boolean>`e.need_retry = 0`,
    arrived: (arrived) => arrivedCondition(work, arrived, filters),
    unmoved_hours: (hours) => unmovedIn(work, hoursBefore(now, hours), filters.station_id),
    exception: (exception) =>
      exception === 'any'
        ? isOpenException
        : sql<boolean>`(${isOpenException}
      and e.exception = ${exception})`,
    import_id: (id) => sql<boolean>`e.id in (select w.express_id from import_rows w
      where w.import_id = ${id} and w.express_id is not null)`,
  }),
  ...fieldConditions(actor, filters),
];

/**
 * The conditions of every filter except the tab, on parcels `e` of `foundParcels(search)`. The
 * search reads only the parcels of `where`.
 */
export const parcelConditions = async (
  app: App,
  work: ReaderWork,
  filters: ParcelFilters,
  where: Reach,
): Promise<{ base: Condition[]; search: Search }> => {
  const everywhere = await countPhoneSearch(app, work, {
    subject: 'expresses',
    q: filters.q,
    station_id: filters.station_id,
  });
  const search = await searchParcels(
    work,
    { station_id: work.actor.station_id, everywhere },
    filters.q,
    where,
  );
  return {
    base: [...conditionsOf(work.actor, work, filters, app.clock.now()), ...search.rest],
    search,
  };
};

/** The condition of the chosen tab; none if no tab is chosen. */
export const tabConditions = ({ tab }: ParcelFilters): Condition[] =>
  tab ? [inStates(statesOfTab(tab))] : [];
