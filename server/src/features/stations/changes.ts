import type { ParsedOf } from '@waystation/contract/endpoint.ts';
import { spendableOf } from '@waystation/contract/station.ts';
import type { Station } from '@waystation/contract/station.ts';
import type * as calls from '@waystation/contract/station.ts';
import type { App } from '#app.ts';
import { queueRelease } from '#domain/express/express.ts';
import { requireRoomToMake } from '#domain/made-under/made-under.ts';
import { checkAuthority, checkDiscounts, checkParent, checkRates, checkShares, lockNetwork, moveBelow, refuseOwn, subtreeOf } from '#domain/network/network.ts';
import type { StationRow } from '#domain/network/network.ts';
import { auditedChange, recordChange } from '#platform/audited-change.ts';
import type { AuditedTable, ChangeContext } from '#platform/audited-change.ts';
import { scopeOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { newStatusColumns, statusColumns } from '#platform/auth/disabled-by.ts';
import { inOwnTx } from '#platform/auth/own-tx.ts';
import { oneRow, sql } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';
import { getRow, lockRow, updateRow } from '#platform/db/rows.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import type { Scope } from '#platform/db/scope.ts';
import { mapUniqueViolation } from '#platform/db/unique-violation.ts';
import { fail } from '#platform/fail.ts';
import type { Origin, RequestContext } from '#platform/http/context.ts';
import { fieldProblems, storedPlace } from './fields.ts';
import { stationsFor } from './rows.ts';
import { beginInTx } from './setups.ts';

/** A name may be that of a station out of sight: refused with the same text in either case (requirements §10.12.7). */
const unique = { stations_name: 'name' };
const uniqueCode = 'name_unavailable';

const audited: AuditedTable<'stations'> = {
  table: 'stations',
  audited: [
    ...(['name', 'province', 'city', 'county', 'address', 'discount', 'northeast_discount', 'fixed_freeze', 'customer_code', 'status', 'allow_print'] as const),
    ...(['has_amount', 'allow_select', 'profit', 'fixed_profit', 'enable_profit', 'parent_id', 'project_id', 'sender_name', 'sender_phone'] as const),
    ...(['profit_limit', 'fixed_profit_limit', 'low_balance', 'credit_limit'] as const),
  ],
  unique,
  uniqueCode,
  stationOf: ({ id }) => id,
};

/** What a change of these makes wrong elsewhere in the tree: one at a time. */
const discounts = ['discount', 'northeast_discount'] as const;
const rates = ['profit', 'enable_profit'] as const;
const named = <Name extends string>(values: { [K in Name]?: unknown }, fields: readonly Name[]): Name[] =>
  fields.filter((field) => values[field] !== undefined);

const shown = (tx: Tx, actor: Actor, scope: Scope, at: Date, id: number): Promise<Station> => getRow<Station>(tx, stationsFor(actor, scope, at), id);

const lockStation = (tx: Tx, scope: Scope, id: number): Promise<StationRow> => lockRow(tx, 'stations', id, [scopeCondition(scope, 'r.id')]);

/** Where parcels on hold may now be paid for, queues the job that releases them (requirements §10.3.16). */
const wakeQueue = async (tx: Tx, { before, after }: { before: StationRow; after: StationRow }): Promise<void> => {
  const { id, status } = after;
  const [had, has] = [spendableOf(before), spendableOf(after)];
  const isMore = had !== null && (has === null || has > had);
  if (status === 1 && (isMore || before.status === 0)) await queueRelease(tx, id);
};

/** One audit entry for a station that was written already, and the parcels on hold that may follow from it. */
const recordWritten = async (
  context: ChangeContext,
  action: 'enable' | 'disable' | 'move',
  change: { before: StationRow; after: StationRow; reason?: string | undefined },
): Promise<void> => {
  await recordChange(context, audited, { action, ...change });
  await wakeQueue(context.tx, change);
};

/** Adds the station and answers its id and the scope that now has it: a partner's list of stations was made before. */
const insert = async (tx: Tx, scope: Scope, values: Record<string, unknown>): Promise<{ id: number; scope: Scope }> => {
  const columns = Object.entries(values).filter(([, value]) => value !== undefined);
  await mapUniqueViolation(
    unique,
    sql`insert into stations (${sql.join(columns.map(([name]) => sql.ref(name)))}) values (${sql.join(columns.map(([, value]) => sql`${value}`))})`.execute(tx),
    uniqueCode,
  );
  // The row may only be read once the scope has it.
  const { id } = await oneRow(tx, sql<{ id: number }>`select currval('stations_id_seq') as id`);
  if (scope.kind === 'all') return { id, scope };
  const wider: Scope = { ...scope, stations: [...scope.stations, id] };
  await sql`select set_config('waystation.stations', ${`{${wider.stations.join(',')}}`}, true)`.execute(tx);
  return { id, scope: wider };
};

/** What a new station takes of its parent where nothing else is said. */
const inherited = async (tx: Tx, scope: Scope, parent_id: number | null): Promise<Partial<StationRow>> => {
  if (parent_id === null) return {};
  const row = await tx
    .selectFrom('stations')
    .select(['project_id', 'customer_code'])
    .where('id', '=', parent_id)
    .where(scopeCondition(scope, 'id'))
    .executeTakeFirst();
  return row ?? {};
};

export const create = (
  app: App,
  actor: Actor,
  { reason, guided, ...input }: ParsedOf<typeof calls.createStation>,
  request: RequestContext,
): Promise<Station> => {
  const narrow = scopeOf(actor);
  const at = app.clock.now();
  const parent_id = input.parent_id ?? actor.station_id;
  return app.db.tx(narrow, async (tx) => {
    await lockNetwork(tx);
    checkAuthority(actor, 0, { ...input, parent_id: undefined });
    if (parent_id !== null) await checkParent(tx, narrow, null, parent_id);
    await fieldProblems(tx, { ...input, reason }, null);
    const made_under = await requireRoomToMake(tx, actor, 'stations', at);
    const { id, scope } = await insert(tx, narrow, {
      ...(await inherited(tx, narrow, parent_id)),
      ...input,
      ...newStatusColumns(actor, input.status),
      ...storedPlace(input, null),
      parent_id,
      made_under,
      created_at: at,
    });
    const after = await lockStation(tx, scope, id);
    await checkDiscounts(tx, scope, actor, after, discounts, at);
    await checkShares(tx, scope, actor, null, after);
    await checkRates(tx, scope, id, 'profit');
    await recordChange({ tx, actor, request }, audited, { action: 'create', before: null, after, reason });
    if (guided === 1) await beginInTx(app, tx, actor, id, request);
    return shown(tx, actor, scope, at, id);
  });
};

type Edit = Omit<ParsedOf<typeof calls.editStation>, 'version'> & { version?: number };

/** Changes terms of a station in the caller's transaction; without a version, over whichever is stored. */
export const editInTx = async (app: App, tx: Tx, actor: Actor, { id, version, reason, ...values }: Edit, request: Origin): Promise<Station> => {
  const scope = scopeOf(actor);
  const at = app.clock.now();
  const [newDiscounts, newRates] = [named(values, discounts), named(values, rates)];
  if (newDiscounts.length + newRates.length > 0) await lockNetwork(tx);
  const change = await auditedChange({ tx, actor, request }, audited, {
    id,
    ...(version !== undefined && { version }),
    action: 'edit',
    reason,
    within: [scopeCondition(scope, 'r.id')],
    check: () => {
      checkAuthority(actor, id, values);
    },
    // The other version as this reader may see it.
    current: () => shown(tx, actor, scope, at, id),
    columns: async (before) => {
      await fieldProblems(tx, { ...values, reason }, before);
      return { ...values, ...storedPlace(values, before) };
    },
    also: async (after, before) => {
      if (newDiscounts.length > 0) await checkDiscounts(tx, scope, actor, after, newDiscounts, at);
      await checkShares(tx, scope, actor, before, after);
      if (newRates.length > 0) await checkRates(tx, scope, id, 'profit');
    },
  });
  await wakeQueue(tx, change);
  return shown(tx, actor, scope, at, id);
};

export const edit: (app: App, actor: Actor, input: ParsedOf<typeof calls.editStation>, request: RequestContext) => Promise<Station> = inOwnTx(editInTx);

/** Users of these stations are logged out at their next call. */
const endSessions = async (tx: Tx, scope: Scope, stations: readonly number[]): Promise<void> => {
  await sql`delete from sessions where account_id in
    (select id from accounts where station_id = any(${stations}::bigint[]) and ${scopeCondition(scope, 'station_id')})`.execute(tx);
};

type Switch = Omit<ParsedOf<typeof calls.setStationStatus>, 'reason' | 'with_children'> & { reason?: string | undefined; with_children?: 0 | 1 | undefined };

/** Enables or disables a station, and those below it if asked, in the caller's transaction. */
export const setStatusInTx = async (app: App, tx: Tx, actor: Actor, { id, status, with_children = 0, reason }: Switch, request: Origin): Promise<Station> => {
  const scope = scopeOf(actor);
  if (with_children === 1) await lockNetwork(tx);
  const below = with_children === 1 ? await subtreeOf(tx, scope, id) : [id];
  if (below.length === 0) fail('not_found');
  const switched: number[] = [];
  // In the order of their ids, as the ledger locks them.
  for (const one of below) {
    const before = await lockStation(tx, scope, one);
    refuseOwn(actor, one);
    const columns = statusColumns(actor, before, before.name, status);
    if (columns === null && one !== id) continue;
    const after = columns === null ? before : await updateRow(tx, 'stations', before, before.version, columns);
    await recordWritten({ tx, actor, request }, status === 1 ? 'enable' : 'disable', { before, after, reason });
    switched.push(one);
  }
  if (status === 0) await endSessions(tx, scope, switched);
  return shown(tx, actor, scope, app.clock.now(), id);
};

export const switchStatus = inOwnTx(setStatusInTx);

export const move = (app: App, actor: Actor, { id, parent_id, version }: ParsedOf<typeof calls.moveStation>, request: RequestContext): Promise<Station> => {
  const scope = scopeOf(actor);
  const at = app.clock.now();
  return app.db.tx(scope, async (tx) => {
    await lockNetwork(tx);
    const before = await lockStation(tx, scope, id);
    refuseOwn(actor, id);
    if (before.version !== version) return fail('version_conflict', {}, { current: await shown(tx, actor, scope, at, id) });
    const after = await moveBelow(tx, scope, actor, before, parent_id, at);
    await recordWritten({ tx, actor, request }, 'move', { before, after });
    return shown(tx, actor, scope, at, id);
  });
};
