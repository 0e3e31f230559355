-- Precondition: 0002 and 0003.
-- Parcels, what the carrier says of them, what they cost, how they are found and counted, and their labels.

create table expresses (
  id bigint generated always as identity primary key,
  station_id bigint not null references stations (id),
  user_id bigint not null references accounts (id),
  sender_id bigint references contacts (id),
  receive_id bigint references contacts (id),
  customer_code text not null default '',
  -- Waybill; null until the carrier has accepted.
  delivery_id text,
  -- Our order number: made once, never changed, what the carrier deduplicates by.
  order_id text not null,
  thr_order_id text not null default '',
  sender_name text not null default '', sender_phone text not null default '',
  sender_province text not null default '', sender_city text not null default '', sender_county text not null default '', sender_address text not null default '',
  receive_name text not null default '', receive_phone text not null default '',
  receive_province text not null default '', receive_city text not null default '', receive_county text not null default '', receive_address text not null default '',
  package_count integer not null default 1 check (package_count between 1 and 50),
  guarantee_value_amount bigint not null default 0 check (guarantee_value_amount >= 0),
  trans_type smallint not null default 1 check (trans_type in (1, 2)),
  goods_type smallint not null default 1 check (goods_type between 1 and 9),
  promise_id text not null default '',
  promise_time_type text not null default '',
  goods text not null default '',
  remark text not null default '',
  description text not null default '',
  -- Grams and centimetres.
  weight integer not null default 0 check (weight >= 0),
  re_weight integer,
  jd_weight integer,
  jd_cal_weight integer,
  cal_weight integer,
  length integer not null default 0, width integer not null default 0, height integer not null default 0,
  -- Cubic centimetres measured by the carrier; replaces ours.
  jd_volume bigint,
  -- Fen.
  guarantee_amount bigint not null default 0,
  surcharge_amount bigint not null default 0,
  pre_amount bigint not null default 0,
  post_amount bigint not null default 0,
  discount integer,
  discount_amount bigint not null default 0,
  jd_amount bigint,
  state_code smallint not null check (state_code in (0, 10, 20, 90, 100, 200, 210, 220, 300, 400, 410, 420, 500)),
  state_txt text not null default '',
  state_remark text not null default '',
  -- Our own reason as code and parameters; null where state_remark holds the carrier's words.
  state_reason jsonb,
  cancel_uid bigint, canceled_at timestamptz,
  print_uid bigint, print_count integer not null default 0, printed_at timestamptz,
  pre_sort_result jsonb, print_data jsonb,
  project_id bigint references projects (id),
  voucher_id bigint references vouchers (id),
  voucher_no integer,
  weight_message text not null default '',
  weight_reason jsonb,
  provider text not null default 'jdl' check (provider in ('jdl', 'sf')),
  merchant_id bigint references merchants (id),
  -- 1: made by the simulator; shown as such everywhere.
  simulated smallint not null default 0 check (simulated in (0, 1)),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  return_delivery_id text,
  intercepting smallint not null default 0 check (intercepting in (0, 1)),
  need_retry smallint not null default 0 check (need_retry in (0, 1)),
  version integer not null default 1,
  -- How often it was sent anew after a refusal; part of every cause.
  attempt integer not null default 0,
  -- The exact bytes of the create call of this attempt: what is sent again while the outcome is unknown.
  order_request text,
  order_tries integer not null default 0,
  order_sought_at timestamptz,
  carrier_order_code text,
  ordered_at timestamptz, picked_up_at timestamptz, signed_at timestamptz, last_event_at timestamptz,
  -- A cancel asked for, remembered until the carrier's answer is known.
  cancel_requested_at timestamptz, cancel_reason text not null default '',
  -- When the first charge was posted; null while only held.
  charged_at timestamptz,
  -- Frozen at ordering: template version, rates, north-east list, insurance, chain of stations (contract/src/terms.ts).
  terms jsonb,
  -- Every fen explained (contract/src/voucher-content.ts and docs/pricing.md).
  price_lines jsonb not null default '[]',
  surcharges jsonb not null default '{}',
  shares jsonb not null default '[]',
  fact_no integer not null default 0,
  polled_at timestamptz
);
create unique index expresses_order on expresses (order_id);
create unique index expresses_waybill on expresses (provider, delivery_id) where delivery_id is not null;
create index expresses_created on expresses (created_at desc, id desc);
create index expresses_station_created on expresses (station_id, created_at desc, id desc);
create index expresses_station_state on expresses (station_id, state_code, created_at desc, id desc);
create index expresses_state on expresses (state_code, created_at desc, id desc);
create index expresses_user_created on expresses (user_id, created_at desc, id desc);
-- The queue of a station's parcels on hold, oldest first.
create index expresses_on_hold on expresses (station_id, created_at, id) where state_code = 10;
-- What the poller asks the carrier about.
create index expresses_live on expresses (polled_at nulls first, id) where state_code in (100, 200, 210, 220, 400, 410) or (state_code in (300, 420) and charged_at is null);
create index expresses_return on expresses (return_delivery_id) where return_delivery_id is not null;

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
  unique (express_id, hash)
);
create index express_messages_express on express_messages (express_id, operation_time, rank, hash);

-- Weights, volumes and fees the carrier or the station reported, numbered per parcel; a fact equal to the current one makes no row.
create table express_facts (
  express_id bigint not null references expresses (id),
  no integer not null,
  station_id bigint not null,
  source text not null check (source in ('order', 'station', 'poll', 'push', 'bill', 'estimate', 'edit')),
  facts jsonb not null,
  price jsonb,
  account_id bigint,
  reason text not null default '',
  at timestamptz not null default now(),
  primary key (express_id, no)
);

-- Every state a parcel was in, and why; the proof reads it for legal moves.
create table express_moves (
  id bigint generated always as identity primary key,
  express_id bigint not null references expresses (id),
  station_id bigint not null,
  from_code smallint,
  to_code smallint not null,
  cause text not null,
  account_id bigint,
  at timestamptz not null
);
create index express_moves_express on express_moves (express_id, id);

-- How a parcel is found: equality and range on leakproof operators, so that row-level security keeps the index
-- (docs/decisions/0004). kind: d waybill, o order number, t third-party number (each as it is), rd ro reversed for tails,
-- p last four to eleven digits of a phone reversed, n bigrams of names.
create table express_keys (
  station_id bigint not null,
  user_id bigint not null,
  kind text not null collate "C",
  key text not null collate "C",
  express_id bigint not null references expresses (id),
  primary key (kind, key, express_id)
);
create index express_keys_station on express_keys (station_id, kind, key, express_id);
create index express_keys_express on express_keys (express_id);

-- Counts as signed steps: nobody waits for anybody; a job adds them up. The sum is exact at any moment.
create table express_counts (
  station_id bigint not null,
  user_id bigint not null,
  state_code smallint not null,
  -- 1: has, or had, a waybill.
  waybill smallint not null,
  n bigint not null
);
create index express_counts_station on express_counts (station_id, user_id, state_code, waybill) include (n);

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
create index carrier_calls_express on carrier_calls (express_id, id);
create index carrier_calls_merchant on carrier_calls (merchant_id, id desc);

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
  closed_at timestamptz
);
create index alerts_open on alerts (id desc) where closed_at is null;

create table prints (
  id bigint generated always as identity primary key,
  express_id bigint not null references expresses (id),
  station_id bigint not null references stations (id),
  delivery_id text not null,
  user_id bigint not null references accounts (id),
  -- The how-manieth print of that waybill.
  print_count integer not null,
  format text not null check (format in ('76x130', '100x150')),
  reason text not null default '',
  result text not null default 'sent' check (result in ('queued', 'sent', 'ok', 'failed')),
  created_at timestamptz not null default now()
);
create index prints_station on prints (station_id, created_at desc, id desc);
create index prints_express on prints (express_id, id);

create sequence express_order_numbers;

create index express_moves_at on express_moves using brin (at) with (pages_per_range = 32, autosummarize = on);
