-- Precondition: 0004.
-- What an account's last test proved, the indexes by which accounts and templates are judged, and estimates of a draft over real parcels.

-- {at, ok, ms, reason}: what a real call to the carrier answered when somebody last asked for one.
alter table merchants add column proof jsonb;

create index carrier_calls_merchant_at on carrier_calls (merchant_id, at) include (outcome);
create index expresses_merchant on expresses (merchant_id, created_at);
create index expresses_voucher on expresses (voucher_id, created_at, id);

-- What the parcels of the last 30 days would have cost by a draft, estimated in batches; `state` holds the sums so far.
create table voucher_impacts (
  id bigint generated always as identity primary key,
  voucher_id bigint not null references vouchers (id),
  -- Null: every station.
  station_id bigint references stations (id),
  account_id bigint not null references accounts (id),
  -- The draft as it was when asked.
  discount integer,
  northeast_discount integer,
  weight jsonb not null,
  since timestamptz not null,
  until timestamptz not null,
  total integer not null,
  done integer not null default 0,
  -- The last parcel estimated.
  after_at timestamptz,
  after_id bigint,
  state jsonb not null default '{}',
  status text not null default 'running' check (status in ('running', 'done')),
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create index voucher_impacts_voucher on voucher_impacts (voucher_id, id desc);
