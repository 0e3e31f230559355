-- Precondition: 0004.
-- What is said to carriers and what they say: messages, calls, pushes, hints, numbers; and alerts.

-- What the carrier said, as it came: pushes, traces, answers to cancels. The state is a fold over these.
create table express_messages (
  id bigint generated always as identity primary key,
  express_id bigint not null references expresses (id),
  station_id bigint not null,
  source text not null check (source in ('order', 'push', 'trace', 'cancel')),
  operation_time timestamptz not null,
  rank integer not null,
  -- Of the facts, so that the same message from push and trace is one.
  hash bytea not null,
  category text not null default '',
  state text not null default '',
  -- The state it stands for; null: it changes none, or is unknown.
  our_state smallint,
  effect text not null default '',
  title text not null default '',
  remark text not null default '',
  operator_name text not null default '',
  place text not null default '',
  raw jsonb not null,
  received_at timestamptz not null default now(),
  -- The carrier's own reason of a cancel.
  cancel_reason text not null default '',
  -- Why it is kept without being folded; '': it is folded. The same message may be admissible later.
  refused text not null default '' check (refused in ('', 'early', 'future', 'waybill')),
  tree_id bigint not null default 0
);
create unique index express_messages_once on express_messages (express_id, hash, refused);
comment on index express_messages_once is 'Unique: a message is folded once, and refused once for each reason. The messages of a parcel, of which there are few: they are sorted as they are read (features/parcels/details.ts, domain/express/messages.ts).';
alter table express_messages set (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 50000, autovacuum_analyze_scale_factor = 0.02);

-- Every call to a carrier, without secrets: what support asks for.
create table carrier_calls (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchants (id),
  express_id bigint,
  operation text not null,
  outcome text not null,
  code text not null default '',
  trace_id text not null default '',
  ms integer not null,
  request jsonb,
  answer jsonb,
  at timestamptz not null default now()
);
create index carrier_calls_merchant on carrier_calls (merchant_id, id desc);
comment on index carrier_calls_merchant is 'The calls of an account, newest first; its last calls, for outages (features/merchants/calls.ts, domain/carrier-accounts/outage.ts).';
create index carrier_calls_merchant_at on carrier_calls (merchant_id, at) include (outcome);
comment on index carrier_calls_merchant_at is 'How many calls of an account failed since a moment, from the index alone (features/merchants/merchants.ts, domain/carrier-accounts/watch-outages.ts).';
create index carrier_calls_express on carrier_calls (express_id, id desc) where express_id is not null;
comment on index carrier_calls_express is 'The calls about a parcel, newest first (features/parcels/calls.ts).';

-- Pushes as they came, before anything is understood; kept even when no parcel is found.
create table carrier_pushes (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchants (id),
  received_at timestamptz not null default now(),
  body text not null,
  hash bytea not null,
  outcome text not null default 'received',
  unique (merchant_id, hash)
);

-- One row a parcel and effect: the first push that implied it and was not confirmed yet.
create table carrier_hints (
  express_id bigint not null references expresses (id),
  effect text not null,
  our_state smallint not null,
  hash bytea not null,
  operation_time timestamptz not null,
  received_at timestamptz not null,
  primary key (express_id, effect)
);
create index carrier_hints_age on carrier_hints (received_at);
comment on index carrier_hints_age is 'Hints that nothing confirmed in time (domain/express/hints.ts).';

-- When the next question about a hint may go out on an account, so that many hints keep to its rate.
create table carrier_pace (
  merchant_id bigint primary key references merchants (id),
  next_at timestamptz not null
);

-- Waybill numbers fetched before they are needed, for carriers that answer a repeated order with an error.
create table carrier_numbers (
  merchant_id bigint not null references merchants (id),
  number text not null,
  fetched_at timestamptz not null,
  primary key (merchant_id, number)
);
create index carrier_numbers_age on carrier_numbers (merchant_id, fetched_at, number);
comment on index carrier_numbers_age is 'The oldest number of an account that is still good (domain/express/numbers.ts).';

-- Something a person must look at: an unknown code, a refused repeat, a paused account.
create table alerts (
  id bigint generated always as identity primary key,
  code text not null,
  params jsonb not null default '{}',
  express_id bigint,
  station_id bigint,
  merchant_id bigint,
  at timestamptz not null default now(),
  -- The same alert about the same thing is one.
  key text not null unique,
  closed_at timestamptz,
  -- Whose doing an alert reports: they do not close it themselves.
  account_id bigint references accounts (id)
);
create index alerts_open on alerts (id desc) where closed_at is null;
comment on index alerts_open is 'Open alerts, newest first (features/workplace).';
