-- Precondition: 0054.
-- Sums of billing lines by station, month and type and by station, day and type, up to the line that statement_rolled names (docs/decisions/0039). A job adds the
-- lines behind it; readers add them too, so that a figure is exact at every moment.

-- Station 0: all stations. Period '': all months. Fen; amounts that raise the balance are in "in", those that lower it in "out".
create table statement_months (
  station_id bigint not null,
  period text not null,
  type text not null,
  n bigint not null,
  "in" bigint not null,
  "out" bigint not null,
  freeze_amount bigint not null,
  first_seq bigint not null,
  first_transfer bigint not null,
  last_transfer bigint not null,
  tree_id bigint not null default 0,
  primary key (station_id, period, type, tree_id)
);

-- Station 0: all stations. Days of posting, Asia/Shanghai.
create table statement_days (
  station_id bigint not null,
  day date not null,
  type text not null,
  n bigint not null,
  "in" bigint not null,
  "out" bigint not null,
  freeze_amount bigint not null,
  tree_id bigint not null default 0,
  primary key (station_id, day, type, tree_id)
);

-- The last line of each station that is in the sums.
create table statement_rolled (
  station_id bigint primary key references stations (id),
  seq bigint not null
);

-- A few rows are added to each minute, in place.
alter table statement_months set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
alter table statement_days set (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
alter table statement_rolled set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
