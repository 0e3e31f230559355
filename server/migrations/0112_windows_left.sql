-- Precondition: none.
-- The pickup window that a change left, once the carrier has taken the change; null: it left none.
alter table express_edits
  add column left_from timestamptz,
  add column left_until timestamptz;
alter table express_edits add constraint express_edits_left_window check (num_nulls(left_from, left_until) in (0, 2) and left_from < left_until) not valid;
-- Windows that had ended before the change was asked for, by their end.
create index express_edits_left on express_edits (station_id, left_until) where left_until <= created_at;
comment on index express_edits_left is 'Which windows of a station were moved after a carrier had missed them (domain/express/kept-windows.ts).';
