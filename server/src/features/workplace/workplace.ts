import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import { arrivalNames, expressStates } from '@waystation/contract/parcels/express.ts';
import type { ExpressArrival, StateCode } from '@waystation/contract/parcels/express.ts';
import {
  movementFilter,
  numberFilters,
  numberKeys,
  setupSteps,
} from '@waystation/contract/shell/workplace.ts';
import type { NumberKey, SetupStep, workplace } from '@waystation/contract/shell/workplace.ts';
import { firstOf } from '@waystation/contract/base/present.ts';
import type { App } from '#app.ts';
import { parcelsByDay, parcelsByState } from '#domain/express/express-reads.ts';
import { daysLeft, lowLimit, spentLately } from '#domain/ledger/ledger.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { addDays, businessDay } from '#platform/clock.ts';
import { callerOf, oneRow, sql } from '#platform/db/db.ts';
import type { ReaderWork, RowOf, Work } from '#platform/db/db.ts';
import { inOrderOfAccount, scopeCondition } from '#platform/db/scope.ts';

type Answer = OutputOf<typeof workplace>;

type Counts = Record<NumberKey, number>;

/** The sums of the counting tables. They are exact, however many parcels there are. */
const countsOf = async (work: Work): Promise<Counts> => {
  const { rows } = await sql<{ state_code: StateCode; waybill: 0 | 1; n: number }>`
    select state_code, waybill, sum(n)::bigint as n from ${parcelsByState(work)} c
      group by 1, 2`.execute(work.tx);
  const { rows: unprinted } = await sql<{ n: number }>`
    select count(*) as n from expresses
      where ${scopeCondition(work, 'station_id', 'user_id')} and state_code = 100
      and print_count = 0`.execute(work.tx);
  const sum = (which: (row: (typeof rows)[number]) => boolean): number =>
    rows.filter(which).reduce((total, { n }) => total + n, 0);
  const countOf = (key: NumberKey): number => {
    const { group, tab, printed } = numberFilters[key];
    if (printed !== undefined) return firstOf(unprinted).n;
    if (group === 'total') return sum((row) => row.waybill === 1);
    return sum((row) =>
      group !== undefined
        ? expressStates[row.state_code].group === group
        : expressStates[row.state_code].tab === tab,
    );
  };
  return Object.fromEntries(numberKeys.map((key) => [key, countOf(key)])) as Counts;
};

const moves = (key: NumberKey): key is 'total' | (ExpressArrival & NumberKey) =>
  key === 'total' || (arrivalNames as readonly string[]).includes(key);

const daysShown = 14;

type DaySums = (RowOf<'express_days', 'what'> & { day: string; n: number })[];

/**
 * Counts parcels by day and event: the ordered parcels of the last fourteen business days, and all
 * events of today and yesterday.
 */
const daySumsOf = async (work: Work, today: string): Promise<DaySums> => {
  const { rows } = await sql<DaySums[number]>`
    select to_char(day, 'YYYY-MM-DD') as day, what, n from (
      select day, what, sum(n)::bigint as n from ${parcelsByDay(work)} d
      where day >= ${addDays(today, 1 - daysShown)}::date and day <= ${today}::date
        and (what = 'ordered' or day >= ${addDays(today, -1)}::date)
        group by 1, 2) x`.execute(work.tx);
  return rows;
};

/** Returns every number with the list that it counts, and with its changes today and yesterday. */
const numbersOf = (sums: DaySums, counts: Counts, today: string): Answer['numbers'] => {
  const yesterday = addDays(today, -1);
  const came = (key: NumberKey, on: string) => {
    if (!moves(key)) return null;
    const what = key === 'total' ? 'ordered' : key;
    return {
      count: sums.find((row) => row.what === what && row.day === on)?.n ?? 0,
      filter: movementFilter(key, on),
    };
  };
  return numberKeys.map((key) => ({
    key,
    count: counts[key],
    filter: numberFilters[key],
    today: came(key, today),
    yesterday: came(key, yesterday),
  }));
};

/** The number of parcels ordered on each of the last fourteen business days. */
const daysOf = (sums: DaySums, today: string): Answer['days'] => {
  const days = Array.from({ length: daysShown }, (_, back) => addDays(today, back + 1 - daysShown));
  return days.map((day) => ({
    day,
    count: sums.find((row) => row.what === 'ordered' && row.day === day)?.n ?? 0,
  }));
};

const recentOf = async (work: Work): Promise<Answer['recent']> => {
  const rows = await work.tx
    .selectFrom('expresses')
    .select([
      'id',
      'delivery_id',
      'order_id',
      'receive_name',
      'receive_city',
      'state_code',
      'post_amount',
      'created_at',
    ])
    .where(inOrderOfAccount(work, 'station_id', 'user_id'))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(10)
    .execute();
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
};

type Alerts = NonNullable<Answer['alerts']>;

const alertsOf = async (work: Work): Promise<Alerts> => {
  const { rows } = await sql<
    RowOf<'alerts', 'id' | 'code' | 'params' | 'at' | 'express_id'> & {
      order_id: string | null;
      merchant_name: string | null;
    }
  >`
    select a.id, a.code, a.params, a.at, a.express_id, e.order_id, m.name as merchant_name
    from alerts a left join expresses e on e.id = a.express_id left
      join merchants m on m.id = a.merchant_id where a.closed_at is null order by a.id desc
      limit 10`.execute(work.tx);
  return rows.map(({ code, params, at, ...row }) => ({
    ...row,
    reason: { code, params },
    at: at.toISOString(),
  }));
};

/**
 * The setup steps of a network before its first parcel; null after the first parcel was ordered.
 */
const checklistOf = async (work: Work, total: number): Promise<Answer['checklist']> => {
  if (total > 0) return null;
  const row = await oneRow(
    work,
    sql<Record<SetupStep, boolean>>`select
    exists (select 1 from merchants where status = 1 and is_default = 1) as merchant,
    exists (select 1 from cargos where status = 1) as goods,
    exists (select 1 from promises where status = 1) as promise,
    exists (select 1 from vouchers v join voucher_versions n on n.voucher_id = v.id
      where v.status = 1) as voucher,
    exists (select 1 from projects p join project_vouchers b on b.project_id = p.id
      where p.status = 1) as project,
    exists (select 1 from stations where status = 1 and project_id is not null) as station,
    exists (select 1 from accounts where status = 1 and station_id is not null) as account,
    exists (select 1 from stations where status = 1
      and (has_amount = 0 or money > 0)) as money,
    false as parcel`,
  );
  return setupSteps.map((step) => ({ step, done: row[step] ? 1 : 0 }));
};

/**
 * Returns the actor's own station. Its costs are calculated from its transactions, which a clerk
 * does not see.
 */
const stationOf = async (work: ReaderWork, today: string): Promise<Answer['station']> => {
  const { rows } = await sql<
    Omit<NonNullable<Answer['station']>, 'days_left'> & { spent: number; low_limit: number }
  >`
    select r.id, r.name, r.available, r.money, r."freeze", r.fixed_freeze, r.has_amount,
      ${spentLately(work, today)} as spent, ${lowLimit('r')} as low_limit from stations r
    where r.id = ${work.actor.station_id} and ${scopeCondition(work, 'r.id')}`.execute(work.tx);
  const row = rows[0];
  if (!row) return null;
  const { spent, low_limit, ...station } = row;
  if (work.actor.role === 'user' || row.has_amount === 0)
    return { ...station, days_left: null, low_limit: null };
  return { ...station, days_left: daysLeft(row.available, spent), low_limit };
};

/** Returns the four numbers of requirements §1, and the tasks that this user can act on now. */
export const board = async (app: App, actor: Actor): Promise<Answer> => {
  const caller = callerOf(actor);
  const today = businessDay(app.clock.now());
  return app.db.tx(caller, async (work) => {
    const counts = await countsOf(work);
    const sums = await daySumsOf(work, today);
    const office = actor.role === 'super' || actor.role === 'admin';
    return {
      numbers: numbersOf(sums, counts, today),
      station: actor.station_id === null ? null : await stationOf(work, today),
      recent: await recentOf(work),
      alerts: office ? await alertsOf(work) : null,
      days: daysOf(sums, today),
      checklist: office ? await checklistOf(work, counts.total) : null,
    };
  });
};
