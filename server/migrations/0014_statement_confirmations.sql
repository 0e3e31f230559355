-- Precondition: 0003.
-- The month of a station: what its lines of a period moved, read from the index; and that the station has agreed to it.

create index statements_period on statements (station_id, period) include (amount, freeze_amount) where period is not null;

-- The figures a station agreed to, as they were. Fen; opening + in - out = closing.
create table statement_confirmations (
  id bigint generated always as identity primary key,
  station_id bigint not null references stations (id),
  period text not null check (period ~ '^[1-9]\d{3}-(0[1-9]|1[0-2])$'),
  opening bigint not null,
  "in" bigint not null,
  "out" bigint not null,
  closing bigint not null,
  frozen bigint not null,
  lines bigint not null,
  confirmed_by bigint not null references accounts (id),
  confirmed_by_name text not null,
  at timestamptz not null,
  note text not null default '',
  check (opening + "in" - "out" = closing),
  unique (station_id, period)
);
create index statement_confirmations_period on statement_confirmations (period);
