import { liveStates, stateCode } from '@waystation/contract/parcels/express-states.ts';
import type { Station } from '@waystation/contract/network/station.ts';
import type * as calls from '@waystation/contract/network/station.ts';
import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type { Usage, UsedBy } from '@waystation/contract/base/usage.ts';
import type { App } from '#app.ts';
import { isBelowLimit, isOwing, runsOutIn } from '#domain/ledger/ledger.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { parcelsByDay, parcelsByState } from '#domain/express/express-reads.ts';
import {
  all,
  atLeast,
  atMost,
  contains,
  equal,
  filterConditions,
  named,
} from '#platform/db/conditions.ts';
import { businessDay, daysBefore } from '#platform/clock.ts';
import type { Condition } from '#platform/db/conditions.ts';
import { callerOf, oneRow, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { getRow, listRows } from '#platform/db/rows.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import type { Scoped } from '#platform/db/scope.ts';
import { isOffice, stationsFor } from './rows.ts';

type Filters = ParsedOf<typeof calls.listStations>;

/**
 * The condition for a text in a station's name. For administrators it also searches the customer
 * code, which other users do not see.
 */
export const textCondition =
  (actor: Actor) =>
  (q: string): Condition =>
    isOffice(actor)
      ? sql<boolean>`(${named('r.name', 'r.pinyin')(q)}
    or ${contains('r.customer_code')(q)})`
      : named('r.name', 'r.pinyin')(q);

const conditionsOf = (actor: Actor, work: Scoped, filters: Filters, at: Date): Condition[] =>
  filterConditions(filters, {
    q: textCondition(actor),
    parent_id: equal,
    top: (is) => (is === 1 ? sql<boolean>`r.parent_id is null` : null),
    project_id: equal,
    province: equal,
    available_from: atLeast('r.available'),
    available_to: atMost('r.available'),
    negative: (is) => (is === 1 ? sql<boolean>`r.available < 0` : null),
    low: (is) => (is === 1 ? isBelowLimit : null),
    owing: (is) => (is === 1 ? isOwing : null),
    status: equal,
    allow_print: equal,
    has_amount: equal,
    allow_select: equal,
    enable_profit: equal,
    lasts_days: (days) => runsOutIn(work, businessDay(at), days),
    silent_days: (days) => sql<boolean>`not exists (select 1 from expresses e
      where e.station_id = r.id and e.created_at > ${daysBefore(at, days)})`,
  });

type Sums = OutputOf<typeof calls.listStations>['sums'];

const sumsOf = async (
  work: Work,
  from: ReturnType<typeof stationsFor>,
  conditions: readonly Condition[],
): Promise<Sums> => {
  return oneRow(
    work,
    sql<Sums>`select coalesce(sum(r.money), 0)::bigint as money,
      coalesce(sum(r."freeze"), 0)::bigint as "freeze",
      coalesce(sum(r.available), 0)::bigint as available
    from ${from.rows} r where ${all(conditions)}`,
  );
};

export const provinces = (
  app: App,
  actor: Actor,
): Promise<OutputOf<typeof calls.stationProvinces>> => {
  const caller = callerOf(actor);
  return app.db.tx(caller, async (work) => ({
    items: (
      await sql<
        OutputOf<typeof calls.stationProvinces>['items'][number]
      >`select s.province, count(*) as stations,
        count(*) filter (where s.status = 1) as enabled,
        coalesce(sum(s.money), 0)::bigint as money,
          coalesce(sum(s."freeze"), 0)::bigint as "freeze",
          coalesce(sum(s.available), 0)::bigint as available,
        coalesce(sum(u.n), 0)::bigint as parcels_30d
      from stations s left join (select d.station_id, sum(d.n) as n
        from ${parcelsByDay(work, true)} d where d.what = 'ordered'
        and d.day > ${businessDay(daysBefore(app.clock.now(), 30))}::date
          group by d.station_id) u on u.station_id = s.id
      where ${scopeCondition(work, 's.id')} group by s.province
        order by stations desc, s.province`.execute(work.tx)
    ).rows,
  }));
};

export const list = (
  app: App,
  actor: Actor,
  filters: Filters,
): Promise<OutputOf<typeof calls.listStations>> => {
  const caller = callerOf(actor);
  const at = app.clock.now();
  const from = stationsFor(actor, caller, at);
  const conditions = conditionsOf(actor, caller, filters, at);
  return app.db.tx(caller, async (work) => ({
    ...(await listRows<Station>(work, from, {
      conditions,
      paging: filters,
      sortable: ['name', 'money', 'freeze', 'available', 'status', 'created_at', 'updated_at'],
    })),
    sums: await sumsOf(work, from, conditions),
  }));
};

export const get = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.getStation>,
): Promise<Station> => {
  const caller = callerOf(actor);
  return app.db.tx(caller, (work) =>
    getRow<Station>(work, stationsFor(actor, work, app.clock.now()), id),
  );
};

const open = [stateCode.ordering, ...liveStates];

/** Returns how a station is used, for the dialog in which it is disabled. */
export const usage = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.stationUsage>,
): Promise<Usage> => {
  const caller = callerOf(actor);
  return app.db.tx(caller, async (work) => {
    await getRow(work, stationsFor(actor, work, app.clock.now()), id);
    const mine = scopeCondition(work, 'station_id');
    const { rows } = await sql<{ what: UsedBy; count: number }>`
      select 'children' as what, count(*) as count from stations where parent_id = ${id}
        and status = 1 and ${scopeCondition(work, 'id')}
      union all select 'accounts', count(*) from accounts where station_id = ${id}
        and status = 1 and ${mine}
      union all select case c.state_code when ${stateCode.onHold} then 'held_parcels'
        else 'open_parcels' end, sum(c.n)::bigint from ${parcelsByState(work, true)} c
        where c.station_id = ${id}
          and c.state_code = any(${[...open, stateCode.onHold]}::int[])
          group by 1`.execute(work.tx);
    return { items: rows.filter(({ count }) => count > 0) };
  });
};
