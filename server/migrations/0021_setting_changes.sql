-- Precondition: 0001.
-- Settings are changed on a screen. A raised money limit waits 24 hours, or for a second person.

alter table settings add column version integer not null default 1;
alter table settings add column account_id bigint references accounts (id);

create table setting_raises (
  id bigint generated always as identity primary key,
  name text not null,
  amount_before bigint not null,
  amount_after bigint not null,
  account_id bigint not null references accounts (id),
  at timestamptz not null,
  effective_at timestamptz not null,
  status text not null default 'waiting' check (status in ('waiting', 'applied', 'confirmed', 'cancelled')),
  decided_by bigint references accounts (id),
  decided_at timestamptz,
  check (amount_after > amount_before)
);
create unique index setting_raises_waiting on setting_raises (name) where status = 'waiting';
