-- Precondition: 0013.
-- Why a carrier account with parcels picked up in a month has no bill of it (docs/ledger.md, "Month end"). The office's alone.
create table period_bill_reasons (
  period text not null check (period ~ '^[1-9]\d{3}-(0[1-9]|1[0-2])$'),
  merchant_id bigint not null references merchants (id),
  reason text not null check (reason <> ''),
  -- Parcels picked up when the reason was written.
  parcels integer not null,
  account_id bigint not null references accounts (id),
  at timestamptz not null,
  primary key (period, merchant_id)
);
