import type { OutputOf } from '@waystation/contract/endpoint.ts';
import { setupSteps } from '@waystation/contract/express-calls.ts';
import type { SetupStep, workplace } from '@waystation/contract/express-calls.ts';
import { expressStates } from '@waystation/contract/express.ts';
import type { StateCode } from '@waystation/contract/express.ts';
import type { App } from '#app.ts';
import { scopeOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { businessDay } from '#platform/clock.ts';
import { sql } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';
import { within } from '#platform/db/scope.ts';
import type { Scope } from '#platform/db/scope.ts';

type Answer = OutputOf<typeof workplace>;

/** Sums of the counting steps: exact, whatever the number of parcels. */
const countsOf = async (tx: Tx, scope: Scope) => {
  const { rows } = await sql<{ state_code: StateCode; waybill: 0 | 1; n: number }>`
    select state_code, waybill, sum(n)::bigint as n from express_counts where ${within(scope, 'station_id', 'user_id')} group by 1, 2`.execute(tx);
  const sum = (which: (row: (typeof rows)[number]) => boolean): number => rows.filter(which).reduce((total, { n }) => total + n, 0);
  return {
    total: sum((row) => row.waybill === 1),
    group: (name: string) => sum((row) => expressStates[row.state_code].group === name),
    tab: (name: string) => sum((row) => expressStates[row.state_code].tab === name),
  };
};

const recentOf = async (tx: Tx, scope: Scope): Promise<Answer['recent']> => {
  const { rows } = await sql<Omit<Answer['recent'][number], 'created_at'> & { created_at: Date }>`
    select id, delivery_id, order_id, receive_name, receive_city, state_code, post_amount, created_at from expresses
    where ${within(scope, 'station_id', 'user_id')} order by created_at desc, id desc limit 10`.execute(tx);
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
};

type Alerts = NonNullable<Answer['alerts']>;

const alertsOf = async (tx: Tx): Promise<Alerts> => {
  const { rows } = await sql<{
    id: number;
    code: string;
    params: Record<string, string | number>;
    at: Date;
    express_id: number | null;
    order_id: string | null;
    merchant_name: string | null;
  }>`
    select a.id, a.code, a.params, a.at, a.express_id, e.order_id, m.name as merchant_name
    from alerts a left join expresses e on e.id = a.express_id left join merchants m on m.id = a.merchant_id where a.closed_at is null order by a.id desc limit 10`.execute(
    tx,
  );
  return rows.map(({ code, params, at, ...row }) => ({ ...row, reason: { code, params }, at: at.toISOString() }));
};

/** What a network needs before its first parcel; null once that has been ordered. */
const checklistOf = async (tx: Tx, total: number): Promise<Answer['checklist']> => {
  if (total > 0) return null;
  const { rows } = await sql<Record<SetupStep, boolean>>`select
    exists (select 1 from merchants where status = 1 and is_default = 1) as merchant,
    exists (select 1 from cargos where status = 1) as goods,
    exists (select 1 from promises where status = 1) as promise,
    exists (select 1 from vouchers v join voucher_versions n on n.voucher_id = v.id where v.status = 1) as voucher,
    exists (select 1 from projects p join project_vouchers b on b.project_id = p.id where p.status = 1) as project,
    exists (select 1 from stations where status = 1 and project_id is not null) as station,
    exists (select 1 from accounts where status = 1 and station_id is not null) as account,
    exists (select 1 from stations where status = 1 and (has_amount = 0 or money > 0)) as money,
    false as parcel`.execute(tx);
  return setupSteps.map((step) => ({ step, done: rows[0]![step] ? 1 : 0 }));
};

const daysShown = 14;

/** Parcels ordered per business day, the last fourteen. */
const daysOf = async (tx: Tx, scope: Scope, today: string): Promise<Answer['days']> => {
  const { rows } = await sql<{ day: string; count: number }>`
    select to_char(d, 'YYYY-MM-DD') as day, coalesce(c.n, 0) as count
    from generate_series(${today}::date - ${daysShown - 1}::int, ${today}::date, interval '1 day') d
    left join (select (created_at at time zone 'Asia/Shanghai')::date as day, count(*) as n from expresses
      where ${within(scope, 'station_id', 'user_id')} and created_at >= (${today}::date - ${daysShown - 1}::int)::timestamp at time zone 'Asia/Shanghai' and delivery_id is not null group by 1) c on c.day = d::date
    order by 1`.execute(tx);
  return rows;
};

const todayOf = async (tx: Tx, scope: Scope, today: string): Promise<Answer['today'] & { to_print: number }> => {
  const begin = sql`${today}::date::timestamp at time zone 'Asia/Shanghai'`;
  const { rows } = await sql<Answer['today'] & { to_print: number }>`
    select (select count(*) from expresses where ${within(scope, 'station_id', 'user_id')} and created_at >= ${begin} and delivery_id is not null) as total,
      (select count(*) from expresses where ${within(scope, 'station_id', 'user_id')} and signed_at >= ${begin} and state_code = 300) as signed_for,
      (select count(*) from (select 1 from expresses where ${within(scope, 'station_id', 'user_id')} and state_code = 100 and print_count = 0 limit 10001) t) as to_print`.execute(
    tx,
  );
  return rows[0]!;
};

/** The four numbers of requirements §1 and what this person can do something about now. */
export const board = async (app: App, actor: Actor): Promise<Answer> => {
  const scope = scopeOf(actor);
  const today = businessDay(app.clock.now());
  return app.db.tx(scope, async (tx) => {
    const counts = await countsOf(tx, scope);
    const { to_print, ...day } = await todayOf(tx, scope, today);
    const { rows: own } = await sql<NonNullable<Answer['station']>>`select id, name, available, money, "freeze", has_amount from stations
      where id = ${actor.station_id} and ${within(scope, 'id')}`.execute(tx);
    const office = actor.role === 'super' || actor.role === 'admin';
    const { rows: proof } = office
      ? await sql<{
          ok: number;
          checked_entries: number;
          checked_at: Date;
        }>`select (breaks = '[]')::int as ok, checked_entries, at as checked_at from ledger_proofs order by id desc limit 1`.execute(tx)
      : { rows: [] };
    return {
      total: counts.total,
      awaiting_pickup: counts.group('awaiting_pickup'),
      in_transit: counts.group('in_transit'),
      signed_for: counts.group('signed_for'),
      today: day,
      draft: counts.tab('draft'),
      on_hold: counts.tab('on_hold'),
      ordering: counts.tab('ordering'),
      failed: counts.tab('failed'),
      exception: counts.tab('exception'),
      to_print,
      station: own[0] ?? null,
      recent: await recentOf(tx, scope),
      proof: proof[0] ? { ...proof[0], checked_at: proof[0].checked_at.toISOString() } : null,
      alerts: office ? await alertsOf(tx) : null,
      days: await daysOf(tx, scope, today),
      checklist: office ? await checklistOf(tx, counts.total) : null,
    };
  });
};
