-- Precondition: 0095.

-- Edits of the rows of an import, so that they can be taken back in the reverse order and made again.
alter table imports add column edit_step integer not null default 0, add column undo_steps integer not null default 0, add column redo_steps integer not null default 0;

create table import_steps (
  import_id bigint not null references imports (id) on delete cascade,
  -- From 1; those up to imports.edit_step are in force, the others were taken back.
  step integer not null,
  rows integer not null,
  primary key (import_id, step)
);

create table import_step_rows (
  import_id bigint not null,
  step integer not null,
  no integer not null,
  -- What the row is on the other side of the step: before it while it is in force, after it once it was taken back.
  edits jsonb not null,
  -- `excluded` or `refused` (with its reason) where it was left out.
  mark text,
  reason jsonb,
  primary key (import_id, step, no),
  foreign key (import_id, step) references import_steps (import_id, step) on delete cascade
) with (autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_threshold = 5000);
