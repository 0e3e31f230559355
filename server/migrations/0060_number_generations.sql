-- Precondition: none.
-- Numbers never come again after the newest rows were lost (docs/decisions/0137): a row each time that all sequences were raised, the first one for the database itself.
create table number_generations (
  no bigint primary key,
  at timestamptz not null default now(),
  cause text not null check (cause in ('first', 'restore', 'timeline', 'system')),
  system_identifier text not null,
  timeline text not null,
  -- Numbers of parcels above `parcels_below` up to `parcels_above` are not in use: walks by id step over them. Null: not raised.
  parcels_below bigint,
  parcels_above bigint
);
