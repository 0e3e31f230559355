/**
 * Creates a ledger that the checks then tamper with. It contains random histories of a network, a
 * carrier bill with decided lines, and a payment. It also contains a month that was closed,
 * reopened and closed again.
 */
import fc from 'fast-check';
import {
  acceptLine,
  approve,
  disputeLine,
  jsonText,
  ledgerTasks,
  payBill,
  prove,
  requestWithdrawal,
  sql,
  topUp,
} from '@waystation/server/testing/product.ts';
import type { Work } from '@waystation/server/testing/product.ts';
import { history } from '#histories/chance.ts';
import { playHistory } from '#histories/play.ts';
import { all, openWorld } from '@waystation/server/testing/histories/world.ts';
import type { TestApp } from '@waystation/server/testing/test-app.ts';
import { runHandler } from '@waystation/server/testing/run-handler.ts';

const month = '2030-01';

const addBill = async (work: Work, by: number): Promise<number> => {
  const { rows } = await sql<{
    id: number;
  }>`insert into reconciliations (period, provider, file_name, file_type, file_bytes,
    file_hash, status, weight_tolerance, amount_tolerance, created_by)
    values (${month}, 'jdl', 'bill.csv', 'csv', 1, '\\x01', 'ready', 500, 10, ${by})
      returning id`.execute(work.tx);
  const id = rows[0]!.id;
  await sql`insert into reconciliation_rows (reconciliation_id, no, cells, bucket, decision,
    delivery_id, their_weight, their_amount, express_id, station_id, our_amount)
    select ${id}, row_number() over (order by id),
      jsonb_build_array(delivery_id, '1.0', '12.00'), 'equal', 'settled', delivery_id, 1000,
      coalesce(jd_amount, 700), id, station_id, jd_amount
    from expresses where delivery_id is not null order by id limit 8`.execute(work.tx);
  await sql`insert into reconciliation_rows (reconciliation_id, no, cells, bucket, decision,
    delivery_id, their_weight, their_amount)
    select ${id}, 100 + n, ${jsonText(['JDX', '1.2', '8.00'])}::jsonb, 'only_theirs', 'open',
      'JDX' || n, 1200, 800 from generate_series(1, 6) n`.execute(work.tx);
  await sql`update reconciliation_rows set head_id = id
    where reconciliation_id = ${id}`.execute(work.tx);
  return id;
};

const decideBill = async (work: Work, id: number, by: number, at: Date): Promise<void> => {
  const { rows } = await sql<{ id: number }>`select id from reconciliation_rows
    where reconciliation_id = ${id} and decision = 'open' order by id`.execute(work.tx);
  const decision = { by, at, note: 'agreed by phone' };
  for (const line of rows.slice(0, 3)) await acceptLine(work, line.id, decision);
  for (const line of rows.slice(3, 5)) await disputeLine(work, line.id, decision);
  for (const amount of [500, 700])
    await payBill(work, id, {
      amount,
      description: 'bank transfer',
      by,
      at,
      cause: `ground payment ${id} ${amount}`,
    });
};

/** Closes a month as the product does, but without the product's checks. */
const closeMonth = async (work: Work, by: number, at: Date): Promise<void> => {
  await sql`insert into periods (period, status, entries, trial_balance, last_transfer_id,
    closed_at, closed_by)
    select ${month}, 'closed', (select count(*) from ledger_entries where period = ${month}),
      (select jsonb_agg(jsonb_build_object('account', account, 'amount', amount)
        order by account) from (select account, sum(amount)::bigint as amount
        from ledger_entries where period = ${month} group by 1) a),
      (select max(id) from ledger_transfers), ${at}, ${by}
    on conflict (period) do update set status = 'closed', entries = excluded.entries,
      trial_balance = excluded.trial_balance,
      last_transfer_id = excluded.last_transfer_id, closed_at = excluded.closed_at,
        closed_by = excluded.closed_by`.execute(work.tx);
  await sql`insert into period_balances (period, station_id, opening, in_amount, out_amount,
    closing, frozen)
    select ${month}, s.id, 0, coalesce(sum(l.amount) filter (where l.amount > 0), 0),
      coalesce(-sum(l.amount) filter (where l.amount < 0), 0), coalesce(sum(l.amount), 0),
      coalesce(sum(l.freeze_amount), 0)
    from stations s left join statements l on l.station_id = s.id and l.seq is not null
      and l.period <= ${month} group by s.id`.execute(work.tx);
};

const reopenMonth = async (work: Work, by: number, at: Date): Promise<void> => {
  await sql`delete from period_balances where period = ${month}`.execute(work.tx);
  await sql`update periods set status = 'open', reopened_at = ${at}, reopened_by = ${by},
    reopen_reason = 'a line was missing' where period = ${month}`.execute(work.tx);
};

/** Lets a station withdraw an amount that it has paid in earlier. */
const withdraw = async (work: Work, at: Date): Promise<void> => {
  const { rows } = await sql<{ id: number }>`select id from stations order by id desc
    limit 1`.execute(work.tx);
  const values = { station_id: rows[0]!.id, amount: 90_000, description: '', at };
  await topUp(work, { ...values, cause: 'ground top-up', by: 1 });
  const request = await requestWithdrawal(work, {
    ...values,
    amount: 400,
    cause: 'ground request',
    by: 1,
  });
  await approve(work, {
    statement_id: request.ok ? request.statement_id! : 0,
    cause: 'ground approval',
    by: 2,
    at,
  });
};

/** Creates a closed hand-over with one parcel that was given to a courier. */
const handOver = async (work: Work, by: number, at: Date): Promise<void> => {
  await sql`with visit as (insert into handovers (station_id, provider, user_id, opened_at,
      parcels, packages) select station_id, provider, ${by}, ${at}, 1, 1 from expresses
      where delivery_id is not null order by id limit 1 returning id, station_id)
    insert into handover_scans (handover_id, station_id, user_id, scan_id, scanned_by, at, number,
      result, express_id, delivery_id, package_no, package_count)
    select v.id, v.station_id, ${by}, gen_random_uuid(), ${by}, ${at}, e.delivery_id, 'given',
      e.id, e.delivery_id, 1, 1 from visit v, (select id, delivery_id from expresses
      where delivery_id is not null order by id limit 1) e`.execute(work.tx);
  await sql`update handovers set status = 'closed', ended_at = ${at}, ended_by = ${by},
    courier_name = 'courier', note = 'two bags'`.execute(work.tx);
};

/**
 * Adds records of actions by people: the station confirms its month, an administrator approves the
 * station's change request, and a limit is set.
 */
const agree = async (work: Work, by: number, at: Date): Promise<void> => {
  await sql`insert into statement_confirmations (station_id, period, opening, "in", "out",
    closing, frozen, lines, confirmed_by, confirmed_by_name, at, note)
    select station_id, period, opening, in_amount, out_amount, closing, frozen, 1, ${by},
      'owner', ${at}, 'as agreed' from period_balances where period = ${month}`.execute(work.tx);
  await handOver(work, by, at);
  await sql`insert into request_approvals (statement_id, account_id, at, amount, alone)
    select id, ${by}, ${at}, abs(amount), 0 from statements
      where type = 'withdrawal'`.execute(work.tx);
  await sql`insert into settings (name, value, account_id)
    values ('top_up_limit', '5000000', ${by})`.execute(work.tx);
  await sql`insert into setting_raises (name, amount_before, amount_after, account_id, at,
    effective_at) values ('top_up_limit', 5000000, 6000000, ${by}, ${at}, ${at})`.execute(work.tx);
};

/**
 * Prepares the ledger that the checks tamper with, and returns the number of its entries. Throws if
 * the ledger check fails before any change.
 */
export const layGround = async (app: TestApp, histories: number, seed: number): Promise<number> => {
  const world = await openWorld(app);
  for (let nth = 0; nth < histories; nth++)
    await fc.assert(
      fc.asyncProperty(fc.noBias(history), (one) => playHistory(world, one)),
      { seed: seed * 1_000 + nth, numRuns: 1, endOnFailure: true },
    );
  const at = app.clock.now();
  const by = world.clerk;
  await app.db.tx(all, (work) => withdraw(work, at));
  const bill = await app.db.tx(all, (work) => addBill(work, by));
  await app.db.tx(all, (work) => decideBill(work, bill, by, at));
  await runHandler(ledgerTasks, 'ledger_platform_chain', app);
  await app.db.tx(all, (work) => closeMonth(work, by, at));
  await app.db.tx(all, (work) => reopenMonth(work, by, at));
  await app.db.tx(all, (work) => closeMonth(work, by, at));
  await app.db.tx(all, (work) => agree(work, by, at));
  const { ok, checked_entries, breaks } = await prove(app, { full: true, at });
  if (!ok)
    throw new Error(
      `the books do not hold before anything was changed: ${JSON.stringify(breaks.slice(0, 3))}`,
    );
  return checked_entries;
};
