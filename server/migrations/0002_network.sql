-- Precondition: 0001.
-- Stations and what administrators set up for them: goods, promises, insurance, carrier accounts, templates, schemes; address books.

create table projects (
  id bigint generated always as identity primary key,
  name text not null,
  status smallint not null default 1 check (status in (0, 1)),
  percent_type smallint not null default 1 check (percent_type in (1, 2, 3)),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index projects_name on projects (lower(name));
comment on index projects_name is 'Unique: one scheme a name, in any case.';

create table stations (
  id bigint generated always as identity primary key,
  name text not null,
  province text not null default '',
  city text not null default '',
  county text not null default '',
  address text not null default '',
  discount integer check (discount between 1 and 10000),
  northeast_discount integer check (northeast_discount between 1 and 10000),
  -- Fen; written by domain/ledger alone: money = wallet + holds, "freeze" = holds.
  money bigint not null default 0,
  "freeze" bigint not null default 0,
  fixed_freeze bigint not null default 0 check (fixed_freeze >= 0),
  available bigint generated always as (money - "freeze" - fixed_freeze) stored,
  customer_code text not null default '',
  status smallint not null default 1 check (status in (0, 1)),
  allow_print smallint not null default 1 check (allow_print in (0, 1)),
  has_amount smallint not null default 1 check (has_amount in (0, 1)),
  allow_select smallint not null default 1 check (allow_select in (0, 1)),
  profit integer not null default 0 check (profit between 0 and 10000),
  fixed_profit bigint not null default 0 check (fixed_profit >= 0),
  enable_profit smallint not null default 0 check (enable_profit in (0, 1)),
  parent_id bigint references stations (id),
  project_id bigint references projects (id),
  sender_name text not null default '',
  sender_phone text not null default '',
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- How much of a parcel a partner may give itself by the profit terms of the stations below it (requirements §10.12.4).
  profit_limit integer not null default 0 check (profit_limit between 0 and 10000),
  fixed_profit_limit bigint not null default 0 check (fixed_profit_limit >= 0),
  low_balance bigint check (low_balance between 0 and 100000000000),
  constraint stations_not_own_parent check (parent_id is distinct from id)
);
create unique index stations_name on stations (lower(name));
comment on index stations_name is 'Unique: one station a name, in any case.';
create index stations_parent on stations (parent_id);
comment on index stations_parent is 'The stations below a station: scope, tree and chain (domain/network).';
create index stations_project on stations (project_id);
comment on index stations_project is 'The stations of a scheme (features/schemes).';
comment on column stations.low_balance is 'Fen; below this available sum people are warned. Null: the setting of the network.';
-- Room for the balances to change in place.
alter table stations set (fillfactor = 50);

alter table accounts add constraint accounts_station foreign key (station_id) references stations (id);

-- Every row that belongs to a station carries `tree_id`: the tree its station belonged to when the row was made (docs/decisions/0038); 0 is the platform's own. The column
-- places rows, never changes and grants nothing: scope stays `station_id`. It is filled by the triggers of server/sql/trees.sql.

-- The present tree of every station; a tree is named by the station at the top of the chain. A table of its own, so that a move locks and rewrites no row that
-- holds money.
create table station_trees (
  station_id bigint primary key references stations (id) on delete cascade,
  tree_id bigint not null
);

-- Who is setting up a new station (docs/decisions/0055). Which steps are done is read from the station itself and is not stored.
create table station_setups (
  station_id bigint primary key references stations (id),
  -- Who began it, and is notified.
  account_id bigint not null references accounts (id),
  started_at timestamptz not null,
  -- When it was last looked at by the task, and when the person was last reminded.
  checked_at timestamptz not null,
  reminded_at timestamptz not null,
  -- When every step was done, or somebody ended it.
  ended_at timestamptz
);
create index station_setups_open on station_setups (started_at desc, station_id desc) where ended_at is null;
comment on index station_setups_open is 'The open ones, newest first (domain/station-setup/store.ts).';

create table cargos (
  id bigint generated always as identity primary key,
  name text not null,
  type smallint not null check (type between 1 and 9),
  provider text not null check (provider in ('jdl', 'sf')),
  priority integer not null default 0 check (priority between 0 and 9999),
  status smallint not null default 1 check (status in (0, 1)),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Goods that may not be shipped stay in the list with the reason, so that an order with them is refused in words.
  banned smallint not null default 0 check (banned in (0, 1)),
  banned_reason text not null default '',
  constraint cargos_banned_says_why check (banned = 0 or banned_reason <> '')
);
create unique index cargos_name on cargos (provider, lower(name));
comment on index cargos_name is 'Unique: one name of goods for each carrier, in any case. An order finds its goods by name.';

create table promises (
  id bigint generated always as identity primary key,
  promise_id text not null,
  promise_name text not null,
  provider text not null check (provider in ('jdl', 'sf')),
  status smallint not null default 1 check (status in (0, 1)),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- promise_name is the Chinese name; empty: there is none in English.
  promise_name_en text not null default '',
  -- HH:MM in Asia/Shanghai.
  cutoff_time text not null default '' check (cutoff_time ~ '^(([01]\d|2[0-3]):[0-5]\d)?$'),
  -- A lower one comes first.
  sort integer not null default 100 check (sort between 0 and 9999)
);
create unique index promises_code on promises (provider, promise_id);
comment on index promises_code is 'Unique: a promise is referenced by carrier and code.';

create table guarantees (
  id bigint generated always as identity primary key,
  money bigint not null check (money > 0),
  price bigint not null check (price >= 0),
  status smallint not null default 1 check (status in (0, 1)),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index guarantees_money on guarantees (money);
comment on index guarantees_money is 'Unique: one insurance tier an insured value.';

-- Insurance tiers that replace the enabled ones at a later moment (docs/decisions/0075-insurance-tiers-from-a-day.md).
create table guarantee_plans (
  id bigint generated always as identity primary key,
  valid_from timestamptz not null,
  -- [{money, price}], ascending, fen.
  tiers jsonb not null,
  created_by bigint references accounts (id),
  created_at timestamptz not null,
  ended_at timestamptz,
  outcome text check (outcome in ('applied', 'withdrawn')),
  constraint guarantee_plans_ended check ((ended_at is null) = (outcome is null))
);
create unique index guarantee_plans_open on guarantee_plans ((true)) where outcome is null;
comment on index guarantee_plans_open is 'Unique: one plan waits at a time.';

create table merchants (
  id bigint generated always as identity primary key,
  name text not null,
  provider text not null check (provider in ('jdl', 'sf')),
  customer_code text not null,
  -- Encrypted by platform/secrets; never answered, only their last four characters.
  access_token bytea,
  app_key bytea,
  app_secret bytea,
  secret_tails jsonb not null default '{}',
  base_url text not null,
  is_default smallint not null default 0 check (is_default in (0, 1)),
  guarantee bigint not null default 0 check (guarantee >= 0),
  status smallint not null default 1 check (status in (0, 1)),
  province text not null default '',
  city text not null default '',
  county text not null default '',
  address text not null default '',
  sender_name text not null default '',
  sender_phone text not null default '',
  warehouse_code text not null default '',
  token_expires_at timestamptz,
  -- Set when the carrier refuses our token or signature: no calls until an administrator looks.
  paused_at timestamptz,
  paused_reason text not null default '',
  simulated smallint not null default 0 check (simulated in (0, 1)),
  -- 1: order with numbers fetched before, for carriers that answer repeats with an error.
  prefetch_numbers smallint not null default 0 check (prefetch_numbers in (0, 1)),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- {at, ok, ms, reason}: what a real call to the carrier answered when somebody last tested the account.
  proof jsonb,
  -- The secret in the address that the carrier pushes to, encrypted like the others, and the hash by which it is looked up (requirements §10.12.7).
  push_secret bytea,
  push_secret_hash bytea,
  -- Since when too many of its last calls failed; null: it answers.
  down_since timestamptz
);
create unique index merchants_code on merchants (provider, customer_code);
comment on index merchants_code is 'Unique: one account a customer code of a carrier.';
create unique index merchants_default on merchants (provider) where is_default = 1;
comment on index merchants_default is 'Unique: one default account of a carrier, read by each order that names none.';
create unique index merchants_push_secret on merchants (push_secret_hash);
comment on index merchants_push_secret is 'Unique: the account of a push, by the hash in its address (domain/express/poll.ts).';

create table vouchers (
  id bigint generated always as identity primary key,
  name text not null,
  provider text not null check (provider in ('jdl', 'sf')),
  promise_id text not null,
  discount integer check (discount between 1 and 10000),
  northeast_discount integer check (northeast_discount between 1 and 10000),
  -- The draft of the weight configuration; what is ordered with is a published version.
  weight jsonb not null default '{}',
  status smallint not null default 1 check (status in (0, 1)),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (provider, promise_id) references promises (provider, promise_id)
);
create unique index vouchers_name on vouchers (lower(name));
comment on index vouchers_name is 'Unique: one template a name, in any case.';

-- Published, immutable versions; the one in force is the latest whose valid_from has passed.
create table voucher_versions (
  voucher_id bigint not null references vouchers (id),
  no integer not null,
  valid_from timestamptz not null,
  discount integer,
  northeast_discount integer,
  weight jsonb not null,
  published_by bigint references accounts (id),
  published_at timestamptz not null default now(),
  primary key (voucher_id, no)
);
create index voucher_versions_valid on voucher_versions (voucher_id, valid_from desc, no desc);
comment on index voucher_versions_valid is 'The version in force at a moment (domain/offers/terms.ts), for each quote and order.';

-- A scheme holds one template per promise.
create table project_vouchers (
  project_id bigint not null references projects (id),
  provider text not null,
  promise_id text not null,
  voucher_id bigint not null references vouchers (id),
  primary key (project_id, provider, promise_id),
  foreign key (provider, promise_id) references promises (provider, promise_id)
);
create index project_vouchers_voucher on project_vouchers (voucher_id);
comment on index project_vouchers_voucher is 'The schemes that use a template (features/vouchers).';

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
comment on index voucher_impacts_voucher is 'The last estimate of a template (features/vouchers/impact.ts).';

create table contacts (
  id bigint generated always as identity primary key,
  station_id bigint not null references stations (id),
  kind text not null check (kind in ('sender', 'receive')),
  name text not null,
  phone text not null,
  province text not null,
  city text not null,
  county text not null,
  address text not null,
  status smallint not null default 1 check (status in (0, 1)),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  tree_id bigint not null default 0
);
create index contacts_updated on contacts (station_id, kind, updated_at desc, id desc);
comment on index contacts_updated is 'The address book of a station by kind, newest first (features/stations/contacts.ts): the order form suggests from it.';
create index contacts_station_newest on contacts (station_id, updated_at desc, id desc);
comment on index contacts_station_newest is 'The address book of a station, newest first (features/stations/contacts.ts).';
create index contacts_newest on contacts (updated_at desc, id desc);
comment on index contacts_newest is 'All address books, newest first (features/stations/contacts.ts).';
