-- Precondition: 0027_second_person.
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

alter table setting_raises enable row level security;
alter table setting_raises force row level security;
create policy setting_raises_scope on setting_raises using ((select scope_all()));
grant select, insert, update on setting_raises to {{app_role}};
