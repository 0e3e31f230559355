import { averageOf } from '@waystation/contract/money/money.ts';
import { silentDays, spendingDays, stuckHours } from '@waystation/contract/shell/workplace.ts';
import type { Filter, MoneySums } from '@waystation/contract/shell/workplace.ts';
import type * as calls from '@waystation/contract/shell/workplace.ts';
import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import { lastOf } from '@waystation/contract/base/present.ts';
import type { App } from '#app.ts';
import { parcelsByDay, unmovedParcels } from '#domain/express/express-reads.ts';
import {
  daysLeft,
  daysOutstanding,
  isBelowLimit,
  isOwing,
  moneyByDay,
  profitBySource,
  reweighMoney,
  runsOutIn,
  spentLately,
} from '#domain/ledger/ledger.ts';
import type { Days } from '#domain/ledger/ledger.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { addDays, businessDay, daysBefore } from '#platform/clock.ts';
import { callerOf, oneRow, sql } from '#platform/db/db.ts';
import type { RowOf, Work } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';

/** The last `count` days up to today, and the same number of days before them. */
const rangesOf = (today: string, count: number): { now: Days; before: Days } => ({
  now: { from: addDays(today, 1 - count), to: today },
  before: { from: addDays(today, 1 - 2 * count), to: addDays(today, -count) },
});

const everyDay = ({ from, to }: Days): string[] => {
  const days = [from];
  while (lastOf(days) < to) days.push(addDays(lastOf(days), 1));
  return days;
};

/**
 * The number of parcels with a waybill per day of creation, for one station or for all stations in
 * scope.
 */
const orderedByDay = async (
  work: Work,
  { from, to }: Days,
  station_id?: number,
): Promise<{ day: string; n: number }[]> => {
  const { rows } = await sql<{ day: string; n: number }>`
    select to_char(day, 'YYYY-MM-DD') as day, sum(n)::bigint as n
      from ${parcelsByDay(work, station_id !== undefined)} d
    where what = 'ordered' and day >= ${from}::date and day <= ${to}::date
      and ${station_id === undefined ? sql`true` : sql`station_id = ${station_id}`}
        group by 1`.execute(work.tx);
  return rows;
};

const resultsOf = async (
  work: Work,
  days: Days,
  station_id: number | undefined,
): Promise<(MoneySums & { day: string })[]> => {
  const ordered = new Map(
    (await orderedByDay(work, days, station_id)).map(({ day, n }) => [day, n]),
  );
  const money = new Map((await moneyByDay(work, days, station_id)).map((row) => [row.day, row]));
  return everyDay(days).map((day) => {
    const { revenue, cost } = money.get(day) ?? { revenue: 0, cost: 0 };
    return { day, count: ordered.get(day) ?? 0, revenue, cost, margin: revenue - cost };
  });
};

const summed = (rows: readonly MoneySums[]): MoneySums =>
  rows.reduce(
    (sum, row) => ({
      count: sum.count + row.count,
      revenue: sum.revenue + row.revenue,
      cost: sum.cost + row.cost,
      margin: sum.margin + row.margin,
    }),
    { count: 0, revenue: 0, cost: 0, margin: 0 },
  );

const stationNamed = async (work: Work, station_id: number | undefined): Promise<Filter> => {
  if (station_id === undefined) return {};
  const { rows } = await sql`select 1 from stations where id = ${station_id}
    and ${scopeCondition(work, 'id')}`.execute(work.tx);
  return rows[0] ? { station_id: String(station_id) } : fail('not_found');
};

/** Returns the platform's earnings and costs for each day. */
export const money = (
  app: App,
  actor: Actor,
  { days = 30, station_id }: ParsedOf<typeof calls.moneyBoard>,
): Promise<OutputOf<typeof calls.moneyBoard>> => {
  const caller = callerOf(actor);
  const { now, before } = rangesOf(businessDay(app.clock.now()), days);
  return app.db.tx(caller, async (work) => {
    const named = await stationNamed(work, station_id);
    const rows = await resultsOf(work, now, station_id);
    const { all, up, down } = await reweighMoney(work, now, station_id);
    const posted = { posted_from: now.from, posted_to: now.to, ...named };
    return {
      ...now,
      days: rows,
      sums: summed(rows),
      before: summed(await resultsOf(work, before, station_id)),
      reweigh: {
        all: { count: all, filter: { type: 'reweigh', ...posted } },
        // A higher price reduces the station's balance, so its sign is `out`.
        up: { ...up, filter: { type: 'reweigh', sign: 'out', ...posted } },
        down: { ...down, filter: { type: 'reweigh', sign: 'in', ...posted } },
      },
      parcels: { group: 'total', created_from: now.from, created_to: now.to, ...named },
      lines: posted,
    };
  });
};

const shownStations = 10;

/**
 * Post-paid stations with a debt. The age of a debt is calculated only for the displayed stations,
 * because it reads the daily sums of a station.
 */
const owingOf = async (
  work: Work,
  today: string,
): Promise<OutputOf<typeof calls.balanceBoard>['owing']> => {
  const { rows: items } = await sql<
    RowOf<'stations', 'name' | 'credit_limit'> & {
      station_id: number;
      owed: number;
      days_outstanding: number | null;
    }
  >`
    select r.id as station_id, r.name, -r.money as owed, r.credit_limit,
      ${daysOutstanding(work, today)} as days_outstanding
    from (select id, name, money, credit_limit from stations r
      where ${scopeCondition(work, 'r.id')} and ${isOwing} order by money, id
      limit ${shownStations}) r
    order by r.money, r.id`.execute(work.tx);
  const { n, amount } = await oneRow(
    work,
    sql<{ n: number; amount: number }>`select count(*) as n,
      coalesce(-sum(r.money), 0)::bigint as amount from stations r
      where ${scopeCondition(work, 'r.id')} and ${isOwing}`,
  );
  return { items, all: { count: n, amount, filter: { owing: '1' } } };
};

/**
 * Returns the stations whose balance will soon be used up at their daily cost, the most urgent
 * first.
 */
export const balances = (
  app: App,
  actor: Actor,
  { days = 7 }: ParsedOf<typeof calls.balanceBoard>,
): Promise<OutputOf<typeof calls.balanceBoard>> => {
  const caller = callerOf(actor);
  const today = businessDay(app.clock.now());
  return app.db.tx(caller, async (work) => {
    const { rows } = await sql<
      RowOf<'stations', 'name' | 'available'> & { station_id: number; spent: number }
    >`
      select r.id as station_id, r.name, r.available, x.spent from stations r cross
        join lateral (select ${spentLately(work, today)} as spent offset 0) x
      where ${scopeCondition(work, 'r.id')}
        and ${runsOutIn(work, today, days, sql<number>`x.spent`)}`.execute(work.tx);
    const items = rows.map(({ spent, ...row }) => ({
      ...row,
      daily: averageOf(spent, spendingDays),
      days_left: daysLeft(row.available, spent) ?? 0,
    }));
    items.sort(
      (a, b) =>
        a.days_left - b.days_left || a.available - b.available || a.station_id - b.station_id,
    );
    const below = await oneRow(
      work,
      sql<{ n: number }>`select count(*) as n from stations r
        where ${scopeCondition(work, 'r.id')} and r.status = 1 and ${isBelowLimit}`,
    );
    return {
      items: items.slice(0, shownStations),
      all: { count: items.length, filter: { lasts_days: String(days) } },
      below: { count: below.n, filter: { low: '1', status: '1' } },
      owing: await owingOf(work, today),
    };
  });
};

const shownBills = 10;

/**
 * Carrier bills with open lines, the number of those lines, and the number of lines about unknown
 * parcels.
 */
export const bills = (app: App, actor: Actor): Promise<OutputOf<typeof calls.billBoard>> =>
  app.db.tx(callerOf(actor), async (work) => {
    const { rows } = await sql<
      RowOf<'reconciliations', 'period' | 'provider' | 'file_name'> & {
        reconciliation_id: number;
        open: number;
        unmatched: number;
      }
    >`
      select c.id as reconciliation_id, c.period, c.provider, c.file_name, count(*) as open,
        count(*) filter (where r.bucket = 'only_theirs') as unmatched
      from reconciliations c join reconciliation_rows r on r.reconciliation_id = c.id
        and r.bucket is not null and r.decision = 'open'
      where c.status = 'ready' group by c.id order by c.period, c.id
        limit ${shownBills}`.execute(work.tx);
    return {
      items: rows.map((row) => ({
        ...row,
        open: { count: row.open, filter: { decision: 'open' } },
        unmatched: { count: row.unmatched, filter: { bucket: 'only_theirs', decision: 'open' } },
      })),
    };
  });

interface Below {
  station_id: number;
  name: string;
  parent_name: string;
  status: number;
  available: number;
  has_amount: number;
  parcels: number;
  before: number;
  stuck: number;
  last_active_at: Date | null;
}

/** The figures of each station below `root`. A parcel counts for the station that ordered it. */
const belowOf = async (
  work: Work,
  root: number,
  { now, before, at }: { now: Days; before: Days; at: Date },
): Promise<Below[]> => {
  const stuckSince = new Date(at.getTime() - stuckHours * 3_600_000);
  const { rows } = await sql<Below>`
    with recursive below as (
      select id from stations where parent_id = ${root} and ${scopeCondition(work, 'id')}
      union all select s.id from stations s join below b on s.parent_id = b.id
        where ${scopeCondition(work, 's.id')}
    ), ordered as (
      select station_id, coalesce(sum(n) filter (where day >= ${now.from}::date),
        0)::bigint as parcels,
        coalesce(sum(n) filter (where day < ${now.from}::date), 0)::bigint as before
      from ${parcelsByDay(work, true)} d where what = 'ordered'
        and day >= ${before.from}::date and day <= ${now.to}::date group by 1
    ), unmoved as (
      select station_id, count(*) as n
        from ${unmovedParcels(
          work,
          stuckSince,
          sql`n.id in (select id
        from below)`,
        )} u
        group by 1
    )
    select s.id as station_id, s.name, p.name as parent_name, s.status, s.available,
      s.has_amount, coalesce(o.parcels, 0) as parcels, coalesce(o.before, 0) as before,
      coalesce(u.n, 0) as stuck,
      (select e.created_at from expresses e where e.station_id = s.id
        and ${scopeCondition(work, 'e.station_id')} order by e.created_at desc, e.id desc
        limit 1) as last_active_at
    from below b join stations s on s.id = b.id join stations p on p.id = s.parent_id left
      join ordered o on o.station_id = s.id
    left join unmoved u on u.station_id = s.id
    order by parcels desc, s.name, s.id`.execute(work.tx);
  return rows;
};

/**
 * The stations in scope that have stations below them, sorted by name, the actor's own station
 * first.
 */
const rootsOf = async (work: Work, own: number): Promise<{ id: number; name: string }[]> => {
  const { rows } = await sql<RowOf<'stations', 'id' | 'name'>>`select s.id, s.name
    from stations s where ${scopeCondition(work, 's.id')}
    and (s.id = ${own} or exists (select 1 from stations c where c.parent_id = s.id
      and ${scopeCondition(work, 'c.id')})) order by s.id <> ${own}, s.name, s.id`.execute(work.tx);
  return rows;
};

/**
 * The Workplace of a partner: the stations below with their numbers, each linked to the list that
 * it counts.
 */
export const stations = (
  app: App,
  actor: Actor,
  { days = 30, root_id }: ParsedOf<typeof calls.stationBoard>,
): Promise<OutputOf<typeof calls.stationBoard>> => {
  const caller = callerOf(actor);
  const at = app.clock.now();
  const { now, before } = rangesOf(businessDay(at), days);
  const own = actor.station_id ?? fail('not_found');
  const root = root_id ?? own;
  const read = async (work: Work): Promise<OutputOf<typeof calls.stationBoard>> => {
    await stationNamed(work, root);
    const earned = new Map(
      (await profitBySource(work, now, own)).map((row) => [row.station_id, row]),
    );
    const rows = await belowOf(work, root, { now, before, at });
    const items = rows.map((row) => {
      const station_id = String(row.station_id);
      const ordered = ({ from, to }: Days): Filter => ({
        group: 'total',
        created_from: from,
        created_to: to,
        station_id,
      });
      const { n, amount } = earned.get(row.station_id) ?? { n: 0, amount: 0 };
      return {
        ...row,
        parcels: { count: row.parcels, filter: ordered(now) },
        before: { count: row.before, filter: ordered(before) },
        profit: {
          count: n,
          amount,
          filter: {
            station_id: String(own),
            earned_from: station_id,
            posted_from: now.from,
            posted_to: now.to,
          },
        },
        stuck: { count: row.stuck, filter: { unmoved_hours: String(stuckHours), station_id } },
        last_active_at: row.last_active_at?.toISOString() ?? null,
        silent:
          row.last_active_at === null || row.last_active_at <= daysBefore(at, silentDays) ? 1 : 0,
      };
    });
    return { root_id: root, ...now, roots: await rootsOf(work, own), items };
  };
  // `unmovedParcels` depends on the present time, so it needs a custom plan.
  return app.db.tx(caller, read, { plan: 'custom' });
};
