-- Precondition: 0003.
-- Months of the books (docs/ledger.md, "Month end"): what is posted falls into the month of its moment, or into the next one that is open.

create table periods (
  -- YYYY-MM, Asia/Shanghai.
  period text primary key check (period ~ '^[1-9]\d{3}-(0[1-9]|1[0-2])$'),
  status text not null check (status in ('open', 'closed')),
  -- Of the closing: entries and their sum per account, and the last transfer there was.
  entries bigint not null default 0,
  trial_balance jsonb not null default '[]',
  last_transfer_id bigint not null default 0,
  closed_at timestamptz, closed_by bigint references accounts (id),
  reopened_at timestamptz, reopened_by bigint references accounts (id), reopen_reason text not null default '',
  check (status = 'open' or (closed_at is not null and closed_by is not null))
);

-- What each station had, took in and paid out in a closed month. opening + in_amount - out_amount = closing; frozen at its end.
create table period_balances (
  period text not null references periods (period),
  station_id bigint not null references stations (id),
  opening bigint not null,
  in_amount bigint not null,
  out_amount bigint not null,
  closing bigint not null,
  frozen bigint not null,
  primary key (period, station_id),
  check (opening + in_amount - out_amount = closing)
);

-- Entries are added month after month: a few pages of summary find those of one.
create index ledger_entries_period on ledger_entries using brin (period) with (pages_per_range = 32, autosummarize = on);
