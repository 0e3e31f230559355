-- Precondition: 0050. No process of an earlier version runs: its orders name the column. Rows no longer name the tree of their station (docs/decisions/0135).
-- Dropping a column changes the catalogue alone, whatever the size of the table. Four tables of sums are merged and get new
-- keys: with 1.2 million rows of sums, as of two million parcels and 200 stations, all of it took 20 s on two cores that had sixteen other things to do.

-- A lock that is not free is given up on, and the next start tries again: no request waits behind this one for longer.
set local lock_timeout = '10s';
select set_config('waystation.scope', 'all', true);

-- With their triggers.
drop function if exists station_trees_insert(), station_trees_move(), tree_of_station(), tree_of_parcel(), tree_of_transfer(), refuse_other_tree() cascade;
drop table station_trees;

-- A station that moved has sums in several trees: one row remains of them.
alter table statement_months drop constraint statement_months_pkey;
with several as (delete from statement_months m using (select station_id, period, type from statement_months group by 1, 2, 3 having count(*) > 1) s
  where (m.station_id, m.period, m.type) = (s.station_id, s.period, s.type) returning m.*)
insert into statement_months (station_id, period, type, n, "in", "out", freeze_amount, first_seq, first_transfer, last_transfer)
  select station_id, period, type, sum(n), sum("in"), sum("out"), sum(freeze_amount), min(first_seq), min(first_transfer), max(last_transfer) from several group by 1, 2, 3;
alter table statement_months drop column tree_id, add primary key (station_id, period, type);

alter table statement_days drop constraint statement_days_pkey;
with several as (delete from statement_days d using (select station_id, day, type from statement_days group by 1, 2, 3 having count(*) > 1) s
  where (d.station_id, d.day, d.type) = (s.station_id, s.day, s.type) returning d.*)
insert into statement_days (station_id, day, type, n, "in", "out", freeze_amount)
  select station_id, day, type, sum(n), sum("in"), sum("out"), sum(freeze_amount) from several group by 1, 2, 3;
alter table statement_days drop column tree_id, add primary key (station_id, day, type);

alter table express_count_sums drop constraint express_count_sums_pkey;
with several as (delete from express_count_sums c using (select station_id, state_code, waybill from express_count_sums group by 1, 2, 3 having count(*) > 1) s
  where (c.station_id, c.state_code, c.waybill) = (s.station_id, s.state_code, s.waybill) returning c.*)
insert into express_count_sums (station_id, state_code, waybill, n, post_amount, weight, package_count)
  select station_id, state_code, waybill, sum(n), sum(post_amount), sum(weight), sum(package_count) from several group by 1, 2, 3;
alter table express_count_sums drop column tree_id, add primary key (station_id, state_code, waybill);

alter table express_day_sums drop constraint express_day_sums_pkey;
with several as (delete from express_day_sums d using (select station_id, day, what from express_day_sums group by 1, 2, 3 having count(*) > 1) s
  where (d.station_id, d.day, d.what) = (s.station_id, s.day, s.what) returning d.*)
insert into express_day_sums (station_id, day, what, n)
  select station_id, day, what, sum(n) from several group by 1, 2, 3;
alter table express_day_sums drop column tree_id, add primary key (station_id, day, what) include (n);

-- Figures of these three have no key: readers add them up, and the next roll-up of a key merges its rows.
alter table express_counts drop column tree_id;
alter table express_days drop column tree_id;
alter table ledger_days drop column tree_id;

alter table audit_log drop column tree_id;
alter table contacts drop column tree_id;
alter table ledger_transfers drop column tree_id;
alter table ledger_entries drop column tree_id;
alter table statements drop column tree_id;
alter table ledger_holds drop column tree_id;
alter table ledger_chain drop column tree_id;
alter table expresses drop column tree_id;
alter table express_edits drop column tree_id;
alter table express_facts drop column tree_id;
alter table express_moves drop column tree_id;
alter table express_keys drop column tree_id;
alter table prints drop column tree_id;
alter table express_messages drop column tree_id;
alter table express_versions drop column tree_id;
alter table source_hashes drop column tree_id;
alter table source_blocks drop column tree_id;
alter table period_balances drop column tree_id;
alter table statement_confirmations drop column tree_id;

select set_config('waystation.scope', '', true);
