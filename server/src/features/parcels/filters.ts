import type { ParsedOf } from '@waystation/contract/endpoint.ts';
import type { countExpresses } from '@waystation/contract/express-calls.ts';
import { expressArrivals, expressStates, stateCodes } from '@waystation/contract/express.ts';
import type { ExpressGroup, ExpressTab } from '@waystation/contract/express.ts';
import type { App } from '#app.ts';
import { movedBefore, unmovedIn } from '#domain/express/express-reads.ts';
import { countPhoneSearch } from '#domain/phone-search/phone-search.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { all, equalIn, filterConditions, fromDay, untilDay } from '#platform/db/conditions.ts';
import type { Condition } from '#platform/db/conditions.ts';
import { sql } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';
import { plannedForValues } from '#platform/db/prepared.ts';
import { inOrderOfAccount, inOrderOfPerson, scopeCondition } from '#platform/db/scope.ts';
import type { Scope } from '#platform/db/scope.ts';
import { failFields } from '#platform/fail.ts';
import type { Origin } from '#platform/http/context.ts';
import { searchParcels } from './search.ts';
import type { Search } from './search.ts';
import type { Reach } from './search-keys.ts';

/** What narrows the list and its counts alike. */
export type ParcelFilters = Omit<ParsedOf<typeof countExpresses>, 'exact'>;

const equal = equalIn('e');

export const statesOfTab = (tab: ExpressTab): number[] => stateCodes.filter((code) => expressStates[code].tab === tab);

/** The states of a group of requirements §1; null for `total`, which is every parcel that ever got a waybill. */
export const statesOfGroup = (group: ExpressGroup): number[] | null =>
  group === 'total' ? null : stateCodes.filter((code) => expressStates[code].group === group);

export const inStates = (codes: number[]): Condition => sql<boolean>`e.state_code = any(${codes}::smallint[])`;

const groupCondition = (group: ExpressGroup): Condition => {
  const codes = statesOfGroup(group);
  return codes === null ? sql<boolean>`e.delivery_id is not null` : inStates(codes);
};

/** Came into a state from another, on some days or ever (express_arrivals in server/sql). */
const arrivedCondition = (scope: Scope, arrived: NonNullable<ParcelFilters['arrived']>, filters: ParcelFilters): Condition => {
  const codes: readonly number[] = expressArrivals[arrived];
  const days = filterConditions(filters, { arrived_from: fromDay(sql.ref('m.at')), arrived_to: untilDay(sql.ref('m.at')) });
  return sql<boolean>`e.id in (select m.express_id from express_moves m where ${scopeCondition(scope, 'm.station_id')} and m.to_code = any(${codes}::smallint[])
      and coalesce(m.from_code, -1) <> all(${codes}::smallint[]) and ${all(days)})`;
};

const hoursBefore = (now: Date, hours: number): Date => new Date(now.getTime() - hours * 3_600_000);

/**
 * Not moved for so many hours, of parcels that an index finds by the states of those under way, in the order of the list: it begins behind those made later. Planned for
 * the moment: by a plan for any moment a partner's page read 28,449 rows of a million parcels instead of 267 (26 November).
 */
export const unmovedFor = (hours: number, now: Date): Condition => {
  const since = hoursBefore(now, hours);
  return sql<boolean>`(${sql.raw(plannedForValues)} e.created_at < ${since} and ${movedBefore('e', since)})`;
};

/** Of parcels `e`, as the indexes of exceptions have it. */
export const isOpenException = sql<boolean>`(e.exception is not null and e.handled_at is null)`;

/** Which carrier account carried a parcel is known to super and admin alone; a filter would tell it to others. */
const ofMerchant = (actor: Actor, merchant_id: number): Condition =>
  actor.role === 'super' || actor.role === 'admin' ? sql<boolean>`e.merchant_id = ${merchant_id}` : failFields({ merchant_id: { code: 'field_not_yours' } });

/** Parcels `e` by their own fields: people, carrier account, scheme, template, goods, insurance, amount, weight difference. */
const fieldConditions = (actor: Actor, filters: ParcelFilters): Condition[] =>
  filterConditions(filters, {
    user_id: equal,
    merchant_id: (id) => ofMerchant(actor, id),
    project_id: equal,
    voucher_id: equal,
    goods: equal,
    insured: (is) => sql<boolean>`(e.guarantee_amount > 0 or e.guarantee_value_amount > 0) = ${is === 1}`,
    post_amount_from: (amount) => sql<boolean>`(e.voucher_id is not null and e.post_amount >= ${amount})`,
    post_amount_to: (amount) => sql<boolean>`(e.voucher_id is not null and e.post_amount <= ${amount})`,
    // The weight its arrow compares: an unweighed parcel has no difference.
    weight_difference: (grams) => sql<boolean>`abs(coalesce(e.jd_weight, e.re_weight) - e.weight) >= ${grams}`,
  });

/** Every filter but the tab and the search, scope first. */
const conditionsOf = (actor: Actor, scope: Scope, filters: ParcelFilters, now: Date): Condition[] => [
  filters.user_id === undefined || filters.unmoved_hours !== undefined
    ? inOrderOfAccount(scope, 'e.station_id', 'e.user_id')
    : inOrderOfPerson(scope, 'e.station_id', 'e.user_id'),
  ...filterConditions(filters, {
    group: groupCondition,
    state_code: equal,
    station_id: equal,
    created_from: fromDay(sql.ref('e.created_at')),
    created_to: untilDay(sql.ref('e.created_at')),
    promise_id: equal,
    receive_province: equal,
    printed: (is) => (is === 1 ? sql<boolean>`e.print_count > 0` : sql<boolean>`e.print_count = 0`),
    // As text, so that `expresses_need_retry` serves.
    need_retry: (is) => (is === 1 ? sql<boolean>`e.need_retry = 1` : sql<boolean>`e.need_retry = 0`),
    arrived: (arrived) => arrivedCondition(scope, arrived, filters),
    unmoved_hours: (hours) => unmovedIn(scope, hoursBefore(now, hours), filters.station_id),
    exception: (exception) => (exception === 'any' ? isOpenException : sql<boolean>`(${isOpenException} and e.exception = ${exception})`),
    import_id: (id) => sql<boolean>`e.id in (select w.express_id from import_rows w where w.import_id = ${id} and w.express_id is not null)`,
  }),
  ...fieldConditions(actor, filters),
];

/** Every filter but the tab, as conditions on parcels `e` of `foundParcels(search)`; a search looks at the parcels of `where`. */
export const parcelConditions = async (
  app: App,
  tx: Tx,
  actor: Actor,
  scope: Scope,
  filters: ParcelFilters,
  where: Reach,
  origin: Origin | null,
): Promise<{ base: Condition[]; search: Search }> => {
  const everywhere = await countPhoneSearch(app, tx, actor, origin, { subject: 'expresses', q: filters.q, station_id: filters.station_id });
  const search = await searchParcels(tx, scope, { station_id: actor.station_id, everywhere }, filters.q, where);
  return { base: [...conditionsOf(actor, scope, filters, app.clock.now()), ...search.rest], search };
};

/** The condition of the tab, where one is chosen. */
export const tabConditions = ({ tab }: ParcelFilters): Condition[] => (tab ? [inStates(statesOfTab(tab))] : []);
