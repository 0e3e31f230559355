import { sql } from '#platform/db/db.ts';
import type { Db, RawBuilder, Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';

/**
 * The ids of the rows to which the created rows refer: stations, a clerk and a colleague, the
 * office, a partner, a freight template and a carrier account.
 */
export interface Network {
  stations: number[];
  user: number;
  colleague: number;
  office: number;
  partner: number;
  voucher: number;
  merchant: number;
  promise: number;
}

/**
 * The number of lines of one bill. It is the same at each table size; only the number of decided
 * bills grows.
 */
const billLines = 30;

/**
 * Adds a fixed number of rows for one account, bill or carrier account, and a growing number of
 * rows for other ones.
 */
const fillOthers = async (
  work: Work,
  { stations, user, colleague, office, merchant }: Network,
  from: number,
  size: number,
): Promise<void> => {
  const rows = sql`generate_series(${from + 1}::int, ${size}::int) n`;
  // The user and the office have the same number of rows at each table size. Only the colleague's
  // number of rows grows.
  const mine = sql`case when n <= 200 then ${user}::bigint when n <= 400 then ${office}
    else ${colleague} end`;
  await sql`insert into carrier_calls (merchant_id, at, operation, outcome, ms)
    select ${merchant}, now() - n * interval '1 second', 'poll', 'ok', n
    from ${rows}`.execute(work.tx);
  await sql`insert into inbox_entries (account_id, kind, station_id, thread, at, read_at)
    select ${mine}, 'request', ${stations[1]}, n, now() - n * interval '1 second', case
    when n % 200 > 20 then now() end from ${rows}`.execute(work.tx);
  await sql`insert into user_jobs (account_id, kind, list, action, total, status)
    select ${mine}, 'export', 'expresses', 'export', 0, 'done' from ${rows}`.execute(work.tx);
  const bills = sql`insert into reconciliations (period, provider, file_name, file_type,
    file_bytes, file_hash, status, weight_tolerance, amount_tolerance)`;
  if (from === 0) {
    await sql`update import_rows w set express_id = e.id from expresses e
      where w.import_id = 1 and e.order_id = 'P' || w.no`.execute(work.tx);
    await sql`with bill as (${bills} values ('2026-01', 'jdl', 'open', 'csv', 1, '1', 'ready',
      0, 0) returning id)
      insert into reconciliation_rows (reconciliation_id, no, bucket, delivery_id)
        select id, n, 'price_differs', 'W' || n
        from bill, generate_series(1, ${billLines}) n`.execute(work.tx);
  }
  await sql`with bill as (${bills} values ('2025-12', 'jdl', ${String(size)}, 'csv', 1,
    ${String(size)}, 'settled', 0, 0) returning id)
    insert into reconciliation_rows (reconciliation_id, no, bucket, decision, delivery_id,
      express_id) select bill.id, n, 'equal', 'settled', 'W' || n, e.id
      from bill, ${rows} join expresses e on e.order_id = 'P' || n`.execute(work.tx);
};

/**
 * Adds the same number of rare rows at each table size. All of them are older than the other rows.
 * A list whose filter has no index must still read only the rows of the chosen days.
 */
const fillRare = async (work: Work, { stations, partner }: Network): Promise<void> => {
  const at = sql`timestamptz '2025-12-12 09:00+08' - n * interval '1 hour'`;
  const station = sql`(${stations}::bigint[])[1 + n % 4]`;
  const rows = sql`generate_series(1, 40) n`;
  await sql`insert into audit_log (at, account_name, role, action, subject, subject_id,
    station_id, request_id)
    select ${at}, 'b', 'station', 'remove', 'cargos', 1, ${station}, 'rare'
      from ${rows}`.execute(work.tx);
  await sql`insert into contacts (station_id, kind, name, phone, province, city, county,
    address, status, updated_at)
    select ${station}, 'sender', '赵六', '13900000006', '海南省', '三亚市', '', '迎宾路', 0,
      ${at} from ${rows}`.execute(work.tx);
  await sql`insert into handovers (station_id, provider, user_id, status, opened_at, ended_at,
    ended_by) select ${station}, 'sf', ${partner}, 'discarded', ${at}, ${at}, ${partner}
      from ${rows}`.execute(work.tx);
  await sql`insert into prints (express_id, station_id, delivery_id, user_id, print_count,
    format, result, driver, batch_id, created_at)
    select e.id, ${station}, e.delivery_id, ${partner}, 1, '76x130', 'queued', 'zpl', 1, ${at}
      from ${rows} join expresses e on e.order_id = 'P' || n`.execute(work.tx);
};

/** Inserts closed hand-overs of the parcels that were picked up, each with one scan. */
const fillHandovers = async (work: Work, from: number): Promise<void> => {
  await sql`set local session_replication_role = replica`.execute(work.tx);
  await sql`with made as (insert into handovers (station_id, provider, user_id, opened_at, status,
        ended_at, ended_by)
      select e.station_id, 'jdl', e.user_id, e.created_at, 'closed', e.created_at, e.user_id
        from expresses e where substr(e.order_id, 2)::int > ${from} and e.state_code = 300
        returning id, station_id, user_id, opened_at)
    insert into handover_scans (handover_id, station_id, user_id, scan_id, scanned_by, at, number,
      result, express_id, delivery_id, package_no, package_count)
    select m.id, m.station_id, m.user_id, gen_random_uuid(), m.user_id, m.opened_at,
      e.delivery_id, 'given', e.id, e.delivery_id, 1, 1
      from made m join expresses e on (e.station_id, e.user_id, e.created_at)
        = (m.station_id, m.user_id, m.opened_at)`.execute(work.tx);
};

/**
 * Inserts the transactions of the parcels 1 to `size`. Also inserts pending change requests, whose
 * number is the same for every size.
 */
const fillLines = async (
  work: Work,
  { station, at }: Record<'station' | 'at', RawBuilder<unknown>>,
  size: number,
): Promise<void> => {
  // Transactions must be posted in the order of time. The transactions of the smaller size are
  // therefore deleted and created again.
  await sql`delete from statements`.execute(work.tx);
  await sql`delete from statement_rolled`.execute(work.tx);
  await sql`delete from statement_months`.execute(work.tx);
  await sql`delete from statement_days`.execute(work.tx);
  await sql`insert into statements (station_id, transfer_id, seq, type, status, amount,
    freeze_amount, profit, description, created_at, updated_at, posted_at, period, hash)
    select station, no, no, case when n % 10 = 1 then 'refund' when n % 10 = 2
      and n / 7 % 4 = 3 then 'profit' else 'charge' end::statement_type,
      case when n % 500 = 7 then 'reversed' else 'posted' end::statement_status, case
        when n % 400 = 9 then -60000 else -100 end, 0, 0, '', at, at, at,
      case when no <= 100 then '2026-01' else '2026-03' end, ''
    from (select n, ${station} as station, ${at} as at,
      row_number() over (order by ${at}) as no
      from generate_series(1, ${size}::int) n) l`.execute(work.tx);
  // The number of pending change requests is the same for every table size.
  await sql`insert into statements (station_id, type, status, amount, freeze_amount, profit,
    description, created_at, updated_at, hash)
    select ${station}, 'top_up', 'pending', 100, 0, 0, '', ${at}, ${at}, ''
      from generate_series(1, 99) n`.execute(work.tx);
};

/**
 * Adds rows up to the number `size`, spread over four stations and sixty days. Each state has the
 * same share of the rows at every size. Some states are rare.
 */
export const fillRows = async (
  owner: Db,
  network: Network,
  from: number,
  size: number,
): Promise<void> => {
  const { stations, user, colleague, voucher, merchant, promise } = network;
  const at = sql`timestamptz '2026-03-02 09:00+08' - n % 60 * interval '1 day' - n * interval '1 second'`;
  // The station must not depend on the day. Otherwise all rows of one day could belong to one
  // station.
  const station = sql`(${stations}::bigint[])[1 + n / 7 % 4]`;
  const rows = sql`generate_series(${from + 1}::int, ${size}::int) n`;
  await owner.tx(systemScope('fill'), async (work) => {
    await sql`insert into expresses (station_id, user_id, order_id, delivery_id, voucher_id,
      merchant_id, state_code, post_amount, weight, created_at, need_retry, print_count,
      exception, exception_at, handled_at)
      select ${station}, case when n / 7 % 4 = 1 then ${user}::bigint else ${colleague}
        end, 'P' || n, 'W' || n, ${voucher}, ${merchant},
        (array[300, 300, 300, 500, 100, 210, 400, 410, 90, 0])[1 + n / 4 % 10], n % 5000,
          1000, ${at}, case when n % 1000 < 3 then 1 else 0 end, 1,
        case (n / 4 % 10) when 6 then 'refused' when 7 then 'returning' when 5 then case
          when n % 3 = 0 then 'unmoved' end end, ${at}, case when n % 5 = 0 then now() end
          from ${rows}`.execute(work.tx);
    await sql`insert into express_uses (what, of_id, day, n)
      select 'voucher', ${voucher}::bigint, business_day(${at}), 1 from ${rows}`.execute(work.tx);
    await sql`insert into express_uses (what, of_id, day, n)
      select 'area', ${voucher}::bigint * 1000000 + 110000 + n % 9 * 10000,
      business_day(${at}), 1 from ${rows}`.execute(work.tx);
    // The list counts uses up to the current day of the database, so the rows are dated up to that
    // day.
    await sql`insert into express_uses (what, of_id, day, n)
      select u.what, u.of_id, business_day(now()) - n % 60, 1 from ${rows}
      cross join (values ('merchant', ${merchant}::bigint),
        ('goods', express_goods_key('jdl', '茶叶')), ('guarantee', 100000),
        ('promise', ${promise}::bigint), ('signed', ${promise})) u (what, of_id)`.execute(work.tx);
    await sql`insert into prints (express_id, station_id, delivery_id, user_id, print_count,
      format, created_at)
      select e.id, e.station_id, e.delivery_id, e.user_id, 1, '76x130', e.created_at
        from expresses e where substr(e.order_id, 2)::int > ${from}`.execute(work.tx);
    if (from === 0) {
      // Only the first rows get failed prints. Their number is then the same at each table size,
      // because failed prints are rare in practice too.
      await sql`update prints set result = 'failed', print_count = 3
        where id % 7 = 0`.execute(work.tx);
      await fillRare(work, network);
    }
    await sql`insert into order_outcomes (express_id, attempt, station_id, provider, since, cause,
      maybe_stored, settled_at, certainty)
      select e.id, 1, e.station_id, 'jdl', e.created_at, 'no_answer', 1,
        case when e.state_code <> 90 then e.created_at end,
        case when e.state_code <> 90 then 'repeat' end
      from expresses e where substr(e.order_id, 2)::int > ${from}`.execute(work.tx);
    await sql`with made as (insert into imports (station_id, user_id, file_name, file_type,
      file_bytes, file_hash, again, status, created_at)
        select ${station}, ${user}, 'f' || n, 'csv', 1, '', 1, 'done', ${at} from ${rows}
          where n % 10 = 0 returning id)
      insert into import_rows (import_id, no, line, cells) select id, n, n, '[]'
        from made, generate_series(1, 20) n`.execute(work.tx);
    await fillHandovers(work, from);
    await fillLines(work, { station, at }, size);
    await sql`insert into audit_log (at, account_name, role, action, subject, subject_id,
      station_id)
      select ${at}, 'a', 'station', 'edit', 'expresses', n / 10, ${station}
        from ${rows}`.execute(work.tx);
    await fillOthers(work, network, from, size);
    await sql`insert into contacts (station_id, kind, name, phone, province, city, county,
      address, updated_at)
      select ${station}, 'receive', '王五', '13900000005', '上海市', '上海市', '', '世纪大道',
        ${at} from ${rows}`.execute(work.tx);
  });
};
