-- Precondition: 0043.
-- What clients are notified of (docs/decisions/0046). Unlogged: these are hints, which a crash of PostgreSQL may lose, and then their readers start again.

create unlogged table live_events (
  -- The transaction that wrote the row: readers go by what their last snapshot did not see, because ids are not committed in their order.
  tx xid8 not null default pg_current_xact_id(),
  id bigint generated always as identity,
  at timestamptz not null default clock_timestamp(),
  kind text not null check (kind in ('parcel', 'parcels', 'job', 'inbox', 'access')),
  -- Who may see it: the scope of a parcel, or one account. Neither: a change of rights, which the server itself reads.
  station_id bigint,
  user_id bigint,
  account_id bigint,
  subject_id bigint,
  data jsonb not null default '{}',
  primary key (tx, id)
) with (autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_threshold = 2000);

-- One row. `epoch` is renewed after a crash; rows with a `tx` up to `floor` may be removed already.
create unlogged table live_event_log (
  one boolean primary key default true check (one),
  epoch uuid not null default gen_random_uuid(),
  floor xid8 not null default pg_current_xact_id()
);
insert into live_event_log default values;
