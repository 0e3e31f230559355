-- Precondition: 0003.
-- Parcels: what they are, what they cost, how they are found and counted, and their labels.

create sequence express_order_numbers;

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
  -- How often it was sent again after a refusal; part of every cause.
  attempt integer not null default 0,
  -- The exact bytes of the create call of this attempt: what is sent again while the outcome is unknown.
  order_request text,
  order_tries integer not null default 0,
  order_sought_at timestamptz,
  carrier_order_code text,
  ordered_at timestamptz, picked_up_at timestamptz, signed_at timestamptz, last_event_at timestamptz,
  -- A requested cancel, kept until the carrier's answer is known.
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
  polled_at timestamptz,
  -- 1: a change waits for the carrier's answer.
  modifying smallint not null default 0 check (modifying in (0, 1)),
  -- The first call of any attempt that named this order to the carrier; no message about it can be older.
  first_sent_at timestamptz,
  -- The state that an unconfirmed push stands for; null: nothing is being confirmed.
  confirming smallint,
  -- Questions in a row that confirmed nothing, and when the last one was asked: the next one waits accordingly.
  confirm_tries integer not null default 0,
  confirm_asked_at timestamptz,
  -- Every waybill that was named for this order, and by what: [{"delivery_id", "source", "rejected"?}].
  waybill_claims jsonb not null default '[]',
  tree_id bigint not null default 0,
  -- What needs somebody's attention about a parcel on its way (docs/decisions/0054), and that somebody took care of it.
  exception text check (exception in ('refused', 'stopped', 'unreachable', 'returning', 'unmoved')),
  -- When the carrier reported it; of `unmoved`, the last movement.
  exception_at timestamptz,
  handled_at timestamptz,
  handled_uid bigint references accounts (id),
  handled_note text not null default '',
  -- When the carrier promised to deliver, from its answer to the order; null: it promised nothing.
  promised_at timestamptz
);
create unique index expresses_order on expresses (order_id);
comment on index expresses_order is 'Unique: an order number is used once. A parcel by its order number: pushes, retries.';
create unique index expresses_waybill on expresses (provider, delivery_id) where delivery_id is not null;
comment on index expresses_waybill is 'Unique: a waybill is one parcel of a carrier. A parcel by its waybill: pushes, bills.';
create index expresses_created on expresses (created_at desc, id desc);
comment on index expresses_created is 'The list of all stations, newest first (features/parcels/search.ts).';
create index expresses_station_created on expresses (station_id, created_at desc, id desc);
comment on index expresses_station_created is 'The list of a station, newest first, and its last parcel; a partner''s list merges its stations from it (features/parcels/search.ts).';
create index expresses_station_state on expresses (station_id, state_code, created_at desc, id desc);
comment on index expresses_station_state is 'A tab of a station, newest first; read backwards, its parcels on hold in the order of their release (domain/express/holding.ts).';
create index expresses_state on expresses (state_code, created_at desc, id desc);
comment on index expresses_state is 'A tab of all stations, newest first (features/parcels/search.ts).';
create index expresses_user_created on expresses (user_id, created_at desc, id desc);
comment on index expresses_user_created is 'The list of a clerk, newest first (features/parcels/search.ts).';
create index expresses_need_retry on expresses (station_id, created_at desc, id desc) where need_retry = 1;
comment on index expresses_need_retry is 'Parcels of a station that wait for their label (features/parcels/filters.ts).';
create index expresses_live on expresses (polled_at nulls first, id) where state_code in (100, 200, 210, 220, 400, 410) or (state_code in (300, 420) and charged_at is null);
comment on index expresses_live is 'What the poller asks the carrier about, those not asked about for the longest time first (domain/express/poll.ts).';
create index expresses_return on expresses (return_delivery_id) where return_delivery_id is not null;
comment on index expresses_return is 'A parcel by the waybill of its return: pushes and bills (domain/express/poll.ts, domain/reconciliation/matching.ts).';
create index expresses_recent on expresses (created_at) include (provider, goods, promise_id, station_id, user_id);
comment on index expresses_recent is 'How often goods were used lately, from the index alone (features/setup/cargos.ts); stations and accounts are in it for the policy.';
create index expresses_signed on expresses (signed_at) include (provider, promise_id, ordered_at, station_id, user_id) where signed_at is not null;
comment on index expresses_signed is 'Arrived parcels whose weight and fee are asked for once more (domain/express/poll.ts).';
create index expresses_merchant on expresses (merchant_id, created_at);
comment on index expresses_merchant is 'Whether and how often an account was used (features/merchants/merchants.ts); the list filtered by account.';
create index expresses_voucher on expresses (voucher_id, created_at, id);
comment on index expresses_voucher is 'The parcels of a template: use, estimate of a draft, examples (features/vouchers).';
create index expresses_picked_up on expresses (provider, picked_up_at) where picked_up_at is not null;
comment on index expresses_picked_up is 'What was picked up in a month and is in no bill (domain/reconciliation/matching.ts, domain/ledger/period-bills.ts).';
create index expresses_to_print on expresses (station_id, user_id) where state_code = 100 and print_count = 0;
comment on index expresses_to_print is 'How many labels of a station are to be printed (features/workplace/workplace.ts).';
create index expresses_exception on expresses (exception, created_at, id) where exception is not null and handled_at is null;
comment on index expresses_exception is 'Open exceptions of all stations by kind, and how many there are (features/parcels/list-index.ts, exceptions.ts).';
create index expresses_station_exception on expresses (station_id, exception, created_at, id) where exception is not null and handled_at is null;
comment on index expresses_station_exception is 'Open exceptions of stations by kind, and how many there are (features/parcels/list-index.ts, exceptions.ts).';
create index expresses_user_exception on expresses (user_id, exception, created_at, id) where exception is not null and handled_at is null;
comment on index expresses_user_exception is 'Open exceptions of a clerk''s parcels by kind, and how many there are (features/parcels/list-index.ts, exceptions.ts).';
-- Not the first known of the three moments: `coalesce` is not leakproof, so row-level security would keep the time of the last movement out of the index's condition, and all
-- parcels under way would be read.
create index expresses_moved on expresses (station_id, last_event_at, ordered_at, created_at) where state_code in (100, 200, 210, 220, 400, 410);
comment on index expresses_moved is 'Parcels of a station that have not moved for long (domain/express/unmoved.ts).';
-- At the usual 20 % a table of ten million parcels would be vacuumed after two million changes, and its newest days would be missing from the statistics for as long.
alter table expresses set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.01);

-- Changes of a parcel that the carrier has already: requested, then applied or given up by the carrier's answer.
create table express_edits (
  id bigint generated always as identity primary key,
  express_id bigint not null references expresses (id),
  station_id bigint not null,
  account_id bigint not null references accounts (id),
  -- done: applied · refused: the carrier said no, the parcel is as before · moot: cancelled meanwhile · unclear: a repeat was refused, someone must look.
  status text not null default 'pending' check (status in ('pending', 'done', 'refused', 'moot', 'unclear')),
  -- The exact bytes of the modify call: what is sent again while its outcome is unknown.
  request text not null,
  changes jsonb not null,
  -- The terms the changed parcel is priced by, and where its template is: the frozen ones, another promise's template among them.
  terms jsonb not null,
  voucher_id bigint not null references vouchers (id),
  voucher_no integer not null,
  tries integer not null default 0,
  -- The carrier's words where it refused.
  words text not null default '',
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  tree_id bigint not null default 0
);
create unique index express_edits_pending on express_edits (express_id) where status = 'pending';
comment on index express_edits_pending is 'Unique: one change of a parcel waits (domain/express/modify.ts).';
create index express_edits_express on express_edits (express_id);
comment on index express_edits_express is 'Whether a parcel has an open change (server/sql/source-proof.sql).';

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
  tree_id bigint not null default 0,
  primary key (express_id, no)
);
alter table express_facts set (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 50000, autovacuum_analyze_scale_factor = 0.02);

-- Every state a parcel was in, and why; the proof reads it for legal moves.
create table express_moves (
  id bigint generated always as identity primary key,
  express_id bigint not null references expresses (id),
  station_id bigint not null,
  from_code smallint,
  to_code smallint not null,
  cause text not null,
  account_id bigint,
  at timestamptz not null,
  tree_id bigint not null default 0
);
create index express_moves_express on express_moves (express_id, id);
comment on index express_moves_express is 'The moves of a parcel: days of boards, legal moves (server/sql/express-days.sql, legal-moves.sql).';
create index express_moves_arrivals on express_moves (to_code, at);
comment on index express_moves_arrivals is 'Parcels that came into a state on some days (features/parcels/filters.ts).';
create index express_moves_at on express_moves using brin (at) with (pages_per_range = 32, autosummarize = on);
comment on index express_moves_at is 'Moves of the last two days, for the incremental check of legal moves (server/sql/legal-moves.sql). Moves are added in the order of time.';
alter table express_moves set (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 50000, autovacuum_analyze_scale_factor = 0.02);

-- How a parcel is found: equality and range on leakproof operators, so that row-level security keeps the index (docs/decisions/0036). kind 1: waybills,
-- order number and third-party number, in capitals; 2: waybill and order number reversed, for their ends; 3: digits of phones reversed; 4: pairs of neighbouring
-- characters of names, or the one character of a name. express_key_list (server/sql/express-keys.sql) says which a parcel has. Only triggers on expresses
-- write here: a foreign key would look the parcel up again for each key. They delete by the primary key, by which the searches of a station and of a partner
-- read, too: the newest parcels of one key without a sort, or a range of keys.
create table express_keys (
  station_id bigint not null,
  user_id bigint not null,
  kind smallint not null,
  key text not null collate "C",
  express_id bigint not null,
  tree_id bigint not null default 0,
  primary key (station_id, kind, key, express_id) include (user_id)
);
create index express_keys_all on express_keys (kind, key, express_id) include (station_id, user_id) where express_id > 0;
comment on index express_keys_all is 'Searches of all stations (features/parcels/search-keys.ts). The condition holds for every row, and only their queries name it: for a key that few have, the planner would otherwise read a station''s parcels through this index and pass by those of all others. Station and account are in it for the policy alone.';
-- Rows are only added, the newest are read most, and reading an index alone needs the visibility map: it is brought up to date after 20,000 rows.
alter table express_keys set (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 20000, autovacuum_analyze_scale_factor = 0.02);

-- Counts of parcels as signed steps, so that no writer waits for another; a job adds them up, and the sum is exact at any moment (docs/decisions/0005). The sums have no
-- default: a step without them has to fail.
create table express_counts (
  station_id bigint not null,
  user_id bigint not null,
  state_code smallint not null,
  -- 1: has, or had, a waybill.
  waybill smallint not null,
  n bigint not null,
  -- Fen.
  post_amount bigint not null,
  -- Grams: the billed weight, else the declared one.
  weight bigint not null,
  package_count bigint not null,
  -- A step that has not been added up yet.
  fresh boolean not null default true,
  tree_id bigint not null default 0
);
create index express_counts_station on express_counts (station_id, user_id, state_code, waybill) include (n, post_amount, weight, package_count);
comment on index express_counts_station is 'Sums of a clerk''s parcels by state, from the index alone, and the figures that steps are added to (domain/express/sums.ts, server/sql/express-sums.sql).';
create index express_counts_fresh on express_counts (station_id) where fresh;
comment on index express_counts_fresh is 'Steps beside the sums of a station, and those to be added up (domain/express/sums.ts, server/sql/express-sums.sql).';
-- Steps are added and deleted again every minute, which makes dead rows by the thousand beside a table that stays small.
alter table express_counts set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_insert_scale_factor = 0.05);

-- express_counts that have been added up, of all clerks of a station, so that a board costs what it shows (docs/decisions/0039); station_id 0: of all stations. Written by
-- express_roll_up (server/sql/express-sums.sql), as express_day_sums are.
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
-- Rows that are added to in place, a few of them each minute.
alter table express_count_sums set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

-- What the Workplace shows by day, as signed steps like express_counts. n parcels of a day: `ordered` are those with a waybill by the day they were made, the
-- others those that came into a state that day, each parcel once a day.
create table express_days (
  day date not null,
  station_id bigint not null,
  user_id bigint not null,
  what text not null check (what in ('ordered', 'draft', 'on_hold', 'failed', 'exception', 'awaiting_pickup', 'in_transit', 'signed_for')),
  n bigint not null,
  -- A step that has not been added up yet.
  fresh boolean not null default true,
  tree_id bigint not null default 0
);
create index express_days_clerk on express_days (station_id, user_id, what, day) include (n);
comment on index express_days_clerk is 'A clerk''s own parcels by day, and the figures that steps are added to (domain/express/sums.ts, server/sql/express-sums.sql).';
create index express_days_fresh on express_days (station_id) where fresh;
comment on index express_days_fresh is 'Steps beside the sums of a station, and those to be added up (domain/express/sums.ts, server/sql/express-sums.sql).';
-- Steps are added and deleted again every minute, which makes dead rows by the thousand beside a table that stays small.
alter table express_days set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_insert_scale_factor = 0.05);

-- express_days that have been added up, of all clerks of a station; station_id 0: of all stations.
create table express_day_sums (
  station_id bigint not null,
  what text not null,
  day date not null,
  n bigint not null,
  tree_id bigint not null default 0,
  primary key (station_id, day, what, tree_id) include (n)
);
-- Rows that are added to in place, a few of them each minute.
alter table express_day_sums set (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

-- Figures of parcels by what they were made with, as signed steps (docs/decisions/0039). By the day they were made on: parcels of each template, carrier account, price line
-- (region of a template), insurance tier and delivery time (`promises.id`). By the day of their signature, of each delivery time: those signed for, the minutes from order
-- to signature, those of them that had a promised time, and those that kept it. By the day they were picked up on, of each carrier account: what the books say of
-- accounts without a bill.
create table express_uses (
  what text not null check (what in ('voucher', 'merchant', 'area', 'guarantee', 'promise', 'signed', 'signed_minutes', 'due', 'on_time', 'picked_up')),
  of_id bigint not null,
  day date not null,
  n bigint not null,
  fresh boolean not null default true
);
create index express_uses_of on express_uses (what, of_id, day) include (n);
comment on index express_uses_of is 'How many parcels used a template, an account or a delivery time in thirty days, from the index alone (usesLately in domain/express/sums.ts), and the sums that steps are added to (server/sql/express-uses.sql).';
create index express_uses_fresh on express_uses (what) where fresh;
comment on index express_uses_fresh is 'Steps to be added up (server/sql/express-uses.sql).';
alter table express_uses set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 2000);

create sequence print_batches;

-- Each label that was printed, and what became of it: by which batch, on which printer, where, and with which result.
create table prints (
  id bigint generated always as identity primary key,
  express_id bigint not null references expresses (id),
  station_id bigint not null references stations (id),
  delivery_id text not null,
  user_id bigint not null references accounts (id),
  -- The number of this print of that waybill.
  print_count integer not null,
  format text not null check (format in ('76x130', '100x150', '100x180', 'a4')),
  reason text not null default '',
  result text not null default 'sent' check (result in ('queued', 'sent', 'ok', 'failed')),
  created_at timestamptz not null default now(),
  tree_id bigint not null default 0,
  -- Labels that were printed together, in their order by id; null for a single one.
  batch_id bigint,
  -- `pdf`: handed to the browser; `component`: the carrier's local print component; `zpl` and `tspl`: sent to the printer as it is.
  driver text not null default 'pdf' check (driver in ('pdf', 'component', 'zpl', 'tspl')),
  -- The printer's name, as the workstation knows it.
  printer text not null default '',
  -- The station of the person who printed; null for the office.
  at_station_id bigint references stations (id),
  -- Why it failed.
  note text not null default '',
  finished_at timestamptz,
  -- Changes with a failure alone: an index whose condition names `result` would be one more reason to write each index of the table again with every report of a printer.
  failed boolean not null generated always as (result = 'failed') stored
);
create index prints_created on prints (created_at desc, id desc);
comment on index prints_created is 'All prints, newest first (features/prints/prints.ts).';
create index prints_station on prints (station_id, created_at desc, id desc);
comment on index prints_station is 'The prints of a station, newest first (features/prints/prints.ts).';
create index prints_user on prints (user_id, created_at desc, id desc);
comment on index prints_user is 'The prints of a person, newest first (features/prints/prints.ts).';
create index prints_waybill on prints (delivery_id, created_at);
comment on index prints_waybill is 'The prints of waybills: the list''s filter, the limit of reprints, and who else printed one (features/prints, features/parcels/labels.ts).';
create index prints_batch on prints (batch_id) where batch_id is not null;
comment on index prints_batch is 'The labels of a batch (features/prints/prints.ts).';
-- Failed and repeated prints, which are few among all of their days.
create index prints_failed on prints (created_at desc, id desc) where failed;
comment on index prints_failed is 'Failed prints of all stations, newest first (features/prints/prints.ts). Only failed prints are written into it.';
create index prints_failed_station on prints (station_id, created_at desc, id desc) where failed;
comment on index prints_failed_station is 'Failed prints of a station, newest first (features/prints/prints.ts). Only failed prints are written into it.';
create index prints_repeated on prints (created_at desc, id desc) where print_count > 1;
comment on index prints_repeated is 'Reprints of all stations, newest first: the filters by reprint and times printed (features/prints/prints.ts). Only reprints are written into it.';
create index prints_repeated_station on prints (station_id, created_at desc, id desc) where print_count > 1;
comment on index prints_repeated_station is 'Reprints of a station, newest first: the filters by reprint and times printed (features/prints/prints.ts). Only reprints are written into it.';
