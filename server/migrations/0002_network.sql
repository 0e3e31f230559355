-- Precondition: 0001.
-- Stations and what the office sets up: goods, promises, insurance, carrier accounts, templates, schemes; address books.

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
  constraint stations_not_own_parent check (parent_id is distinct from id)
);
create unique index stations_name on stations (lower(name));
create index stations_parent on stations (parent_id);
create index stations_project on stations (project_id);

alter table accounts add constraint accounts_station foreign key (station_id) references stations (id);

create table cargos (
  id bigint generated always as identity primary key,
  name text not null,
  type smallint not null check (type between 1 and 9),
  provider text not null check (provider in ('jdl', 'sf')),
  priority integer not null default 0 check (priority between 0 and 9999),
  status smallint not null default 1 check (status in (0, 1)),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index cargos_name on cargos (provider, lower(name));

create table promises (
  id bigint generated always as identity primary key,
  promise_id text not null,
  promise_name text not null,
  provider text not null check (provider in ('jdl', 'sf')),
  status smallint not null default 1 check (status in (0, 1)),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index promises_code on promises (provider, promise_id);

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

create table merchants (
  id bigint generated always as identity primary key,
  name text not null,
  provider text not null check (provider in ('jdl', 'sf')),
  customer_code text not null,
  -- Sealed by platform/secrets; never answered, only their last four characters.
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
  updated_at timestamptz not null default now()
);
create unique index merchants_code on merchants (provider, customer_code);
create unique index merchants_default on merchants (provider) where is_default = 1;

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
  updated_at timestamptz not null default now()
);
create index contacts_station on contacts (station_id, kind, id desc);
