-- Precondition: 0064.
-- Entries of each month by account, up to the transfer that ledger_months_rolled names (docs/decisions/0039). A job adds those behind it; readers add them too, so that
-- the books are exact at every moment.

create table ledger_month_sums (
  period text not null,
  account ledger_account not null,
  n bigint not null,
  -- Fen, with the ledger's sign.
  amount bigint not null,
  primary key (period, account)
);

-- One row: the last transfer in the sums.
create table ledger_months_rolled (
  id smallint primary key default 1 check (id = 1),
  transfer_id bigint not null
);

-- A few rows are added to each minute, in place.
alter table ledger_month_sums set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
alter table ledger_months_rolled set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
