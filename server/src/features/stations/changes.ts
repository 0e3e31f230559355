import type { ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type { OfferCarriers } from '@waystation/contract/network/offer-rule.ts';
import { spendableOf } from '@waystation/contract/network/station.ts';
import type { Station } from '@waystation/contract/network/station.ts';
import type * as calls from '@waystation/contract/network/station.ts';
import type { App } from '#app.ts';
import { queueRelease } from '#domain/express/express.ts';
import { requireRoomToMake } from '#domain/made-under/made-under.ts';
import {
  checkAuthority,
  checkDiscounts,
  checkParent,
  checkRates,
  checkShares,
  lockNetwork,
  moveBelow,
  refuseOwn,
  subtreeOf,
} from '#domain/network/network.ts';
import type { StationRow } from '#domain/network/network.ts';
import { auditedChange, recordChange } from '#platform/audited-change.ts';
import type { AuditedTable } from '#platform/audited-change.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { newStatusColumns, statusColumns } from '#platform/auth/disabled-by.ts';
import { inOwnTx } from '#platform/auth/own-tx.ts';
import { callerOf, jsonText, oneRow, sql } from '#platform/db/db.ts';
import type { ReaderWork, UserWork, Work } from '#platform/db/db.ts';
import { getRow, lockRow, updateRow } from '#platform/db/rows.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import type { Scope } from '#platform/db/scope.ts';
import { mapUniqueViolation } from '#platform/db/unique-violation.ts';
import { fail } from '#platform/fail.ts';
import { withPinyin } from '#platform/pinyin.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { fieldProblems, storedPlace } from './fields.ts';
import { stationsFor } from './rows.ts';
import { beginInTx } from './setups.ts';

/**
 * A name may belong to a station outside the scope. It is refused with the same text in both cases
 * (requirements §10.12.7).
 */
const unique = { stations_name: 'name' };
const uniqueCode = 'name_unavailable';

const audited: AuditedTable<'stations'> = {
  table: 'stations',
  audited: [
    ...([
      'name',
      'province',
      'city',
      'county',
      'address',
      'discount',
      'northeast_discount',
      'fixed_freeze',
      'customer_code',
      'status',
      'allow_print',
    ] as const),
    ...([
      'has_amount',
      'allow_select',
      'offer_rule',
      'offer_carriers',
      'offer_fallback',
      'profit',
      'fixed_profit',
      'enable_profit',
      'parent_id',
      'project_id',
      'sender_name',
      'sender_phone',
    ] as const),
    ...(['profit_limit', 'fixed_profit_limit', 'low_balance', 'credit_limit'] as const),
  ],
  unique,
  uniqueCode,
  stationOf: ({ id }) => id,
};

/**
 * The columns whose changes can break rules elsewhere in the tree. Such changes are made one at a
 * time.
 */
const discounts = ['discount', 'northeast_discount'] as const;
const rates = ['profit', 'enable_profit'] as const;
const named = <Name extends string>(
  values: { [K in Name]?: unknown },
  fields: readonly Name[],
): Name[] => fields.filter((field) => values[field] !== undefined);

/** The values as they are stored in the columns. */
const storedValues = <V extends { offer_carriers?: OfferCarriers | undefined }>({
  offer_carriers,
  ...values
}: V): Omit<V, 'offer_carriers'> & { offer_carriers?: string } => ({
  ...values,
  ...(offer_carriers !== undefined && { offer_carriers: jsonText(offer_carriers) }),
});

const shown = (work: ReaderWork, at: Date, id: number): Promise<Station> =>
  getRow<Station>(work, stationsFor(work.actor, work, at), id);

const lockStation = (work: Work, id: number): Promise<StationRow> =>
  lockRow(work, 'stations', id, [scopeCondition(work, 'r.id')]);

/**
 * Queues the job that releases parcels on hold, if these may now be paid (requirements §10.3.16).
 */
const wakeQueue = async (
  work: Work,
  { before, after }: { before: StationRow; after: StationRow },
): Promise<void> => {
  const { id, status } = after;
  const [had, has] = [spendableOf(before), spendableOf(after)];
  const isMore = had !== null && (has === null || has > had);
  if (status === 1 && (isMore || before.status === 0)) await queueRelease(work, id);
};

/**
 * Writes the audit entry of a changed station, and queues the release of the parcels on hold that
 * may now be ordered.
 */
const recordWritten = async (
  work: UserWork,
  action: 'enable' | 'disable' | 'move',
  change: { before: StationRow; after: StationRow; reason?: string | undefined },
): Promise<void> => {
  await recordChange(work, audited, { action, ...change });
  await wakeQueue(work, change);
};

/**
 * Adds a station and returns its id and the extended scope, because the list of a partner's
 * stations was read before.
 */
const insert = async (
  work: Work,
  values: Record<string, unknown>,
): Promise<{ id: number; scope: Scope }> => {
  const columns = Object.entries(withPinyin('stations', values)).filter(
    ([, value]) => value !== undefined,
  );
  await mapUniqueViolation(
    unique,
    sql`insert into stations (${sql.join(columns.map(([name]) => sql.ref(name)))})
      values (${sql.join(columns.map(([, value]) => sql`${value}`))})`.execute(work.tx),
    uniqueCode,
  );
  // The new row can be read only after the scope includes it.
  const { id } = await oneRow(work, sql<{ id: number }>`select currval('stations_id_seq') as id`);
  if (work.scope.kind === 'all') return { id, scope: work.scope };
  const wider: Scope = { ...work.scope, stations: [...work.scope.stations, id] };
  await sql`select set_config('waystation.stations', ${`{${wider.stations.join(',')}}`},
    true)`.execute(work.tx);
  return { id, scope: wider };
};

/** The columns whose values a new station takes from its parent by default. */
const inherited = async (work: Work, parent_id: number | null): Promise<Partial<StationRow>> => {
  if (parent_id === null) return {};
  const row = await work.tx
    .selectFrom('stations')
    .select(['project_id', 'customer_code'])
    .where('id', '=', parent_id)
    .where(scopeCondition(work, 'id'))
    .executeTakeFirst();
  return row ?? {};
};

export const create = (
  app: App,
  actor: Actor,
  { reason, guided, ...input }: ParsedOf<typeof calls.createStation>,
  request: RequestContext,
): Promise<Station> => {
  const caller = callerOf(actor, request);
  const at = app.clock.now();
  const parent_id = input.parent_id ?? actor.station_id;
  return app.db.tx(caller, async (work) => {
    await lockNetwork(work);
    checkAuthority(actor, 0, { ...input, parent_id: undefined });
    if (parent_id !== null) await checkParent(work, null, parent_id);
    await fieldProblems(work, { ...input, reason }, null);
    const made_under = await requireRoomToMake(work, 'stations', at);
    const { id, scope } = await insert(work, {
      ...(await inherited(work, parent_id)),
      ...storedValues(input),
      ...newStatusColumns(actor, input.status),
      ...storedPlace(input, null),
      parent_id,
      made_under,
      created_at: at,
    });
    const inside = work.within(scope);
    const after = await lockStation(inside, id);
    await checkDiscounts(inside, after, discounts, at);
    await checkShares(inside, null, after);
    await checkRates(inside, id, 'profit');
    await recordChange(work, audited, {
      action: 'create',
      before: null,
      after,
      reason,
    });
    if (guided === 1) await beginInTx(app, work, id);
    return shown(inside, at, id);
  });
};

type Edit = Omit<ParsedOf<typeof calls.editStation>, 'version'> & { version?: number };

/**
 * Changes terms of a station in the caller's transaction. If no version is given, any stored
 * version is overwritten.
 */
export const editInTx = async (
  app: App,
  work: UserWork,
  { id, version, reason, ...values }: Edit,
): Promise<Station> => {
  const at = app.clock.now();
  const [newDiscounts, newRates] = [named(values, discounts), named(values, rates)];
  if (newDiscounts.length + newRates.length > 0) await lockNetwork(work);
  const change = await auditedChange(work, audited, {
    id,
    ...(version !== undefined && { version }),
    action: 'edit',
    reason,
    within: [scopeCondition(work, 'r.id')],
    check: () => {
      checkAuthority(work.actor, id, values);
    },
    // A conflict returns the current version, with only the fields that this reader may see.
    current: () => shown(work, at, id),
    columns: async (before) => {
      await fieldProblems(work, { ...values, reason }, before);
      return { ...storedValues(values), ...storedPlace(values, before) };
    },
    also: async (after, before) => {
      if (newDiscounts.length > 0) await checkDiscounts(work, after, newDiscounts, at);
      await checkShares(work, before, after);
      if (newRates.length > 0) await checkRates(work, id, 'profit');
    },
  });
  await wakeQueue(work, change);
  return shown(work, at, id);
};

export const edit: (
  app: App,
  actor: Actor,
  input: ParsedOf<typeof calls.editStation>,
  request: RequestContext,
) => Promise<Station> = inOwnTx(editInTx);

/**
 * Ends the sessions of all users of these stations, so that they are logged out at their next call.
 */
const endSessions = async (work: Work, stations: readonly number[]): Promise<void> => {
  await sql`delete from sessions where account_id in
    (select id from accounts where station_id = any(${stations}::bigint[])
      and ${scopeCondition(work, 'station_id')})`.execute(work.tx);
};

type Switch = Omit<ParsedOf<typeof calls.setStationStatus>, 'reason' | 'with_children'> & {
  reason?: string | undefined;
  with_children?: 0 | 1 | undefined;
};

/** Enables or disables a station, optionally with its descendants, in the caller's transaction. */
export const setStatusInTx = async (
  app: App,
  work: UserWork,
  { id, status, with_children = 0, reason }: Switch,
): Promise<Station> => {
  if (with_children === 1) await lockNetwork(work);
  const below = with_children === 1 ? await subtreeOf(work, id) : [id];
  if (below.length === 0) fail('not_found');
  const switched: number[] = [];
  // The stations are locked in the order of their ids, as in the ledger.
  for (const one of below) {
    const before = await lockStation(work, one);
    refuseOwn(work.actor, one);
    const columns = statusColumns(work.actor, before, before.name, status);
    if (columns === null && one !== id) continue;
    const after =
      columns === null
        ? before
        : await updateRow(work, 'stations', before, { version: before.version, values: columns });
    await recordWritten(work, status === 1 ? 'enable' : 'disable', {
      before,
      after,
      reason,
    });
    switched.push(one);
  }
  if (status === 0) await endSessions(work, switched);
  return shown(work, app.clock.now(), id);
};

export const switchStatus = inOwnTx(setStatusInTx);

export const move = (
  app: App,
  actor: Actor,
  { id, parent_id, version }: ParsedOf<typeof calls.moveStation>,
  request: RequestContext,
): Promise<Station> => {
  const caller = callerOf(actor, request);
  const at = app.clock.now();
  return app.db.tx(caller, async (work) => {
    await lockNetwork(work);
    const before = await lockStation(work, id);
    refuseOwn(actor, id);
    if (before.version !== version)
      return fail('version_conflict', {}, { current: await shown(work, at, id) });
    const after = await moveBelow(work, before, parent_id, at);
    await recordWritten(work, 'move', { before, after });
    return shown(work, at, id);
  });
};
