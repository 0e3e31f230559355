-- Precondition: none.
-- A person's data is erased on request of one person of the office and with the consent of a second one (docs/decisions/0149).
create table erasures (
  id bigint generated always as identity primary key,
  status text not null default 'waiting' check (status in ('waiting', 'running', 'done', 'cancelled')),
  account_id bigint not null references accounts (id),
  at timestamptz not null,
  reason text not null,
  -- Who is erased, and in which rows; gone once the erasure has ended.
  phone text,
  names text[] not null default '{}',
  senders bigint[] not null default '{}',
  receivers bigint[] not null default '{}',
  contacts bigint[] not null default '{}',
  -- Slow hashes of phone and name, one a name, by which a later question is answered; all rows have the same salt.
  salt text not null,
  fingerprints text[] not null,
  -- Erased rows by place; while it waits those that were found.
  counts jsonb not null default '{}',
  decided_by bigint references accounts (id),
  decided_at timestamptz,
  done_at timestamptz,
  check ((phone is null) = (status in ('done', 'cancelled'))),
  check (decided_by is null or status = 'cancelled' or decided_by <> account_id)
);
create index erasures_open on erasures (id) where status in ('waiting', 'running');
comment on index erasures_open is 'Erasures that wait or run (features/people/erasures.ts).';

-- Sides of which the person was erased: 1 sender, 2 recipient, 3 both.
alter table expresses add column erased smallint not null default 0 check (erased between 0 and 3);
