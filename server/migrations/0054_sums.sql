-- Sums of whole stations and of the whole network beside the daily figures and counts, so that a board costs what it shows (docs/decisions/0039).
-- server/sql fills them, together with the roll-ups that write them: no program adds steps up in between.

-- express_days that have been added up, of all clerks of a station; station_id 0: of all stations.
create table express_day_sums (
  station_id bigint not null,
  what text not null,
  day date not null,
  n bigint not null,
  tree_id bigint not null default 0,
  primary key (station_id, day, what, tree_id) include (n)
);

-- express_counts that have been added up, of all clerks of a station; station_id 0: of all stations.
create table express_count_sums (
  station_id bigint not null,
  state_code smallint not null,
  -- 1: has, or had, a waybill.
  waybill smallint not null,
  n bigint not null,
  -- Fen.
  post_amount bigint not null,
  -- Grams: the billed weight, else the declared one.
  weight bigint not null,
  package_count bigint not null,
  tree_id bigint not null default 0,
  primary key (station_id, state_code, waybill, tree_id)
);

-- ledger_days that have been added up, of the whole network; shares are read by who earned them alone.
create table ledger_day_sums (
  what text not null,
  day date not null,
  n bigint not null,
  amount bigint not null,
  primary key (what, day)
);

-- Rows that are added to in place, a few of them each minute.
alter table express_day_sums set (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
alter table express_count_sums set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
alter table ledger_day_sums set (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

-- What is left to read in the daily figures: a clerk's own, a station's money, a station's shares, and the steps.
drop index express_days_what;
drop index express_days_station;
create index express_days_clerk on express_days (station_id, user_id, what, day) include (n);
comment on index express_days_clerk is 'A clerk''s own parcels by day, and the figures that steps are added to (domain/express/sums.ts, server/sql/express-sums.sql).';
drop index express_days_fresh;
create index express_days_fresh on express_days (station_id) where fresh;
comment on index express_days_fresh is 'Steps beside the sums of a station, and those to be added up (domain/express/sums.ts, server/sql/express-sums.sql).';
comment on index express_counts_fresh is 'Steps beside the sums of a station, and those to be added up (domain/express/sums.ts, server/sql/express-sums.sql).';
comment on index express_counts_station is 'Sums of a clerk''s parcels by state, from the index alone, and the figures that steps are added to (domain/express/sums.ts, server/sql/express-sums.sql).';
drop index ledger_days_what;
drop index ledger_days_station;
create index ledger_days_station on ledger_days (station_id, what, day) include (earner_id, n, amount);
comment on index ledger_days_station is 'What the parcels of one station earned and cost, from the index alone (domain/ledger/days.ts).';
create index ledger_days_earner on ledger_days (earner_id, day) include (what, station_id, n, amount) where what = 'profit';
comment on index ledger_days_earner is 'The shares of one station by where they come from, from the index alone (profitBySource in domain/ledger/days.ts).';
