-- Precondition: none.
-- When a worker that schedules backups was last seen: no other process knows its folder (docs/operating.md, "Backups").
create table backup_schedule (
  id smallint primary key check (id = 1),
  seen_at timestamptz not null
);
