-- Precondition: 0095.

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
