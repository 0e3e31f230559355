-- Precondition: none.
-- Backups that the command made, with what became of each (docs/operating.md, "Backups").
create table backups (
  id bigint generated always as identity primary key,
  begun_at timestamptz not null,
  file text not null,
  finished_at timestamptz,
  bytes bigint,
  rows bigint,
  -- When a restore of it was verified.
  verified_at timestamptz,
  problem text
);
